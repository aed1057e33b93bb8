"""Formula, headline, assumptions and sources of the gradient-sync calculator."""

from core.calculators.gradient_sync.answer import Answer
from core.calculators.gradient_sync.scenario import Scenario
from core.provenance import Source
from core.units import format_size, format_time

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
"""Wire bytes per GPU and step: n ranks in groups of s with r copies, A micro-steps, g and p bytes."""

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
    """The wire bytes of the strategy; gradients kept whole are scattered once a step."""
    plain = FORMULA[scenario.strategy]
    return _WHOLE.get(scenario.strategy, plain) if scenario.whole_gradients else plain


def headline(found: Answer) -> str:
    """The answer in one sentence."""
    who = f"{found.strategy} over {found.ranks} GPUs"
    if found.ranks == 1:
        return f"{who}: a single rank has nothing to average."
    sent = f"{who} sends {format_size(found.wire_bytes)} per GPU and step in {format_time(found.time_s)}"
    if found.step_s:
        share = found.exposed_s / found.step_s
        kept = f"{format_time(found.exposed_s)} stick out of the step, {100 * share:.3g} % of it"
        late = ""
        if found.straggler_s:
            late = f", and waiting for the slowest rank adds {format_time(found.straggler_s)}"
        return f"{sent}; {kept}{late}."
    limit = "latency" if found.latency_s > found.transfer_s else "bandwidth"
    where = "inside one domain" if found.domains == 1 else f"across {found.domains} domains"
    return f"{sent}, {where}, bound by {limit}; without a backward time nothing is taken to hide it."


def assumptions(scenario: Scenario, found: Answer) -> tuple[str, ...]:
    """What the answer takes for granted, one line each."""
    lines = ["wire bytes count what a ring sends; a tree or a switch that adds may send fewer"]
    if scenario.strategy == "ddp" and scenario.accumulation > 1:
        lines.append("gradients are averaged once a step, after the last micro-step")
    if scenario.strategy in ("zero3", "fsdp", "hsdp"):
        kept = (
            "stay whole until the last micro-step" if scenario.whole_gradients else "are scattered each time"
        )
        lines.append(f"parameters are gathered forward and backward in each micro-step; gradients {kept}")
    if scenario.strategy == "hsdp":
        lines.append(
            f"copies of {found.shard_ranks} ranks each are averaged once a step; all lanes share the NICs"
        )
    lines.append(_hiding(scenario, found))
    lines.append("memory counts parameters, gradients and Adam's state, no activations")
    if scenario.spread:
        sure = f"{100 * scenario.percentile:.3g} % of steps"
        lines.append(f"waiting for the slowest of {found.ranks} ranks holds in {sure}")
    return tuple(lines)


def _hiding(scenario: Scenario, found: Answer) -> str:
    if found.overlap_mode == "none":
        return "no backward time is given, so all communication counts as exposed"
    if found.overlap_mode == "fraction":
        most = "at most behind backward" if found.backward_s is not None else "backward taken as long enough"
        return f"{100 * (scenario.overlap or 0):.3g} % of the communication may hide, {most}"
    return "a bucket leaves when its share of backward is done, one at a time; the last one never hides"
