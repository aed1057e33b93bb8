"""Uploads: read, shown with what was dropped and why, completed by the reader, saved."""

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
import streamlit as st

from core.collectives.formulas import COLLECTIVES, busbw_factor
from core.measurement import Matrix, Notice, Run
from core.units import GB, US, counted, format_size
from pages.ui.shared import (
    documents,
    heatmap,
    keep,
    log_names,
    many_logs,
    measured,
    names,
    reading,
    run_names,
    tables,
)
from pages.ui.shared.messages import plain
from pages.ui.shared.reading import Reading

MOST_PREVIEWS = 6
MOST_CARDS = 3
"""Of more logs, those of which nothing is to be said or asked stand in one table."""
FROM = "from"
LOGS = "Logs of nccl-tests, nvbandwidth, p2pBandwidthLatencyTest, perftest, topo -m, or run files"


def upload() -> list[measured.Shown]:
    """Files and text of the reader, read; the runs that are not saved yet, for the chart."""
    shown: list[measured.Shown] = []
    every = [
        reading.read(*document) for document in documents.take(LOGS, "logs", "_logs", "_logs_text", many=True)
    ]
    distinct = {read.sha256: read for read in reversed(every)}
    alike = {digest for digest, read in distinct.items() if many_logs.is_clear(read)}
    if len(distinct) <= MOST_CARDS:
        alike = set()
    many_logs.draw(
        [distinct[digest] for digest in dict.fromkeys(read.sha256 for read in every) if digest in alike]
    )
    done: set[str] = set()
    for read in every:
        digest = read.sha256
        if digest in done:
            _same(read, distinct[digest])
        elif digest not in alike:
            with st.container(border=True):
                shown += _preview(read)
        elif not keep.is_stored(digest):
            shown += _shown(read.name, [measured.joined(group) for group in measured.grouped(read.runs)])
        done.add(digest)
    names = run_names.unique([item.name for item in shown])
    return [measured.Shown(name, item.run) for name, item in zip(names, shown, strict=True)]


def _same(read: Reading, first: Reading) -> None:
    with st.container(border=True):
        st.caption(
            f":material/content_copy: **{plain(read.name)}**: the same content as {plain(first.name)}."
        )


def _shown(name: str, runs: Iterable[Run]) -> list[measured.Shown]:
    return [measured.Shown(run_names.upload_name(name, run), run) for run in runs]


def _preview(read: Reading) -> list[measured.Shown]:
    """What a file contains, what is wrong with it, and a button to save it."""
    if read.error:
        refused(read)
        return []
    runs = completed(read)
    with st.container(horizontal=True, vertical_alignment="center"):
        count = counted(len(runs), "run")
        st.markdown(f"**{plain(read.name)}**: {count}")
        is_kept = keep.button("Save", read.sha256, read.sha256, runs, select=True)
    groups = [measured.joined(group) for group in measured.grouped(runs)]
    for number, run in enumerate(groups[:MOST_PREVIEWS]):
        _describe(run, f"{read.sha256[:8]}_{number}")
    if len(groups) > MOST_PREVIEWS:
        more = len(groups) - MOST_PREVIEWS
        st.caption(f"... and {more} more kinds of runs in this file: saved with the others, not drawn here.")
    return [] if is_kept else _shown(read.name, groups[:MOST_PREVIEWS])


def refused(read: Reading) -> None:
    """Why a document cannot be read, and what can."""
    st.error(plain(read.error), title=f"{plain(read.name)} cannot be read", icon=":material/block:")
    st.caption(
        "Readable: the whole output of nccl-tests or rccl-tests (text or JSON), nvbandwidth, p2pBandwidthLatencyTest, "
        "bandwidthTest, rocm-bandwidth-test, TransferBench, perftest, nvidia-smi topo -m and nvlink -s, and run files of "
        "the probe."
    )


def completed(read: Reading) -> list[Run]:
    """The runs of a file, with what the log leaves open asked once and answered by the reader."""
    key = read.sha256[:8]
    timed = [run for run in read.runs if run.samples and run.format != many_logs.NETWORK_TEST]
    collective = ranks = None
    if unnamed := [run for run in timed if not run.collective]:
        collective = _which_collective({run.collective_guess for run in unnamed}, key)
    if uncounted := [run for run in timed if not run.ranks]:
        guess = next((run.ranks_guess for run in uncounted if run.ranks_guess), 2)
        label = "How many ranks? The log does not list them."
        ranks = int(st.number_input(label, 1, value=guess, key=f"_ranks_{key}"))
    return [
        run
        if run.format == many_logs.NETWORK_TEST
        else measured.completed(run, run.collective or collective, run.ranks or ranks)
        for run in read.runs
    ]


def _which_collective(guesses: set[str | None], key: str) -> str | None:
    guess = next(iter(guesses)) if len(guesses) == 1 else None
    index = COLLECTIVES.index(guess) if guess in COLLECTIVES else None
    label = "Which collective? The log does not name it"
    label += f"; algbw and busbw fit {names.operation(guess)}." if guess else "."
    key = f"_collective_{key}"
    return st.selectbox(label, COLLECTIVES, index=index, key=key, format_func=names.operation)


def _describe(run: Run, key: str) -> None:
    """Format, ranks, GPUs, samples; what was dropped and why; matrices as tables."""
    gpus = ", ".join(f"{gpu.count} × {gpu.name}" for gpu in run.machine.gpus) or "GPU not named"
    ranks = f"{run.ranks} ranks" if run.ranks else "ranks not stated"
    parts = [log_names.tool(run.format), log_names.operation(run.collective or ""), ranks, gpus]
    parts += [measured.hosts(run), counted(len(run.samples), "sample")]
    st.markdown(" · ".join(plain(part) for part in parts if part))
    for line in [*measured.dropped(run), *_notices(run.warnings)]:
        st.caption(f":material/info: {plain(log_names.remark(line))}")
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
        st.markdown(f"**{plain(matrix.name)}** {unit} {matrix.direction_text}")
        tables.show(matrix_table(matrix, scale), matrix.name)
        heatmap.of_matrix(matrix)


def matrix_table(matrix: Matrix, scale: float) -> pd.DataFrame:
    """A matrix in a unit, the names of its rows in front; every column with a name of its own."""
    cells = [[cell / scale if isinstance(cell, float) else cell for cell in row] for row in matrix.values]  # noqa: PD011 (a matrix, no frame)
    columns = run_names.unique([FROM, *matrix.columns])
    rows = [[name, *row] for name, row in zip(matrix.rows, cells, strict=True)]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype(object).where(frame.notna(), None)


def _sample_table(run: Run) -> pd.DataFrame:
    has_busbw = run.collective in COLLECTIVES and (run.ranks or 0) > 1
    factor = float(busbw_factor(run.collective or "", run.ranks or 1)) if has_busbw else np.nan
    return pd.DataFrame(
        {
            "operation": log_names.operation(sample.operation or "–"),
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
