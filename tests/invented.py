"""Hardware that does not exist, one catalog entry each, as docs/CATALOG.md says how to add it."""

from dataclasses import replace

from core.catalog import GPUS, LINKS, SYSTEMS
from core.catalog.accelerator import Peaks, ScaleUpLink, accelerator
from core.catalog.systems import Nics, system_entry
from core.hardware import Architecture, Topology

SAME_LINK, FASTER_LINK, NEW_GENERATION = "h210-x8", "h220-x8", "f100-x8"
"""A Hopper on the NVLink of its kin, one on links nobody measured, and an architecture nobody measured."""

NETWORK = "ib-vdr"


def _link(link_id, kin, value):
    """A link like its kin at another printed rate."""
    relative = LINKS[kin]
    return replace(relative, id=link_id, name=link_id.upper(), rate=replace(relative.rate, value=value))


def _gpu(gpu_id, architecture, link, gb_per_s):
    """A GPU of a few figures."""
    return accelerator(
        gpu_id,
        gpu_id.upper(),
        2026,
        architecture,
        memory_gb=160,
        memory_gb_per_s=5000,
        tflops=Peaks(bf16=1200, fp8=2400),
        scale_up=ScaleUpLink("NVLink", link, 18, gb_per_s),
        pcie="pcie6-x16",
        in_network_reduction=True,
        multiprocessors=144,
        domains="8",
        sources=("recall",),
    )


def _system(system_id, gpu_id, link, network):
    """Eight such GPUs behind switches, a NIC each."""
    switch = Topology.SWITCH
    return system_entry(
        system_id, system_id, gpu_id, 8, switch, link, Nics(network, 8), "recall", host="pcie6-x16"
    )


def add(monkeypatch):
    """Put the entries into the catalog until the test ends."""
    for link in (_link("nvlink4x", "nvlink4", 1200), _link("nvlink8", "nvlink5", 7200)):
        monkeypatch.setitem(LINKS, link.id, link)
    monkeypatch.setitem(LINKS, NETWORK, _link(NETWORK, "ib-ndr", 600))
    for gpu in (
        _gpu("h210", Architecture.HOPPER, "nvlink4", 900),
        _gpu("h220", Architecture.HOPPER, "nvlink4x", 1200),
        _gpu("f100", Architecture.FEYNMAN, "nvlink8", 7200),
    ):
        monkeypatch.setitem(GPUS, gpu.id, gpu)
    for system in (
        _system(SAME_LINK, "h210", "nvlink4", "ib-ndr"),
        _system(FASTER_LINK, "h220", "nvlink4x", NETWORK),
        _system(NEW_GENERATION, "f100", "nvlink8", NETWORK),
    ):
        monkeypatch.setitem(SYSTEMS, system.id, system)
