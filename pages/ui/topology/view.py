"""Topology page: the matrix as a heat map, its findings, and a machine for the calculators."""

import json
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import streamlit as st

from core.catalog import GPUS
from core.systems import NETWORKS, system_json
from core.systems.topology import PCIE_WORDS, devices_of, domains_of, survey, system_of
from core.systems.topology.wires import links
from core.units import GB, format_rate
from pages.ui.shared import answer, bound, heatmap, machine, measured, tables
from pages.ui.shared.messages import plain

HINT = "Text of `nvidia-smi topo -m`"
FROM_LOG, NO_NETWORK, OWN_SLOT = "from the log", "none", "the GPU's own"
SLOTS = (OWN_SLOT, "pcie3-x16", "pcie4-x16", "pcie5-x16", "pcie6-x16")
PAGES = Path(__file__).resolve().parents[2]
LEGEND = (
    ("NV#", "so many NVLinks between the two"),
    ("PIX", "one PCIe switch"),
    ("PXB", "several PCIe switches, not the CPU"),
    ("PHB", "a PCIe host bridge, the CPU"),
    ("NODE", "host bridges of one NUMA node"),
    ("SYS", "another NUMA node, across the sockets' link"),
)


@dataclass(frozen=True, slots=True)
class Question:
    """What the matrix does not say: GPU, network, NICs, slots."""

    gpu: str
    network: str
    nics: int | None
    slot: str


def question():
    """The widgets for what the matrix leaves open."""
    gpu = bound.choice("GPU", "topo_gpu", [FROM_LOG, *GPUS], help="The matrix does not name it.")
    slot = bound.choice("PCIe slots", "topo_slot", SLOTS)
    network = bound.choice("Network of the NICs", "topo_network", [NO_NETWORK, *NETWORKS])
    nics = bound.number(
        "NICs used", "topo_nics", None, low=1, step=1, help="Empty: those behind a GPU's own PCIe switch."
    )
    return Question(gpu, network, nics, slot)


def shown(run):
    """Whether a run is a topology matrix of paths."""
    return any(one.kind == "topology" and not one.name.startswith("topo -p2p") for one in run.matrices)


def empty():
    """What the words mean, before there is a matrix."""
    st.info("No matrix yet: paste the output of `nvidia-smi topo -m`.")
    tables.show(pd.DataFrame(LEGEND, columns=["word", "path"]), "The words of the matrix, near to far")


def gpu_of(run, asked):
    """The GPU's id, as chosen or as the log names it; None where neither does."""
    return measured.gpu_id(run) if asked.gpu == FROM_LOG else asked.gpu


def _table(run):
    return next(
        one for one in run.matrices if one.kind == "topology" and not one.name.startswith("topo -p2p")
    )


def unnamed(run):
    """What the matrix tells without the name of its GPU: who is joined to whom, and how closely."""
    devices = devices_of(_table(run))
    domains = domains_of(devices)
    joined = [one for one in domains if one.kind == "NVLink"]
    most = max((links(word) for word in devices.words.values()), default=0)
    by = f"{most} NVLinks a pair" if most else "PCIe only"
    words = ", ".join(f"{len(one.gpus)} GPUs" for one in joined) or "none"
    answer.headline(
        f"{len(devices.gpus)} GPUs, {by}. NVLink domains: {words}.",
        "The matrix does not name the GPU: choose it at the side for rates, weak pairs and a machine.",
        _fitting(most),
        yours=True,
    )
    st.subheader("Path of each pair")
    cells = [
        (first, second, _closeness(word, most), word, word)
        for (first, second), word in devices.words.items()
        if {first, second} <= set(devices.gpus)
    ]
    if cells:
        unit = "NVLinks" if most else "steps of distance"
        heatmap.draw("Paths between GPUs", cells, unit, devices.gpus, devices.gpus)
    _domains(domains)


def _closeness(word, most):
    if most:
        return float(links(word))
    return float(PCIE_WORDS.index(word) + 1) if word in PCIE_WORDS else 0.0


def _fitting(most):
    """GPUs of the catalog that have as many links as the matrix shows between two."""
    names = [gpu.name for gpu in GPUS.values() if most > 4 and gpu.scale_up_links == most]
    return plain(f"{most} links have: {', '.join(names)}.") if names else ""


