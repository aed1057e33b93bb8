"""One accelerator row: from the units of datasheets to the SI of the model."""

from core.catalog.sources import cite
from core.hardware import Architecture, Gpu, MemoryKind, Topology
from core.provenance import Basis, Confidence, Quoted, Scope
from core.units import GB, TB, TERA

Peaks = tuple[float | None, float | None, float | None, float | None]
"""Dense TFLOP/s of BF16 (or FP16), FP8, FP4 and INT8."""

ScaleUp = tuple[str, str | None, int | None, float]
"""Name and catalog id of the link, links of a GPU, GB/s of both directions in total."""


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
    scale_up: ScaleUp | None = None,
    topology: Topology = Topology.SWITCH,
    mesh_peers: int | None = None,
    multiprocessors: int | None = None,
    copy_engines: int | None = None,
    l2_tb_per_s: float | None = None,
    peer_to_peer: bool = True,
    pcie: str | None = None,
    in_network_reduction: bool = False,
    confidence: Confidence = Confidence.HIGH,
    note: str = "",
    unverified: str = "",
) -> Gpu:
    """A Gpu from datasheet units: GB, GB/s (scale-up: both directions), dense TFLOP/s, source keys."""
    counted = ("nvidia-whitepapers",) if multiprocessors else ()
    queried = ("device-query",) if copy_engines else ()
    documents = cite(*sources, *counted, *queried)
    link_name, link, links, both_ways = scale_up or ("", None, None, 0.0)
    bf16, fp8, fp4, int8 = (None if peak is None else peak * TERA for peak in tflops)
    return Gpu(
        id=gpu_id,
        name=name,
        vendor=architecture.vendor,
        year=year,
        architecture=architecture,
        memory_bytes=memory_gb * GB,
        memory_rate=Quoted(memory_gb_per_s, GB, Basis.SHARED, Scope.GPU, documents[0]),
        bf16_flop_per_s=bf16,
        fp8_flop_per_s=fp8,
        fp4_flop_per_s=fp4,
        int8_flop_per_s=int8,
        scale_up=Quoted(both_ways, GB, Basis.BOTH_WAYS, Scope.GPU, documents[0], link_name)
        if both_ways
        else None,
        scale_up_link=link,
        scale_up_links=links,
        pcie_link=pcie,
        domain_sizes=domains,
        in_network_reduction=in_network_reduction,
        sources=documents,
        confidence=confidence,
        note=note,
        unverified=unverified,
        silicon=silicon,
        memory_kind=memory_kind,
        scale_up_topology=topology if both_ways else None,
        mesh_peers=mesh_peers,
        multiprocessors=multiprocessors,
        copy_engines=copy_engines,
        l2_bytes_per_s=None if l2_tb_per_s is None else l2_tb_per_s * TB,
        peer_to_peer=peer_to_peer,
    )
