"""Inputs of the page Job: the traces, and what is to change."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.catalog import LINKS, SYSTEMS, visible
from core.checks import InputError
from core.collectives.cost_model import IMPLEMENTATIONS
from core.collectives.question import FabricQuestion
from core.hardware import System
from core.job.change import CHANGEABLE, Change
from core.job.explain import Explanation
from core.job.message_sizes import size_of
from core.job.new_groups import groups_shown
from core.job.shares import on_processors
from core.job.what_if import Answer, what_if
from core.systems import NETWORKS, configure
from core.traces.records import Job
from core.units import parse_size
from db.records import JobRow
from gpu_probe.parsers.trace_worker import read_traces
from pages.ui.job import kept
from pages.ui.shared import bound, documents, fields, names, work
from pages.ui.shared.documents import Document
from pages.ui.shared.question.record import SharedInputs

SAME, OWN_NETWORK = "same", "catalog"
LABEL = (
    "Traces of one job: one file a rank, or an archive; PyTorch profiler, NCCL Inspector, flight recorder ..."
)
_UPLOAD = "_job_upload"
COMPUTE_HELP = "Time of compute there over here. Empty: from BF16 peak and memory bandwidth of both GPUs."
SHARP_HELP = "SHARP: its network's switches reduce; InfiniBand from HDR on, where it is enabled."
BUCKET_HELP = "As 25MiB. Empty: as traced. The gradients are cut into buckets of this size."


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """
    The job that is shown.

    Attributes:
        job: What its traces tell.
        name: Of its file, and how many more there were.
        row: Of the store where it is a kept job; None for an upload.
    """

    job: Job
    name: str
    row: JobRow | None = None


def traces() -> Traced | None:
    """The job of the uploaded files, or a kept one; None while there is none. Raises InputError for no trace."""
    files = documents.take(LABEL, "job_traces", "_job_traces", "_job_traces_text", many=True)
    digest = _digest(files)
    if files and st.session_state.get(_UPLOAD, digest) != digest:
        kept.show_upload()
    st.session_state[_UPLOAD] = digest
    if (stored := kept.choose()) is not None:
        return Traced(stored.job, stored.row.file, stored.row)
    if not files:
        return None
    job = work.follow("Reading the traces", digest, lambda progress: read_traces(files, progress=progress))
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return None if job is None else Traced(job, f"{files[0].name}{more}")


def _digest(files: Sequence[Document]) -> str:
    """The hash of names and contents."""
    digest = hashlib.sha256()
    for name, data in files:
        digest.update(f"{name}\0{len(data)}\0".encode("utf-8", "replace"))
        digest.update(data)
    return digest.hexdigest()


def here(question: SharedInputs, job: Job) -> FabricQuestion | None:
    """System, rates and software of the shared question as those of the trace; None for one without GPUs."""
    if on_processors(job):
        return None
    system = question.system.system()
    software = question.software.software
    return FabricQuestion(
        system,
        rates=question.rates.on(system, system.gpus),
        implementation=software.implementation,
        launch=software.launch,
    )


def change(told: Explanation, here: FabricQuestion | None) -> Change:
    """The widgets of what is to change; raises InputError for what cannot be."""
    there = None
    if here is not None:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            there = _there(here)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ranks = _group_sizes(told)
        bucket = bound.text("Bucket size", "job_bucket", "", help=BUCKET_HELP, placeholder="as traced")
        factor = bound.number("Compute factor", "job_compute", None, low=0.001, help=COMPUTE_HELP)
        price = bound.number("$ per GPU-hour", "job_usd", None, low=0.0)
        price_there = bound.number("$ per GPU-hour there", "job_usd_there", None, low=0.0)
    return Change(
        here=here,
        there=there,
        compute_factor=factor,
        ranks=ranks,
        bucket_bytes=_bucket(bucket),
        usd_per_gpu_hour=price,
        usd_per_gpu_hour_there=price_there,
    )


def answer(told: Explanation, change: Change) -> Answer:
    """The step with the change; raises InputError where there is no answer."""
    return what_if(told.job, change, told)


def _there(here: FabricQuestion) -> FabricQuestion:
    """The other machine: another system of the catalog, or this one over another network."""
    unverified = bool(st.session_state.get("unverified"))
    listed = names.by_generation(visible(SYSTEMS, unverified))
    option = bound.choice(
        "Other system", "job_to", [SAME, *listed], names=names.catalog() | {SAME: "The same system"}
    )
    links = visible(LINKS, unverified)
    network = bound.choice(
        "Its network",
        "job_to_network",
        [OWN_NETWORK, *(key for key in NETWORKS if key in links)],
        names=names.catalog() | {OWN_NETWORK: "The system's own"},
    )
    nics = fields.count("Its NICs per domain", "job_to_nics")
    adds = bound.toggle("Its in-network reduction (SHARP)", "job_to_sharp", help=SHARP_HELP)
    library = bound.choice(
        "Its communication library",
        "job_to_library",
        [SAME, *IMPLEMENTATIONS],
        names=names.COMMUNICATION_LIBRARIES | {SAME: "The same library"},
    )
    system = here.system if option == SAME else SYSTEMS[option]
    return replace(
        here,
        system=_over(system, None if network == OWN_NETWORK else network, nics, adds=adds),
        implementation=here.implementation if library == SAME else library,
    )


def _over(system: System, network: str | None, nics: int | None, *, adds: bool) -> System:
    """The system over this network with these NICs, adding in its switches; as it is where none is named."""
    if network is None and nics is None and not adds:
        return system
    return configure(
        system,
        domains=system.domains,
        network=network,
        nics_per_domain=nics,
        in_network_reduction=True if adds else None,
    )


def _group_sizes(told: Explanation) -> dict[str, int]:
    """New sizes of the groups that the trace shows."""
    shown = {name: size_of(groups[0]) for name, groups in groups_shown(told).items()}
    sizes = {
        name: fields.count(f"{name} ranks", f"job_{name.lower()}", help=f"Empty: {shown[name]}, as traced.")
        for name in CHANGEABLE
        if name in shown
    }
    return {name: ranks for name, ranks in sizes.items() if ranks is not None}


def _bucket(text: str) -> int | None:
    if not text.strip():
        return None
    try:
        return parse_size(text)
    except ValueError as problem:
        message = f"bucket size: {problem}"
        raise InputError(message) from None
