"""What the model answers: time with its band, the four parts, the choice and the runner-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.collectives.cost_model.setting import ALGORITHMS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int8]
else:
    Floats = Codes = Any

PROTOCOLS = ("", "LL", "LL128", "Simple")
NO_CHOICE = -1


def label(algorithm: int, protocol: int) -> str:
    """`ring/LL128`, or the bare algorithm where protocols mean nothing; empty when there is none."""
    if algorithm < 0:
        return ""
    name = ALGORITHMS[algorithm]
    return f"{name}/{PROTOCOLS[protocol]}" if protocol > 0 else name


@dataclass(frozen=True, slots=True)
class Prediction:
    """Answers for an array of sizes; launch + latency + transfer + reduction is the time."""

    size_bytes: Floats
    time_s: Floats
    low_s: Floats
    high_s: Floats
    launch_s: Floats
    latency_s: Floats
    transfer_s: Floats
    reduction_s: Floats
    wire_bytes: Floats
    algorithm: Codes
    protocol: Codes
    runner_up_algorithm: Codes
    runner_up_protocol: Codes
    runner_up_time_s: Floats
    basis: str
    warnings: tuple[str, ...]
    sources: tuple[str, ...]

    @property
    def algorithm_names(self) -> NDArray[Any]:
        """The chosen algorithm of each size, by name."""
        return np.asarray(ALGORITHMS)[self.algorithm]

    @property
    def protocol_names(self) -> NDArray[Any]:
        """The chosen protocol of each size, by name; empty where protocols mean nothing."""
        return np.asarray(PROTOCOLS)[self.protocol]

    def labels(self) -> NDArray[Any]:
        """The choice of each size as `ring/LL128`."""
        return label_array(self.algorithm, self.protocol)

    def runner_up_labels(self) -> NDArray[Any]:
        """The second cheapest choice of each size; empty where there was only one."""
        return label_array(self.runner_up_algorithm, self.runner_up_protocol)


def label_array(algorithm: Codes, protocol: Codes) -> NDArray[Any]:
    """Labels for arrays of codes; every pair of codes is spelled once."""
    spelled = np.array([[label(a, p) for p in range(len(PROTOCOLS))] for a in range(-1, len(ALGORITHMS))])
    return spelled[np.asarray(algorithm, np.intp) + 1, np.maximum(protocol, 0)]
