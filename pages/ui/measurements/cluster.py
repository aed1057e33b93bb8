"""All runs of the page Measurements together: collectives of every kind and the copies within nodes."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.errors import InputError
from core.verdict import RunVerdict, judge_run
from core.verdict.acceptance import Acceptance, accept
from pages.ui.measurements import model
from pages.ui.measurements.acceptance import CLUSTER_RUNS
from pages.ui.measurements.inputs import Inputs
from pages.ui.shared.measured import Shown

MOST_RUNS = 1_000
"""Runs that are judged together; of larger clusters the shell and HTTP take more."""
_KEPT = "_cluster"


def accepted(shown: Sequence[Shown], inputs: Inputs) -> tuple[Acceptance, list[str]]:
    """What the verdicts on all runs say together, and the names of those without a verdict."""
    several = shown[:MOST_RUNS]
    key = (repr(inputs), *((item.name, hash((item.run.samples, item.run.matrices))) for item in several))
    kept = st.session_state.get(_KEPT)
    if kept is None or kept[0] != key:
        kept = st.session_state[_KEPT] = (key, _accepted(several, inputs))
    answer: tuple[Acceptance, list[str]] = kept[1]
    return answer


def is_one(shown: Sequence[Shown], together: Acceptance) -> bool:
    """Whether runs are those of a cluster: several files or collectives, not the tables of one node's log."""
    files = {item.run.file for item in shown}
    collectives = sum(item.drawable for item in shown)
    return min(len(together.members), max(len(files), collectives)) >= CLUSTER_RUNS


def _accepted(shown: Sequence[Shown], inputs: Inputs) -> tuple[Acceptance, list[str]]:
    models = [model.modelled(item, inputs) for item in shown]
    verdicts = [
        verdict or copies(item, inputs)
        for item, verdict in zip(shown, model.verdicts_on(models), strict=True)
    ]
    judged = [
        (replace(item.run, file=item.name), verdict)
        for item, verdict in zip(shown, verdicts, strict=True)
        if verdict is not None
    ]
    return accept(judged), [
        item.name for item, verdict in zip(shown, verdicts, strict=True) if verdict is None
    ]


def copies(shown: Shown, inputs: Inputs) -> RunVerdict | None:
    """The verdict on tables by pair, on the system of the question or the one that the log tells; else None."""
    if not shown.run.matrices:
        return None
    try:
        system = model.system_for(shown, inputs).system
        verdict = None if system is None else judge_run(shown.run, system)
    except InputError:
        return None
    return verdict if verdict is not None and verdict.pairs else None
