"""What no measurement answers but a formula does: the formula, short of itself as its neighbour is."""

from dataclasses import replace

import numpy as np

from core.checks import Floats
from core.collectives.pricing.calibrated import by_cost_model
from core.collectives.pricing.columns import Sweep
from core.collectives.pricing.formulas import by_formulas
from core.collectives.pricing.placement import Placement
from core.collectives.pricing.scenario import Scenario
from core.collectives.question import AUTO
from core.collectives.rates import Rates
from core.provenance import Origin

LOWER, HIGHER = 0.65, 1.45
"""Times the band of the neighbour."""
SCALED = ("latency_s", "transfer_s", "reduction_s")
"""What an algorithm changes; kernels are launched all the same."""
ALGORITHMS = ("nvls", "one-shot", "two-shot")
"""Named where no library runs them, they are priced so."""


def composed(basis: str, algorithm: str | None) -> bool:
    """Whether an answer was put together so."""
    return basis == f"parts:{algorithm}"


def by_parts(scenario: Scenario, placement: Placement, sizes: Floats, algorithm: str) -> Sweep:
    """
    An algorithm of the registry on calibrated rates that know none of its measurements.

    Its datasheet time, longer by what the library's own choice takes beyond its own datasheet time;
    launch apart, and never faster than the datasheet.

    Raises:
        InputError: The algorithm does not apply there, or the cost model answers nothing there.
    """
    datasheet = Rates(Origin.SPEC)
    ideal = by_formulas(replace(scenario, rates=datasheet, algorithm=algorithm), placement, sizes)
    usual, plain = replace(scenario, algorithm=AUTO), replace(placement, in_network=False)
    neighbour = by_cost_model(usual, plain, sizes)
    reference = _reference_s(replace(usual, rates=datasheet), plain, neighbour)
    ratio = np.divide(ideal.time_s, reference, out=np.ones_like(reference), where=reference > 0)
    columns = {name: getattr(neighbour, name) * ratio for name in SCALED}
    columns["transfer_s"] = np.maximum(columns["transfer_s"], ideal.transfer_s)
    time_s = neighbour.launch_s + columns["latency_s"] + columns["transfer_s"] + columns["reduction_s"]
    slower = np.divide(time_s, neighbour.time_s, out=np.ones_like(time_s), where=neighbour.time_s > 0)
    columns |= {
        "time_s": time_s,
        "low_s": np.maximum(neighbour.low_s * slower * LOWER, np.minimum(ideal.time_s, time_s)),
        "high_s": neighbour.high_s * slower * HIGHER,
        "wire_bytes": ideal.wire_bytes,
    }
    remark = f"{algorithm}: no measurement of it here; its formula, short of itself as other algorithms are"
    return replace(
        neighbour,
        **columns,
        algorithms=ideal.algorithms,
        runner_ups=np.full_like(ideal.algorithms, ""),
        runner_up_s=np.full_like(ideal.time_s, np.nan),
        basis=f"parts:{algorithm}",
        warnings=(*placement.remarks, remark),
        sources=(*neighbour.sources, *ideal.sources),
    )


def _reference_s(scenario: Scenario, placement: Placement, neighbour: Sweep) -> Floats:
    """The datasheet time of the algorithm that the library chose at each size."""
    times = np.zeros_like(neighbour.time_s)
    words = np.array([str(label).partition("/")[0] for label in neighbour.algorithms])
    for word in set(words.tolist()):
        at = words == word
        named = replace(scenario, algorithm=word or AUTO)
        times[at] = by_formulas(named, placement, neighbour.size_bytes[at]).time_s
    return times
