"""Questions solved backwards: tokens for a link, a bucket for a faster NIC, time for TP across nodes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.calculators.layouts.cell import cell, step_s
from core.calculators.layouts.flips import crossing
from core.calculators.tensor_parallel import Scenario
from core.checks import number
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import sweep
from core.collectives.rates import Rates
from core.hardware import System
from core.systems import configure

DEFAULT_RATES = Rates()


@dataclass(frozen=True, slots=True)
class Solved:
    """The value at which the answer changes (None: never within the range), and the sentence."""

    value: float | None
    low: float
    high: float
    text: str


def tokens_for_a_link(
    scenario: Scenario, slower: System, *, worth: float = 0.05, low: float = 1, high: float = 65536
) -> Solved:
    """
    Tokens of a step from which the scenario's machine is faster than ``slower`` by more than ``worth``.

    Both run the same model at the same TP degree.
    """
    share = number("worth", worth, above=0, most=10)

    def gain(tokens: float) -> float:
        fast, slow = (
            step_s(replace(scenario, system=machine), tokens) for machine in (scenario.system, slower)
        )
        return slow / fast - 1 - share

    value = last_crossing(gain, low, high)
    fast, slow = scenario.system.name, slower.name
    beats = f"{fast} beats {slow} by more than {100 * share:g} %"
    if value is None:
        always = "at every step size" if gain(high) > 0 else "at no step size"
        text = f"{beats} {always} from {low:,.0f} to {high:,.0f} tokens."
    elif gain(high) > 0:
        text = f"From {value:,.0f} tokens a step on {beats}"
        text += "; with fewer it does not pay." if gain(low) <= 0 else "."
    else:
        text = f"Beyond {value:,.0f} tokens a step {fast} does not beat {slow} by {100 * share:g} %."
    return Solved(value, low, high, text[0].upper() + text[1:])


def last_crossing(difference: Callable[[float], float], low: float, high: float) -> float | None:
    """The value beyond which ``difference`` keeps its sign up to ``high``; None where it never changes."""
    mirrored = crossing(lambda value: difference(low * high / value), low, high)
    return None if mirrored is None else low * high / mirrored


def bucket_for_a_network(
    system: System,
    ranks: int,
    faster: str,
    *,
    worth: float = 0.1,
    rates: Rates = DEFAULT_RATES,
    low: float = 1e3,
    high: float = 1e10,
) -> Solved:
    """Bytes of an all-reduce from which network ``faster`` saves more than ``worth`` of its time."""
    share = number("worth", worth, above=0, most=1)
    other = configure(system, domains=system.domains, network=faster)

    def gain(size_bytes: float) -> float:
        now, then = (
            float(sweep(Collective(machine, "all_reduce", ranks, rates=rates), [size_bytes]).time_s[0])
            for machine in (system, other)
        )
        return 1 - then / now - share

    value = last_crossing(gain, low, high)
    saves = f"{faster} saves more than {100 * share:g} % of an all-reduce over {ranks:,} GPUs"
    if value is None:
        text = f"{saves} at {'every' if gain(high) > 0 else 'no'} bucket size looked at."
    elif gain(high) > 0:
        text = f"From {value / 1e6:,.3g} MB a bucket on {saves}."
    else:
        text = f"Beyond {value / 1e6:,.3g} MB a bucket {faster} does not save {100 * share:g} % of its time."
    return Solved(value, low, high, text)


def budget_across(scenario: Scenario, wide_tp: int) -> Solved:
    """
    Seconds that one message of the wider TP group may take before it loses to the scenario's own degree.

    The wider group's compute is taken without its communication; the rest of the narrow step is
    what its messages may cost.
    """
    narrow, wide = cell(scenario), cell(replace(scenario, tp=wide_tp))
    spare = narrow.step_s - wide.compute_s
    budget = spare / wide.messages if wide.messages else 0.0
    price = wide.message_s
    verdict = "pays" if price < budget else "does not pay"
    text = (
        f"TP{wide_tp} may cost {budget * 1e6:,.3g} us a message before TP{scenario.tp} wins; on "
        f"{scenario.system.name} it costs {price * 1e6:,.3g} us, so it {verdict}."
    )
    return Solved(budget, 0.0, narrow.step_s, text)
