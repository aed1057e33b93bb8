"""A data-parallel step: compute, and gradient communication by cause less what compute overlaps."""

from core.calculators.comparison.explanation import (
    BYTES,
    COUNT,
    DOLLARS,
    SECONDS,
    SHARE,
    Explanation,
    Factor,
    Figure,
    Part,
    Quantity,
)
from core.calculators.comparison.facts import count, flops, link, option, rates_text, strategy
from core.calculators.gradient_sync import Answer, Scenario, training_compute
from core.parallel.traffic import STRATEGY_NAMES
from core.units import BILLION, format_message, format_time


def gradient_sync(scenario: Scenario, answer: Answer) -> Explanation:
    """The step, or the communication alone where compute is not known."""
    figures = [
        Figure("Exposed communication", answer.exposed_s, SECONDS, more=False),
        Figure("Sent per GPU", answer.wire_bytes, BYTES, more=False),
        Figure("Model states per GPU", answer.memory.total_bytes, BYTES, more=False),
    ]
    if answer.step_s:
        figures.insert(1, Figure("Exposed share", answer.exposed_s / answer.step_s, SHARE, more=False))
    if answer.tokens_per_s:
        figures.append(Figure("Tokens/s", answer.tokens_per_s, COUNT, more=True))
    if answer.loss is not None:
        figures.append(Figure("Exposed, per month", answer.loss.usd_per_month, DOLLARS, more=False))
    communication = Quantity("Communication time", SECONDS, _communication(scenario, answer))
    quantities: tuple[Quantity, ...] = (communication,)
    if answer.step_s is not None:
        quantities = (Quantity("Step time", SECONDS, _step(scenario, answer, answer.step_s)), communication)
    place = f"{answer.ranks:,} x {scenario.system.gpu.name}"
    params = f"{scenario.params / BILLION:,.4g} B parameters"
    return Explanation(
        subject=f"{params}, {STRATEGY_NAMES[answer.strategy]} on {place}",
        work={
            "parameters": params.removesuffix(" parameters"),
            "GPUs (world size)": f"{answer.ranks:,}",
            "tokens per GPU": "none"
            if scenario.tokens_per_rank is None
            else f"{scenario.tokens_per_rank:,.0f}",
            "gradient accumulation steps": f"{scenario.accumulation:,}",
            "rates": rates_text(scenario.rates),
        },
        quantities=quantities,
        figures=tuple(figures),
        rates=answer.rates,
        assumptions=answer.assumptions,
        warnings=answer.warnings,
        sources=answer.sources,
    )


def _step(scenario: Scenario, answer: Answer, step_s: float) -> tuple[Part, ...]:
    """Compute, communication in buckets, less what is overlapped, waiting and the rest."""
    compute_s = step_s - answer.exposed_s - answer.straggler_s - scenario.other_s
    bucketed = (
        count("buckets", answer.buckets),
        strategy(answer.strategy),
        option("algorithm", answer.algorithm),
        option("basis", answer.basis),
        Factor("as whole messages", format_time(answer.time_s), answer.time_s),
    )
    hidden_s = answer.comm_s - answer.exposed_s
    return (
        Part("compute", compute_s, _compute(scenario)),
        *_communication(scenario, answer),
        Part("buckets, each with its own latency", answer.comm_s - answer.time_s, bucketed),
        Part(
            "overlapped with compute",
            -hidden_s,
            (
                Factor("communication", format_time(answer.comm_s), answer.comm_s, shortens=True),
                Factor("compute to overlap with", format_time(compute_s), compute_s, shortens=True),
                strategy(answer.strategy),
            ),
        ),
        Part("straggler wait", answer.straggler_s, (count("ranks", answer.ranks), _backward(answer))),
        Part("other", scenario.other_s),
    )


def _compute(scenario: Scenario) -> tuple[Factor, ...]:
    top, work = scenario.system.gpu.bf16_flop_per_s, training_compute(scenario)
    factors = [Factor("parameters", f"{scenario.params / BILLION:,.4g} B", scenario.params)]
    if scenario.tokens_per_rank is not None:
        factors.append(count("tokens per GPU", scenario.tokens_per_rank))
    if work is not None:
        factors.append(flops("GEMMs at", work.efficiency * work.peak_flop_per_s))
    elif top is not None and scenario.mfu is not None:
        factors.append(flops("GEMMs at", top * scenario.mfu))
    return (*factors, count("accumulation steps", scenario.accumulation))


def _backward(answer: Answer) -> Factor:
    backward_s = answer.backward_s or 0.0
    return Factor("backward of a micro-batch", format_time(backward_s), backward_s)


def _communication(scenario: Scenario, answer: Answer) -> tuple[Part, ...]:
    """All collectives of the step as whole messages, by their four parts."""
    how = (
        strategy(answer.strategy),
        option("algorithm", answer.algorithm),
        option("basis", answer.basis),
    )
    ranks = count("ranks", answer.ranks)
    sent = Factor("sent per GPU", format_message(answer.wire_bytes), answer.wire_bytes)
    return (
        Part("launch", answer.launch_s, how),
        Part("latency", answer.latency_s, (ranks, *how)),
        Part("transfer", answer.transfer_s, (sent, link(scenario.system, answer.ranks), *how)),
        Part("reduction", answer.reduction_s, (sent, *how)),
    )
