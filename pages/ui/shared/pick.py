"""Pick a run: stored, uploaded or pasted, completed by the reader where its log is silent."""

import hashlib
from dataclasses import dataclass, replace

import streamlit as st

from core.checks import InputError
from core.measurement import Run
from db.errors import StoreError
from db.identity import run_sha256
from pages.ui.shared import bound, measured, preview, reading, stored
from pages.ui.shared.messages import plain

NEW = "upload or paste"
LOG = "from the log"
PASTE_MOST = 2_000_000


@dataclass(frozen=True, slots=True)
class Picked:
    """One run, its name on the page, and what it is known by everywhere."""

    name: str
    run: Run

    @property
    def sha256(self):
        """The run's own hash, as fits name it."""
        return run_sha256(self.run)


def one(label, key, wanted=lambda run: bool(run.samples), *, hint=""):
    """A single run for which ``wanted`` is true; None while there is none."""
    ids = stored_ids()
    chosen = bound.choice(label, key, [NEW, *ids])
    if chosen != NEW:
        found = [Picked(f"run {chosen}", stored.store().run(int(chosen)).run)]
    else:
        found = _read(key, hint)
    usable = [item for item in found if wanted(item.run)]
    if found and not usable:
        st.warning("Nothing of this kind is in the file.", icon=":material/rule:")
    if len(usable) > 1:
        names = [f"{number + 1}: {words(item.run)}" for number, item in enumerate(usable)]
        usable = [usable[names.index(st.selectbox("Which run of the file", names, key=f"_{key}_which"))]]
    if not usable:
        return None
    st.caption(plain(words(usable[0].run)))
    return usable[0]


def several(label, key, hint=""):
    """Runs of any number: stored ones and those of uploaded files."""
    ids = stored_ids()
    chosen = bound.several(label, key, ids, []) if ids else []
    found = [Picked(f"run {number}", stored.store().run(int(number)).run) for number in chosen]
    for item in (found := found + _read(key, hint, many=True)):
        st.caption(plain(f"{item.name}: {words(item.run)}"))
    return found


def stored_ids():
    """Numbers of the stored runs, newest first; none where the store does not answer."""
    try:
        return [str(number) for number in stored.store().numbers()]
    except StoreError as problem:
        st.error(str(problem), title="The store does not answer")
        return []


def _read(key, hint, *, many=False):
    files = st.file_uploader(hint or "Log or run file", accept_multiple_files=many, key=f"_{key}_file")
    files = files if many else [files] if files else []
    texts = [(file.name, file.getvalue()) for file in files]
    pasted = st.text_area("... or paste its text", key=f"_{key}_text", height=100, max_chars=PASTE_MOST)
    if pasted and pasted.strip():
        texts.append(("pasted", pasted.encode()))
    found = []
    for name, data in texts:
        read = reading.read(name, data)
        if read.error:
            st.error(plain(read.error), title=f"{plain(name)} cannot be read", icon=":material/block:")
        mine = replace(read, sha256=hashlib.sha256(f"{key}{read.sha256}".encode()).hexdigest())
        runs = measured.merged(preview.told(mine))
        for number, run in enumerate(runs):
            found.append(Picked(name if len(runs) == 1 else f"{name} #{number + 1}", run))
    return found


def words(run):
    """One line on a run: format, collective, ranks, GPUs, hosts, samples."""
    gpus = ", ".join(f"{gpu.count} × {gpu.name}" for gpu in run.machine.gpus) or "GPU not named"
    guessed = run.collective or (f"{run.collective_guess} (by its rates)" if run.collective_guess else "")
    ranks = run.ranks or run.ranks_guess
    parts = [run.format, guessed, f"{ranks} ranks" if ranks else "", gpus]
    parts += [f"{len(run.machine.hosts)} hosts" if run.machine.hosts else ""]
    parts += [f"{len(run.samples)} samples" if run.samples else "", *(m.name for m in run.matrices[:3])]
    return " · ".join(part for part in parts if part)


def system_for(box, run):
    """The machine as chosen, or as the log tells; InputError where the log does not."""
    if box.chosen != LOG:
        return box.system()
    filled = measured.answered(run, run.collective or run.collective_guess, run.ranks or run.ranks_guess)
    system, told = measured.machine_of(filled, box.how["network"])
    if system is None:
        raise InputError(told)
    with box.place:
        st.caption(plain(f"{told}."))
    return system
