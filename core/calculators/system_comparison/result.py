"""One system of a comparison: its best layout for the load, and the largest load within a latency target."""

from dataclasses import dataclass, replace

from core.calculators.cost.tokens import usd_per_million_tokens
from core.calculators.layouts import ServingRanking, rank_serving
from core.calculators.layouts.serving_layout import ServingLayout
from core.calculators.layouts.serving_ranking import MOST_SEQUENCES, most_sequences, serving_layout
from core.calculators.tensor_parallel import Scenario
from core.checks import InputError
from core.hardware import System
from core.units import counted


@dataclass(frozen=True, slots=True)
class WithinTarget:
    """
    The largest load of a system whose decode step keeps the latency target; one request more does not.

    Attributes:
        requests: Concurrent requests of all GPUs.
        layout: The layout that holds the most within the target.
    """

    requests: int
    layout: str
    tpot_s: float
    tokens_per_s_per_gpu: float
    usd_per_million_tokens: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemResult:
    """
    One system serving the load; what cannot be computed is None, and ``reason`` says why.

    Attributes:
        gpus, domains, domain_gpus: GPUs used, and the scale-up domains that they fill.
        layout: The best layout for the goal.
        most_requests: Concurrent requests that fit in that layout.
        tpot_s, tokens_per_s, tokens_per_s_per_gpu, share, binding: Of the decode step at the load.
        usd_per_million_tokens: Output tokens at the load, decode alone.
        within_target: None without a target, or where not one request keeps it.
        worth: Tokens/s per GPU over those of the first system: what a GPU-hour may cost against it.
        break_even_usd_per_gpu_hour: The price at which a token costs what it costs on the first system that
            has a price; None without one.
    """

    system: str
    name: str
    gpus: int
    domains: int
    domain_gpus: int
    usd_per_gpu_hour: float | None
    target_s: float | None = None
    layout: str | None = None
    most_requests: int | None = None
    tpot_s: float | None = None
    tokens_per_s: float | None = None
    tokens_per_s_per_gpu: float | None = None
    share: float | None = None
    binding: str | None = None
    usd_per_million_tokens: float | None = None
    within_target: WithinTarget | None = None
    worth: float | None = None
    break_even_usd_per_gpu_hour: float | None = None
    reason: str = ""

    @property
    def compared(self) -> "SystemResult | WithinTarget | None":
        """What systems are compared by: the largest load within the target, else the load asked for."""
        if self.target_s is not None:
            return self.within_target
        return None if self.tpot_s is None else self

    @property
    def rate(self) -> float:
        """Tokens/s per GPU there; 0 where the system does not serve."""
        return (self.compared.tokens_per_s_per_gpu or 0.0) if self.compared else 0.0

    @property
    def cost(self) -> float | None:
        """Dollars of a million output tokens there; None without a price."""
        return self.compared.usd_per_million_tokens if self.compared else None

    @property
    def place(self) -> str:
        """GPUs and domains in words: ``72 GPUs of DGX H200 (9 domains of 8)``."""
        spanned = f" ({self.domains} domains of {self.domain_gpus})" if self.domains > 1 else ""
        return f"{counted(self.gpus, 'GPU')} of {self.name}{spanned}"


@dataclass(frozen=True, slots=True)
class Load:
    """
    What every system of a comparison serves.

    Attributes:
        scenario: Model, formats, context and rates; its system, tokens, tp and ep do not matter.
        sequences: Concurrent requests of all GPUs.
        goal: ``latency`` or ``throughput``: which layout is best.
        target_s: Latency target of a decode step; None sets none.
    """

    scenario: Scenario
    sequences: int
    goal: str
    target_s: float | None


def system_result(load: Load, system: System, gpus: int, usd_per_gpu_hour: float | None) -> SystemResult:
    """The load on ``gpus`` GPUs of a system that has as many; what does not fit is a reason."""
    base = SystemResult(
        system=system.id,
        name=system.name,
        gpus=gpus,
        domains=-(-gpus // system.domain_gpus),
        domain_gpus=system.domain_gpus,
        usd_per_gpu_hour=usd_per_gpu_hour,
        target_s=load.target_s,
    )
    try:
        ranking = rank_serving(load.scenario, gpus, load.sequences, load.goal)
    except InputError as problem:
        return replace(base, reason=str(problem))
    return _answered(base, load, ranking)


def _answered(base: SystemResult, load: Load, ranking: ServingRanking) -> SystemResult:
    best = ranking.best
    return replace(
        base,
        layout=best.name(),
        most_requests=most_sequences(load.scenario, base.gpus, best.degrees),
        tpot_s=best.token_s,
        tokens_per_s=best.tokens_per_s,
        tokens_per_s_per_gpu=best.tokens_per_s_per_gpu,
        share=best.share,
        binding=best.binding,
        usd_per_million_tokens=_usd(base, best),
        within_target=_within(base, load, ranking),
    )


def _usd(base: SystemResult, layout: ServingLayout) -> float | None:
    price = base.usd_per_gpu_hour
    return None if price is None else usd_per_million_tokens(price, layout.tokens_per_s_per_gpu)


def _within(base: SystemResult, load: Load, ranking: ServingRanking) -> WithinTarget | None:
    """The most requests within the target, over the layouts of the Pareto front."""
    if load.target_s is None:
        return None
    options = (_largest(base, load, load.target_s, layout) for layout in ranking.pareto)
    within = [option for option in options if option is not None]
    best = max(within, key=lambda layout: layout.tokens_per_s, default=None)
    if best is None:
        return None
    requests = round(best.tokens_per_s * best.token_s)
    return WithinTarget(requests, best.name(), best.token_s, best.tokens_per_s_per_gpu, _usd(base, best))


def _largest(base: SystemResult, load: Load, target_s: float, layout: ServingLayout) -> ServingLayout | None:
    """The layout at its largest load within the target; None where one request exceeds it."""

    def within(requests: int) -> ServingLayout | None:
        at = serving_layout(load.scenario, base.gpus, requests, layout.degrees)
        return at if at is not None and at.token_s <= target_s else None

    best = within(1)
    if best is None:
        return None
    low, high = 1, MOST_SEQUENCES
    while high - low > 1:
        middle = (low + high) // 2
        at = within(middle)
        low, high, best = (middle, high, at) if at else (low, middle, best)
    return best
