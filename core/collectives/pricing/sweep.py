"""Price a collective over many sizes, by the cost model or by the formulas."""

from dataclasses import replace

from numpy.typing import ArrayLike

from core.checks import Floats, InputError, sizes
from core.collectives.cost_model import ALGORITHMS as MODEL_ALGORITHMS
from core.collectives.cost_model.two_level import ALGORITHMS as UNMEASURED
from core.collectives.pricing.calibrated import by_cost_model
from core.collectives.pricing.choices import applicable_at
from core.collectives.pricing.columns import Sweep
from core.collectives.pricing.formulas import by_formulas
from core.collectives.pricing.parts import ALGORITHMS as PARTS
from core.collectives.pricing.parts import by_parts
from core.collectives.pricing.placement import Placement, placement_of
from core.collectives.pricing.scenario import Scenario
from core.provenance import Origin

__all__ = ["Sweep", "applicable", "compare", "sweep"]

NO_POINTS = "No fit of that name and no measured points: answered with calibrated rates."
FOREIGN_POINTS = "No measured point could be used for this machine: answered with calibrated rates."


def sweep(scenario: Scenario, sizes_bytes: ArrayLike) -> Sweep:
    """
    What the collective costs for each of these sizes; the scenario's own size is not looked at.

    Raises:
        InputError: Ranks that do not fit the system, or an algorithm that does not apply.
    """
    return priced(scenario, placement_of(scenario), sizes("size_bytes", sizes_bytes))


def compare(scenario: Scenario, sizes_bytes: ArrayLike) -> dict[str, Sweep]:
    """Every algorithm that applies, by name: those that libraries run, at datasheet rates all of them."""
    sweeps: dict[str, Sweep] = {}
    amounts, placement = sizes("size_bytes", sizes_bytes), placement_of(scenario)
    if by_formula_only(scenario):
        for word in applicable(scenario):
            sweeps[word] = by_formulas(replace(scenario, algorithm=word), placement, amounts)
        return sweeps
    for word in (name for name in MODEL_ALGORITHMS[1:] if name not in UNMEASURED):
        try:
            sweeps[word] = by_cost_model(replace(scenario, algorithm=word), placement, amounts)
        except InputError:
            continue
    return sweeps or compare(replace(scenario, rates=replace(scenario.rates, origin=Origin.SPEC)), amounts)


def applicable(scenario: Scenario) -> tuple[str, ...]:
    """Names of the algorithms that the system can run for this collective."""
    placement = placement_of(scenario)
    return tuple(dict.fromkeys(item.word for item in applicable_at(scenario.collective, placement)))


def by_formula_only(scenario: Scenario) -> bool:
    """Whether the rates leave nothing for the cost model to say."""
    return scenario.rates.origin in (Origin.PUBLISHED, Origin.SPEC) or scenario.rates.overridden


def priced(scenario: Scenario, placement: Placement, amounts: Floats) -> Sweep:
    """The sweep of a checked scenario at its place."""
    if by_formula_only(scenario):
        return by_formulas(scenario, placement, amounts)
    try:
        prices = _calibrated(scenario, placement, amounts)
    except InputError as problem:
        remark = f"No calibration answers this ({problem}): datasheet formulas instead."
        return by_formulas(scenario, placement, amounts, (remark,))
    return replace(prices, warnings=(*prices.warnings, *_unfitted(scenario, prices)))


def _calibrated(scenario: Scenario, placement: Placement, amounts: Floats) -> Sweep:
    """As measured; what was not measured from its formula and measured neighbours."""
    try:
        return by_cost_model(scenario, placement, amounts)
    except InputError:
        if scenario.algorithm not in PARTS or scenario.rates.measured:
            raise
        return by_parts(scenario, placement, amounts, scenario.algorithm)


def _unfitted(scenario: Scenario, prices: Sweep) -> tuple[str, ...]:
    """Why rates that were to be fitted are calibrated ones; a fit speaks for itself."""
    rates = scenario.rates
    if rates.origin is not Origin.FITTED or rates.fit is not None:
        return ()
    if not rates.points:
        return (NO_POINTS,)
    return (FOREIGN_POINTS,) if scenario.ranks > 1 and prices.rates != rates.label else ()
