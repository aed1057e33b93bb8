"""Gather and scatter, which have no model: their root moves what each rank of an all-to-all moves."""

from dataclasses import replace

from core.measurement import Notice, Run
from core.verdict.records import RunVerdict

ROOTED = ("gather", "scatter")
_AS = "all_to_all"
_NOTICE = "judged as an all-to-all, of which each rank moves what the root moves here: at best as fast"


def as_all_to_all(run: Run) -> Run:
    """The run with its gathers and scatters as the all-to-all of their size; others as they are."""
    if run.collective_or_guess not in ROOTED:
        return run
    samples = tuple(
        replace(item, operation=_AS) if item.operation in ROOTED else item for item in run.samples
    )
    return replace(run, collective=_AS, samples=samples, warnings=(*run.warnings, Notice("rooted", _NOTICE)))


def with_own_name(verdict: RunVerdict, run: Run) -> RunVerdict:
    """The verdict under the name of the collective that ran, with what it was judged as."""
    name = run.collective_or_guess
    if name not in ROOTED:
        return verdict
    sizes = tuple(replace(item, operation=name) if item.operation == _AS else item for item in verdict.sizes)
    return replace(verdict, collective=name, sizes=sizes, warnings=(f"{name} {_NOTICE}", *verdict.warnings))
