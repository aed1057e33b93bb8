"""Uploads: read, shown with what was dropped and why, completed by the reader, saved."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from core.checks import InputError
from core.collectives.formulas import COLLECTIVES, busbw_factor
from core.measurement import Matrix, Notice, Run
from core.units import GB, US, format_size
from db.errors import StoreError
from pages.ui.shared import heatmap, measured, reading, stored, tables
from pages.ui.shared.messages import plain
from pages.ui.shared.reading import Reading

MOST_PREVIEWS = 6
NAME_MOST = 32
MOST_SELECTED = 5
_SAVED = "_saved"


class Outcome(NamedTuple):
    """What became of a file that was saved, and the numbers of its runs."""

    text: str
    numbers: tuple[int, ...]


def upload() -> list[measured.Shown]:
    """Files from the reader's disk, read; the runs that are not saved yet, for the chart."""
    files = st.file_uploader(
        "Logs of nccl-tests, nvbandwidth, p2pBandwidthLatencyTest, topo -m, or run files",
        accept_multiple_files=True,
        key="_logs",
    )
    shown = []
    for file in files:
        read = reading.read(file.name, file.getvalue())
        with st.container(border=True):
            shown += _preview(read)
    return shown


def _preview(read: Reading) -> list[measured.Shown]:
    """What a file contains, what is wrong with it, and a button to save it."""
    if read.error:
        st.error(plain(read.error), title=f"{plain(read.name)} cannot be read", icon=":material/block:")
        return []
    runs = completed(read)
    _save_button(read, runs)
    groups = measured.merged(runs)
    for number, run in enumerate(groups[:MOST_PREVIEWS]):
        _describe(run, f"{read.sha256[:8]}_{number}")
    if len(groups) > MOST_PREVIEWS:
        more = len(groups) - MOST_PREVIEWS
        st.caption(f"... and {more} more kinds of runs in this file: saved with the others, not drawn here.")
    if _saved_text(read) is not None:
        return []
    names = [_name(read.name, number, groups) for number in range(len(groups))]
    return [measured.Shown(name, run) for name, run in zip(names, groups, strict=True)][:MOST_PREVIEWS]


def _save_button(read: Reading, runs: list[Run]) -> None:
    """The file's name, and a button to save it or what became of it."""
    saved = _saved_text(read)
    with st.container(horizontal=True, vertical_alignment="center"):
        count = f"{len(runs)} run{'' if len(runs) == 1 else 's'}"
        st.markdown(f"**{plain(read.name)}**: {count}")
        if saved is not None:
            st.badge(saved, icon=":material/check:", color="green")
            return
        key = f"_save_{read.sha256}"
        st.button("Save", key=key, icon=":material/save:", on_click=_save, args=(read, runs))


def _saved_text(read: Reading) -> str | None:
    """What became of the file when it was saved; None where it was not, or its runs are deleted since."""
    outcome: Outcome | None = st.session_state.get(_SAVED, {}).get(read.sha256)
    if outcome is None or not any(stored.exists(number) for number in outcome.numbers):
        return None
    return outcome.text


def _name(file: str, number: int, runs: Sequence[Run]) -> str:
    short = file if len(file) <= NAME_MOST else f"{file[: NAME_MOST // 2]}…{file[-NAME_MOST // 2 :]}"
    return short if len(runs) == 1 else f"{short} #{number + 1}"


def completed(read: Reading) -> list[Run]:
    """The runs of a file, with what the log leaves open asked once and answered by the reader."""
    key = read.sha256[:8]
    timed = [run for run in read.runs if run.samples]
    collective = ranks = None
    if unnamed := [run for run in timed if not run.collective]:
        collective = _which_collective({run.collective_guess for run in unnamed}, key)
    if uncounted := [run for run in timed if not run.ranks]:
        guess = next((run.ranks_guess for run in uncounted if run.ranks_guess), 2)
        label = "How many ranks? The log does not list them."
        ranks = int(st.number_input(label, 1, value=guess, key=f"_ranks_{key}"))
    return [measured.completed(run, run.collective or collective, run.ranks or ranks) for run in read.runs]


