"""What a run says about its machine: GPU names and memory, versions, NCCL settings; nothing else."""

import os
import shutil
import socket
import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from core.measurement import GpuCount, Machine, Matrix
from core.measurement.run_json import allowed_variable
from gpu_probe.parsers import ParseError, read

_SECONDS = 20


def describe(torch: Any) -> Machine:
    """This host, as far as torch and nvidia-smi tell: a list of allowed facts, not a dump."""
    gpus: list[GpuCount] = []
    cuda = nccl = None
    if torch is not None and torch.cuda.is_available():
        found = [torch.cuda.get_device_properties(i) for i in range(torch.cuda.device_count())]
        counts = Counter((item.name, float(item.total_memory)) for item in found)
        gpus = [GpuCount(name, number, memory) for (name, memory), number in counts.items()]
        cuda = torch.version.cuda
        nccl = _nccl(torch)
    driver = _ask("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")
    env = {name: value[:300] for name, value in sorted(os.environ.items()) if allowed_variable(name)}
    first = driver.splitlines()[0].strip() if driver else None
    return Machine(tuple(gpus), (host_name(),), first, cuda, nccl, env)


def host_name() -> str:
    """The host's own name, without its domain."""
    return socket.gethostname().split(".")[0] or "localhost"


def topology() -> tuple[Matrix, ...]:
    """The matrix of ``nvidia-smi topo -m``, if there is one."""
    text = _ask("nvidia-smi", "topo", "-m")
    try:
        return tuple(matrix for run in read("topo", text.encode()) for matrix in run.matrices)
    except ParseError:
        return ()


def together(machines: Iterable[Machine]) -> Machine:
    """
    One machine from what its processes see: GPUs added up over hosts, the first one's versions.

    Where each process of a host sees one GPU only, as some launchers arrange it, there are as many
    GPUs as processes; else every process sees them all.
    """
    found = list(machines)
    hosts: dict[str, list[Machine]] = {}
    for machine in found:
        hosts.setdefault(machine.hosts[0] if machine.hosts else "", []).append(machine)
    gpus: Counter[tuple[str, float | None]] = Counter()
    for seen in hosts.values():
        own = all(sum(gpu.count for gpu in machine.gpus) == 1 for machine in seen)
        for machine in seen if own else seen[:1]:
            gpus.update({(gpu.name, gpu.memory_bytes): gpu.count for gpu in machine.gpus})
    counted = tuple(GpuCount(name, number, memory) for (name, memory), number in gpus.items())
    return replace(found[0], gpus=counted, hosts=tuple(hosts))


def _nccl(torch: Any) -> str | None:
    try:
        version = torch.cuda.nccl.version()
    except (AttributeError, RuntimeError):
        return None
    return ".".join(str(part) for part in version) if isinstance(version, tuple) else str(version)


def _ask(*command: str) -> str:
    """A tool's output, empty where the tool is missing, fails or hangs."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        done = subprocess.run(  # noqa: S603 (fixed words, no shell)
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout if done.returncode == 0 else ""
