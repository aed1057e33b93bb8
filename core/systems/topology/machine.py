"""Machine: a System of yours from a topology, for every calculator."""

import json
from typing import Any

from core.catalog.gpus import GPUS
from core.hardware import Gpu, System, Topology
from core.systems import read_system
from core.systems.topology.domains import components
from core.systems.topology.paths import link_rate
from core.systems.topology.survey import Survey

NEAR = ("PIX", "PXB")


def system_of(
    found: Survey,
    gpu: Gpu,
    *,
    name: str = "from topo -m",
    network: str | None = None,
    nics: int | None = None,
    pcie: str | None = None,
) -> System:
    """
    The machine behind a survey.

    Args:
        found: Of its topology matrix.
        gpu: From the catalog.
        name: Shown with *yours*.
        network: Catalog id of the scale-out link; None leaves it without one.
        nics: NICs of a domain; None takes those behind the switch of a GPU, else all in the matrix.
        pcie: Link id of the slots; None takes the GPU's own.

    Raises:
        InputError: One line naming the value and what is allowed.
    """
    document = system_document(found, gpu, name=name, network=network, nics=nics, pcie=pcie)
    return read_system(json.dumps(document))


def system_document(
    found: Survey,
    gpu: Gpu,
    *,
    name: str = "from topo -m",
    network: str | None = None,
    nics: int | None = None,
    pcie: str | None = None,
) -> dict[str, Any]:
    """The same as a system file's JSON object; see ``system_of``."""
    domain = _domain(found, gpu, pcie)
    wire = None
    if network is not None:
        wire = {"link": network, "nics_per_domain": nics or usable_nics(found) or len(found.layout.gpus)}
    return {
        "name": name,
        "gpu": gpu.id if gpu.id in GPUS else {"name": gpu.name},
        "domain": {key: value for key, value in domain.items() if value is not None},
        "network": wire,
    }


def usable_nics(found: Survey) -> int:
    """NICs behind the switch of some GPU, meant for its traffic; all where none is, or rows are cut off."""
    near = {nic for nics in found.near_nics.values() for nic in nics}
    if found.devices.unknown:
        return len(found.devices.nics)
    return len(near) or len(found.devices.nics)


def _domain(found: Survey, gpu: Gpu, pcie: str | None) -> dict[str, Any]:
    layout = found.layout
    slot = pcie or gpu.pcie_link
    shared = {
        "gpus": len(layout.gpus),
        "topology": str(layout.topology),
        "host_link": slot,
        "gpus_per_uplink": _behind_one_uplink(found),
    }
    one = link_rate(gpu)
    if layout.topology is Topology.SHARED_PCIE:
        return shared | {"link": slot}
    if one is None or layout.topology is Topology.SINGLE:
        return shared
    if layout.topology is Topology.SWITCH:
        return shared | {"bytes_per_s": layout.pair_links * one}
    pair = layout.pair_links * one
    if layout.topology is Topology.FULL_MESH:
        return shared | {"bytes_per_s": (len(layout.gpus) - 1) * pair, "pair_bytes_per_s": pair}
    if layout.topology is Topology.CUBE_MESH:
        return shared | {"pair_bytes_per_s": pair, "wiring": layout.wiring}
    return shared | {"bytes_per_s": pair, "pair_bytes_per_s": pair}


def _behind_one_uplink(found: Survey) -> int:
    """GPUs that share one uplink: the largest group behind one PCIe switch."""
    groups = components(found.devices, lambda word: word in NEAR)
    return max(len(group) for group in groups)
