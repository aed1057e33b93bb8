"""Thousands of cells at once: system x TP x batch x context, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.calculators.tensor_parallel.binding import binding
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import Terms, terms
from core.checks import Floats, InputError
from core.hardware import System

FIELDS = ("step_s", "exposed_s", "share", "tokens_per_s", "tokens_per_s_per_gpu", "memory_bytes", "fits")


@dataclass(frozen=True, slots=True)
class Grid:
    """
    Arrays of shape (systems, degrees, batches, contexts); NaN where a degree cannot be built.

    Attributes:
        reasons: Why a (system id, tp) has no answer.
    """

    systems: tuple[str, ...]
    tp: tuple[int, ...]
    tokens: tuple[int, ...]
    context: tuple[int, ...]
    step_s: Floats
    compute_s: Floats
    comm_s: Floats
    exposed_s: Floats
    share: Floats
    tokens_per_s: Floats
    tokens_per_s_per_gpu: Floats
    memory_bytes: Floats
    fits: Floats
    binding: NDArray[Any]
    reasons: dict[tuple[str, int], str]

    @property
    def cells(self) -> int:
        """How many questions the grid answers."""
        return int(self.step_s.size)


def sweep(
    scenario: Scenario,
    systems: Sequence[System],
    tp: Sequence[int],
    tokens: Sequence[int],
    context: Sequence[int],
) -> Grid:
    """The scenario on every system, degree, batch and context."""
    batch = np.asarray(tokens, np.float64)[:, None]
    length = np.asarray(context, np.float64)[None, :]
    shape = (len(systems), len(tp), len(tokens), len(context))
    arrays = {name: np.full(shape, np.nan) for name in (*FIELDS, "compute_s", "comm_s")}
    decisive = np.full(shape, "", dtype="<U16")
    reasons: dict[tuple[str, int], str] = {}
    for row, system in enumerate(systems):
        for column, degree in enumerate(tp):
            try:
                point = replace(scenario, system=system, tp=degree)
                cell_terms = terms(point, batch, length, degree)
            except InputError as problem:
                reasons[system.id, degree] = str(problem)
                continue
            _fill(arrays, (row, column), cell_terms)
            decisive[row, column] = np.reshape(binding(point, cell_terms), shape[2:])
    return Grid(
        systems=tuple(system.id for system in systems),
        tp=tuple(tp),
        tokens=tuple(tokens),
        context=tuple(context),
        binding=decisive,
        reasons=reasons,
        **arrays,
    )


def _fill(arrays: dict[str, Floats], cell: tuple[int, int], point: Terms) -> None:
    for name in FIELDS:
        arrays[name][cell] = getattr(point, name)
    arrays["compute_s"][cell] = point.compute.total_s
    arrays["comm_s"][cell] = point.exchange.time_s
