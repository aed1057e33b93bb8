"""The pairs of the page Topology: paths and expected rates as heat maps and as a table."""

import pandas as pd
import streamlit as st

from core.measurement import Run
from core.systems.topology import PCIE_WORDS, Pair, Survey, devices_of, domains_of
from core.systems.topology.devices import links
from core.units import GB, format_rate
from pages.ui.shared import heatmap, tables
from pages.ui.shared.heatmap import Cell
from pages.ui.topology import summary


def paths(run: Run) -> None:
    """The path of each pair where the GPU is not known: NVLinks, or how far apart on PCIe."""
    devices = devices_of(summary.matrix_of(run))
    most = max((links(word) for word in devices.words.values()), default=0)
    cells = [
        Cell(first, second, _closeness(word, most), word, word)
        for (first, second), word in devices.words.items()
        if {first, second} <= set(devices.gpus)
    ]
    st.subheader("Path of each GPU pair")
    if cells:
        unit = "NVLinks" if most else "steps of distance"
        heatmap.draw("Paths between GPUs", cells, unit, devices.gpus, devices.gpus)
    summary.domains(domains_of(devices))


def _closeness(word: str, most_links: int) -> float:
    if most_links:
        return float(links(word))
    return float(PCIE_WORDS.index(word) + 1) if word in PCIE_WORDS else 0.0


def rates(matrix: Survey) -> None:
    """Expected unidirectional rate per pair as a heat map, labelled by the words of the matrix."""
    st.subheader("Expected unidirectional copy rate per GPU pair")
    cells = [cell for pair in matrix.pairs for cell in _cells(pair)]
    if not cells:
        st.info("No pair has a known rate.")
        return
    gpus = matrix.devices.gpus
    heatmap.draw("Expected copy between two GPUs", cells, "GB/s", gpus, gpus)


def _cells(pair: Pair) -> list[Cell]:
    """A pair in both places of the matrix; nothing where its rate is unknown."""
    if pair.rate is None:
        return []
    value = pair.rate.expected_bytes_per_s / GB
    word = pair.word or ""
    path = f"{word}, link rate {format_rate(pair.rate.link_bytes_per_s)}"
    return [
        Cell(pair.first, pair.second, value, word, path),
        Cell(pair.second, pair.first, value, word, path),
    ]


def table(matrix: Survey) -> None:
    """Every pair with its interval, and the NICs near each GPU."""
    rows = pd.DataFrame(
        {
            "from": pair.first,
            "to": pair.second,
            "path": pair.word,
            "link rate (GB/s)": tables.cell(pair.rate.link_bytes_per_s, GB) if pair.rate else None,
            "low (GB/s)": tables.cell(pair.rate.low_bytes_per_s, GB) if pair.rate else None,
            "expected (GB/s)": tables.cell(pair.rate.expected_bytes_per_s, GB) if pair.rate else None,
            "high (GB/s)": tables.cell(pair.rate.high_bytes_per_s, GB) if pair.rate else None,
            "slow": pair.weak,
        }
        for pair in matrix.pairs
    )
    nics = pd.DataFrame(
        {"GPU": gpu, "NICs behind the same PCIe switch": ", ".join(near) or "–"}
        for gpu, near in matrix.near_nics.items()
    )
    with st.expander("Pairs and NICs", icon=":material/table:"):
        tables.show(rows, "Expected unidirectional rate of every pair")
        if matrix.devices.nics:
            tables.show(nics, "NICs near each GPU")
        st.caption(
            "Expected: the link rate times what one copy reaches of it in published p2pBandwidthLatencyTest runs. "
            "`topo -m` does not show link widths, peer access or switches with several uplinks: measure to know."
        )
