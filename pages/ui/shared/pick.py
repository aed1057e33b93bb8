"""Pick a run: stored, uploaded or pasted, completed by the reader where its log is silent."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.checks import InputError
from core.hardware import System
from core.measurement import Run
from core.units import counted
from core.verdict.as_measured import as_measured
from core.verdict.recognition import system_of_file
from db.identity import run_sha256
from pages.ui.shared import (
    bound,
    documents,
    keep,
    log_names,
    machine,
    measured,
    preview,
    reading,
    record,
    run_names,
    stored,
)
from pages.ui.shared.messages import plain

NEW = "upload or paste"
LOG, QUESTION = "from the log", "of the question"


@dataclass(frozen=True, slots=True)
class Picked:
    """
    A run and its name on the page.

    Attributes:
        parts: The runs of the document that it is made of; empty for a stored run.
        document_sha256: Of the document; empty for a stored run.
        file_runs: All runs of the document, this one among them; empty for a stored run.
        sha256: The run's own hash, as fits name it.
    """

    name: str
    run: Run
    sha256: str
    parts: tuple[Run, ...] = ()
    document_sha256: str = ""
    file_runs: tuple[Run, ...] = ()


def has_samples(run: Run) -> bool:
    """Whether a run holds measured times."""
    return bool(run.samples)


def single(
    label: str,
    key: str,
    usable: Callable[[Run], bool] = has_samples,
    *,
    hint: str = "",
    names: dict[str, str] | None = None,
) -> Picked | None:
    """
    A single run; None while there is none. Of a file with several, measured times come before tables by pair.

    Args:
        label: Of the widget that chooses between stored runs and an upload.
        key: Name in the URL.
        usable: Whether the page can say anything of a run.
        hint: Label of the upload.
        names: Of the stored runs, where a page has asked for them already.
    """
    names = stored.names() if names is None else names
    option = bound.choice(label, key, [NEW, *names], names=names)
    candidates = _stored(option, names) if option != NEW else _read(key, hint)
    picked = sorted(
        (candidate for candidate in candidates if usable(candidate.run)),
        key=lambda candidate: not candidate.run.samples,
    )
    if candidates and not picked:
        st.warning("The file contains nothing that this page can use.", icon=":material/rule:")
    if len(picked) > 1:
        listed = [f"{number}: {summary(item.run)}" for number, item in enumerate(picked, start=1)]
        picked = [picked[listed.index(st.selectbox("Run of the file", listed, key=f"_{key}_which"))]]
    if not picked:
        return None
    st.caption(plain(summary(picked[0].run)))
    return picked[0]


def several(label: str, key: str, hint: str = "") -> list[Picked]:
    """Runs of any number: stored ones and those of uploaded files."""
    names = stored.names()
    numbers = bound.several(label, key, names, [], names=names) if names else []
    picked = [item for number in numbers for item in _stored(number, names)]
    picked += _read(key, hint, many=True)
    for item in picked:
        st.caption(plain(f"{item.name}: {summary(item.run)}"))
    return picked


def store_button(picked: Picked) -> None:
    """A click stores the run that was picked; nothing for one that is stored."""
    stored.show_problem()
    if picked.parts:
        with st.container(horizontal=True, vertical_alignment="center"):
            keep.button("Store this run", picked.sha256, picked.document_sha256, picked.parts)


def _stored(number: str, names: dict[str, str]) -> list[Picked]:
    """The stored run of a number; empty where the store cannot give it."""
    run = stored.opened(number)
    return [Picked(names[number], run.run, run.row.sha256)] if run else []


def _read(key: str, hint: str, *, many: bool = False) -> list[Picked]:
    picked: list[Picked] = []
    label = hint or "Log or run file"
    seen: set[str] = set()
    for name, data in documents.take(label, f"{key}_log", f"_{key}_file", f"_{key}_text", many=many):
        read = reading.read(name, data)
        if read.sha256 in seen:
            continue
        seen.add(read.sha256)
        if read.error:
            preview.refused(read)
        # A widget of its own where the same log stands on both sides of a page.
        own = replace(read, sha256=hashlib.sha256(f"{key}{read.sha256}".encode()).hexdigest())
        groups = [(parts, measured.joined(parts)) for parts in measured.grouped(preview.completed(own))]
        runs = tuple(run for _, run in groups)
        picked += [
            Picked(run_names.upload_name(name, run), run, run_sha256(run), parts, read.sha256, runs)
            for parts, run in groups
        ]
    names = run_names.unique([item.name for item in picked])
    return [replace(item, name=name) for item, name in zip(picked, names, strict=True)]


def summary(run: Run) -> str:
    """One line on a run: format, collective, ranks, GPUs, hosts, samples."""
    gpus = ", ".join(f"{gpu.count} × {gpu.name}" for gpu in run.machine.gpus) or "GPU not named"
    guessed = (
        f"{log_names.operation(run.collective_guess)} (by algbw and busbw)" if run.collective_guess else ""
    )
    collective = log_names.operation(run.collective) if run.collective else guessed
    ranks = run.ranks_or_guess
    parts = [log_names.tool(run.format), collective, f"{ranks} ranks" if ranks else "", gpus]
    parts += [measured.hosts(run)]
    parts += [counted(len(run.samples), "sample") if run.samples else ""]
    parts += [matrix.name for matrix in run.matrices[:3]]
    return " · ".join(part for part in parts if part)


def system(choice: machine.SystemChoice) -> machine.SystemChoice:
    """The widget that says whether the log or the question names the system."""
    option = bound.switch(
        "System",
        "system_from",
        (LOG, QUESTION),
        help="from the log: the machine that its GPUs and hosts describe, over the network of the question.",
    )
    return replace(choice, option=LOG) if option == LOG else choice


def system_for(system_choice: machine.SystemChoice, runs: Sequence[Run]) -> System:
    """The system as chosen, or as the runs of a file tell; InputError where they do not."""
    if system_choice.option != LOG:
        return system_choice.system()
    match = system_of_file(runs, system_choice.configuration.network)
    if match.system is None:
        message = f"{match.remark}: choose a system above"
        raise InputError(message)
    record.current().system = match.system.id
    with system_choice.place:
        st.caption(plain(f"{match.remark}."))
    return match.system


def measured_system(system_choice: machine.SystemChoice, runs: Sequence[Run]) -> System:
    """As ``system_for``, but of the GPUs that a log names where the chosen system has others."""
    system = system_for(system_choice, runs)
    match = as_measured(runs, system) if system_choice.option != LOG else None
    if match is None or match.system is None:
        return system
    with system_choice.place:
        st.caption(plain(f"{match.remark}."))
    return match.system
