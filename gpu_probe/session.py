"""A probing from start to end: processes found, machine described, probes run, file written."""

import os
import signal
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.measurement import Run
from core.measurement.run_json import from_json, to_json
from core.units import GIB, KIB, MIB
from gpu_probe.machine import describe, together, topology
from gpu_probe.probes import PROBES, Probe
from gpu_probe.probes.context import Context
from gpu_probe.progress import Progress
from gpu_probe.recorder import Recorder
from gpu_probe.timing import FULL, QUICK, USUAL, Effort

Sweep = tuple[Effort, int, int, int, int]

_SWEEPS: dict[str, Sweep] = {
    "quick": (QUICK, int(4 * KIB), int(4 * MIB), int(64 * MIB), 16),
    "usual": (USUAL, int(1 * KIB), int(16 * MIB), int(256 * MIB), 4),
    "full": (FULL, 8, int(64 * MIB), int(4 * GIB), 2),
}
"""Effort, least size, most on the CPU, most on a GPU, factor."""

INTERRUPTED = 130


def probe(torch: Any, options: Namespace) -> int:
    """
    Measure as one of the processes that torchrun started, or alone.

    Raises:
        OSError: The run file cannot be written.
    """
    group, control = _join(torch, options.backend)
    context = _context(torch, options, group, control)
    progress = Progress(speaks=context.rank == 0)
    recorder = Recorder(Path(options.output), context.new_run()) if context.rank == 0 else None
    status = 0
    with _signals():
        try:
            _all(context, options.only, progress, recorder)
        except KeyboardInterrupt:
            status = INTERRUPTED
            if recorder is not None:
                recorder.note("interrupted", "stopped by hand: what was measured until then is kept")
    if recorder is not None:
        recorder.save()
        progress.end(f"{len(recorder.runs())} runs in {recorder.path}")
    if status:
        # others may hang in a collective that will never end: leave without saying goodbye
        os._exit(status)
    if group is not None:
        group.destroy_process_group()
    return status


@contextmanager
def _signals() -> Iterator[None]:
    """Let a polite end (SIGTERM, as torchrun sends it) arrive like Ctrl-C."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, old)


def _number(name: str, default: int) -> int:
    try:
        return int(os.environ.get(name, ""))
    except ValueError:
        return default


def _join(torch: Any, backend: str) -> tuple[Any, Any]:
    """The processes that torchrun started: what to measure with, and a group on the CPU to agree on."""
    if _number("WORLD_SIZE", 1) < 2 or "MASTER_ADDR" not in os.environ:  # noqa: PLR2004 (alone)
        return None, None
    group = torch.distributed
    cuda = torch.cuda.is_available()
    chosen = ("nccl" if cuda else "gloo") if backend == "auto" else backend
    if chosen == "nccl":
        torch.cuda.set_device(_number("LOCAL_RANK", 0) % torch.cuda.device_count())
    group.init_process_group(chosen)
    return group, group.new_group(backend="gloo")


def _context(torch: Any, options: Namespace, group: Any, control: Any) -> Context:
    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    local = _number("LOCAL_RANK", 0)
    on_gpu = gpus > 0 and (group is None or group.get_backend() == "nccl")
    effort, least, cpu_most, gpu_most, step = _SWEEPS[options.amount]
    context = Context(
        torch=torch,
        machine=describe(torch),
        gpus=gpus,
        device=local % gpus if on_gpu else -1,
        rank=_number("RANK", 0) if group is not None else 0,
        world=_number("WORLD_SIZE", 1) if group is not None else 1,
        local_rank=local,
        local_world=_number("LOCAL_WORLD_SIZE", 1),
        group=group,
        control=control,
        effort=effort,
        sizes_least_bytes=least,
        sizes_most_bytes=gpu_most if on_gpu else cpu_most,
        step=step,
        started_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        file=Path(options.output).name,
    )
    return _agreed(context)


def _agreed(context: Context) -> Context:
    """All hosts in one machine, and no message larger than the smallest free memory allows."""
    most = context.sizes_most_bytes
    if context.device >= 0:
        free, _ = context.torch.cuda.mem_get_info(context.device)
        most = min(most, free // 4)
    facts = _everyone(context, {"machine": to_json(context.new_run()), "most": most})
    machine = together(from_json(fact["machine"]).machine for fact in facts)
    return replace(context, machine=machine, sizes_most_bytes=min(fact["most"] for fact in facts))


def _everyone(context: Context, mine: Any) -> list[Any]:
    """What each process says, in the order of ranks."""
    if context.group is None:
        return [mine]
    said: list[Any] = [None] * context.world
    context.group.all_gather_object(said, mine, group=context.control)
    return said


def _all(context: Context, only: list[str], progress: Progress, recorder: Recorder | None) -> None:
    if recorder is not None:
        recorder.describe(topology())
    for item in PROBES:
        if only and item.key not in only:
            continue
        reason = item.can_run(context)
        if reason:
            progress.end(f"{item.title}: skipped, {reason}")
            if recorder is not None:
                recorder.note("skipped", f"{item.key}: {reason}")
            continue
        progress.begin(item.title)
        measured = _one(context, item, progress, recorder)
        progress.end(f"{item.title}: {measured}")


def _one(context: Context, item: Probe, progress: Progress, recorder: Recorder | None) -> str:
    """Run one probe; its failure is written down and stops no other."""
    if item.everywhere:
        return _measured(context, item, progress, recorder, {})
    mine: dict[tuple[str, ...], Run] = {}
    word = _measured(context, item, progress, recorder, mine) if context.local_rank == 0 else ""
    hosts = _everyone(context, [(key, to_json(run)) for key, run in mine.items()])
    if recorder is not None:
        for number, runs in enumerate(hosts[1:], 1):
            for key, run in runs:
                recorder.keep((*key, str(number)), from_json(run))
    return word


def _measured(
    context: Context,
    item: Probe,
    progress: Progress,
    recorder: Recorder | None,
    mine: dict[tuple[str, ...], Run],
) -> str:
    alone = context if item.everywhere else replace(context, machine=describe(context.torch))
    count = 0
    try:
        for run in item.run(alone):
            key = (item.key, run.collective or "")
            mine[key] = run
            if recorder is not None:
                recorder.keep(key, run)
            count = sum(len(kept.samples) + len(kept.matrices) for kept in mine.values())
            progress.step(f"{item.title}: {run.collective or ''} {count} results")
    except (RuntimeError, ValueError, OSError, AttributeError) as problem:
        text = str(problem).splitlines()[0][:300] if str(problem) else type(problem).__name__
        if recorder is not None:
            recorder.note("failed", f"{item.key}: {text}")
        return f"failed after {count} results: {text}"
    return f"{count} results"
