"""The page Topology in words: how the GPUs are joined, what stands out, and the system for the calculators."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import streamlit as st

from core.catalog import GPUS
from core.hardware import System
from core.measurement import Matrix, Run
from core.systems import system_json
from core.systems.topology import Domain, Survey, devices_of, domains_of, survey, system_of
from core.systems.topology.devices import links
from core.units import counted, format_rate
from core.verdict import log_gpu
from pages.ui.shared import answer, empty_state, machine, names, tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import plain
from pages.ui.topology.inputs import Inputs

HINT = "Text of `nvidia-smi topo -m`"
PAGES = Path(__file__).resolve().parents[2]
LEGEND = (
    ("NV#", "# NVLinks between the two"),
    ("PIX", "one PCIe switch"),
    ("PXB", "several PCIe switches, without crossing the CPU"),
    ("PHB", "a PCIe host bridge, that is the CPU"),
    ("NODE", "several host bridges of one NUMA node"),
    ("SYS", "another NUMA node, across the link between sockets"),
)
BRIDGED_LINKS = 4
"""So many NVLinks between two GPUs are a bridge; more identify the GPU."""


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A matrix with its expected rates, and the system made from it."""

    survey: Survey
    system: System


def usable(run: Run) -> bool:
    """Whether a run contains a topology matrix of paths."""
    return any(map(_is_topology, run.matrices))


def _is_topology(matrix: Matrix) -> bool:
    return matrix.kind == "topology" and not matrix.name.startswith("topo -p2p")


def matrix_of(run: Run) -> Matrix:
    """The topology matrix of a usable run."""
    return next(filter(_is_topology, run.matrices))


def empty() -> None:
    """What the matrix's words mean, before there is one."""
    empty_state.show("No matrix yet: paste the output of this command, or upload it.", empty_state.TOPOLOGY)
    legend = pd.DataFrame(LEGEND, columns=["in the matrix", "path"])
    tables.show(legend, "Path words of the matrix, near to far")


def gpu_id(run: Run, inputs: Inputs) -> str | None:
    """The GPU as chosen, or as the log names it; None where neither does."""
    return inputs.gpu or log_gpu.gpu_id(run)


def unnamed(run: Run) -> None:
    """What the matrix tells without its GPU: NVLinks of a pair and NVLink domains."""
    devices = devices_of(matrix_of(run))
    domains = domains_of(devices)
    most = max((links(word) for word in devices.words.values()), default=0)
    joined = f"{most} NVLinks a pair" if most else "PCIe only"
    listed = (
        ", ".join(counted(len(domain.gpus), "GPU") for domain in domains if domain.kind == "NVLink") or "none"
    )
    answer.headline(
        Headline(
            f"{counted(len(devices.gpus), 'GPU')}, {joined}. NVLink domains: {listed}.",
            "The matrix does not name the GPU: choose it above for rates, weak pairs and a system.",
            _candidates(most),
        ),
        yours=True,
    )


def _candidates(link_count: int) -> str:
    """GPUs of the catalog that have as many links as the matrix shows between two."""
    if link_count <= BRIDGED_LINKS:
        return ""
    gpus = [gpu.name for gpu in GPUS.values() if gpu.scale_up_links == link_count]
    return f"GPUs with {link_count} links: {', '.join(gpus)}." if gpus else ""


def ask(run: Run, gpu: str, inputs: Inputs) -> Surveyed:
    """Expected rates of every pair, and the system; InputError where the matrix is none."""
    surveyed = survey(matrix_of(run), GPUS[gpu], inputs.slot)
    name = f"{len(surveyed.layout.gpus)} × {GPUS[gpu].name}, from topo -m"
    system = system_of(
        surveyed, GPUS[gpu], name=name, network=inputs.network, nics=inputs.nics, pcie=inputs.slot
    )
    return Surveyed(surveyed, system)


def headline(surveyed: Surveyed) -> None:
    """How the GPUs are joined, and the first thing to know."""
    joined, rate = names.joined(surveyed.survey.layout.topology), surveyed.system.scale_up.bytes_per_s
    first, *more = filter(None, surveyed.survey.findings)
    answer.headline(
        Headline(
            f"{counted(len(surveyed.survey.devices.gpus), 'GPU')} {joined}: {format_rate(rate)} unidirectional per GPU.",
            first,
            more[0] if more else "",
        ),
        yours=True,
    )


def figures(surveyed: Surveyed) -> list[Figure]:
    """Counts of the matrix."""
    matrix = surveyed.survey
    return [
        Figure("GPUs", str(len(matrix.devices.gpus))),
        Figure("NICs", str(len(matrix.devices.nics))),
        Figure("NVLink domains", str(sum(domain.kind == "NVLink" for domain in matrix.domains))),
        Figure("Slow pairs", str(len(matrix.weak)), "Expected below 90 % of the fastest pair's rate."),
        Figure("GPUs per PCIe uplink", str(surveyed.system.gpus_per_uplink)),
        Figure("Inconsistent paths", str(len(matrix.strange)), "Three paths that no PCIe tree can have."),
    ]


def findings(matrix: Survey) -> None:
    """Every finding, then the domains."""
    st.subheader("What the matrix says")
    st.markdown("\n".join(f"* {plain(line)}" for line in matrix.findings))
    domains(matrix.domains)


def domains(items: Iterable[Domain]) -> None:
    """Each group of GPUs in a line that breaks on a narrow screen."""
    st.markdown("\n".join(f"* {domain.kind}: {plain(', '.join(domain.gpus))}" for domain in items))


def use(system: System) -> None:
    """The system as a file, and into the calculators."""
    st.subheader("The system")
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
    if machine.handed_over(text):
        st.success("The calculators now use this system.", icon=":material/check:")
        st.page_link(PAGES / "collectives.py", label="Time of a collective on it", icon=":material/hub:")
