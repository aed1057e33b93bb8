"""Headline, assumptions and warnings of a capacity answer."""

from core.calculators.capacity.scenario import Scenario
from core.parallel.memory_fit import Fit, Verdict
from core.provenance import Confidence
from core.units import GB, counted, whole_percent
from core.workload import Model
from core.workload.transformer import slots


def headline(scenario: Scenario, fit: Fit, *, sequences: int, limiting: str, least: int) -> str:
    """Whether it fits or what would make it, in one sentence."""
    name = scenario.model.name if scenario.model else f"{scenario.values / 1e9:,.0f} B parameters"
    where = f"{counted(scenario.used_gpus, 'GPU')} of {scenario.system.name}{_domains(scenario)}"
    if fit.verdict is not Verdict.FITS:
        remedy = f"; it {fit.text}" if fit.conditions else ""
        missing = f"does not fit {where}; the largest part is {limiting}{remedy}"
        return f"{name} in {scenario.weights.name} {missing}."
    requests, context = counted(sequences, "concurrent request"), counted(scenario.context, "token")
    room = f" and leaves room for {requests} of {context}" if sequences else ""
    return f"{name} in {scenario.weights.name} fits {where} (at least {least}){room}."


def _domains(scenario: Scenario) -> str:
    """How many domains the GPUs span; empty inside one."""
    inside = scenario.system.domain_gpus
    spanned = -(-scenario.used_gpus // inside)
    return f" ({spanned} domains of {inside})" if spanned > 1 else ""


def assumptions(scenario: Scenario) -> tuple[str, ...]:
    """Assumptions behind the answer."""
    used, gpus = scenario.used_gpus, scenario.system.gpus
    idle = (f"{used} of {gpus} GPUs are used, {gpus - used} are not",) if used < gpus else ()
    usable, memory_gb = whole_percent(scenario.usable), scenario.memory_bytes / GB
    return (
        f"{usable} of {memory_gb:,.0f} GB (decimal) per GPU may be used",
        (
            f"attention over {counted(scenario.attention_tp, 'GPU')}, "
            f"{counted(scenario.replicas, 'data-parallel replica')} of it, "
            f"{counted(scenario.pp, 'pipeline stage')}, experts over {scenario.expert_group}"
        ),
        "bytes of the fullest GPU; every value in the format of the weights",
        *_kept(scenario),
        *idle,
    )


def _kept(scenario: Scenario) -> tuple[str, ...]:
    """What a sequence keeps beside keys and values, in which format and in which pool."""
    lines, model = [], scenario.model
    if model is not None and model.state is not None:
        state, bits = model.state, 8 * model.state.state_value_bytes
        lines.append(
            f"{state.layers} layers of {state.kind.value} keep a state of {bits:g} bits a value, the same at "
            "any context; inputs of a convolution are kept in 16 bits"
        )
        if scenario.state_ratio or scenario.state_pages:
            lines.append(scenario.pools.text())
    if model is not None and model.indexer is not None:
        lines.append(
            "an index key of 8 bits a value, scales apart, beside the keys and values of every token"
        )
    return tuple(lines)


def warnings(scenario: Scenario, model: Model | None) -> tuple[str, ...]:
    """Unconfirmed sizes, copies, layouts that leave the domain."""
    lines: list[str] = []
    named = scenario.model
    if named is not None and named.confidence is Confidence.RUMOUR:
        lines.append(f"{named.name} is a rumour: nobody confirmed its size")
    if named is not None and model is None:
        lines.append(f"the shape of {named.name} is not published: no KV cache, no parts")
    if model is not None and model.moe:
        spread = slots(model.experts, scenario.expert_group)
        if spread.copies > 1:
            lines.append(
                f"{model.experts} experts on {scenario.expert_group} GPUs: each kept {spread.copies} times"
            )
        elif spread.redundant:
            lines.append(f"{spread.redundant} of {spread.total} expert slots are redundant copies")
    if scenario.used_gpus > scenario.system.domain_gpus:
        inside = scenario.system.domain_gpus
        lines.append(
            f"{scenario.used_gpus} GPUs span domains of {inside}: aggregate and bisection add up links that "
            f"end at the edge of each"
        )
    return tuple(lines)
