"""How large the messages were that each set of constants rests on, by collective."""

import math
from collections.abc import Sequence

from core.collectives.cost_model.networks import levels
from core.collectives.cost_model.setting import ENGINES
from core.collectives.refit.data import Sweep
from core.collectives.refit.everything import domain_name, kind_of_domain
from core.units import MIB

Largest = dict[str, dict[str, int]]


def largest_measured(sweeps: Sequence[Sweep]) -> Largest:
    """By set of constants, as a basis names it, the largest message of each collective that was measured."""
    largest: Largest = {}
    for sweep in sweeps:
        kept, name = sweep.trusted, _set_of(sweep)
        if name and kept.size_bytes.size and sweep.setting.algorithm == "auto":
            own = largest.setdefault(name, {})
            collective = sweep.setting.collective
            own[collective] = max(own.get(collective, 0), _whole_mib(float(kept.size_bytes.max())))
    return {name: dict(sorted(own.items())) for name, own in sorted(largest.items())}


def _whole_mib(size_bytes: float) -> int:
    """Rounded up, as blocks of an odd number of ranks end a few bytes below a round size."""
    return math.ceil(size_bytes / MIB) * int(MIB)


def _set_of(sweep: Sweep) -> str | None:
    """The name of the constants that answer a sweep."""
    if sweep.several:
        return levels(sweep.comm).measured.removeprefix("set:")
    implementation = sweep.setting.implementation
    if implementation not in ENGINES:
        return domain_name(sweep)
    domain = kind_of_domain(sweep)
    return f"{implementation}/{domain}" if domain else None
