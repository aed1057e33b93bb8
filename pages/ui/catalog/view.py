"""Catalog page: each section one answer, one chart, the rows with their sources."""

import streamlit as st

from core.catalog import DISPUTES, GPUS, LINKS, MODELS, SWITCHES, SYSTEMS, visible
from core.hardware import Family
from core.units import GB
from pages.ui.catalog import charts as catalog_charts
from pages.ui.catalog import tables as catalog_tables
from pages.ui.shared import answer, bound, charts, tables

NVLINK = "NVLink"
SWITCH = "NVSwitch"
PCIE = "PCIe"
NETWORK = "Networks"
CARDS = "GPUs"
MACHINES = "Systems"
SHAPES = "Models"
DISPUTED = "Disputes"


def _links(unverified, *families):
    return [one for one in visible(LINKS, unverified).values() if one.family in families]


def _rows(links):
    """The table under a section: every row with its source and confidence."""
    words = "Links with printed and used rates, sources and confidence"
    tables.show(catalog_tables.links(links), words, catalog_tables.LINK_COLUMNS)
    catalog_tables.legend()


def nvlink(unverified):
    """NVLink generations, and whether a card has it at all."""
    with st.container(horizontal=True):
        card = bound.choice("Does this card have NVLink?", "card", visible(GPUS, unverified), "rtx-4090")
    gpu = GPUS[card]
    answer.headline(*catalog_tables.has_nvlink(gpu), note=gpu.note)
    links = _links(unverified, Family.NVLINK)
    frame = catalog_tables.generations(links)
    left, right = st.columns(2)
    with left:
        charts.draw(catalog_charts.generations(), "One-way rate per GPU by NVLink generation", rows=frame)
    with right:
        pcie = catalog_tables.against_pcie(_links(True, Family.NVLINK), _links(True, Family.PCIE))
        charts.draw(catalog_charts.against_pcie(), "NVLink over PCIe of the same time, per GPU", rows=pcie)
    _rows(_links(unverified, Family.NVLINK, Family.C2C, Family.INFINITY_FABRIC, Family.UALINK))


def switch(unverified):
    """NVSwitch anatomy: ports are GPUs times links; why a mesh without switches stops."""
    left, right = st.columns(2)
    with left:
        gpus = bound.number("GPUs in one domain", "mesh_gpus", 8, low=2, step=1)
    with right:
        card = bound.choice(
            "GPU", "mesh_card", catalog_tables.switched(visible(GPUS, unverified)), "h100-sxm"
        )
    gpu = GPUS[card]
    with answer.explained():
        verdict = catalog_tables.anatomy(gpu, gpus)
    answer.headline(*verdict)
    charts.draw(
        catalog_charts.mesh(),
        "Rate between one pair of GPUs: a mesh divides its links, a switch does not",
        rows=catalog_tables.mesh(gpu, gpus),
    )
    st.latex(
        r"\text{ports} = \text{GPUs} \times \text{links per GPU}, \qquad \text{mesh: } \text{links} \ge \text{GPUs} - 1"
    )
    st.subheader("Anatomy of the switched machines")
    tables.show(catalog_tables.switches(SWITCHES.values()), "Switch chips and ports of each machine")
    _rows(_links(unverified, Family.NVSWITCH))


def pcie(unverified):
    """PCI Express 3 to 7: what the slot carries one way."""
    links = _links(unverified, Family.PCIE)
    answer.headline(
        "PCIe 5 x16 carries 64 GB/s one way; 128 GB/s counts both directions.",
        "A copy to or from the host uses one direction only: 63.0 GB/s after line code, about 55 GB/s measured.",
        "Each generation doubles; generations 6 and 7 send PAM4 flits, which cost 5.5 % instead of 1.5 %.",
    )
    charts.draw(
        catalog_charts.tiers(), "One-way rate of an x16 slot by generation", rows=catalog_tables.tiers(links)
    )
    _rows(links)


def network(unverified):
    """InfiniBand against RoCE at equal port rate, and the clouds' own networks."""
    answer.headline(
        "At the same port rate, InfiniBand and RoCE differ in latency, not in bandwidth.",
        "Small messages: 1-1.6 µs end to end on InfiniBand, 5-6 µs on RoCE; a switch hop about 0.13 µs against 0.5 µs.",
        "Large messages: RoCE keeps about 95 % of the port rate as payload, so the choice hardly moves a 1 GB all-reduce.",
    )
    families = (Family.INFINIBAND, Family.ETHERNET)
    links = _links(unverified, *families) or _links(True, *families)
    left, right = st.columns(2)
    with left:
        charts.draw(
            catalog_charts.ports(), "Port rate one way over the years", rows=catalog_tables.ports(links)
        )
    with right:
        charts.draw(
            catalog_charts.latencies(),
            "Small-message latency as stated",
            rows=catalog_tables.latencies(links),
        )
    _rows(_links(unverified, *families, Family.EFA, Family.SLINGSHOT, Family.TCPX))


def cards(unverified):
    """Every GPU: memory, peaks, scale-up, PCIe."""
    gpus = list(visible(GPUS, unverified).values())
    fastest = max((one for one in gpus if one.scale_up), key=lambda one: one.scale_up.bytes_per_s)
    bare = sum(catalog_tables.alone(one) for one in gpus)
    answer.headline(
        f"{len(gpus)} GPUs: scale-up rates go up to {fastest.scale_up.bytes_per_s / GB:,.0f} GB/s one way ({fastest.name}).",
        f"{bare} have no GPU-to-GPU link at all and talk over PCIe.",
    )
    charts.draw(
        catalog_charts.cards(),
        "Scale-up rate of every GPU, one way",
        rows=catalog_tables.card_points(gpus),
    )
    tables.show(catalog_tables.gpus(gpus), "GPUs", catalog_tables.GPU_COLUMNS)
    catalog_tables.legend()


def machines(unverified):
    """Every system that the calculators know."""
    systems = list(visible(SYSTEMS, unverified).values())
    answer.headline(
        f"{len(systems)} systems, each a list of fabrics from the inside out.",
        "The same ids as `python -m core systems` prints; any of them takes more domains, another network or other NICs.",
    )
    tables.show(catalog_tables.systems(systems), "Systems", catalog_tables.SYSTEM_COLUMNS)


def shapes(unverified):
    """Every model shape."""
    models = list(visible(MODELS, unverified).values())
    answer.headline(
        f"{len(models)} model shapes; parameter counts are recomputed from the shape.",
        "Where the recomputed total and the published one differ, the row says both.",
    )
    tables.show(catalog_tables.models(models), "Models", catalog_tables.MODEL_COLUMNS)


def disputed(_unverified):
    """Where sources contradict each other."""
    answer.headline(
        f"{len(DISPUTES)} figures on which published sources disagree.",
        "Each is an entry with both sides, and says which one the calculators use and why.",
    )
    tables.show(
        catalog_tables.disputes(DISPUTES), "Disputed figures", catalog_tables.DISPUTE_COLUMNS, height=720
    )


SECTIONS = {
    NVLINK: nvlink,
    SWITCH: switch,
    PCIE: pcie,
    NETWORK: network,
    CARDS: cards,
    MACHINES: machines,
    SHAPES: shapes,
    DISPUTED: disputed,
}
