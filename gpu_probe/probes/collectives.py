"""Collectives between processes, one per GPU: NCCL on GPUs, gloo on the CPU, every result checked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from core.measurement import Notice, Run, Sample
from gpu_probe.probes.context import Context
from gpu_probe.timing import Timing, inner_count, summary

key = "collectives"
title = "collectives between all processes"
everywhere = True

_ELEMENT = 4


@dataclass(frozen=True, slots=True)
class Trial:
    """One collective at one size: what to run, and how many values came out wrong."""

    size_bytes: int
    placement: str
    prepare: Callable[[], None]
    work: Callable[[], object]
    wrong: Callable[[], int]


def can_run(context: Context) -> str:
    """Only between processes: torchrun starts them."""
    if context.group is not None and context.world > 1:
        return ""
    how = "torchrun --nproc_per_node N -m gpu_probe run, or gpu_probe run --ranks N"
    return f"one process alone: start one per GPU ({how})"


def run(context: Context) -> Iterator[Run]:
    """One run per collective, growing size by size; a collective that the backend lacks says so."""
    for name, make in TRIALS.items():
        run = context.new_run(name, context.world)
        for size in context.sizes():
            try:
                sample = _measured(context, name, make(context, size))
            except (RuntimeError, NotImplementedError, ValueError) as problem:
                text = f"{name} at {size} bytes: {str(problem).splitlines()[0][:200]}"
                run = replace(run, warnings=(*run.warnings, Notice("skipped", text)))
                break
            run = replace(run, samples=(*run.samples, sample))
            yield run
        yield run


def _measured(context: Context, name: str, trial: Trial) -> Sample:
    trial.prepare()
    trial.work()
    wrong = int(_over_all_ranks(context, [float(trial.wrong())], largest=False)[0])
    timing = _timing(context, trial)
    return Sample(
        name,
        trial.size_bytes,
        timing.median_s,
        placement=trial.placement,
        wrong=wrong,
        low_s=timing.low_s,
        high_s=timing.high_s,
    )


def _timing(context: Context, trial: Trial) -> Timing:
    """Every repeat starts together and lasts as long as the slowest process."""
    effort, clock = context.effort, context.clock
    trial.prepare()
    clock.elapsed_s(trial.work, effort.warmup)
    _over_all_ranks(context, [0.0], largest=True)
    once = _over_all_ranks(context, [clock.elapsed_s(trial.work, 1)], largest=True)[0]
    inner = inner_count(once, effort)
    times = []
    for _ in range(effort.repeats):
        trial.prepare()
        _over_all_ranks(context, [0.0], largest=True)
        times.append(clock.elapsed_s(trial.work, inner) / inner)
    return summary(_over_all_ranks(context, times, largest=True))


def _over_all_ranks(context: Context, values: list[float], *, largest: bool) -> list[float]:
    """The largest, or the sum, of each value over all processes."""
    torch, group = context.torch, context.group
    tensor = torch.tensor(values, dtype=torch.float64)
    kind = group.ReduceOp.MAX if largest else group.ReduceOp.SUM
    group.all_reduce(tensor, op=kind, group=context.control)
    return [float(value) for value in tensor.tolist()]


def _elements(size: int, ranks: int) -> int:
    """Elements of each rank's share when ``size`` bytes are cut in ``ranks``."""
    return max(1, size // (_ELEMENT * ranks))


def _empty(context: Context, count: int) -> Any:
    return context.torch.empty(count, dtype=context.torch.float32, device=context.place)


def _count_wrong(values: Any, expected: Any) -> int:
    return int((values != expected).sum().item())


def _operation(context: Context, new: str, old: str) -> Any:
    """An operation under its newer name, or the one that torch 2.1 has."""
    return getattr(context.group, new, None) or getattr(context.group, old)


def _all_reduce(context: Context, size: int) -> Trial:
    data = _empty(context, _elements(size, 1))
    total = context.world * (context.world + 1) / 2
    return Trial(
        data.numel() * _ELEMENT,
        "in-place",
        lambda: data.fill_(context.rank + 1),
        lambda: context.group.all_reduce(data),
        lambda: _count_wrong(data, total),
    )


def _all_gather(context: Context, size: int) -> Trial:
    count = _elements(size, context.world)
    own, gathered = _empty(context, count), _empty(context, count * context.world)
    gather = _operation(context, "all_gather_single", "all_gather_into_tensor")
    ranks = context.torch.arange(1, context.world + 1, dtype=own.dtype, device=context.place)
    return Trial(
        gathered.numel() * _ELEMENT,
        "out-of-place",
        lambda: own.fill_(context.rank + 1),
        lambda: gather(gathered, own),
        lambda: _count_wrong(gathered.view(context.world, count), ranks[:, None]),
    )


def _reduce_scatter(context: Context, size: int) -> Trial:
    count = _elements(size, context.world)
    scattered, own = _empty(context, count * context.world), _empty(context, count)
    scatter = _operation(context, "reduce_scatter_single", "reduce_scatter_tensor")
    total = context.world * (context.world + 1) / 2
    return Trial(
        scattered.numel() * _ELEMENT,
        "out-of-place",
        lambda: scattered.fill_(context.rank + 1),
        lambda: scatter(own, scattered),
        lambda: _count_wrong(own, total),
    )


def _all_to_all(context: Context, size: int) -> Trial:
    count = _elements(size, context.world)
    sent, received = _empty(context, count * context.world), _empty(context, count * context.world)
    ranks = context.torch.arange(1, context.world + 1, dtype=sent.dtype, device=context.place)
    return Trial(
        sent.numel() * _ELEMENT,
        "out-of-place",
        lambda: sent.fill_(context.rank + 1),
        lambda: context.group.all_to_all_single(received, sent),
        lambda: _count_wrong(received.view(context.world, count), ranks[:, None]),
    )


def _send_recv(context: Context, size: int) -> Trial:
    """As nccl-tests does: every rank sends to the next and receives from the one before."""
    group = context.group
    sent, received = _empty(context, _elements(size, 1)), _empty(context, _elements(size, 1))
    after, before = (context.rank + 1) % context.world, (context.rank - 1) % context.world

    def exchange() -> None:
        steps = [group.P2POp(group.isend, sent, after), group.P2POp(group.irecv, received, before)]
        for request in group.batch_isend_irecv(steps):
            request.wait()

    return Trial(
        sent.numel() * _ELEMENT,
        "out-of-place",
        lambda: sent.fill_(context.rank + 1),
        exchange,
        lambda: _count_wrong(received, float(before + 1)),
    )


def _broadcast(context: Context, size: int) -> Trial:
    data = _empty(context, _elements(size, 1))
    return Trial(
        data.numel() * _ELEMENT,
        "in-place",
        lambda: data.fill_(context.rank + 1),
        lambda: context.group.broadcast(data, src=0),
        lambda: _count_wrong(data, 1.0),
    )


TRIALS: dict[str, Callable[[Context, int], Trial]] = {
    "all_reduce": _all_reduce,
    "all_gather": _all_gather,
    "reduce_scatter": _reduce_scatter,
    "all_to_all": _all_to_all,
    "send_recv": _send_recv,
    "broadcast": _broadcast,
}
