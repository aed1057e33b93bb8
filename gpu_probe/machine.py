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

_TIMEOUT_S = 20


def describe_machine(torch: Any) -> Machine:
    """This host, as far as torch and nvidia-smi tell: a list of allowed facts, not a dump."""
    gpus: list[GpuCount] = []
    cuda = nccl = None
    if torch is not None and torch.cuda.is_available():
        properties = [torch.cuda.get_device_properties(i) for i in range(torch.cuda.device_count())]
        counts = Counter((device.name, float(device.total_memory)) for device in properties)
        gpus = [GpuCount(name, count, memory) for (name, memory), count in counts.items()]
        cuda = torch.version.cuda
        nccl = _nccl(torch)
    driver = _output_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")
    env = {name: value[:300] for name, value in sorted(os.environ.items()) if allowed_variable(name)}
    driver_version = driver.splitlines()[0].strip() if driver else None
    return Machine(tuple(gpus), (host_name(),), driver_version, cuda, nccl, env)


def host_name() -> str:
    """The host's own name, without its domain."""
    return socket.gethostname().split(".")[0] or "localhost"


def topology() -> tuple[Matrix, ...]:
    """The matrix of ``nvidia-smi topo -m``, if there is one."""
    text = _output_of("nvidia-smi", "topo", "-m")
    try:
        return tuple(matrix for run in read("topo", text.encode()) for matrix in run.matrices)
    except ParseError:
        return ()


def merge_machines(views: Iterable[Machine]) -> Machine:
    """
    One machine from what its processes see: GPUs added up over hosts, the first one's versions.

    Where each process of a host sees one GPU only, as some launchers arrange it, there are as many
    GPUs as processes; else every process sees them all.
    """
    machines = list(views)
    hosts: dict[str, list[Machine]] = {}
    for machine in machines:
        hosts.setdefault(machine.hosts[0] if machine.hosts else "", []).append(machine)
    gpus: Counter[tuple[str, float | None]] = Counter()
    for processes in hosts.values():
        one_gpu_each = all(sum(gpu.count for gpu in machine.gpus) == 1 for machine in processes)
        for machine in processes if one_gpu_each else processes[:1]:
            gpus.update({(gpu.name, gpu.memory_bytes): gpu.count for gpu in machine.gpus})
    counted = tuple(GpuCount(name, count, memory) for (name, memory), count in gpus.items())
    return replace(machines[0], gpus=counted, hosts=tuple(hosts))


def _nccl(torch: Any) -> str | None:
    try:
        version = torch.cuda.nccl.version()
    except (AttributeError, RuntimeError):
        return None
    return ".".join(str(part) for part in version) if isinstance(version, tuple) else str(version)


def _output_of(*command: str) -> str:
    """A tool's output, empty where the tool is missing, fails or hangs."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        process = subprocess.run(  # noqa: S603 (fixed words, no shell)
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return process.stdout if process.returncode == 0 else ""
