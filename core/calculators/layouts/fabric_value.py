"""What a faster fabric is worth to a training job: time saved, dollars, months until it has paid."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.calculators.cost import exposed as money
from core.calculators.layouts.flips import with_network
from core.calculators.layouts.train import rank
from core.calculators.training import Scenario
from core.calculators.training.step import Step, step
from core.catalog import link
from core.checks import number
from core.hardware import System
from core.systems import configure


@dataclass(frozen=True, slots=True)
class Value:
    """
    One fabric under a job, against the one it has.

    Attributes:
        bytes_per_s: Network rate of one GPU, one way.
        lost: Exposed communication as a share of the job's cost.
        saved_share: Of the step as it is; negative where the fabric is slower.
        saved_usd_per_month: The same work done in less time, at the price of the GPUs.
        worth_usd_per_gpu_hour: What a GPU-hour may cost more at the same cost of a step.
        worth_usd_per_gpu: Capital that is earned back in ``horizon_months``.
        payback_months: None where it never pays, or no capital is given.
    """

    name: str
    layout: str
    bytes_per_s: float
    step_s: float
    exposed_s: float
    lost: money.Loss
    saved_share: float
    saved_usd_per_month: float
    worth_usd_per_gpu_hour: float
    worth_usd_per_gpu: float
    payback_months: float | None


@dataclass(frozen=True, slots=True)
class Terms:
    """Price of a GPU-hour, capital for the new fabric, and the months in which it must pay."""

    usd_per_gpu_hour: float
    capital_usd: float = 0.0
    horizon_months: float = 36.0


def by_network(
    scenario: Scenario, networks: Iterable[str], terms: Terms, *, anew: bool = False
) -> tuple[Value, ...]:
    """
    The job over several networks with as many NICs, in the layout it has or in the best of each.

    Raises:
        InputError: An unknown network, or a price or capital below zero.
    """
    now = step(scenario)
    return tuple(
        _value(link(name).name, _over(scenario, _wired(scenario.system, name), anew=anew), now, terms)
        for name in networks
    )


def by_rate(scenario: Scenario, factors: Iterable[float], terms: Terms) -> tuple[Value, ...]:
    """The job on its own network made faster or slower by factors: the marginal value of a GB/s."""
    now = step(scenario)
    return tuple(
        _value(f"{factor:g} x", replace(scenario, system=with_network(scenario.system, factor)), now, terms)
        for factor in factors
    )


def _wired(system: System, network: str) -> System:
    nics = system.nics_per_domain or system.domain_gpus
    return configure(system, domains=system.domains, network=network, nics_per_domain=nics)


def _over(scenario: Scenario, system: System, *, anew: bool) -> Scenario:
    moved = replace(scenario, system=system)
    return rank(moved, moved.layout.gpus).ranked[0].scenario if anew else moved


def _value(name: str, scenario: Scenario, now: Step, terms: Terms) -> Value:
    gpus, price = scenario.layout.gpus, terms.usd_per_gpu_hour
    horizon = number("horizon_months", terms.horizon_months, above=0)
    capital = number("capital_usd", terms.capital_usd, least=0)
    then = step(scenario)
    saved_share = 1 - then.total_s / now.total_s
    month = saved_share * money.loss(1.0, gpus, price).usd_per_month
    leaf = scenario.system.scale_out
    return Value(
        name=name,
        layout=scenario.layout.text(),
        bytes_per_s=leaf.bytes_per_s if leaf else 0.0,
        step_s=then.total_s,
        exposed_s=then.exposed.total_s,
        lost=money.loss(then.exposed.total_s / then.total_s, gpus, price),
        saved_share=saved_share,
        saved_usd_per_month=month,
        worth_usd_per_gpu_hour=money.worth_usd_per_gpu_hour(price, now.total_s, then.total_s),
        worth_usd_per_gpu=month * horizon / gpus,
        payback_months=capital / month if month > 0 and capital > 0 else None,
    )
