"""A training step by cause, and the memory of its fullest GPU by part."""

from dataclasses import asdict

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
from core.calculators.comparison.facts import (
    count,
    flops,
    link,
    option,
    rate,
    rates_text,
    shape,
    strategy,
)
from core.calculators.training import Answer, Scenario
from core.catalog import precision as format_of
from core.parallel.peaks import peak
from core.units import BILLION, format_share, format_time

KINDS = {"tp": "TP", "cp": "CP", "ep": "EP", "pp": "PP", "dp": "DP"}
PETA = 1e15


def training(scenario: Scenario, answer: Answer) -> Explanation:
    """A step of a layout with its throughput, MFU, memory and cost."""
    figures = [
        Figure("Tokens/s", answer.tokens_per_s, COUNT, more=True),
        Figure("Tokens/s per GPU", answer.tokens_per_s_per_gpu, COUNT, more=True),
        Figure("MFU", answer.mfu, SHARE, more=True),
        Figure("Exposed communication", answer.exposed_s.total_s / answer.step_s, SHARE, more=False),
        Figure("Pipeline bubble", answer.bubble_share, SHARE, more=False),
    ]
    if scenario.usd_per_gpu_hour:
        per_token = scenario.usd_per_gpu_hour / 3600 / answer.tokens_per_s_per_gpu
        figures.append(Figure("$ per million tokens", 1e6 * per_token, DOLLARS, more=False))
    return Explanation(
        subject=f"{scenario.model.name}, {answer.layout} on {answer.gpus:,} x {scenario.system.gpu.name}",
        work={
            "model": scenario.model.name,
            "GPUs (world size)": f"{answer.gpus:,}",
            "global batch size": f"{scenario.global_batch:,}",
            "sequence length": f"{scenario.seq:,}",
            "precision": scenario.precision,
            "rates": rates_text(scenario.rates),
        },
        quantities=(
            Quantity("Step time", SECONDS, step_parts(scenario, answer)),
            Quantity("Memory per GPU", BYTES, _memory(scenario, answer)),
        ),
        figures=tuple(figures),
        rates=answer.rates,
        assumptions=answer.assumptions,
        warnings=answer.warnings,
        sources=answer.sources,
        fits=answer.fits,
    )


def step_parts(scenario: Scenario, answer: Answer) -> tuple[Part, ...]:
    """Compute, optimizer, bubble, exposed communication by kind of parallelism, and stragglers."""
    exposed = asdict(answer.exposed_s)
    exposed["dp"] -= answer.waiting_s
    return (
        Part("compute", answer.compute_s - answer.optimizer_s, _compute(scenario, answer)),
        Part("optimizer", answer.optimizer_s, _states(scenario, answer)),
        *((Part("offload", answer.offload_s, _states(scenario, answer)),) if answer.offload_s else ()),
        Part("pipeline bubble", answer.bubble_s, _bubble(answer)),
        *(
            Part(f"exposed {name} communication", exposed[kind], _exchange(scenario, answer, kind))
            for kind, name in KINDS.items()
        ),
        Part("straggler wait", answer.waiting_s, _waiting(answer)),
    )


def _compute(scenario: Scenario, answer: Answer) -> tuple[Factor, ...]:
    work = answer.model_flop_per_s_per_gpu * answer.step_s
    top = peak(scenario.system.gpu, format_of(scenario.precision)).flop_per_s
    return (
        Factor("model FLOPs per GPU", f"{work / PETA:,.4g} PFLOP", work),
        flops("GEMMs at", answer.efficiency * top),
        option("recomputation", answer.recomputed),
        option("layout", answer.layout),
        *shape(scenario.model),
    )


def _states(scenario: Scenario, answer: Answer) -> tuple[Factor, ...]:
    share = scenario.model.params / answer.gpus
    memory = scenario.system.gpu.memory_rate.bytes_per_s
    return (
        Factor("parameters per GPU of the job", f"{share / BILLION:,.3g} B", share),
        rate("memory", memory),
        strategy(answer.strategy),
    )


def _bubble(answer: Answer) -> tuple[Factor, ...]:
    worked_s = answer.step_s - answer.bubble_s
    return (
        Factor("share idle while the pipeline fills", format_share(answer.bubble_share), answer.bubble_share),
        Factor("time of the rest of the step", format_time(worked_s), worked_s),
        option("PP", answer.pp),
        option("virtual stages", answer.vpp),
        option("micro-batches", answer.micro_batches),
    )


def _waiting(answer: Answer) -> tuple[Factor, ...]:
    compute_s = answer.compute_s - answer.optimizer_s
    return (count("DP ranks", answer.dp), Factor("compute", format_time(compute_s), compute_s))


def _exchange(scenario: Scenario, answer: Answer, kind: str) -> tuple[Factor, ...]:
    """All communication of a kind, the share of it that compute overlaps, and the link that carries it."""
    sent_s, exposed_s = getattr(answer.comm_s, kind), getattr(answer.exposed_s, kind)
    if kind == "dp":
        sent_s, exposed_s = sent_s - answer.waiting_s, exposed_s - answer.waiting_s
    overlapped = 1 - exposed_s / sent_s if sent_s > 0 else 0.0
    degree = getattr(answer, kind)
    return (
        Factor(f"all {KINDS[kind]} communication", format_time(sent_s), sent_s),
        Factor("overlapped with compute", format_share(overlapped), overlapped, shortens=True),
        option(KINDS[kind], degree),
        option("link", link(scenario.system, _spread(answer, kind)).text),
    )


def _spread(answer: Answer, kind: str) -> int:
    """GPUs from the first to the last rank of a group: the order is TP, CP, EP and DP, PP."""
    if kind == "tp":
        return answer.tp
    if kind == "cp":
        return answer.tp * answer.cp
    return answer.tp * answer.cp * answer.ep if kind == "ep" else answer.gpus


def _memory(scenario: Scenario, answer: Answer) -> tuple[Part, ...]:
    layout, usage = option("layout", answer.layout), answer.memory
    states = (*shape(scenario.model)[:1], layout, strategy(answer.strategy))
    stored = (
        *shape(scenario.model)[1:],
        layout,
        option("recomputation", answer.recomputed),
        option("micro-batch", answer.micro_batch),
        option("sequence length", f"{answer.seq:,}"),
    )
    return (
        Part("parameters", usage.parameter_bytes, states),
        Part("gradients", usage.gradient_bytes, states),
        Part("optimizer states", usage.optimizer_bytes, states),
        Part("activations", usage.activation_bytes, stored),
        Part("gathered parameters", usage.gathered_bytes, states),
        Part("reserved by the framework", usage.reserved_bytes),
    )
