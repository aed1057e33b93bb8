"""One accelerator row: from the units of datasheets to the SI of the model."""

from dataclasses import dataclass

from core.catalog.driver_memory import driver_memory_bytes
from core.catalog.sources import cite
from core.hardware import Architecture, Gpu, MemoryKind, Topology
from core.provenance import Basis, Confidence, Quoted, Scope, Source
from core.units import GB, TB, TERA, converted


@dataclass(frozen=True, slots=True)
class Peaks:
    """Dense TFLOP/s by format (FP16 where a GPU lacks BF16); None where it lacks the format."""

    bf16: float | None = None
    fp8: float | None = None
    fp4: float | None = None
    int8: float | None = None


@dataclass(frozen=True, slots=True)
class ScaleUpLink:
    """
    The GPU-to-GPU link of an accelerator.

    Attributes:
        name: As its vendor prints it.
        link: Catalog id; None where the link has no entry.
        links: Of one GPU; None where nobody states them.
        gb_per_s: Both directions of all links, as printed.
    """

    name: str
    link: str | None
    links: int | None
    gb_per_s: float


def accelerator(
    gpu_id: str,
    name: str,
    year: int,
    architecture: Architecture,
    *,
    memory_gb: float,
    memory_gb_per_s: float,
    tflops: Peaks,
    domains: str,
    sources: tuple[str, ...],
    silicon: str = "",
    memory_kind: MemoryKind = MemoryKind.HBM,
    scale_up: ScaleUpLink | None = None,
    topology: Topology = Topology.SWITCH,
    mesh_peers: int | None = None,
    multiprocessors: int | None = None,
    copy_engines: int | None = None,
    l2_tb_per_s: float | None = None,
    peer_to_peer: bool = True,
    bridge_optional: bool = False,
    gpus_per_cpu: int = 1,
    dies: int = 1,
    pcie: str | None = None,
    in_network_reduction: bool = False,
    confidence: Confidence = Confidence.HIGH,
    note: str = "",
    unverified: str = "",
) -> Gpu:
    """A Gpu from datasheet units: GB, GB/s (scale-up: both directions), dense TFLOP/s, source keys."""
    counted = ("nvidia-whitepapers",) if multiprocessors else ()
    queried = ("device-query",) if copy_engines else ()
    reported_bytes = driver_memory_bytes(gpu_id)
    printed = (
        ("nvidia-smi" if architecture.vendor == "NVIDIA" else "pytorch-total",) if reported_bytes else ()
    )
    documents = cite(*sources, *counted, *queried, *printed)
    return Gpu(
        id=gpu_id,
        name=name,
        vendor=architecture.vendor,
        year=year,
        architecture=architecture,
        memory_bytes=memory_gb * GB,
        driver_memory_bytes=reported_bytes,
        memory_rate=Quoted(memory_gb_per_s, GB, Basis.SHARED, Scope.GPU, documents[0]),
        bf16_flop_per_s=converted(tflops.bf16, TERA),
        fp8_flop_per_s=converted(tflops.fp8, TERA),
        fp4_flop_per_s=converted(tflops.fp4, TERA),
        int8_flop_per_s=converted(tflops.int8, TERA),
        scale_up=_quoted(scale_up, documents[0]) if scale_up else None,
        scale_up_link=scale_up.link if scale_up else None,
        scale_up_links=scale_up.links if scale_up else None,
        pcie_link=pcie,
        domain_sizes=domains,
        in_network_reduction=in_network_reduction,
        sources=documents,
        confidence=confidence,
        note=note,
        unverified=unverified,
        silicon=silicon,
        memory_kind=memory_kind,
        scale_up_topology=topology if scale_up else None,
        mesh_peers=mesh_peers,
        multiprocessors=multiprocessors,
        copy_engines=copy_engines,
        l2_bytes_per_s=converted(l2_tb_per_s, TB),
        peer_to_peer=peer_to_peer,
        bridge_optional=bridge_optional,
        gpus_per_cpu=gpus_per_cpu,
        dies=dies,
    )


def _quoted(scale_up: ScaleUpLink, source: Source) -> Quoted:
    return Quoted(scale_up.gb_per_s, GB, Basis.BOTH_WAYS, Scope.GPU, source, scale_up.name)
