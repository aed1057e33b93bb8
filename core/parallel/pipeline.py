"""The pipeline bubble: stages that wait for the first micro-batch and for the last."""

from core.checks import count


def bubble(stages: int, micro_batches: int, virtual_stages: int = 1) -> float:
    """
    Pipeline bubble as a share of the pipeline's time: (p - 1) / (v m + p - 1).

    p stages, m micro-batches; v virtual stages of each are interleaved, with 1 / v of its layers
    (Narayanan et al. 2021).

    Raises:
        InputError: A count below one.
    """
    p, m, v = count("pp", stages), count("micro_batches", micro_batches), count("vpp", virtual_stages)
    return (p - 1) / (v * m + p - 1)


def bubble_over_work(stages: int, micro_batches: int, virtual_stages: int = 1) -> float:
    """The pipeline bubble as a share of the useful work: (p - 1) / (v m)."""
    p, m, v = count("pp", stages), count("micro_batches", micro_batches), count("vpp", virtual_stages)
    return (p - 1) / (v * m)


def in_flight(stages: int, micro_batches: int, virtual_stages: int = 1) -> float:
    """
    Micro-batches whose activations the first stage holds, in units of a whole stage.

    With the 1F1B schedule p of them, interleaved p (1 + (p - 1) / (p v)); never more than there are
    (Korthikanti et al. 2022).
    """
    p, m, v = count("pp", stages), count("micro_batches", micro_batches), count("vpp", virtual_stages)
    if p == 1:
        return 1.0
    stored = p if v == 1 else p * (1 + (p - 1) / (p * v))
    return float(min(m, stored))
