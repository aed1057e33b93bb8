"""Formula, headline, assumptions and sources of the gradient-sync calculator."""

from core.calculators.gradient_sync.answer import Answer
from core.calculators.gradient_sync.interval import slows_compute, training_compute, usual_compute
from core.calculators.gradient_sync.scenario import Scenario
from core.calculators.training.text import OVERLAP_COST_TEXT, gradient_text
from core.parallel.traffic import STRATEGY_NAMES
from core.provenance import Source
from core.units import counted, format_message, format_time

_SHARDED = r"A\left(2\,\frac{n-1}{n}\,p+\frac{n-1}{n}\,g\right)"
FORMULA = {
    "ddp": r"2\,\frac{n-1}{n}\,g",
    "zero1": r"\frac{n-1}{n}\,g+\frac{n-1}{n}\,p",
    "zero2": r"A\,\frac{n-1}{n}\,g+\frac{n-1}{n}\,p",
    "zero3": _SHARDED,
    "fsdp": _SHARDED,
    "hsdp": r"A\left(2\,\frac{s-1}{s}\,p+\frac{s-1}{s}\,g\right)+2\,\frac{r-1}{r}\,\frac{g}{s}",
}
_WHOLE = {
    "zero2": FORMULA["zero1"],
    "zero3": r"A\,2\,\frac{n-1}{n}\,p+\frac{n-1}{n}\,g",
    "fsdp": r"A\,2\,\frac{n-1}{n}\,p+\frac{n-1}{n}\,g",
    "hsdp": r"A\,2\,\frac{s-1}{s}\,p+\frac{s-1}{s}\,g+2\,\frac{r-1}{r}\,\frac{g}{s}",
}
"""Bytes each GPU sends in a step: n ranks, r replicas of s shards, A accumulation steps, g and p bytes."""

FRAMEWORKS = {
    "any": "all frameworks",
    "megatron": "Megatron",
    "megatron-2024": "Megatron of 2023 and 2024",
    "megatron-2022": "Megatron until 2022",
    "fsdp": "FSDP",
    "fsdp-2024": "FSDP of 2023 to 2025",
    "transformers": "Hugging Face Transformers",
}

SOURCES = (
    Source(
        "zero-2019",
        "Rajbhandari et al., ZeRO: Memory Optimizations Toward Training Trillion Parameter Models",
        "https://arxiv.org/abs/1910.02054",
        "2019-10",
    ),
    Source(
        "pytorch-ddp",
        "Li et al., PyTorch Distributed: Experiences on Accelerating Data Parallel Training",
        "https://arxiv.org/abs/2006.15704",
        "2020-06",
    ),
)


def formula(scenario: Scenario) -> str:
    """LaTeX of the bytes sent; gradients kept whole are reduce-scattered once per step."""
    plain = FORMULA[scenario.strategy]
    return _WHOLE.get(scenario.strategy, plain) if scenario.whole_gradients else plain


def headline(result: Answer) -> str:
    """The answer in one sentence."""
    job = f"{STRATEGY_NAMES[result.strategy]} over {counted(result.ranks, 'GPU')}"
    if result.ranks == 1:
        return f"{job}: a single rank has no gradients to synchronize."
    sent = f"{job} sends {format_message(result.wire_bytes)} per GPU and step in {format_time(result.comm_s)}"
    if result.step_s:
        share = result.exposed_s / result.step_s
        exposed = f"exposed communication is {format_time(result.exposed_s)}, {100 * share:.3g} % of the step"
        waiting = ""
        if result.straggler_s:
            waiting = f", and waiting for the slowest rank adds {format_time(result.straggler_s)}"
        return f"{sent}; {exposed}{waiting}."
    limit = "latency" if result.latency_s > result.transfer_s else "bandwidth"
    domains = "inside one domain" if result.domains == 1 else f"across {result.domains} domains"
    return f"{sent}, {domains}, {limit}-bound; without a backward time all of it counts as exposed."


def assumptions(scenario: Scenario, result: Answer) -> tuple[str, ...]:
    """What the answer assumes, one line each."""
    lines = [
        "bytes sent are those of ring collectives; trees and in-network reduction (SHARP) may send fewer"
    ]
    if scenario.strategy == "ddp" and scenario.accumulation > 1:
        lines.append("gradients are all-reduced once per step, after the last accumulation step")
    if scenario.strategy in ("zero3", "fsdp", "hsdp"):
        gradients = "once per step" if scenario.whole_gradients else "in each accumulation step"
        lines.append(
            "parameters are all-gathered in forward and backward of each accumulation step; gradients are "
            f"reduce-scattered {gradients}"
        )
    if scenario.strategy == "hsdp":
        lines.append(
            f"replicas of {result.shard_ranks} ranks each are all-reduced once per step; their groups share "
            "the NICs"
        )
    lines.append(gradient_text(scenario.grad_bytes))
    lines.append(_overlap(scenario, result))
    lines += [f"compute: {result.compute}"] if result.compute else []
    if slows_compute(scenario) and result.hidden_s:
        lines.append(OVERLAP_COST_TEXT)
    lines.append("memory counts parameters, gradients and Adam state, no activations")
    if scenario.spread:
        steps = f"{100 * scenario.percentile:.3g} % of steps"
        lines.append(f"waiting for the slowest of {result.ranks:,} ranks is at most that long in {steps}")
    elif result.straggler_s:
        lines.append("waiting for the slowest rank is the training step's, in the median of steps")
    return tuple(lines)


def compute_text(scenario: Scenario) -> str:
    """What compute rests on, in a few words; empty where it is not known."""
    if scenario.compute is None:
        return ""
    if scenario.backward_s is not None:
        return "stated backward time"
    work = training_compute(scenario)
    if work is not None:
        kind = "stated" if work.stated else f"usual for {FRAMEWORKS.get(work.framework, work.framework)}"
        return f"as in the training step, GEMM efficiency {100 * work.efficiency:.3g} % ({kind})"
    share = f"{100 * (scenario.mfu or 0):.3g} % of the BF16 peak"
    if not usual_compute(scenario):
        return f"{share}, as stated"
    why = f": {scenario.unpriced}" if scenario.unpriced else ""
    return f"{share}, as no training step is computed for it{why}"


def _overlap(scenario: Scenario, result: Answer) -> str:
    if result.overlap_mode == "none":
        return "no backward time is given, so all communication counts as exposed"
    if result.overlap_mode == "fraction":
        limit = "at most backward" if result.backward_s is not None else "backward taken as long enough"
        return f"{100 * (scenario.overlap or 0):.3g} % of the communication may overlap with compute, {limit}"
    sent = "a bucket is sent when its share of backward is done, one at a time; the last one is exposed"
    whole = "buckets of the default size take as long as one message, those of a stated size add latency"
    return sent if scenario.bucket_bytes is not None else f"{sent}; {whole}"
