"""The command to run next: the one that separates the likely causes best, and what each would show."""

from collections.abc import Sequence
from dataclasses import replace

from core.verdict.evidence import Evidence
from core.verdict.instruments import INSTRUMENTS, LINES_OF_NCCL, Instrument
from core.verdict.posterior import UNKNOWN
from core.verdict.records import Cause, NextStep, Outcome, Reason

SURE_WEIGHT = 0.9
"""From here on the cause is confirmed by its own test, whatever the others."""


def next_step(causes: Sequence[Cause], evidence: Evidence) -> NextStep | None:
    """
    What to run next; None without causes.

    Args:
        causes: The likely ones, most likely first.
        evidence: What the log says already: where NCCL's lines are in it, they are not asked for again.
    """
    if not causes:
        return None
    named = [cause for cause in causes if cause.reason.code != UNKNOWN.code]
    usable = [
        item
        for item in INSTRUMENTS
        if not (item.name == LINES_OF_NCCL and evidence.tells_network)
        and any(cause.reason.code in item.signs for cause in named)
    ]
    if len(causes) == 1 or causes[0].weight >= SURE_WEIGHT or not usable:
        return _own_test(causes)
    return _step(min(usable, key=lambda item: _left_open(item, causes)), causes)


def _left_open(instrument: Instrument, causes: Sequence[Cause]) -> float:
    """Probability that two draws of the causes look alike to it: what it leaves open."""
    apart = [cause.weight for cause in causes if cause.reason.code in instrument.signs]
    alike = 1.0 - sum(apart)
    return alike * alike + sum(weight * weight for weight in apart)


def _step(instrument: Instrument, causes: Sequence[Cause]) -> NextStep:
    shown = [cause for cause in causes if cause.reason.code in instrument.signs]
    patterns = dict.fromkeys(
        pattern for cause in shown if (pattern := instrument.signs[cause.reason.code][0])
    )
    command = instrument.command.format("|".join(patterns)) if patterns else instrument.command
    outcomes = [
        Outcome(
            _named(cause.reason),
            instrument.signs[cause.reason.code][1] if cause in shown else instrument.nothing,
        )
        for cause in causes
    ]
    by_lines = instrument.name == LINES_OF_NCCL and shown[0] is causes[0]
    brief = shown[0].test.brief if by_lines else instrument.brief
    return NextStep(command, tuple(outcomes), brief)


def _own_test(causes: Sequence[Cause]) -> NextStep:
    """The test of the likeliest cause, which tells it from the others."""
    first, *others = causes
    outcomes = [Outcome(_named(first.reason), first.test.shows)]
    outcomes += [Outcome(_named(cause.reason), "nothing of that") for cause in others]
    return NextStep(first.test.command, tuple(outcomes), first.test.brief)


def _named(reason: Reason) -> Reason:
    return replace(reason, short="another cause") if reason.code == UNKNOWN.code else reason
