"""What the model answers: time with its band, the four parts, the choice and the runner-up."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats
from core.collectives.cost_model.setting import ALGORITHMS
from core.collectives.formulas.columns import CostFigures

Codes = NDArray[np.int8]
Labels = NDArray[np.str_]

PROTOCOLS = ("", "LL", "LL128", "Simple")
NO_CHOICE = -1


def label(algorithm: int, protocol: int) -> str:
    """`ring/LL128`, or the bare algorithm where protocols mean nothing; empty when there is none."""
    if algorithm < 0:
        return ""
    name = ALGORITHMS[algorithm]
    return f"{name}/{PROTOCOLS[protocol]}" if protocol > 0 else name


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices(CostFigures[Floats]):
    """
    Times with the algorithm and protocol of each, and the second cheapest beside them.

    Attributes:
        algorithm, protocol: Codes, places in ``ALGORITHMS`` and ``PROTOCOLS``.
        runner_up_time_s: NaN where there was only one algorithm.
    """

    algorithm: Codes
    protocol: Codes
    runner_up_algorithm: Codes
    runner_up_protocol: Codes
    runner_up_time_s: Floats

    def labels(self) -> Labels:
        """The choice of each entry as `ring/LL128`; empty where there is no answer."""
        return label_array(self.algorithm, self.protocol)

    def runner_up_labels(self) -> Labels:
        """The second cheapest choice of each entry; empty where there was only one."""
        return label_array(self.runner_up_algorithm, self.runner_up_protocol)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction(Choices):
    """Answers for an array of sizes of one setting."""

    size_bytes: Floats
    basis: str
    warnings: tuple[str, ...]
    sources: tuple[str, ...]


def label_array(algorithm: Codes, protocol: Codes) -> Labels:
    """Labels for arrays of codes; every pair of codes is spelled once."""
    labels: Labels = _spelled()[np.asarray(algorithm, np.intp) + 1, np.maximum(protocol, 0)]
    return labels


@lru_cache(maxsize=1)
def _spelled() -> Labels:
    return np.array([[label(a, p) for p in range(len(PROTOCOLS))] for a in range(-1, len(ALGORITHMS))])
