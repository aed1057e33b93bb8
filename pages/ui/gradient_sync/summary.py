"""The answer of the page Gradient sync in words, figures and tables."""

from dataclasses import replace
from functools import lru_cache

import pandas as pd

from core.calculators.cost.exposed import Loss
from core.calculators.gradient_sync import STRATEGIES, Answer, Scenario, training_compute, usual_compute
from core.calculators.gradient_sync import answer as calculate
from core.checks import InputError
from core.units import GB, format_message, format_rate, format_share, format_time
from pages.ui.shared import names
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.job import Job
from pages.ui.shared.messages import strong

ROUNDING = 1e-9
SAME_AS_FSDP = "zero3"
STRATEGY_NAMES = names.strategies()


@lru_cache(maxsize=256)
def ask(scenario: Scenario) -> Answer:
    """The answer, remembered."""
    return calculate(scenario)


@lru_cache(maxsize=64)
def strategies(scenario: Scenario) -> tuple[Answer, ...]:
    """The same job with every strategy that has an answer."""
    answers = []
    for strategy in STRATEGIES:
        if strategy == SAME_AS_FSDP:
            continue
        try:
            answers.append(ask(replace(scenario, **scenario.by_strategy(strategy))))
        except InputError:
            continue
    return tuple(answers)


def headline(scenario: Scenario, result: Answer) -> Headline:
    """Exposed communication of a step, what is sent and overlapped, and the strategy with the least of it."""
    if result.ranks == 1:
        return Headline("One rank has no gradients to average.", result.headline)
    if not result.step_s:
        return Headline(
            f"Gradient communication takes {format_time(result.time_s)} per step.", result.headline
        )
    text = (
        f"Exposed gradient communication takes {format_share(result.exposed_s / result.step_s)} of each training step "
        f"({format_time(result.exposed_s)} of {format_time(result.step_s)})."
    )
    return Headline(text, _reason(result), _least_exposed(scenario, result))


def step_text(result: Answer) -> str:
    """The step with its prediction interval; empty where none is known."""
    if result.step_s is None or result.step_low_s is None or result.step_high_s is None:
        return ""
    ends = f"{format_time(result.step_low_s)} to {format_time(result.step_high_s)}"
    return f"{format_time(result.step_s)} ({ends})"


def note(scenario: Scenario, result: Answer, job: Job) -> str:
    """That a step holds another number of sequences than the global batch size of the bar; empty where it does not."""
    pass_tokens = round((scenario.tokens_per_rank or job.seq) * result.ranks)
    batch_tokens = job.global_batch * job.seq
    step_tokens = pass_tokens * scenario.accumulation
    if result.ranks == 1 or step_tokens == batch_tokens:
        return ""
    text = f"A step of {step_tokens / job.seq:,.4g} sequences"
    if batch_tokens % pass_tokens:
        return f"{text}, not the global batch size of {job.global_batch:,}."
    steps = batch_tokens // pass_tokens
    return (
        f"{text}: the global batch size of {job.global_batch:,} takes {steps:,} gradient accumulation steps."
    )


def _reason(result: Answer) -> str:
    bound = "latency" if result.latency_s + result.launch_s > result.transfer_s else "bandwidth"
    where = "inside one scale-up domain" if result.domains == 1 else f"across {result.domains:,} domains"
    overlapped_s = result.hidden_s if result.hidden_s > ROUNDING * result.comm_s else 0.0
    text = (
        f"{strong(STRATEGY_NAMES[result.strategy])} sends {format_message(result.wire_bytes)} per GPU {where} in {format_time(result.comm_s)}, "
        f"{bound}-bound; {format_time(overlapped_s)} of it is overlapped with compute."
    )
    if result.loss is not None:
        text += f" The exposed time costs {_dollars(result.loss)} a month."
    if result.step_s:
        text += f" Step time {step_text(result)}."
    return text


