"""What answered: the badge of an answer says the rates behind it, and why they are not the chosen ones."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.collectives.pricing.answered import answered
from core.provenance import Origin
from pages.ui.shared import names
from pages.ui.shared.rates import YOURS, RateChoice

WEAKEST_FIRST = (str(Origin.PUBLISHED), str(Origin.SPEC), str(Origin.CALIBRATED), YOURS)
NAMES = {
    str(Origin.PUBLISHED): "published rates",
    str(Origin.SPEC): "datasheet rates",
    str(Origin.CALIBRATED): "calibrated rates",
    YOURS: "your rates",
}
TYPED = "Formulas on datasheet rates with your own figures: no calibration, no interval."
YOUR_LATENCY = "Formulas on datasheet rates with your latency: no calibration, no interval."
UNREAD = "Calibrated rates: the fit could not be read."
TRANSFERS = "A single transfer runs at its link's rate: calibrations and fits are of collectives."
DATASHEET = "Memory and bandwidth are the datasheet's"


@dataclass(frozen=True, slots=True)
class Answered:
    """A key of ``answer.ORIGINS``, and a sentence where it is not what was chosen."""

    origin: str
    reason: str = ""


def by_bases(choice: RateChoice, bases: Iterable[str]) -> Answered:
    """The badge of an answer whose collectives rest on these bases, such as ``calibrated:nvlink-hopper``."""
    return by_labels(choice, answered(choice.rates, bases))


def by_labels(choice: RateChoice, labels: str) -> Answered:
    """The badge of an answer that names its rates, such as ``calibrated, spec`` or ``fitted:rack 7``."""
    if choice.rates.overridden:
        return Answered(choice.origin, _typed(choice))
    origins = {YOURS if label.startswith(Origin.FITTED) else label for label in labels.split(", ")}
    return _of(choice, origins)


def series(label: str) -> str:
    """The rates of a curve in a legend: ``calibrated rates``, or ``your fit rack 7`` for ``fitted:rack 7``."""
    fit = label.removeprefix(f"{Origin.FITTED}:")
    return f"{label} rates" if fit == label else f"your fit {fit}"


def transfer(choice: RateChoice, *, measured: bool = False) -> Answered:
    """The badge of transfers over one link at a time, at its rate or at the best that was measured."""
    if choice.rates.overridden:
        return Answered(choice.origin, _typed(choice))
    if choice.rates.origin in (Origin.PUBLISHED, Origin.SPEC):
        return Answered(choice.origin)
    return Answered(str(Origin.MEASURED if measured else Origin.SPEC), TRANSFERS)


def memory(choice: RateChoice) -> Answered:
    """The badge of an answer about memory and aggregate bandwidth, with a decode step at the chosen rates."""
    priced = NAMES.get(choice.origin, choice.origin)
    return Answered(str(Origin.SPEC), f"{DATASHEET}; TPOT and tokens/s are at {priced}.")


def _typed(choice: RateChoice) -> str:
    """What typed figures make of the chosen rates."""
    if choice.origin == YOURS:
        return TYPED
    return YOUR_LATENCY if choice.origin == str(Origin.SPEC) and choice.rates.latency_s is not None else ""


def _of(choice: RateChoice, origins: set[str]) -> Answered:
    shown = next((origin for origin in WEAKEST_FIRST if origin in origins), choice.origin)
    if origins <= {choice.origin}:
        return Answered(shown, UNREAD if choice.fit_unread else "")
    fit = (
        f" The fit {choice.rates.name} does not cover it or is no better there."
        if choice.rates.fit is not None
        else ""
    )
    part = "in part " if len(origins) > 1 else ""
    chosen = NAMES.get(choice.origin, choice.origin)
    return Answered(
        shown, f"{names.sentence(chosen)} chosen, {part}answered by {NAMES.get(shown, shown)}.{fit}"
    )
