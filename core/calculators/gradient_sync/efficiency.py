"""Scaling efficiency by three definitions that published tables mix."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.checks import number


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition of scaling efficiency, from seconds (or shares) of a step."""

    name: str
    title: str
    formula: str
    function: Callable[[float, float, float], float]


def _compute_over_compute_and_comm(compute: float, comm: float, _other: float) -> float:
    return compute / (compute + comm)


def _compute_share(compute: float, comm: float, other: float) -> float:
    return compute / (compute + comm + other)


def _no_comm_speedup(compute: float, comm: float, other: float) -> float:
    return (compute + other) / (compute + comm + other)


DEFINITIONS: Mapping[str, Definition] = {
    definition.name: definition
    for definition in (
        Definition(
            "compute_over_compute_and_comm",
            "compute / (compute + communication)",
            r"\frac{t_c}{t_c+t_x}",
            _compute_over_compute_and_comm,
        ),
        Definition("compute_share", "compute / step", r"\frac{t_c}{t_c+t_x+t_o}", _compute_share),
        Definition(
            "no_comm_speedup",
            "step without communication / step",
            r"\frac{t_c+t_o}{t_c+t_x+t_o}",
            _no_comm_speedup,
        ),
    )
}


def efficiencies(compute_s: float, exposed_s: float, other_s: float = 0.0) -> dict[str, float] | None:
    """
    Every definition for one step; None for a step that takes no time at all.

    Args:
        compute_s: Seconds (or a share) of compute.
        exposed_s: Seconds (or a share) of exposed communication.
        other_s: Everything else: input, optimizer, stragglers.

    Raises:
        InputError: A negative value.
    """
    compute = number("compute_s", compute_s, least=0)
    exposed = number("exposed_s", exposed_s, least=0)
    other = number("other_s", other_s, least=0)
    if compute + exposed == 0:
        return None
    return {name: definition.function(compute, exposed, other) for name, definition in DEFINITIONS.items()}
