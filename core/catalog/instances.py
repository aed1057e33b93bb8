"""Instance types of clouds that logs and people name in place of a machine: their GPU and network."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Instance:
    """
    An instance type of a cloud.

    Attributes:
        name: Part of its name.
        gpu: Catalog id of its GPU, or of the one that stands for a card that the catalog lacks.
        network: Catalog id of its network; empty where it has none between GPUs.
        card: The card that the catalog lacks; empty where it does not.
    """

    name: str
    gpu: str
    network: str
    card: str = ""


INSTANCES = (
    Instance("p3dn.24xlarge", "v100-sxm", "efa-100"),
    Instance("p4d.24xlarge", "a100-sxm-40gb", "efa-400"),
    Instance("p4de.24xlarge", "a100-sxm-80gb", "efa-400"),
    Instance("p5.48xlarge", "h100-sxm", "efa-3200"),
    Instance("p5e.48xlarge", "h200-sxm", "efa-3200"),
    Instance("p5en.48xlarge", "h200-sxm", "efa-3200"),
    Instance("p6-b200.48xlarge", "b200-sxm", "efa-v4-b200"),
    Instance("p6-b300.48xlarge", "b300-sxm", "efa-6400"),
    Instance("ND96isr_H100_v5", "h100-sxm", "ib-ndr"),
    Instance("ND96isr_H200_v5", "h200-sxm", "ib-ndr"),
    Instance("ND96asr_v4", "a100-sxm-40gb", "ib-hdr"),
    Instance("ND96amsr_A100_v4", "a100-sxm-80gb", "ib-hdr"),
    Instance("NDv4", "a100-sxm-40gb", "ib-hdr"),
    Instance("NDmv4", "a100-sxm-80gb", "ib-hdr"),
    Instance("NDv5", "h100-sxm", "ib-ndr"),
    Instance("g4dn.", "t4", ""),
    Instance("g5.", "l40s", "", "A10G"),
    Instance("g6.", "l4", ""),
    Instance("g6e.", "l40s", ""),
    Instance("g2-standard", "l4", ""),
    Instance("a3-megagpu-8g", "h100-sxm", "tcpxo-200"),
    Instance("a3-highgpu-8g", "h100-sxm", "tcpx-100"),
    Instance("a3-ultragpu-8g", "h200-sxm", "roce-400"),
    Instance("a4-highgpu-8g", "b200-sxm", "roce-400"),
    Instance("BM.GPU.H100.8", "h100-sxm", "roce-400"),
    Instance("BM.GPU.H200.8", "h200-sxm", "roce-400"),
    Instance("BM.GPU.B200.8", "b200-sxm", "roce-400"),
    Instance("BM.GPU4.8", "a100-sxm-40gb", "roce-200"),
    Instance("BM.GPU.A100-v2.8", "a100-sxm-80gb", "roce-200"),
)
"""Shapes that people name in place of a machine."""
