"""Pick a run: stored, uploaded or pasted, completed by the reader where its log is silent."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from core.checks import InputError
from core.hardware import System
from core.measurement import Run
from db.errors import StoreError
from db.identity import run_sha256
from pages.ui.shared import bound, machine, measured, preview, reading, states, stored
from pages.ui.shared.messages import plain

NEW = "upload or paste"
LOG, QUESTION = "from the log", "of the question"
PASTE_MOST = 2_000_000


@dataclass(frozen=True, slots=True)
class Picked:
    """A run and its name on the page."""

    name: str
    run: Run

    @property
    def sha256(self) -> str:
        """The run's own hash, as fits name it."""
        return run_sha256(self.run)


def has_samples(run: Run) -> bool:
    """Whether a run holds measured times."""
    return bool(run.samples)


def single(
    label: str, key: str, usable: Callable[[Run], bool] = has_samples, *, hint: str = ""
) -> Picked | None:
    """
    A single run; None while there is none.

    Args:
        label: Of the widget that chooses between stored runs and an upload.
        key: Name in the URL.
        usable: Whether the page can say anything of a run.
        hint: Label of the upload.
    """
    option = bound.choice(label, key, [NEW, *stored_ids()])
    candidates = [_stored(option)] if option != NEW else _read(key, hint)
    picked = [candidate for candidate in candidates if usable(candidate.run)]
    if candidates and not picked:
        st.warning("The file contains nothing that this page can use.", icon=":material/rule:")
    if len(picked) > 1:
        names = [f"{number}: {summary(item.run)}" for number, item in enumerate(picked, start=1)]
        picked = [picked[names.index(st.selectbox("Run of the file", names, key=f"_{key}_which"))]]
    if not picked:
        return None
    st.caption(plain(summary(picked[0].run)))
    return picked[0]


def several(label: str, key: str, hint: str = "") -> list[Picked]:
    """Runs of any number: stored ones and those of uploaded files."""
    ids = stored_ids()
    numbers = bound.several(label, key, ids, []) if ids else []
    picked = [_stored(number) for number in numbers]
    picked += _read(key, hint, many=True)
    for item in picked:
        st.caption(plain(f"{item.name}: {summary(item.run)}"))
    return picked


def _stored(number: str) -> Picked:
    return Picked(f"run {number}", stored.store().run(int(number)).run)


def stored_ids() -> list[str]:
    """Numbers of the stored runs, newest first; none where the store does not answer."""
    try:
        return [str(number) for number in stored.store().numbers()]
    except StoreError as problem:
        states.outage(problem)
        return []


def _read(key: str, hint: str, *, many: bool = False) -> list[Picked]:
    picked = []
    for name, data in _given(key, hint, many=many):
        read = reading.read(name, data)
        if read.error:
            st.error(plain(read.error), title=f"{plain(name)} cannot be read", icon=":material/block:")
        own = replace(read, sha256=hashlib.sha256(f"{key}{read.sha256}".encode()).hexdigest())
        runs = measured.merged(preview.completed(own))
        for number, run in enumerate(runs, start=1):
            picked.append(Picked(name if len(runs) == 1 else f"{name} #{number}", run))
    return picked


def _given(key: str, hint: str, *, many: bool) -> list[tuple[str, bytes]]:
    """Name and bytes of every uploaded file and of the pasted text."""
    label = hint or "Log or run file"
    if many:
        files = st.file_uploader(label, accept_multiple_files=True, key=f"_{key}_file")
    else:
        file = st.file_uploader(label, key=f"_{key}_file")
        files = [file] if file else []
    documents = [(file.name, file.getvalue()) for file in files]
    pasted = st.text_area("... or paste its text", key=f"_{key}_text", height=100, max_chars=PASTE_MOST)
    if pasted and pasted.strip():
        documents.append(("pasted", pasted.encode()))
    return documents


def summary(run: Run) -> str:
    """One line on a run: format, collective, ranks, GPUs, hosts, samples."""
    gpus = ", ".join(f"{gpu.count} × {gpu.name}" for gpu in run.machine.gpus) or "GPU not named"
    guessed = f"{run.collective_guess} (by its rates)" if run.collective_guess else ""
    ranks = run.ranks or run.ranks_guess
    parts = [run.format, run.collective or guessed, f"{ranks} ranks" if ranks else "", gpus]
    parts += [measured.hosts(run)]
    parts += [f"{len(run.samples)} samples" if run.samples else ""]
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


def system_for(system_choice: machine.SystemChoice, run: Run) -> System:
    """The system as chosen, or as the log tells; InputError where the log does not."""
    if system_choice.option != LOG:
        return system_choice.system()
    completed = measured.completed(run, run.collective or run.collective_guess, run.ranks or run.ranks_guess)
    match = measured.system_of(completed, system_choice.configuration.network)
    if match.system is None:
        raise InputError(match.remark)
    with system_choice.place:
        st.caption(plain(f"{match.remark}."))
    return match.system
