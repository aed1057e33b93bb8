"""What a faster scale-out fabric is worth to a training job: step time saved, dollars, payback."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.calculators.cost.exposed import Loss, loss, worth_usd_per_gpu_hour
from core.calculators.layouts.scaled_system import with_network_rate
from core.calculators.layouts.training_ranking import fastest
from core.calculators.training import Scenario, Step, step
from core.catalog import link
from core.checks import number
from core.hardware import System
from core.systems import configure


@dataclass(frozen=True, slots=True)
class FabricValue:
    """
    A job on one scale-out fabric, against the one it has.

    Attributes:
        name: The network's name, or the factor on the current rate.
        layout: Degrees above one.
        bytes_per_s: Network rate per GPU and direction.
        step_s, exposed_s: The step, and its exposed communication.
        lost: Cost of the exposed communication.
        saved_share: Step time saved as a share of the current step; negative where the fabric is slower.
        saved_usd_per_month: The same work done in less time, at the price of the GPUs.
        worth_usd_per_gpu_hour: What a GPU-hour may cost more at the same cost per step.
        worth_usd_per_gpu: Capital that is earned back in ``horizon_months``.
        payback_months: None where it never pays, or no capital is given.
    """

    name: str
    layout: str
    bytes_per_s: float
    step_s: float
    exposed_s: float
    lost: Loss
    saved_share: float
    saved_usd_per_month: float
    worth_usd_per_gpu_hour: float
    worth_usd_per_gpu: float
    payback_months: float | None


@dataclass(frozen=True, slots=True)
class Terms:
    """Dollars per GPU-hour, capital for the new fabric in dollars, and the months in which it must pay."""

    usd_per_gpu_hour: float
    capital_usd: float = 0.0
    horizon_months: float = 36.0


def by_network(
    scenario: Scenario, networks: Iterable[str], terms: Terms, *, rerank: bool = False
) -> tuple[FabricValue, ...]:
    """
    The job on several networks with as many NICs, in its own layout or in the best layout of each.

    Raises:
        InputError: An unknown network, or a price or capital below zero.
    """
    current = step(scenario)
    jobs = ((name, replace(scenario, system=_on_network(scenario.system, name))) for name in networks)
    return tuple(_value(link(name).name, _best(job) if rerank else job, current, terms) for name, job in jobs)


def by_rate(scenario: Scenario, factors: Iterable[float], terms: Terms) -> tuple[FabricValue, ...]:
    """
    The job on its own network made faster or slower by factors: the marginal value of a GB/s.

    Raises:
        InputError: A price or capital below zero.
    """
    current = step(scenario)
    jobs = (
        (factor, replace(scenario, system=with_network_rate(scenario.system, factor))) for factor in factors
    )
    return tuple(_value(f"{factor:g} x", job, current, terms) for factor, job in jobs)


def _on_network(system: System, network: str) -> System:
    nics = system.nics_per_domain or system.domain_gpus
    return configure(system, domains=system.domains, network=network, nics_per_domain=nics)


def _best(scenario: Scenario) -> Scenario:
    return fastest(scenario, scenario.layout.gpus).scenario


def _value(name: str, scenario: Scenario, current: Step, terms: Terms) -> FabricValue:
    gpus, price = scenario.layout.gpus, terms.usd_per_gpu_hour
    horizon = number("horizon_months", terms.horizon_months, above=0)
    capital = number("capital_usd", terms.capital_usd, least=0)
    changed = step(scenario)
    saved_share = 1 - changed.total_s / current.total_s
    usd_per_month = saved_share * loss(1.0, gpus, price).usd_per_month
    leaf = scenario.system.scale_out
    return FabricValue(
        name=name,
        layout=scenario.layout.text(),
        bytes_per_s=leaf.bytes_per_s if leaf else 0.0,
        step_s=changed.total_s,
        exposed_s=changed.exposed.total_s,
        lost=loss(changed.exposed.total_s / changed.total_s, gpus, price),
        saved_share=saved_share,
        saved_usd_per_month=usd_per_month,
        worth_usd_per_gpu_hour=worth_usd_per_gpu_hour(price, current.total_s, changed.total_s),
        worth_usd_per_gpu=usd_per_month * horizon / gpus,
        payback_months=capital / usd_per_month if usd_per_month > 0 and capital > 0 else None,
    )
