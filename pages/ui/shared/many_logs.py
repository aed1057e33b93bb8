"""Many logs read at once: a row for each instead of a card, and one button that saves them all."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.measurement import Run
from core.units import counted
from pages.ui.shared import keep, log_names, measured, tables
from pages.ui.shared.keep import Waiting
from pages.ui.shared.reading import Reading

NETWORK_TEST = "perftest"
"""A format without a collective and ranks: nothing to ask."""
FEW_ROWS, TABLE_HEIGHT = 6, 250


def is_clear(read: Reading) -> bool:
    """Whether a log needs no answer of the reader, and nothing of it is to be remarked: a row says it all."""
    return not read.error and all(_is_clear(run) for run in read.runs)


def _is_clear(run: Run) -> bool:
    is_known = run.format == NETWORK_TEST or not run.samples or bool(run.collective and run.ranks)
    is_one_kind = not (run.matrices and run.samples)
    return is_known and is_one_kind and not run.warnings and not measured.dropped(run)


def draw(reads: Sequence[Reading]) -> None:
    """The table of logs, and the button that saves their runs; nothing without logs."""
    if not reads:
        return
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            runs = sum(len(read.runs) for read in reads)
            st.markdown(f"**{counted(len(reads), 'log')}**: {counted(runs, 'run')}")
            keep.button_of_all(
                "Save all", [Waiting(read.sha256, read.sha256, read.runs) for read in reads], select=True
            )
        height = "auto" if len(reads) <= FEW_ROWS else TABLE_HEIGHT
        tables.draw(pd.DataFrame(_row(read) for read in reads), "The logs that were read", height=height)


def _row(read: Reading) -> dict[str, object]:
    """What a log holds, by its first run."""
    first = read.runs[0] if read.runs else None
    gpus = [f"{gpu.count} × {gpu.name}" for gpu in first.machine.gpus] if first else []
    return {
        "log": read.name,
        "hosts": ", ".join(first.machine.hosts) if first else "",
        "operation": _operation(first),
        "ranks": first.ranks if first else None,
        "samples": sum(len(run.samples) for run in read.runs),
        "GPUs": ", ".join(gpus),
        "tool": log_names.tool(first.format) if first else "",
    }


def _operation(run: Run | None) -> str:
    """The collective; of tables alone, that they are by pair."""
    if run is None:
        return ""
    return log_names.operation(run.collective or "") or ("by pair" if run.matrices else "")
