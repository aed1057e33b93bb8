"""Formula, headline, assumptions, warnings and sources of the training calculator."""

from core.calculators.training.efficiency import efficiency
from core.calculators.training.interval import certainty
from core.calculators.training.memory import Memory
from core.calculators.training.offload import slow_host_s
from core.calculators.training.scenario import Scenario
from core.calculators.training.step import Step
from core.calculators.training.uncounted import uncounted
from core.catalog.calibrations import training as constants
from core.parallel.memory_fit import Fit, Verdict
from core.parallel.states import SHARDING
from core.provenance import Source
from core.units import GB, TERA, format_time

FORMULA = (
    r"t = m\,(t_\text{stage} + x_\text{tp} + x_\text{cp} + x_\text{ep} + x_\text{pp})"
    r"\left(1 + \frac{p-1}{v\,m}\right) + x_\text{dp} + t_\text{optimizer} + t_\text{offload}"
)
"""m micro-batches, p stages of v virtual stages each, x exposed communication."""

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


def headline(scenario: Scenario, parts: Step, fit: Fit, flop_per_s: float, *, tight: bool) -> str:
    """The answer in one sentence; ``tight`` memory is said."""
    tokens = scenario.tokens / parts.total_s / scenario.layout.gpus
    lost = 100 * (parts.exposed.total_s + parts.bubble_s) / parts.total_s
    memory = "; memory is tight" if tight else _MEMORY[fit.verdict].format(fit.together)
    return (
        f"A step takes {format_time(parts.total_s)}: {tokens:,.0f} tokens/s and "
        f"{flop_per_s / TERA:,.0f} TFLOP/s per GPU; exposed communication and pipeline bubble take "
        f"{lost:.3g} % of it{memory}."
    )


NOT_EVEN = "not even with everything recomputed or offloaded that can be"
_MEMORY = {
    Verdict.FITS: "",
    Verdict.FITS_IF: "; it fits in memory only with {}",
    Verdict.DOES_NOT_FIT: "; it does not fit in memory",
}


_KERNELS = {
    constants.ANY: "published tables of all frameworks",
    constants.MEGATRON: "Megatron-Core since 2025",
    constants.MEGATRON_2024: "Megatron-LM and NeMo of 2023 and 2024",
    constants.MEGATRON_2022: "Megatron-LM until 2022",
    constants.FSDP: "FSDP of PyTorch since 2026",
    constants.FSDP_2024: "FSDP of 2023 to 2025",
    constants.TRANSFORMERS: "modules that nothing compiles (Hugging Face Transformers, nanotron)",
}


def efficiency_of(scenario: Scenario) -> str:
    """Whose GEMM efficiency a step takes, in words."""
    if scenario.efficiency is not None:
        return "the question"
    fit = efficiency(scenario.system.gpu, scenario.precision, scenario.kernels)
    return _KERNELS[fit.framework] if fit.fitted else "a guess: no published table"


def assumptions(scenario: Scenario) -> tuple[str, ...]:
    """What the answer assumes, one line each."""
    lines = [
        "ranks are numbered TP, then CP, DP and PP; concurrent groups share the NICs of a domain",
        *_data_parallel(scenario),
        "CP communication (ring attention) overlaps with attention",
        "model FLOPs count attention over the whole square and no activation recomputation",
        _overlap(scenario),
    ]
    if scenario.efficiency is None:
        lines.append(f"GEMM efficiency of {efficiency_of(scenario)}")
    if scenario.model.moe:
        lines.append(_routing(scenario.expert_imbalance))
    if scenario.layout.ep > 1 and scenario.ep_overlap is None:
        lines.append(
            "the EP overlap is not stated: the lower end of the band overlaps all of dispatch and combine"
        )
    if scenario.layout.ep > 1 and scenario.dispatcher is None:
        lines.append(
            "no dispatcher is stated: a token is sent once to a rank or domain, as DeepEP and HybridEP do "
            "(--dispatcher all-to-all: once for each expert)"
        )
    if scenario.cuda_graphs is None and scenario.model.moe:
        lines.append(
            "nothing is said of CUDA graphs: recipes of experts capture parts of a layer (--cuda-graphs "
            "partial); the upper end of the band launches all from the host (none), the lower one in FP8 and "
            "below captures the iteration (full-iteration)"
        )
    if scenario.layout.tp > 1 and scenario.tp_overlap is None and scenario.overlap.tp > 0:
        lines.append(
            "the TP overlap is not stated: the upper end of the band overlaps none of it, as Megatron-LM "
            "without --tp-comm-overlap"
        )
    if scenario.dp_overlap and not certainty(scenario).overlap_known:
        lines.append(
            "the software is not known: the upper end of the band overlaps no data-parallel communication"
        )
    return tuple(lines)


OVERLAP_COST_TEXT = (
    "gradients and parameters that are sent beside compute slow it by "
    f"{100 * constants.OVERLAP_COST:.0f} % of their time, which counts as exposed"
)


