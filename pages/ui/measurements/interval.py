"""One interval: the model's curve as the verdict on the run has it, at its sizes and between them."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from core.checks import Floats
from core.collectives.pricing import Sweep
from core.verdict import RunVerdict, SizeVerdict


def as_judged(sweep: Sweep, verdict: RunVerdict | None) -> Sweep:
    """
    The curve with the expectation and the interval by which the run was judged.

    Between two measured sizes, and beyond the last, the model's own curve moves by the factor that the
    verdict applies there. Without a verdict on sizes it stays as it is.
    """
    judged = _by_size(verdict.sizes if verdict else ())
    if not judged:
        return sweep
    sizes = np.array(sorted(judged))
    times = np.array([judged[size] for size in sizes]).T
    moved = [
        _moved(sweep.size_bytes, own, sizes, told)
        for own, told in zip((sweep.time_s, sweep.low_s, sweep.high_s), times, strict=True)
    ]
    return replace(sweep, time_s=moved[0], low_s=moved[1], high_s=moved[2])


def _by_size(sizes: Iterable[SizeVerdict]) -> dict[float, tuple[float, float, float]]:
    """Expected, low and high times by message size."""
    return {
        float(size.size_bytes): (size.expected_s, size.low_s, size.high_s)
        for size in sizes
        if size.size_bytes and size.expected_s and size.low_s and size.high_s
    }


def _moved(at: Floats, own: Floats, sizes: Floats, told: Floats) -> Floats:
    """The model's times, moved so that they are what the verdict says at its sizes."""
    place, model, where = np.log(at), np.log(own), np.log(sizes)
    factors = np.log(told) - np.interp(where, place, model)
    return np.exp(model + np.interp(place, where, factors))
