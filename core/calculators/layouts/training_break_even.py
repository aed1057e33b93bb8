"""Break-even questions of a training step: where a layout's communication starts or stops to matter."""

from collections.abc import Callable, Iterator
from functools import partial

from core.calculators.layouts.break_even import BreakEven, bucket_for_a_network
from core.calculators.layouts.inputs import GLOBAL_BATCH, NETWORK_RATE, SCALE_UP_RATE, Input
from core.calculators.layouts.solve import last_crossing
from core.calculators.training import Scenario, step
from core.catalog.networks import next_generation
from core.checks import InputError
from core.units import format_rate, format_share

WORTH = 0.1
"""Share of the step from which exposed communication is worth a better link or a larger batch."""
RANGE = 16.0
"""Times that an input is divided and multiplied."""


def training_break_even(scenario: Scenario) -> tuple[BreakEven, ...]:
    """
    Those questions that make sense for the step of one layout, answered: at most four.

    From which network rate, scale-up rate and global batch size on its exposed communication takes less
    than a tenth of the step, the layout unchanged; and from which bucket of gradients the next network
    saves a tenth. The network is asked about where the layout crosses domains.
    """
    return tuple(answer for question in _questions(scenario) if (answer := _answer(question)) is not None)


def _questions(scenario: Scenario) -> Iterator[Callable[[], BreakEven]]:
    system, gpus = scenario.system, scenario.layout.gpus
    across = gpus > system.domain_gpus
    for item in (*((NETWORK_RATE,) if across else ()), SCALE_UP_RATE, GLOBAL_BATCH):
        yield partial(_tenth, scenario, item)
    faster = next_generation(system.network or "")
    if faster is not None and across:
        yield lambda: bucket_for_a_network(system, gpus, faster, rates=scenario.rates)


def _answer(question: Callable[[], BreakEven]) -> BreakEven | None:
    """The answer; None where the layout cannot run over the range."""
    try:
        return question()
    except InputError:
        return None


def _tenth(scenario: Scenario, item: Input) -> BreakEven:
    """The value of an input beyond which exposed communication stays below a tenth of the step."""
    now = item.value(scenario)
    low, high = 1 / RANGE, RANGE

    def excess(factor: float) -> float:
        at = step(item.scaled(scenario, factor))
        return at.exposed.total_s / at.total_s - WORTH

    factor, share = last_crossing(excess, low, high), excess(1.0) + WORTH
    tenth = f"{100 * WORTH:g} % of the step"
    here = f"{format_share(share)} at {_shown(item, now)}"
    if factor is None:
        always = "more" if excess(1.0) > 0 else "less"
        span = f"from {_shown(item, now * low)} to {_shown(item, now * high)}"
        text = f"Exposed communication takes {always} than {tenth} at every {item.name} {span} ({here})."
        return BreakEven(None, now * low, now * high, text)
    limit = _shown(item, now * factor)
    if excess(high) > 0:
        text = f"Exposed communication takes more than {tenth} from a {item.name} of {limit} on ({here})."
    else:
        text = f"Exposed communication takes less than {tenth} from a {item.name} of {limit} on ({here})."
    return BreakEven(now * factor, now * low, now * high, text)


def _shown(item: Input, value: float) -> str:
    return format_rate(float(f"{value:.3g}")) if item.unit == "B/s" else f"{value:,.0f} {item.unit}"