def gradient_text(grad_bytes: float) -> str:
    """How wide gradients are reduced: a default that differs between frameworks."""
    return f"a gradient is sent in {grad_bytes:g} bytes"


def _data_parallel(scenario: Scenario) -> tuple[str, ...]:
    if scenario.layout.data.size == 1:
        return ()
    costs = (OVERLAP_COST_TEXT,) if scenario.dp_overlap else ()
    return gradient_text(scenario.grad_bytes), _data_parallel_overlap(scenario), *costs


def _data_parallel_overlap(scenario: Scenario) -> str:
    if not scenario.dp_overlap:
        return "data-parallel communication overlaps with nothing"
    if not scenario.param_overlap:
        return "gradient communication overlaps with backward, parameter all-gathers with nothing"
    return "gradient communication overlaps with backward, parameter all-gathers with forward"


def _routing(imbalance: float) -> str:
    if imbalance == 1:
        return "tokens are routed evenly to the experts"
    return f"the most loaded EP rank has {imbalance:g} times the mean tokens, and all wait for it"


def _overlap(scenario: Scenario) -> str:
    overlap = scenario.overlap
    shares = (("TP", overlap.tp), ("PP", overlap.pp), ("EP", overlap.ep))
    return "communication overlapped with compute: " + ", ".join(
        f"{name} {100 * share:.3g} %" for name, share in shares
    )


def warnings(scenario: Scenario, parts: Step, usage: Memory, fit: Fit) -> tuple[str, ...]:
    """What a reader must know about the answer, one line each."""
    lines = list(parts.notes)
    gpu = scenario.system.gpu
    if scenario.precision == "bf16" and not gpu.architecture.computes_bf16:
        lines.append(f"{gpu.name} does not compute in bf16: taken as fp16")
    if scenario.efficiency is None and not efficiency(gpu, scenario.precision, scenario.kernels).fitted:
        lines.append(
            f"no published table covers {scenario.precision} on {gpu.name}: the GEMM efficiency is a guess"
        )
    if scenario.model.state is not None:
        lines.append(
            f"training of {scenario.model.state.kind.value} layers is not measured: nothing is fitted to it, "
            "and the interval is a guess"
        )
    if parts.host_s > 0:
        lines.append(_host_text(parts.host_s, parts.total_s))
    lines += _memory_lines(scenario, usage, fit)
    if scenario.micro_batches < scenario.layout.pp:
        lines.append(
            f"{scenario.micro_batches} micro-batches cannot fill {scenario.layout.pp} pipeline stages: the "
            "bubble takes most of the step"
        )
    if scenario.layout.tp > scenario.system.domain_gpus:
        lines.append(f"TP {scenario.layout.tp} spans several {scenario.system.domain_gpus}-GPU domains")
    return tuple(lines)


def _host_text(host_s: float, step_s: float) -> str:
    """That the host, and not the GPU, sets the pace of a layer."""
    return (
        f"bound by the host: GPUs wait {format_time(host_s)} of a step ({100 * host_s / step_s:.0f} %) for "
        "kernels to be launched, as in published runs of experts and of TP with small micro-batches; larger "
        "micro-batches, fewer TP ranks or CUDA graphs of parts take it away"
    )


def _memory_lines(scenario: Scenario, usage: Memory, fit: Fit) -> list[str]:
    """What a reader must know about memory."""
    lines = []
    if usage.tight:
        lines.append(
            f"tight: {usage.total_bytes / GB:,.1f} of {usage.available_bytes / GB:,.0f} GB per GPU, mostly "
            f"{usage.limiting}: fragmentation or another framework may not leave that much"
        )
    if usage.tight and SHARDING[scenario.strategy].parameters:
        lines.append(
            "sharded parameters in a full memory: published steps take up to a third longer, which the upper "
            "end of the band holds"
        )
    if beyond := uncounted(scenario, usage):
        lines.append(f"fits, but not where a framework also holds (not counted here): {' or '.join(beyond)}")
    if scenario.offload_optimizer:
        lines.append(_on_host(slow_host_s(scenario)))
    if not usage.fits:
        lines.append(_too_much(scenario.system.gpu.name, usage, fit))
    return lines


def _on_host(slower_s: float) -> str:
    """What an optimizer on the host costs where nobody gives it threads."""
    return (
        "the host updates the parameters, with all its cores by this account: with one thread a GPU, as "
        f"torchrun starts a process (OMP_NUM_THREADS), a step takes {format_time(slower_s)} longer, which "
        "the upper end of the band holds"
    )


def _too_much(gpu: str, usage: Memory, fit: Fit) -> str:
    """What is missing as asked, and what would make it fit."""
    missing = (
        f"does not fit as it stands: {usage.total_bytes / GB:,.0f} GB per GPU, mostly {usage.limiting}, and "
        f"{gpu} has {usage.available_bytes / GB:,.0f} GB"
    )
    return f"{missing}; {fit.text}" if fit.verdict is Verdict.FITS_IF else f"{missing}, {NOT_EVEN}"
