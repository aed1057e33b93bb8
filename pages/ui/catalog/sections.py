"""Sections of the page Catalog: one answer, one chart, and the entries with their sources."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.catalog import DISPUTES, GPUS, LINKS, MODELS, SWITCHES, SYSTEMS, visible
from core.hardware import Family, Link
from core.units import format_rate, format_time
from pages.ui.catalog import answers, frames, plots, rows
from pages.ui.shared import answer, bound, charts, findings, names, tables
from pages.ui.shared.answer import Headline


def _links(*families: Family, unverified: bool) -> list[Link]:
    return [link for link in visible(LINKS, unverified).values() if link.family in families]


def _show(frame: pd.DataFrame, text: str, columns: Mapping[str, Any] | None = None) -> None:
    """A table whose names, notes and sources are never cut."""
    wide = [name for name in ("name", "note", "sources") if name in frame]
    tables.show(frame, text, {**(columns or {}), **tables.widths(frame, *wide)})


def _table(links: Iterable[Link]) -> None:
    """The table under a section: every link with its source and confidence."""
    text = "Links with published and used rates, sources and confidence"
    _show(rows.links(links), text, rows.LINK_COLUMNS)
    rows.legend()


def nvlink(*, unverified: bool) -> None:
    """NVLink generations, and whether a GPU has NVLink at all."""
    with st.container(horizontal=True):
        gpu = GPUS[
            bound.choice(
                "Does this GPU have NVLink?",
                "card",
                visible(GPUS, unverified),
                "rtx-4090",
                names=names.catalog(),
            )
        ]
    answer.headline(answers.has_nvlink(gpu), note=f"{names.sentence(gpu.note)}." if gpu.note else "")
    left, right = st.columns(2)
    with left:
        st.subheader("NVLink rate per GPU by generation")
        generations = frames.generations(_links(Family.NVLINK, unverified=unverified))
        rates = findings.listed(generations["name"], generations["bytes_per_s"], format_rate)
        text = f"Unidirectional rate per GPU by NVLink generation: {rates}"
        charts.draw(plots.generations(), text, rows=generations)
    with right:
        st.subheader("NVLink rate over PCIe rate")
        ratios = frames.against_pcie(
            _links(Family.NVLINK, unverified=True), _links(Family.PCIE, unverified=True)
        )
        times = findings.listed(ratios["name"], ratios["ratio"], "{:.1f} times".format)
        text = f"NVLink over the PCIe slot of the same GPUs, unidirectional: {times}"
        charts.draw(plots.against_pcie(), text, rows=ratios)
    families = (Family.NVLINK, Family.C2C, Family.INFINITY_FABRIC, Family.UALINK)
    _table(_links(*families, unverified=unverified))


def nvswitch(*, unverified: bool) -> None:
    """Switch ports of a domain, and why a mesh without switches stops."""
    left, right = st.columns(2)
    with left:
        gpus = bound.number("GPUs in one scale-up domain", "mesh_gpus", 8, low=2, step=1)
    with right:
        options = answers.switched(visible(GPUS, unverified))
        gpu = GPUS[bound.choice("GPU", "mesh_card", options, "h100-sxm", names=names.catalog())]
    with answer.explained():
        headline = answers.domain(gpu, gpus)
    answer.headline(headline)
    st.subheader("Bandwidth of one GPU pair vs domain size")
    pair = frames.mesh(gpu, gpus)
    rates = findings.ends(pair, "topology", "gpus", "pair_bytes_per_s", format_rate)
    text = f"Rate between one pair of GPUs, where a mesh divides its links and a switch does not: {rates}"
    charts.draw(plots.mesh(), text, rows=pair)
    st.latex(
        r"\text{ports} = \text{GPUs} \times \text{links per GPU}, \qquad \text{mesh: } \text{links} \ge \text{GPUs} - 1"
    )
    st.subheader("Switch chips and ports by system")
    _show(rows.switches(SWITCHES.values()), "Switch chips and ports of each system")
    _table(_links(Family.NVSWITCH, unverified=unverified))


def pcie(*, unverified: bool) -> None:
    """PCI Express 3 to 7: what the slot carries in each direction."""
    links = _links(Family.PCIE, unverified=unverified)
    answer.headline(
        Headline(
            "PCIe 5 x16 carries 64 GB/s per direction; 128 GB/s is the bidirectional sum.",
            "A copy to or from the host uses one direction: 63.0 GB/s after line code, about 55 GB/s measured.",
            "Each generation doubles; generations 6 and 7 send PAM4 flits, which cost 5.5 % instead of 1.5 %.",
        )
    )
    st.subheader("Rate of an x16 slot by generation")
    slots = frames.slot_rates(links)
    text = f"Unidirectional rate of an x16 slot by generation: {findings.span(slots['bytes_per_s'], format_rate)}"
    charts.draw(plots.slots(), text, rows=slots)
    _table(links)


def networks(*, unverified: bool) -> None:
    """InfiniBand against RoCE at equal port rate, and the clouds' own networks."""
    answer.headline(
        Headline(
            "At the same port rate, InfiniBand and RoCE differ in latency, not in bandwidth.",
            "Small messages: 1-1.6 µs end to end on InfiniBand, 5-6 µs on RoCE; a switch hop about 0.13 µs against 0.5 µs.",
            "Large messages: RoCE keeps about 95 % of the port rate as payload, so a 1 GB all-reduce takes much the same time.",
        )
    )
    families = (Family.INFINIBAND, Family.ETHERNET)
    links = _links(*families, unverified=unverified) or _links(*families, unverified=True)
    left, right = st.columns(2)
    with left:
        st.subheader("Port rate by year")
        ports = frames.ports(links)
        grows = findings.ends(ports, "family", "year", "bytes_per_s", format_rate)
        charts.draw(plots.ports(), f"Unidirectional port rate over the years: {grows}", rows=ports)
    with right:
        st.subheader("Small-message latency")
        stated = frames.latencies(links)
        lowest = stated.groupby("family", sort=False)["low_s"].min()
        text = f"Small-message latency as stated, by link; lowest {findings.listed(lowest.index, lowest, format_time)}"
        charts.draw(plots.latencies(), text, rows=stated)
    _table(_links(*families, Family.EFA, Family.SLINGSHOT, Family.TCPX, unverified=unverified))


