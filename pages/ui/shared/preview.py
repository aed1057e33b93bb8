"""Uploads: read, shown with what was dropped and why, completed by the reader, saved."""

import numpy as np
import pandas as pd
import streamlit as st

from core.checks import InputError
from core.collectives.formulas import COLLECTIVES, busbw_factor
from core.units import GB, US, format_size
from db.errors import StoreError
from pages.ui.shared import heatmap, measured, reading, stored, tables
from pages.ui.shared.messages import plain

MOST_PREVIEWS = 6
NAME_MOST = 32


def upload():
    """Files from the reader's disk, read; the runs that are not saved yet, for the chart."""
    files = st.file_uploader(
        "Logs of nccl-tests, nvbandwidth, p2pBandwidthLatencyTest, topo -m, or run files",
        accept_multiple_files=True,
        key="_logs",
    )
    shown = []
    for file in files:
        found = reading.read(file.name, file.getvalue())
        with st.container(border=True):
            shown += _preview(found)
    return shown


def _preview(found):
    """What one file holds, what is wrong with it, and a button to keep it."""
    if found.error:
        st.error(plain(found.error), title=f"{plain(found.name)} cannot be read", icon=":material/block:")
        return []
    runs = told(found)
    _keep(found, runs)
    groups = measured.merged(runs)
    for number, run in enumerate(groups[:MOST_PREVIEWS]):
        _describe(run, f"{found.sha256[:8]}_{number}")
    if len(groups) > MOST_PREVIEWS:
        more = len(groups) - MOST_PREVIEWS
        st.caption(f"... and {more} more kinds of runs in this file: saved with the others, not drawn here.")
    if _kept(found) is not None:
        return []
    names = [_name(found.name, number, groups) for number in range(len(groups))]
    return [measured.Shown(name, run) for name, run in zip(names, groups, strict=True)][:MOST_PREVIEWS]


def _keep(found, runs):
    """The file's name, and a button to save it or what became of it."""
    saved = _kept(found)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(found.name)}**: {len(runs)} run(s)")
        if saved is not None:
            st.badge(saved, icon=":material/check:", color="green")
            return
        key = f"_save_{found.sha256}"
        st.button("Save", key=key, icon=":material/save:", on_click=_save, args=(found, runs))


def _kept(found):
    """What became of the file when it was saved; None where it was not, or its runs are deleted since."""
    text, numbers = st.session_state.get("_saved", {}).get(found.sha256, (None, ()))
    return text if any(stored.there(number) for number in numbers) else None


def _name(file, number, runs):
    short = file if len(file) <= NAME_MOST else f"{file[: NAME_MOST // 2]}…{file[-NAME_MOST // 2 :]}"
    return short if len(runs) == 1 else f"{short} #{number + 1}"


def told(found):
    """The runs of a file, with what the log leaves open asked once and answered by the reader."""
    key = found.sha256[:8]
    timed = [run for run in found.runs if run.samples]
    collective = ranks = None
    if unnamed := [run for run in timed if not run.collective]:
        collective = _which_collective({run.collective_guess for run in unnamed}, key)
    if uncounted := [run for run in timed if not run.ranks]:
        guess = next((run.ranks_guess for run in uncounted if run.ranks_guess), 2)
        ask = "How many ranks? The log does not list them."
        ranks = st.number_input(ask, 1, value=guess, key=f"_ranks_{key}")
    return [measured.answered(run, run.collective or collective, run.ranks or ranks) for run in found.runs]


def _which_collective(guesses, key):
    guess = guesses.pop() if len(guesses) == 1 else None
    index = COLLECTIVES.index(guess) if guess in COLLECTIVES else None
    ask = "Which collective? The log does not name it" + (
        f"; its printed rates fit {guess}." if guess else "."
    )
    return st.selectbox(ask, COLLECTIVES, index=index, key=f"_collective_{key}")


def _describe(run, key):
    """Format, ranks, GPUs, samples; what was dropped and why; matrices as tables."""
    gpus = ", ".join(f"{one.count} × {one.name}" for one in run.machine.gpus) or "GPU not named"
    ranks = f"{run.ranks} ranks" if run.ranks else "ranks not stated"
    parts = [run.format, run.collective or "", ranks, gpus]
    parts += [f"{len(run.machine.hosts)} hosts" if run.machine.hosts else "", f"{len(run.samples)} samples"]
    st.markdown(" · ".join(plain(part) for part in parts if part))
    lines = measured.dropped(run)
    for line in [*lines, *_notices(run.warnings)]:
        st.caption(f":material/info: {plain(line)}")
    with st.expander("Values", key=f"_values_{key}", on_change="rerun") as box:
        if box.open:
            _values(run)


def _notices(warnings):
    """What the reader had to say, the same words once."""
    places = {}
    for one in warnings:
        places.setdefault(one.message, []).append(one.line)
    for message, lines in places.items():
        where = [line for line in lines if line]
        more = f" and {len(where) - 1} more" if len(where) > 1 else ""
        yield f"{message} (line {where[0]}{more})" if where else message


def _values(run):
    if run.samples:
        tables.show(_sample_table(run), "Samples of the run", height=260)
    for one in run.matrices:
        unit = {"bandwidth": "GB/s", "latency": "µs"}.get(one.kind, "")
        scale = {"bandwidth": GB, "latency": US}.get(one.kind, 1)
        st.markdown(f"**{plain(one.name)}** {unit} {(one.direction or '').replace('_', ' ')}")
        cells = [[cell / scale if isinstance(cell, float) else cell for cell in row] for row in one.values]  # noqa: PD011 (a matrix, no frame)
        frame = pd.DataFrame(cells, columns=_unique(one.columns))
        frame.insert(0, "from", one.rows)
        tables.show(frame.astype(object).where(frame.notna(), None), one.name)
        heatmap.of_matrix(one)


def _unique(names):
    return [name if names.index(name) == at else f"{name} ({at})" for at, name in enumerate(names)]


def _sample_table(run):
    known = run.collective in COLLECTIVES and (run.ranks or 0) > 1
    factor = float(busbw_factor(run.collective, run.ranks)) if known else np.nan
    return pd.DataFrame(
        {
            "operation": one.operation or "–",
            "size": format_size(one.size_bytes),
            "bytes": one.size_bytes,
            "placement": one.placement or "",
            "time (µs)": one.time_s / US,
            "busbw (GB/s)": factor * one.size_bytes / one.time_s / GB if one.time_s else np.nan,
            "wrong": one.wrong,
        }
        for one in run.samples
    )


def _save(found, runs):
    """Keep the runs of a file; the same file twice is one run."""
    try:
        kept = stored.store().save(runs, raw_sha256=found.sha256)
    except (StoreError, InputError) as problem:
        st.session_state["_problem"] = str(problem)
        return
    new = [one for one in kept if one.new]
    ids = ", ".join(str(one.id) for one in kept[:5])
    text = f"saved as run {ids}" if new else f"already there as run {ids}: the same file twice is one run"
    st.session_state.setdefault("_saved", {})[found.sha256] = text, tuple(one.id for one in kept)
    st.session_state.pop("_deleted", None)
    chosen = list(st.session_state.get("runs", []))
    st.session_state["runs"] = list(dict.fromkeys([*chosen, *(str(one.id) for one in kept[:5])]))
