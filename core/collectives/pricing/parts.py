"""What no measurement answers but a formula does: the formula, short of itself as its neighbour is."""

from dataclasses import replace

import numpy as np

from core.checks import Floats
from core.collectives.formulas.columns import FIGURES
from core.collectives.pricing.calibrated import by_cost_model
from core.collectives.pricing.columns import Sweep
from core.collectives.pricing.formulas import by_formulas
from core.collectives.pricing.placement import Placement
from core.collectives.pricing.scenario import Scenario
from core.collectives.question import AUTO
from core.collectives.rates import Rates
from core.provenance import Origin

SHARP, NVLS_SHARP = "sharp", "nvls-sharp"
LOWER, HIGHER = 0.65, 1.45
"""Times the band of the neighbour. SHARP on 2 x 8 A100 (ABCI user guide, 29 sizes): 1 to 60 % above."""
ALGORITHMS = (
    "two-level",
    "two-level-pipelined",
    "nvls",
    "sharp",
    "sharp-pipelined",
    "nvls-sharp",
    "one-shot",
    "two-shot",
)
"""Named, they are priced so; auto takes one of the last where the network's switches add."""


def reduces_in_network(scenario: Scenario, placement: Placement) -> bool:
    """Whether the network's switches add in an all-reduce whose algorithm the library chooses."""
    across = placement.in_network and placement.domains > 1 and not scenario.rates.measured
    return across and scenario.collective == "all_reduce" and scenario.algorithm == AUTO


def in_network_algorithm(placement: Placement) -> str:
    """What NCCL runs over switches that add: from those of the domain on where they add too."""
    return NVLS_SHARP if placement.in_switch else SHARP


def composed(basis: str, algorithm: str | None) -> bool:
    """Whether an answer was put together so."""
    return basis == f"parts:{algorithm}"


def by_parts(scenario: Scenario, placement: Placement, sizes: Floats, algorithm: str) -> Sweep:
    """
    An algorithm of the registry on calibrated rates that know none of its measurements.

    Its datasheet time, longer by what the library's own choice takes beyond its own datasheet time.

    Raises:
        InputError: The algorithm does not apply there, or the cost model answers nothing there.
    """
    datasheet = Rates(Origin.SPEC)
    ideal = by_formulas(replace(scenario, rates=datasheet, algorithm=algorithm), placement, sizes)
    usual, plain = replace(scenario, algorithm=AUTO), replace(placement, in_network=False)
    neighbour = by_cost_model(usual, plain, sizes)
    in_switch = plain.in_switch and scenario.collective == "all_reduce"
    measured = replace(plain, in_switch=in_switch)
    reference = by_formulas(replace(usual, rates=datasheet), measured, sizes).time_s
    ratio = np.divide(ideal.time_s, reference, out=np.ones_like(reference), where=reference > 0)
    columns = {name: getattr(neighbour, name) * ratio for name in FIGURES}
    columns |= {"low_s": columns["low_s"] * LOWER, "high_s": columns["high_s"] * HIGHER}
    remark = f"{algorithm}: no measurement of it here; its formula, short of itself as other algorithms are"
    return replace(
        neighbour,
        **columns | {"wire_bytes": ideal.wire_bytes},
        algorithms=ideal.algorithms,
        runner_ups=np.full_like(ideal.algorithms, ""),
        runner_up_s=np.full_like(ideal.time_s, np.nan),
        basis=f"parts:{algorithm}",
        warnings=(*placement.remarks, remark),
        sources=(*neighbour.sources, *ideal.sources),
    )
