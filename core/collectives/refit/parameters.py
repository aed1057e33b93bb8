"""A vector of parameters with priors: what the optimiser turns and how far it may go."""

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, slots=True)
class Values:
    """Parameters by name."""

    by_name: dict[str, float]

    def positive(self, name: str) -> float:
        """A positive constant."""
        return float(np.exp(self.by_name[name]))

    def many(self, name: str, count: int) -> tuple[float, ...]:
        """A run of numbers."""
        return tuple(self.by_name[f"{name}.{index}"] for index in range(count))


@dataclass(slots=True)
class Parameters:
    """Named numbers in one vector; positive ones vary in their logarithm."""

    names: list[str] = field(default_factory=list)
    start: list[float] = field(default_factory=list)
    spread: list[float] = field(default_factory=list)
    runs: list[tuple[int, int, float]] = field(default_factory=list)

    def positive(self, name: str, value: float, spread: float = 0.7) -> None:
        """A positive constant, believed to within exp(spread)."""
        self._add(name, float(np.log(value)), spread)

    def smooth(self, name: str, count: int, spread: float = 0.15, step: float = 0.08) -> None:
        """`count` numbers around zero that change little from one to the next."""
        self.runs.append((len(self.names), count, step))
        for index in range(count):
            self._add(f"{name}.{index}", 0.0, spread)

    def _add(self, name: str, value: float, spread: float) -> None:
        self.names.append(name)
        self.start.append(value)
        self.spread.append(spread)

    def penalty(self, vector: np.ndarray) -> np.ndarray:
        """How far each parameter is from what was believed, in spreads; bends of runs likewise."""
        parts = [(vector - np.array(self.start)) / np.array(self.spread)]
        for first, count, step in self.runs:
            parts.append(np.diff(vector[first : first + count]) / step)
        return np.concatenate(parts)

    def penalty_slope(self) -> np.ndarray:
        """Derivatives of the penalty, which is linear."""
        zero = np.zeros(len(self.start))
        at_zero = self.penalty(zero)
        columns = [self.penalty(row) - at_zero for row in np.eye(len(self.start))]
        return np.stack(columns, axis=1)

    def read(self, vector: np.ndarray) -> Values:
        """The parameters of a vector by name."""
        return Values(dict(zip(self.names, vector.tolist(), strict=True)))
