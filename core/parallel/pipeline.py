"""The pipeline's bubble: stages that wait for the first micro-batch and for the last."""

from core.checks import count


def bubble(stages: int, micro_batches: int, pieces: int = 1) -> float:
    """
    Share of a step in which a stage is idle: (p - 1) / (v m + p - 1).

    ``pieces`` v of a stage are interleaved, each with 1 / v of its layers (Narayanan et al. 2021).
    """
    p, m, v = count("pp", stages), count("micro_batches", micro_batches), count("vpp", pieces)
    return (p - 1) / (v * m + p - 1)


def bubble_over_work(stages: int, micro_batches: int, pieces: int = 1) -> float:
    """The same idle time as a share of the useful work: (p - 1) / (v m)."""
    p, m, v = count("pp", stages), count("micro_batches", micro_batches), count("vpp", pieces)
    return (p - 1) / (v * m)


def in_flight(stages: int, micro_batches: int, pieces: int = 1) -> float:
    """
    Micro-batches whose activations the first stage keeps, in units of a whole stage.

    One forward, one backward: p of them; interleaved p (1 + (p - 1) / (p v)); never more than there are.
    """
    p, m, v = count("pp", stages), count("micro_batches", micro_batches), count("vpp", pieces)
    if p == 1:
        return 1.0
    kept = p if v == 1 else p * (1 + (p - 1) / (p * v))
    return float(min(m, kept))