def _dollars(money: Loss) -> str:
    """Dollars a month with their interval."""
    ends = f"${money.usd_per_month_low:,.0f} to ${money.usd_per_month_high:,.0f}"
    return f"${money.usd_per_month:,.0f} ({ends})"


def _least_exposed(scenario: Scenario, result: Answer) -> str:
    answers = strategies(scenario)
    fitting = [answer for answer in answers if answer.memory.fits]
    least = min(fitting or answers, key=lambda answer: answer.exposed_s)
    which = "Of the strategies that fit" if fitting else "No strategy fits the memory; of all"
    text = f"{which}, {STRATEGY_NAMES[least.strategy]} exposes least ({format_time(least.exposed_s)})."
    return f"{text} Here all of it is overlapped." if result.exposed_s <= 0 else text


def figures(result: Answer) -> list[Figure]:
    """Communication time, traffic, bus bandwidth, model states, stragglers, throughput."""
    unbucketed = (
        f"{format_time(result.low_s)} to {format_time(result.high_s)}; every collective as one message, "
        "one after the other."
    )
    memory = result.memory
    items = [
        Figure("Communication", format_time(result.time_s), unbucketed),
        *_bucketed(result),
        Figure("Sent per GPU", format_message(result.wire_bytes)),
        Figure("Bus bandwidth", format_rate(result.busbw_bytes_per_s) if result.busbw_bytes_per_s else "–"),
        Figure(
            "Model states (GB)",
            f"{memory.total_bytes / GB:,.0f} of {memory.available_bytes / GB:,.0f}",
            "Parameters, gradients and optimizer states per GPU, of its HBM.",
        ),
    ]
    if result.straggler_s:
        items.append(
            Figure("Straggler wait", format_time(result.straggler_s), "For the slowest rank, per step.")
        )
    if result.tokens_per_s:
        items.append(Figure("Tokens/s", f"{result.tokens_per_s:,.0f}"))
    if result.mfu:
        items.append(
            Figure(
                "MFU",
                format_share(result.mfu),
                f"{result.mfu_text}. Compute: {result.compute}.",
            )
        )
    return items


def _bucketed(result: Answer) -> list[Figure]:
    """The time in gradient buckets, each with a latency of its own, where there are several."""
    if result.buckets <= 1:
        return []
    why = f"{result.buckets:,} buckets one after another, each with its own latency and a smaller message."
    return [Figure("In buckets", format_time(result.comm_s), why)]


def table(result: Answer) -> pd.DataFrame:
    """Every collective of the step as a row."""
    return pd.DataFrame(
        {
            "phase": part.phase.name,
            "collective": names.operation(part.phase.collective),
            "ranks": part.phase.ranks,
            "message size": format_message(part.phase.size_bytes),
            "passes": part.phase.times,
            "sent per GPU": format_message(part.wire_bytes),
            "time": format_time(part.time_s),
            "time in buckets": format_time(part.bucketed_s),
            "algorithm": names.algorithm(part.algorithm),
        }
        for part in result.phases
    )


def missing(result: Answer) -> str:
    """Which sections are left out, and what they would need; empty where none is."""
    if result.ranks == 1:
        return "No bucket timeline: a single rank sends nothing."
    if not result.efficiency:
        needs = "tokens per micro-batch, or a backward time"
        return f"No bucket timeline and no scaling efficiency without compute: give {needs}."
    if not result.passes:
        return "No bucket timeline with a stated share of overlap: clear *Overlapped communication*."
    return ""


def compute(scenario: Scenario) -> str:
    """What compute rests on, as a badge; empty where it is not known."""
    work = training_compute(scenario)
    if work is not None:
        return "your GEMM efficiency" if work.stated else "compute of Training step"
    if scenario.compute is None:
        return ""
    if scenario.backward_s is not None:
        return "your backward time"
    return "usual MFU" if usual_compute(scenario) else "your GEMM efficiency"