def ask(run, asked):
    """The survey and the machine made from it."""
    table = _table(run)
    gpu = GPUS[gpu_of(run, asked)]
    slot = None if asked.slot == OWN_SLOT else asked.slot
    found = survey(table, gpu, slot)
    network = None if asked.network == NO_NETWORK else asked.network
    name = f"{len(found.layout.gpus)} × {gpu.name}, from topo -m"
    return found, system_of(found, gpu, name=name, network=network, nics=asked.nics, pcie=slot)


def headline(found, system):
    """How the GPUs are joined, and the first thing to know."""
    count = len(found.devices.gpus)
    doubts = [line for line in found.findings[1:] if line]
    answer.headline(
        f"{count} GPUs, {found.layout.topology}: {format_rate(system.scale_up.bytes_per_s)} one way per GPU.",
        plain(found.findings[0]),
        plain(doubts[0]) if doubts else "",
        yours=True,
    )


def figures(found, system):
    """Counts of the matrix."""
    return [
        ("GPUs", str(len(found.devices.gpus))),
        ("NICs", str(len(found.devices.nics))),
        ("NVLink domains", str(sum(one.kind == "NVLink" for one in found.domains))),
        ("Weak pairs", str(len(found.weak)), "Expected below 90 % of the best pair's rate."),
        ("GPUs behind one uplink", str(system.gpus_per_uplink)),
        ("Impossible triples", str(len(found.strange)), "Three paths that no PCIe tree can have."),
    ]


def matrix(found):
    """Expected one-way rate per pair as a heat map, labelled by the words of the matrix."""
    st.subheader("Expected rate per pair, one way")
    cells = []
    for pair in found.pairs:
        if pair.rate is not None:
            value = pair.rate.expected_bytes_per_s / GB
            words = f"{pair.word}, wire {format_rate(pair.rate.wire_bytes_per_s)}"
            cells += [
                (pair.first, pair.second, value, pair.word, words),
                (pair.second, pair.first, value, pair.word, words),
            ]
    if not cells:
        st.info("No pair has a known rate.")
        return
    heatmap.draw("Expected copy between two GPUs", cells, "GB/s", found.devices.gpus, found.devices.gpus)


def findings(found):
    """Every finding, then the domains."""
    st.subheader("What the matrix says")
    st.markdown("\n".join(f"* {plain(line)}" for line in found.findings))
    _domains(found.domains)


def _domains(domains):
    """Each group of GPUs in a line that breaks on a narrow screen."""
    st.markdown("\n".join(f"* {one.kind}: {plain(', '.join(one.gpus))}" for one in domains))


def pairs(found):
    """Every pair with its band."""
    frame = pd.DataFrame(
        {
            "from": pair.first,
            "to": pair.second,
            "path": pair.word,
            "wire (GB/s)": pair.rate.wire_bytes_per_s / GB if pair.rate else None,
            "low": pair.rate.low_bytes_per_s / GB if pair.rate else None,
            "expected": pair.rate.expected_bytes_per_s / GB if pair.rate else None,
            "high": pair.rate.high_bytes_per_s / GB if pair.rate else None,
            "weak": pair.weak,
        }
        for pair in found.pairs
    )
    nics = pd.DataFrame(
        {"GPU": gpu, "NICs behind its switch": ", ".join(near) or "–"}
        for gpu, near in found.near_nics.items()
    )
    with st.expander("Pairs and NICs", icon=":material/table:"):
        tables.show(frame, "Expected one-way rate of every pair")
        if found.devices.nics:
            tables.show(nics, "NICs near each GPU")
        st.caption(
            "Expected: the wire times what one copy reaches of it, as published p2pBandwidthLatencyTest runs show. "
            "`topo -m` does not show link widths, peer access, or switches with several uplinks: measure to know."
        )


def use(system):
    """The machine as a file, and into the calculators."""
    st.subheader("The machine")
    st.caption(plain(machine.describe(system)))
    text = json.dumps(system_json(system), indent=2)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Save as system file", text, "system.json", "application/json", icon=":material/download:"
        )
        st.button(
            "Use in the calculators",
            key="_topo_use",
            icon=":material/calculate:",
            on_click=machine.hand_over,
            args=(text,),
        )
    if machine.handed_over() == text:
        st.success("The calculators now ask about this machine.", icon=":material/check:")
        st.page_link(PAGES / "collectives.py", label="Price a collective on it", icon=":material/hub:")
