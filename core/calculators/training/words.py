"""Formula, headline, assumptions, warnings and sources of the training calculator."""

from core.calculators.training.efficiency import efficiency
from core.calculators.training.memory import Memory
from core.calculators.training.scenario import Scenario
from core.calculators.training.step import Step
from core.provenance import Source
from core.units import GB, TERA, format_time

FORMULA = (
    r"t = m\,(t_\text{stage} + x_\text{tp} + x_\text{cp} + x_\text{ep} + x_\text{pp})"
    r"\left(1 + \frac{p-1}{v\,m}\right) + x_\text{dp} + t_\text{optimizer}"
)
"""m micro-batches, p stages of v pieces, x exposed communication."""

SOURCES = (
    Source(
        "megatron-sc21",
        "Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
        "https://arxiv.org/abs/2104.04473",
        "2021-04",
    ),
    Source(
        "korthikanti-2022",
        "Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models",
        "https://arxiv.org/abs/2205.05198",
        "2022-05",
    ),
)


def headline(scenario: Scenario, parts: Step, held: Memory, flop_per_s: float) -> str:
    """The answer in one sentence."""
    tokens = scenario.tokens / parts.total_s / scenario.layout.gpus
    lost = 100 * (parts.exposed.total_s + parts.bubble_s) / parts.total_s
    room = "" if held.fits else "; it does not fit in memory"
    return (
        f"A step takes {format_time(parts.total_s)}: {tokens:,.0f} tokens/s and "
        f"{flop_per_s / TERA:,.0f} TFLOP/s per GPU; interconnect and pipeline take {lost:.3g} % of it{room}."
    )


def assumptions(scenario: Scenario) -> tuple[str, ...]:
    """What the answer takes for granted, one line each."""
    lines = [
        "ranks are numbered TP, then CP, DP and PP; concurrent groups share the NICs of a domain",
        "gradients are averaged behind the last backward, parameters gathered behind the first forward",
        "keys and values pass round the CP ranks behind attention's compute",
        "model FLOPs count attention over the whole square and nothing that is computed twice",
        _hidden(scenario),
    ]
    if scenario.model.moe:
        lines.append("tokens spread evenly over the experts")
    if scenario.layout.ep > 1 and scenario.ep_overlap is None:
        lines.append(
            "nobody says how much of the experts' exchanges hides: the band's lower end hides all of it"
        )
    return tuple(lines)


def _hidden(scenario: Scenario) -> str:
    hidden = scenario.hidden
    parts = (("TP", hidden.tp), ("PP", hidden.pp), ("EP", hidden.ep))
    return "hidden behind compute: " + ", ".join(f"{name} {100 * share:.3g} %" for name, share in parts)


def warnings(scenario: Scenario, parts: Step, held: Memory) -> tuple[str, ...]:
    """What a reader must know before using the answer."""
    lines = list(parts.notes)
    gpu = scenario.system.gpu
    if scenario.precision == "bf16" and not gpu.architecture.computes_bf16:
        lines.append(f"{gpu.name} does not compute in bf16: as in fp16")
    if scenario.efficiency is None and not efficiency(gpu, scenario.precision).fitted:
        lines.append(
            f"no published table covers {scenario.precision} on {gpu.name}: the efficiency is a guess"
        )
    if not held.fits:
        lines.append(
            f"does not fit: {held.total_bytes / GB:,.0f} GB a GPU, mostly {held.limiting}, and "
            f"{scenario.system.gpu.name} has {held.available_bytes / GB:,.0f} GB"
        )
    if scenario.micro_batches < scenario.layout.pp:
        lines.append(
            f"{scenario.micro_batches} micro-batches cannot fill {scenario.layout.pp} stages: most of the "
            "pipeline waits"
        )
    if scenario.layout.tp > scenario.system.domain_gpus:
        lines.append(f"TP {scenario.layout.tp} leaves the {scenario.system.domain_gpus}-GPU domain")
    return tuple(lines)
