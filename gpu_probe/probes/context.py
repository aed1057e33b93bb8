"""What every probe is given: torch, the devices, the processes, and how much to measure."""

from dataclasses import dataclass
from typing import Any

from core.measurement import Machine, Notice, Run
from core.version import VERSION
from gpu_probe.timing import CudaClock, Effort, HostClock

ON_CPU = Notice(
    "on_cpu", "gloo between processes on the CPU: proves the path, says nothing of GPUs or their links"
)


@dataclass(frozen=True, slots=True)
class Context:
    """
    One process's view of a probing.

    Attributes:
        gpus: CUDA devices that this process sees; 0 on a machine without.
        device: The device of this process, -1 on the CPU.
        rank, world, local_rank, local_world: Among all processes, and among those of this host.
        group: torch.distributed, initialised; None for one process alone.
        control: A group over the CPU on which the processes agree, whatever they measure with.
        sizes_most_bytes: Largest message or copy.
        step: Factor between sizes of a sweep.
    """

    torch: Any
    machine: Machine
    gpus: int
    device: int
    rank: int
    world: int
    local_rank: int
    local_world: int
    group: Any
    control: Any
    effort: Effort
    sizes_least_bytes: int
    sizes_most_bytes: int
    step: int
    started_at: str
    file: str

    @property
    def place(self) -> str:
        """Where this process's tensors live, as torch says it."""
        return f"cuda:{self.device}" if self.device >= 0 else "cpu"

    @property
    def clock(self) -> HostClock | CudaClock:
        """The clock for work on this process's device."""
        return CudaClock(self.torch, self.device) if self.device >= 0 else HostClock()

    def sizes(self) -> list[int]:
        """The sweep, from small to large."""
        sizes = []
        size = self.sizes_least_bytes
        while size <= self.sizes_most_bytes:
            sizes.append(size)
            size *= self.step
        return sizes

    def new_run(self, collective: str | None = None, ranks: int | None = None) -> Run:
        """An empty run of this machine, to be filled."""
        return Run(
            file=self.file,
            format="wirespeed-run",
            collective=collective,
            ranks=ranks,
            machine=self.machine,
            dtype="float",
            tool_version=VERSION,
            started_at=self.started_at,
            origin="gpu" if self.device >= 0 else "cpu",
            warnings=() if self.device >= 0 or collective is None else (ON_CPU,),
        )