def _which_collective(guesses: set[str | None], key: str) -> str | None:
    guess = next(iter(guesses)) if len(guesses) == 1 else None
    index = COLLECTIVES.index(guess) if guess in COLLECTIVES else None
    label = "Which collective? The log does not name it"
    label += f"; its printed rates fit {guess}." if guess else "."
    return st.selectbox(label, COLLECTIVES, index=index, key=f"_collective_{key}")


def _describe(run: Run, key: str) -> None:
    """Format, ranks, GPUs, samples; what was dropped and why; matrices as tables."""
    gpus = ", ".join(f"{gpu.count} × {gpu.name}" for gpu in run.machine.gpus) or "GPU not named"
    ranks = f"{run.ranks} ranks" if run.ranks else "ranks not stated"
    parts = [run.format, run.collective or "", ranks, gpus]
    parts += [measured.hosts(run), f"{len(run.samples)} samples"]
    st.markdown(" · ".join(plain(part) for part in parts if part))
    for line in [*measured.dropped(run), *_notices(run.warnings)]:
        st.caption(f":material/info: {plain(line)}")
    with st.expander("Values", key=f"_values_{key}", on_change="rerun") as box:
        if box.open:
            _values(run)


def _notices(warnings: Iterable[Notice]) -> Iterator[str]:
    """What the parser had to say, the same message once."""
    places: dict[str, list[int | None]] = {}
    for notice in warnings:
        places.setdefault(notice.message, []).append(notice.line)
    for message, lines in places.items():
        numbers = [line for line in lines if line]
        more = f" and {len(numbers) - 1} more" if len(numbers) > 1 else ""
        yield f"{message} (line {numbers[0]}{more})" if numbers else message


def _values(run: Run) -> None:
    if run.samples:
        tables.show(_sample_table(run), "Samples of the run", height=260)
    for matrix in run.matrices:
        unit, scale = heatmap.UNITS.get(matrix.kind, ("", 1))
        st.markdown(f"**{plain(matrix.name)}** {unit} {heatmap.direction(matrix)}")
        tables.show(_matrix_table(matrix, scale), matrix.name)
        heatmap.of_matrix(matrix)


def _matrix_table(matrix: Matrix, scale: float) -> pd.DataFrame:
    cells = [[cell / scale if isinstance(cell, float) else cell for cell in row] for row in matrix.values]  # noqa: PD011 (a matrix, no frame)
    frame = pd.DataFrame(cells, columns=_unique(matrix.columns))
    frame.insert(0, "from", matrix.rows)
    return frame.astype(object).where(frame.notna(), None)


def _unique(names: Sequence[str]) -> list[str]:
    return [name if names.index(name) == place else f"{name} ({place})" for place, name in enumerate(names)]


def _sample_table(run: Run) -> pd.DataFrame:
    has_busbw = run.collective in COLLECTIVES and (run.ranks or 0) > 1
    factor = float(busbw_factor(run.collective or "", run.ranks or 1)) if has_busbw else np.nan
    return pd.DataFrame(
        {
            "operation": sample.operation or "–",
            "size": format_size(sample.size_bytes),
            "bytes": sample.size_bytes,
            "placement": sample.placement or "",
            "time (µs)": tables.cell(sample.time_s, US),
            "busbw (GB/s)": tables.cell(factor * sample.size_bytes / sample.time_s, GB)
            if sample.time_s
            else None,
            "#wrong": sample.wrong,
        }
        for sample in run.samples
    )


def _save(read: Reading, runs: list[Run]) -> None:
    """Store the runs of a file; the same file twice is one run."""
    try:
        results = stored.store().save(runs, raw_sha256=read.sha256)
    except (StoreError, InputError) as problem:
        st.session_state["_problem"] = str(problem)
        return
    ids = [str(result.id) for result in results[:MOST_SELECTED]]
    listed = ", ".join(ids)
    new = any(result.new for result in results)
    text = (
        f"saved as run {listed}" if new else f"already stored as run {listed}: the same file twice is one run"
    )
    outcome = Outcome(text, tuple(result.id for result in results))
    st.session_state.setdefault(_SAVED, {})[read.sha256] = outcome
    st.session_state.pop("_deleted", None)
    selected = list(st.session_state.get("runs", []))
    st.session_state["runs"] = list(dict.fromkeys([*selected, *ids]))
