"""Break-even points: tokens or a rate from which a link pays, bytes for a network, time for wider TP."""

from dataclasses import dataclass, replace

from core.calculators.layouts.scaled_system import with_scale_up_rate
from core.calculators.layouts.serving_step import serving_step, step_s
from core.calculators.layouts.solve import last_crossing
from core.calculators.tensor_parallel import Scenario
from core.catalog import link_name
from core.checks import number
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import sweep
from core.collectives.rates import Rates
from core.hardware import System
from core.systems import configure
from core.units import format_message, format_rate, format_share, format_time

DEFAULT_RATES = Rates()


@dataclass(frozen=True, slots=True)
class BreakEven:
    """
    The value at which the answer changes, and the sentence.

    Attributes:
        value: In the unit of the question; None where it never changes within the range.
        low, high: The range searched.
    """

    value: float | None
    low: float
    high: float
    text: str


def tokens_for_a_link(
    scenario: Scenario, slower: System, *, worth: float = 0.05, low: float = 1, high: float = 65536
) -> BreakEven:
    """
    Batched tokens per step from which the scenario's system is faster than ``slower`` by over ``worth``.

    Both run the same model at the same TP degree.

    Raises:
        InputError: A system or rates that cannot be priced.
    """
    share = number("worth", worth, above=0, most=10)

    def gain(tokens: float) -> float:
        fast_s, slow_s = (
            step_s(replace(scenario, system=system), tokens) for system in (scenario.system, slower)
        )
        return slow_s / fast_s - 1 - share

    value = last_crossing(gain, low, high)
    beats = f"{scenario.system.name} beats {slower.name} by more than {100 * share:g} %"
    if value is None:
        always = "at every step size" if gain(high) > 0 else "at no step size"
        text = f"{beats} {always} from {low:,.0f} to {high:,.0f} batched tokens."
    elif gain(high) > 0:
        text = f"From {value:,.0f} batched tokens per step on {beats}"
        text += "; with fewer it does not pay." if gain(low) <= 0 else "."
    else:
        beyond = f"Beyond {value:,.0f} batched tokens per step"
        text = f"{beyond} {scenario.system.name} does not beat {slower.name} by {100 * share:g} %."
    return BreakEven(value, low, high, text[0].upper() + text[1:])


def rate_for_a_share(scenario: Scenario, *, worth: float = 0.1, most: float = 16.0) -> BreakEven:
    """
    Scale-up bytes/s per GPU from which exposed communication takes less than ``worth`` of a decode step.

    Searched up to ``most`` times the rate of the scenario's system; latencies stay as they are.

    Raises:
        InputError: A degree or rates that cannot be priced.
    """
    share = number("worth", worth, above=0, most=1)
    now = scenario.system.scale_up.bytes_per_s

    def exposed(factor: float) -> float:
        return serving_step(replace(scenario, system=with_scale_up_rate(scenario.system, factor))).share

    factor = 1.0 if exposed(1.0) < share else last_crossing(lambda times: exposed(times) - share, 1.0, most)
    below = f"less than {format_share(share)}"
    if factor == 1.0:
        verdict = f"{below} of it already"
    elif factor is None:
        verdict = f"{below} at no rate up to {format_rate(most * now)}: the latency of its messages remains"
    else:
        verdict = f"{below} from {format_rate(float(f'{factor * now:.3g}'))} on"
    text = (
        f"Exposed communication takes {format_share(exposed(1.0))} of a decode step at TP{scenario.tp} "
        f"({scenario.tokens:,} batched tokens) over PCIe at {format_rate(now)} per GPU, "
        f"{format_share(exposed(2.0))} at twice that, as GPUs and slots of the next PCIe generation have; "
        f"{verdict}."
    )
    return BreakEven(None if factor is None else factor * now, now, most * now, text)


def bucket_for_a_network(
    system: System,
    ranks: int,
    faster: str,
    *,
    worth: float = 0.1,
    rates: Rates = DEFAULT_RATES,
    low: float = 1e3,
    high: float = 1e10,
) -> BreakEven:
    """
    Bytes of an all-reduce from which network ``faster`` saves more than ``worth`` of its time.

    Raises:
        InputError: A network or rates that cannot be priced.
    """
    share = number("worth", worth, above=0, most=1)
    other = configure(system, domains=system.domains, network=faster)

    def gain(size_bytes: float) -> float:
        current_s, faster_s = (
            float(sweep(Collective(network, "all_reduce", ranks, rates=rates), [size_bytes]).time_s[0])
            for network in (system, other)
        )
        return 1 - faster_s / current_s - share

    value = last_crossing(gain, low, high)
    name = link_name(faster)
    saves = f"{name} saves more than {100 * share:g} % of an all-reduce over {ranks:,} GPUs"
    if value is None:
        text = f"{saves} at {'every' if gain(high) > 0 else 'no'} bucket size from 1 kB to 10 GB."
    elif gain(high) > 0:
        text = f"From buckets of {format_message(value)} on, {saves}."
    else:
        beyond = f"Beyond buckets of {format_message(value)}"
        text = f"{beyond}, {name} does not save {100 * share:g} % of the time."
    return BreakEven(value, low, high, text)


def budget_across(scenario: Scenario, wide_tp: int) -> BreakEven:
    """
    Seconds that one message of the wider TP group may take before it loses to the scenario's own degree.

    The wider group's compute is taken without its communication; the rest of the narrow step is
    what its messages may cost.

    Raises:
        InputError: A degree or rates that cannot be priced.
    """
    narrow, wide = serving_step(scenario), serving_step(replace(scenario, tp=wide_tp))
    budget_s = (narrow.step_s - wide.compute_s) / wide.messages if wide.messages else 0.0
    verdict = "pays" if wide.message_s < budget_s else "does not pay"
    text = (
        f"TP{wide_tp} may cost {_duration(budget_s)} a message before TP{scenario.tp} wins; on "
        f"{scenario.system.name} it costs {format_time(wide.message_s)}, so it {verdict}."
    )
    return BreakEven(budget_s, 0.0, narrow.step_s, text)


def _duration(time_s: float) -> str:
    """A time that may be below zero: then no message is fast enough."""
    return format_time(time_s) if time_s > 0 else "no time"
