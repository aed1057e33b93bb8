"""The answer of the tensor-parallel calculator, every term of it."""

from dataclasses import dataclass

import numpy as np

from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import Terms
from core.checks import Floats
from core.collectives.formulas.columns import FIGURES, CostFigures
from core.provenance import Source


@dataclass(frozen=True, slots=True)
class Totals:
    """
    One layer (the mean of all) or one whole step.

    Attributes:
        message_bytes, message_s: One message of the first kind.
        messages: How many messages.
        comm: All messages, their prediction interval and their parts.
        exposed_s: Exposed communication: what compute does not hide.
        flop_s, hbm_s: What FLOPs alone and bytes alone would take; ``fixed_s`` explains the rest.
        bound: ``flops`` or ``memory``: what the parts of compute that take longer together are bound by.
        time_s, low_s, high_s: With the stated overlap; with everything overlapped that can be; with
            nothing overlapped; the latter two at the ends of the prediction interval.
        share: exposed_s / time_s.
        speedup: Compute of one GPU over ``time_s``.
    """

    message_bytes: float
    message_s: float
    messages: float
    comm: CostFigures[float]
    exposed_s: float
    compute_s: float
    flop_s: float
    hbm_s: float
    kv_s: float
    fixed_s: float
    head_s: float
    bound: str
    time_s: float
    low_s: float
    high_s: float
    share: float
    speedup: float

    @property
    def comm_s(self) -> float:
        """Seconds of all messages."""
        return self.comm.time_s


@dataclass(frozen=True, slots=True)
class Degree:
    """
    One tensor-parallel degree at the same tokens and context.

    ``low_s`` and ``high_s``: everything overlapped that can be, and nothing, at the ends of the prediction
    interval.
    """

    tp: int
    step_s: float
    low_s: float
    high_s: float
    compute_s: float
    comm_s: float
    share: float
    tokens_per_s: float
    tokens_per_s_per_gpu: float
    speedup: float
    memory_bytes: float
    fits: bool


@dataclass(frozen=True, slots=True)
class DegreeVerdict:
    """
    The degrees to take, from the table of degrees.

    Attributes:
        latency_tp, throughput_tp: Shortest step, and most tokens/s per GPU, among the degrees that fit (of
            all where none does).
        rival_tp: The degree that ``speedup`` compares with: the best for throughput, or the second fastest
            where one degree is best for both; None where it is the only one.
        speedup: Step of ``rival_tp`` over the step of ``latency_tp``.
        latency_tokens_per_s_per_gpu, throughput_tokens_per_s_per_gpu: Of the two degrees.
        text: The verdict in a sentence.
    """

    latency_tp: int
    throughput_tp: int
    rival_tp: int | None
    speedup: float | None
    latency_tokens_per_s_per_gpu: float
    throughput_tokens_per_s_per_gpu: float
    text: str


@dataclass(frozen=True, slots=True)
class Crossover:
    """A crossover: at ``value`` of ``input`` the answer changes from ``before`` to ``to``."""

    input: str
    value: float
    what: str
    before: str
    to: str


@dataclass(frozen=True, slots=True)
class Dead:
    """An input with no effect on this result, and why."""

    input: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What a step costs on one tensor-parallel group.

    Attributes:
        speedup_over_smaller: Step time of the next smaller degree over this one; None at 1.
        best_latency_tp, best_throughput_tp: Degrees with the shortest step and with the most
            tokens/s per GPU, among those whose memory fits (all if none does).
        verdict: Both degrees in a sentence, from ``degrees``.
        binding: The bottleneck: launch, latency, wire, NIC, HBM, FLOPs, kernel launch overhead.
    """

    scenario: Scenario
    per_layer: Totals
    per_step: Totals
    tokens_per_s: float
    tokens_per_s_per_gpu: float
    speedup: float
    efficiency: float
    smaller_tp: int | None
    speedup_over_smaller: float | None
    degrees: tuple[Degree, ...]
    best_latency_tp: int
    best_throughput_tp: int
    verdict: DegreeVerdict
    binding: str
    parts_s: dict[str, float]
    crossovers: tuple[Crossover, ...]
    dead_inputs: tuple[Dead, ...]
    memory_bytes: float
    memory_limit_bytes: float
    fits: bool
    kv_copies: float
    choice: str
    basis: str
    headline: str
    formula: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]


def first(values: Floats) -> float:
    """The only value of a grid of one cell."""
    return float(np.ravel(values)[0])


def totals(point: Terms, single: Floats, layers: int) -> tuple[Totals, Totals]:
    """Per layer and per step; ``single`` is the compute of one GPU, without and with its head."""
    step = _totals(point, first(single[1]), 1.0, head=first(point.compute.head_s))
    layer = _totals(point, first(single[0]), float(layers), head=0.0)
    return layer, step


def _totals(point: Terms, single_s: float, divisor: float, *, head: float) -> Totals:
    exchange, work = point.exchange, point.compute
    compute = (first(work.layers_s) + head) / divisor
    exposed = first(point.exposed_s) / divisor
    time = compute + exposed
    flop, hbm = first(work.flop_s), first(work.hbm_s)
    figures = {name: first(getattr(exchange, name)) / divisor for name in FIGURES}
    comm: CostFigures[float] = CostFigures(**figures)
    return Totals(
        message_bytes=first(exchange.size_bytes),
        message_s=first(exchange.one_s),
        messages=exchange.messages / divisor,
        comm=comm,
        exposed_s=exposed,
        compute_s=compute,
        flop_s=flop / divisor,
        hbm_s=hbm / divisor,
        kv_s=first(work.kv_s) / divisor,
        fixed_s=first(work.fixed_s) / divisor,
        head_s=head,
        bound="flops" if first(work.flop_bound_s) > first(work.hbm_bound_s) else "memory",
        time_s=time,
        low_s=min(time, max(compute, comm.low_s)),
        high_s=compute + comm.high_s,
        share=exposed / time if time > 0 else 0.0,
        speedup=single_s / divisor / time if time > 0 else 1.0,
    )
