"""Scenario in, Answer out: the gradient-sync calculator."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from core.calculators.cost.exposed import Loss, exposed_interval, loss
from core.calculators.gradient_sync import overlap
from core.calculators.gradient_sync.answer import Answer
from core.calculators.gradient_sync.efficiency import efficiencies
from core.calculators.gradient_sync.interval import ends, training_compute
from core.calculators.gradient_sync.memory import memory
from core.calculators.gradient_sync.price import Priced, price
from core.calculators.gradient_sync.scenario import Scenario
from core.calculators.gradient_sync.text import SOURCES, assumptions, compute_text, formula, headline
from core.collectives.formulas.columns import FIGURES
from core.parallel.stragglers import wait_s
from core.parallel.traffic import STRATEGY_NAMES, phases
from core.systems import split

Item = TypeVar("Item")

FLOP_PER_PARAM_AND_TOKEN = 6.0
"""Forward and backward of a dense model."""


def answer(scenario: Scenario) -> Answer:
    """
    What data parallelism costs in one optimizer step: traffic, time, exposed communication, memory.

    Raises:
        InputError: One line that names the argument and what is allowed.
    """
    shard = scenario.shard if scenario.strategy == "hsdp" else None
    step = phases(scenario.strategy, scenario.volume, scenario.world, shard)
    collectives = [price(scenario, phase) for phase in step]
    exposed_s, passes = overlap.exposed(scenario, collectives)
    figures = replace(_figures(scenario, collectives, exposed_s), passes=passes)
    return replace(figures, headline=headline(figures), assumptions=assumptions(scenario, figures))


def _figures(scenario: Scenario, collectives: Sequence[Priced], exposed_s: float) -> Answer:
    """Every figure of the answer, without timelines, headline and assumptions."""
    parts = [item.answer for item in collectives]
    figures: dict[str, float] = {name: sum(getattr(part, name) for part in parts) for name in FIGURES}
    time_s, comm_s = figures["time_s"], sum(part.bucketed_s for part in parts)
    alone = scenario.world == 1 or time_s <= 0
    volume = scenario.volume
    step = _step(scenario, exposed_s)
    gpu = scenario.system.gpu
    states = memory(scenario.strategy, volume, scenario.params, scenario.shard, gpu.visible_memory_bytes)
    warning = states.warning(STRATEGY_NAMES[scenario.strategy], gpu.name)
    tokens = _tokens(scenario)
    interval = ends(scenario, step.time_s, exposed_s, comm_s)
    return Answer(
        system=scenario.system.id,
        strategy=scenario.strategy,
        ranks=scenario.world,
        domains=split(scenario.system, scenario.world, uneven=True)[1],
        shard_ranks=scenario.shard,
        rates=_distinct(part.rates for part in parts),
        params=float(scenario.params),
        gradient_bytes=float(volume.gradient_bytes),
        parameter_bytes=float(volume.parameter_bytes),
        accumulation=scenario.accumulation,
        **figures,
        algbw_bytes_per_s=None if alone else volume.gradient_bytes / time_s,
        busbw_bytes_per_s=None if alone else figures["wire_bytes"] / time_s,
        algorithm=_distinct(part.algorithm for part in parts),
        basis=_distinct(part.basis for part in parts),
        bucket_bytes=scenario.bucket,
        buckets=max((item.sizes.size for item in collectives), default=0),
        comm_s=comm_s,
        overlap_mode=overlap.mode(scenario),
        exposed_s=exposed_s,
        hidden_s=max(0.0, comm_s - exposed_s),
        exposed_low_s=interval.exposed_low_s,
        exposed_high_s=interval.exposed_high_s,
        forward_s=None if scenario.compute is None else scenario.compute[0],
        backward_s=None if scenario.compute is None else scenario.compute[1],
        straggler_s=step.waiting_s,
        step_s=step.time_s,
        step_low_s=interval.step_low_s,
        step_high_s=interval.step_high_s,
        efficiency=None
        if step.compute_s is None
        else efficiencies(step.compute_s, exposed_s, step.waiting_s + scenario.other_s),
        compute=compute_text(scenario),
        tokens_per_s=tokens / step.time_s if tokens is not None and step.time_s else None,
        mfu=_mfu(scenario, tokens, step.time_s),
        mfu_low=_mfu(scenario, tokens, interval.step_high_s),
        mfu_high=_mfu(scenario, tokens, interval.step_low_s),
        loss=_exposed_loss(scenario, exposed_s, step.time_s, comm_s),
        one_percent=_loss(scenario, 0.01),
        memory=states,
        phases=tuple(parts),
        passes=(),
        formula=formula(scenario),
        headline="",
        assumptions=(),
        warnings=_unique(
            [*([warning] if warning else []), *(w for item in collectives for w in item.warnings)]
        ),
        sources=_unique([*(source for item in collectives for source in item.sources), *SOURCES]),
    )


@dataclass(frozen=True, slots=True)
class _StepTime:
    """Seconds of one optimizer step and of its compute (None where compute is not known), and of waiting."""

    compute_s: float | None
    waiting_s: float
    time_s: float | None


def _step(scenario: Scenario, exposed_s: float) -> _StepTime:
    """The step with its exposed communication and the wait for the slowest rank."""
    if scenario.compute is None:
        return _StepTime(None, 0.0, None)
    forward_s, backward_s = scenario.compute
    compute_s = scenario.accumulation * (forward_s + backward_s)
    waiting_s = _waiting_s(scenario, scenario.accumulation * backward_s)
    return _StepTime(compute_s, waiting_s, compute_s + exposed_s + waiting_s + scenario.other_s)


def _waiting_s(scenario: Scenario, backward_s: float) -> float:
    """For the slowest rank: by the stated deviation, else as the training step waits."""
    if scenario.spread is not None:
        return wait_s(backward_s, scenario.spread, scenario.world, scenario.percentile)
    work = training_compute(scenario)
    return 0.0 if work is None else work.waiting_s


def _tokens(scenario: Scenario) -> float | None:
    """Tokens of the whole job in one optimizer step."""
    if scenario.tokens_per_rank is None:
        return None
    return scenario.tokens_per_rank * scenario.accumulation * scenario.world


def _mfu(scenario: Scenario, tokens: float | None, step_s: float | None) -> float | None:
    """
    MFU of the step.

    Model FLOPs over the peak of the job's precision, as the training calculator counts them; where MFU is
    stated, or the layers are not known, 6 FLOPs a parameter and token over the BF16 peak.
    """
    work = scenario.compute_of if scenario.mfu is None else None
    if work is not None:
        return scenario.accumulation * work.flop / (step_s * work.peak_flop_per_s) if step_s else None
    peak = scenario.system.gpu.bf16_flop_per_s
    if tokens is None or not step_s or peak is None:
        return None
    return FLOP_PER_PARAM_AND_TOKEN * scenario.params * tokens / (step_s * peak * scenario.world)


def _exposed_loss(scenario: Scenario, exposed_s: float, step_s: float | None, comm_s: float) -> Loss | None:
    if scenario.lost_share is not None:
        return _loss(scenario, scenario.lost_share)
    share = exposed_s / step_s if step_s else None
    if share is None:
        return None
    return _loss(scenario, share, exposed_interval(share, communicates=comm_s > 0))


def _loss(scenario: Scenario, share: float, interval: tuple[float, float] | None = None) -> Loss | None:
    price_usd = scenario.usd_per_gpu_hour
    return None if price_usd is None else loss(share, scenario.world, price_usd, interval)


def _distinct(names: Iterable[str]) -> str:
    return ", ".join(_unique(names))


def _unique(items: Iterable[Item]) -> tuple[Item, ...]:
    """Each item once, in the order met."""
    return tuple(dict.fromkeys(items))
