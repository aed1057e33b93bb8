"""An accelerator, as its catalog entry states it."""

from dataclasses import dataclass
from enum import StrEnum

from core.hardware.architecture import Architecture
from core.hardware.topology import Topology
from core.provenance import Confidence, Quoted, Source


class MemoryKind(StrEnum):
    """Technology of a GPU's own memory."""

    HBM = "HBM"
    GDDR = "GDDR"


@dataclass(frozen=True, slots=True)
class Gpu:
    """
    An accelerator. Peaks are dense, in FLOP/s; None where it lacks the format.

    Attributes:
        architecture: Generation, which calibrations are looked up by.
        memory_bytes: Capacity of its own memory, as its datasheet prints it.
        driver_memory_bytes: The same as its driver reports it (80 GiB, where a datasheet says 80 GB); None
            where no log shows it.
        memory_rate: Memory bandwidth, reads and writes together.
        scale_up: GPU-to-GPU bandwidth of this part, as printed (a part cut for export or a card with
            a bridge states its own); None where it has no link beside PCIe.
        scale_up_link: Catalog id of that link.
        scale_up_links: Links (ports) of one GPU.
        scale_up_topology: How machines join these GPUs over that link; None without one.
        mesh_peers: Peers among which its board divides those links; None where it is no mesh.
        pcie_link: Catalog id of its slot.
        domain_sizes: Scale-up domains it is sold in, in words.
        in_network_reduction: Of its NVSwitches (NVLink SHARP: NVLS).
        silicon: Architecture as printed, where that says more than its generation (die, CPU beside it).
        memory_kind: HBM or GDDR.
        multiprocessors: Streaming multiprocessors of an NVIDIA GPU; None elsewhere or where unknown.
        copy_engines: DMA engines that copy beside kernels, as CUDA reports them; None where unknown.
        l2_bytes_per_s: Bandwidth of its L2 cache as estimated; None where nobody states one.
        peer_to_peer: Whether the vendor's driver lets two of them copy over PCIe without host memory.
        bridge_optional: Whether its scale-up link is a bridge between cards that a buyer may leave out.
        gpus_per_cpu: GPUs that share the link to one CPU, as two of a superchip do.
        dies: Dies of one, each of which its driver shows as a GPU of its own.
    """

    id: str
    name: str
    vendor: str
    year: int
    architecture: Architecture
    memory_bytes: float
    memory_rate: Quoted
    bf16_flop_per_s: float | None
    fp8_flop_per_s: float | None
    fp4_flop_per_s: float | None
    int8_flop_per_s: float | None
    scale_up: Quoted | None
    scale_up_link: str | None
    scale_up_links: int | None
    pcie_link: str | None
    domain_sizes: str
    in_network_reduction: bool
    sources: tuple[Source, ...]
    confidence: Confidence
    note: str = ""
    unverified: str = ""
    silicon: str = ""
    memory_kind: MemoryKind = MemoryKind.HBM
    scale_up_topology: Topology | None = None
    mesh_peers: int | None = None
    multiprocessors: int | None = None
    copy_engines: int | None = None
    l2_bytes_per_s: float | None = None
    peer_to_peer: bool = True
    driver_memory_bytes: float | None = None
    bridge_optional: bool = False
    gpus_per_cpu: int = 1
    dies: int = 1

    def __hash__(self) -> int:
        """Of what tells GPUs apart: every cached price of a kernel hashes its GPU, with many words."""
        peaks = self.bf16_flop_per_s, self.fp8_flop_per_s, self.fp4_flop_per_s, self.int8_flop_per_s
        return hash((self.id, peaks, self.memory_rate.value, self.memory_bytes))

    @property
    def visible_memory_bytes(self) -> float:
        """What a process sees: as the driver reports it, else as the datasheet prints it."""
        return self.driver_memory_bytes or self.memory_bytes

    @property
    def verified(self) -> bool:
        """Trusted, and no figure of it rests on memory alone (``unverified`` names those)."""
        return self.confidence.verified and not self.unverified

    @property
    def architecture_name(self) -> str:
        """For pages: the architecture as printed."""
        return self.silicon or self.architecture.label
