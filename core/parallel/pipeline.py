"""The pipeline bubble: stages that wait for the first micro-batch and for the last."""

from core.checks import count
from core.parallel.columns import is_column, smaller, where


def bubble(stages: int, micro_batches: int, virtual_stages: int = 1) -> float:
    """
    Pipeline bubble as a share of the pipeline's time: (p - 1) / (v m + p - 1).

    p stages, m micro-batches; v virtual stages of each are interleaved, with 1 / v of its layers
    (Narayanan et al. 2021).

    Raises:
        InputError: A count below one.
    """
    p, m, v = _counts(stages, micro_batches, virtual_stages)
    return (p - 1) / (v * m + p - 1)


def bubble_over_work(stages: int, micro_batches: int, virtual_stages: int = 1) -> float:
    """The pipeline bubble as a share of the useful work: (p - 1) / (v m)."""
    p, m, v = _counts(stages, micro_batches, virtual_stages)
    return (p - 1) / (v * m)


def in_flight(stages: int, micro_batches: int, virtual_stages: int = 1) -> float:
    """
    Micro-batches whose activations the first stage holds, in units of a whole stage.

    With the 1F1B schedule p of them, interleaved p (1 + (p - 1) / (p v)); never more than there are
    (Korthikanti et al. 2022).
    """
    p, m, v = _counts(stages, micro_batches, virtual_stages)
    stored = where(v == 1, 1.0 * p, p * (1 + (p - 1) / (p * v)))
    return where(p == 1, 1.0, smaller(1.0 * m, stored))


def _counts(stages: int, micro_batches: int, virtual_stages: int) -> tuple[int, int, int]:
    """Refuse numbers below one; a search makes columns of checked ones."""
    values = stages, micro_batches, virtual_stages
    if is_column(*values):
        return values
    return count("pp", stages), count("micro_batches", micro_batches), count("vpp", virtual_stages)
