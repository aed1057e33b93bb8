"""The user's answer where a log names neither collective nor ranks."""

from dataclasses import replace

from core.measurement import COLLECTIVES_MEASURED, Run
from gpu_probe.parsers.problem import refuse

_OPEN_CODES = ("collective_unknown", "ranks_unknown")


def answered(run: Run, collective: str | None = None, ranks: int | None = None) -> Run:
    """
    A run with what its log left open filled in; what the log says itself is never overruled.

    Raises:
        ParseError: No collective of ours, or ranks that no run has.
    """
    if collective is not None and collective not in COLLECTIVES_MEASURED:
        refuse(f"collective {collective[:40]!r}: one of {', '.join(COLLECTIVES_MEASURED)}")
    if ranks is not None and not 1 <= ranks <= 10**7:
        refuse("ranks: a whole number from 1")
    resolved = run.collective or collective
    samples = (
        tuple(replace(s, operation=s.operation or resolved) for s in run.samples) if resolved else run.samples
    )
    count = run.ranks if run.ranks is not None else ranks
    settled = {code for code, value in zip(_OPEN_CODES, (resolved, count), strict=True) if value is not None}
    warnings = tuple(notice for notice in run.warnings if notice.code not in settled)
    return replace(run, collective=resolved, ranks=count, samples=samples, warnings=warnings)


def guessed(run: Run) -> Run:
    """A run with its own best guesses taken as the answer."""
    return answered(run, run.collective_guess, run.ranks_guess)