def gpus(*, unverified: bool) -> None:
    """Every GPU: memory, peaks, scale-up link, PCIe."""
    shown = list(visible(GPUS, unverified).values())
    rates = {gpu.name: gpu.scale_up.bytes_per_s for gpu in shown if gpu.scale_up}
    fastest = max(rates, key=lambda name: rates[name])
    alone = sum(answers.alone(gpu) for gpu in shown)
    answer.headline(
        Headline(
            f"{len(shown)} GPUs: scale-up rates go up to {format_rate(rates[fastest])} unidirectional ({fastest}).",
            f"{alone} have no GPU-to-GPU link and communicate over PCIe.",
        )
    )
    st.subheader("Scale-up rate per GPU")
    text = f"Unidirectional scale-up rate of every GPU: {findings.listed(rates, rates.values(), format_rate)}"
    charts.draw(plots.gpus(), text, rows=frames.gpus(shown))
    _show(rows.gpus(shown), "GPUs", rows.GPU_COLUMNS)
    rows.legend()


def systems(*, unverified: bool) -> None:
    """Every system that the calculators know."""
    shown = list(visible(SYSTEMS, unverified).values())
    answer.headline(
        Headline(
            f"{len(shown)} systems, each with its scale-up domain and scale-out fabric.",
            "The ids are those of python -m core systems; any system takes more domains, another network or other NICs.",
        )
    )
    _show(rows.systems(shown), "Systems", rows.SYSTEM_COLUMNS)


def models(*, unverified: bool) -> None:
    """Every model shape."""
    shown = list(visible(MODELS, unverified).values())
    answer.headline(
        Headline(
            f"{len(shown)} model shapes; parameter counts are recomputed from the shape.",
            "Where the recomputed total and the published one differ, the row shows both.",
        )
    )
    _show(rows.models(shown), "Models", rows.MODEL_COLUMNS)


def disputes(*, unverified: bool) -> None:  # noqa: ARG001 (every section is asked alike)
    """Where sources contradict each other."""
    answer.headline(
        Headline(
            f"{len(DISPUTES)} figures on which published sources disagree.",
            "Each row gives all readings, the one that the calculators use, and why.",
        )
    )
    tables.show(rows.disputes(DISPUTES), "Disputed figures", rows.DISPUTE_COLUMNS, height=720)


SECTIONS: dict[str, Callable[..., None]] = {
    "NVLink": nvlink,
    "NVSwitch": nvswitch,
    "PCIe": pcie,
    "Networks": networks,
    "GPUs": gpus,
    "Systems": systems,
    "Models": models,
    "Disputes": disputes,
}
