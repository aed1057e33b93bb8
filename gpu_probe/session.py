"""A probing from start to end: processes joined, machine described, probes run, file written."""

import os
import signal
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.measurement import Run
from core.measurement.run_json import from_json, to_json
from core.units import GIB, KIB, MIB
from gpu_probe.machine import describe_machine, merge_machines, topology
from gpu_probe.probes import PROBES, Probe
from gpu_probe.probes.context import Context
from gpu_probe.profiling import hand_over
from gpu_probe.progress import Progress
from gpu_probe.recorder import Recorder
from gpu_probe.timing import FULL, QUICK, USUAL, Effort

INTERRUPTED = 130
"""Exit status of a probing that was stopped by hand, as shells give it for Ctrl-C."""

_RunKey = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sweep:
    """How much is measured: the effort of each timing, and the sizes, least to most by a factor."""

    effort: Effort
    least_bytes: int
    most_cpu_bytes: int
    most_gpu_bytes: int
    factor: int


_SWEEPS = {
    "quick": Sweep(QUICK, int(4 * KIB), int(4 * MIB), int(64 * MIB), 16),
    "usual": Sweep(USUAL, int(1 * KIB), int(16 * MIB), int(256 * MIB), 4),
    "full": Sweep(FULL, 8, int(64 * MIB), int(4 * GIB), 2),
}


def run_probes(torch: Any, options: Namespace) -> int:
    """
    Measure as one of the processes that torchrun started, or alone; the exit status.

    Raises:
        OSError: The run file cannot be written.
    """
    group, control = _join(torch, options.backend)
    context = _context(torch, options, group, control)
    progress = Progress(enabled=context.rank == 0)
    recorder = Recorder(Path(options.output), context.new_run()) if context.rank == 0 else None
    status = 0
    with _sigterm_as_interrupt():
        try:
            _run_all(context, options.only, progress, recorder)
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
        hand_over()
    return status


@contextmanager
def _sigterm_as_interrupt() -> Iterator[None]:
    """Let SIGTERM, as torchrun and schedulers send it, arrive like Ctrl-C."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, old)


def _environment_int(name: str, default: int) -> int:
    try:
        return int(os.environ.get(name, ""))
    except ValueError:
        return default


def _join(torch: Any, backend: str) -> tuple[Any, Any]:
    """The processes that torchrun started: what to measure with, and a group on the CPU to agree on."""
    if _environment_int("WORLD_SIZE", 1) < 2 or "MASTER_ADDR" not in os.environ:  # noqa: PLR2004 (alone)
        return None, None
    group = torch.distributed
    cuda = torch.cuda.is_available()
    if backend == "auto":
        backend = "nccl" if cuda else "gloo"
    if backend == "nccl":
        torch.cuda.set_device(_environment_int("LOCAL_RANK", 0) % torch.cuda.device_count())
    group.init_process_group(backend)
    return group, group.new_group(backend="gloo")


def _context(torch: Any, options: Namespace, group: Any, control: Any) -> Context:
    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    local = _environment_int("LOCAL_RANK", 0)
    on_gpu = gpus > 0 and (group is None or group.get_backend() == "nccl")
    sweep = _SWEEPS[options.amount]
    context = Context(
        torch=torch,
        machine=describe_machine(torch),
        gpus=gpus,
        device=local % gpus if on_gpu else -1,
        rank=_environment_int("RANK", 0) if group is not None else 0,
        world=_environment_int("WORLD_SIZE", 1) if group is not None else 1,
        local_rank=local,
        local_world=_environment_int("LOCAL_WORLD_SIZE", 1),
        group=group,
        control=control,
        effort=sweep.effort,
        sizes_least_bytes=sweep.least_bytes,
        sizes_most_bytes=sweep.most_gpu_bytes if on_gpu else sweep.most_cpu_bytes,
        step=sweep.factor,
        started_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        file=Path(options.output).name,
    )
    return _with_all_processes(context)


def _with_all_processes(context: Context) -> Context:
    """All hosts in one machine, and no message larger than the smallest free memory allows."""
    most_bytes = context.sizes_most_bytes
    if context.device >= 0:
        free_bytes, _ = context.torch.cuda.mem_get_info(context.device)
        most_bytes = min(most_bytes, free_bytes // 4)
    facts = _all_gather(context, {"machine": to_json(context.new_run()), "most": most_bytes})
    machine = merge_machines(from_json(fact["machine"]).machine for fact in facts)
    return replace(context, machine=machine, sizes_most_bytes=min(fact["most"] for fact in facts))


def _all_gather(context: Context, value: Any) -> list[Any]:
    """The value of each process, in the order of ranks."""
    if context.group is None:
        return [value]
    values: list[Any] = [None] * context.world
    context.group.all_gather_object(values, value, group=context.control)
    return values


def _run_all(context: Context, only: list[str], progress: Progress, recorder: Recorder | None) -> None:
    if recorder is not None:
        recorder.describe(topology())
    for probe in PROBES:
        if only and probe.key not in only:
            continue
        obstacle = probe.can_run(context)
        if obstacle:
            progress.end(f"{probe.title}: skipped, {obstacle}")
            if recorder is not None:
                recorder.note("skipped", f"{probe.key}: {obstacle}")
            continue
        progress.begin(probe.title)
        outcome = _run_on_all_hosts(context, probe, progress, recorder)
        progress.end(f"{probe.title}: {outcome}")


def _run_on_all_hosts(context: Context, probe: Probe, progress: Progress, recorder: Recorder | None) -> str:
    """Run one probe and say how it went; its failure is written down and stops no other."""
    if probe.everywhere:
        return _run_here(context, probe, progress, recorder, {})
    runs: dict[_RunKey, Run] = {}
    outcome = _run_here(context, probe, progress, recorder, runs) if context.local_rank == 0 else ""
    hosts = _all_gather(context, [(key, to_json(run)) for key, run in runs.items()])
    if recorder is not None:
        for host, host_runs in enumerate(hosts[1:], 1):
            for key, run in host_runs:
                recorder.keep((*key, str(host)), from_json(run))
    return outcome


def _run_here(
    context: Context,
    probe: Probe,
    progress: Progress,
    recorder: Recorder | None,
    runs: dict[_RunKey, Run],
) -> str:
    """Run one probe in this process into ``runs``, and say how it went."""
    own_context = context if probe.everywhere else replace(context, machine=describe_machine(context.torch))
    count = 0
    try:
        for run in probe.run(own_context):
            key = (probe.key, run.collective or "")
            runs[key] = run
            if recorder is not None:
                recorder.keep(key, run)
            count = sum(len(run.samples) + len(run.matrices) for run in runs.values())
            progress.step(f"{probe.title}: {run.collective or ''} {count} results")
    except (RuntimeError, ValueError, OSError, AttributeError) as problem:
        text = str(problem).splitlines()[0][:300] if str(problem) else type(problem).__name__
        if recorder is not None:
            recorder.note("failed", f"{probe.key}: {text}")
        return f"failed after {count} results: {text}"
    return f"{count} results"
