"""The machines of the confusion matrix: catalog systems, how many nodes of each, and how their logs name things."""

from dataclasses import dataclass, field

from core.catalog import SYSTEMS
from core.hardware import System
from core.systems import configure
from core.verdict.links import link_rates, nics_in_use, pcie_rate


@dataclass(frozen=True)
class Bench:
    """
    A number of nodes of one kind.

    Attributes:
        name, system_id: For the table, and of the catalog.
        gpu: As the tests print it.
        nodes: Domains in use.
        adapter, layer: Name of a NIC without its number, and what NCCL writes behind it.
        library: NCCL or RCCL.
        fabric: What differs from the catalog's system.
    """

    name: str
    system_id: str
    gpu: str
    nodes: int
    adapter: str = "mlx5_"
    layer: str = "IB"
    library: str = "NCCL"
    fabric: dict = field(default_factory=dict)

    @property
    def system(self) -> System:
        """The system as an asker would name it."""
        return configure(SYSTEMS[self.system_id], domains=self.nodes, **self.fabric)

    @property
    def ranks(self) -> int:
        """GPUs in all."""
        return self.system.domain_gpus * self.nodes

    @property
    def nics(self) -> int:
        """NICs of a node in use; 0 where it has none."""
        return nics_in_use(self.system, self.system.domain_gpus) if self.nodes > 1 else 0

    @property
    def network(self) -> float:
        """Bytes/s of a node's NICs together; 0 of one node."""
        return link_rates(self.system, self.system.domain_gpus, self.nodes).domain_bytes_per_s or 0.0

    @property
    def slot(self) -> float:
        """Bytes/s of a GPU's PCIe slot."""
        return pcie_rate(self.system) or 32e9

    @property
    def switched(self) -> bool:
        """Whether its switches reduce (NVLS)."""
        return self.system.scale_up.in_network_reduction

    @property
    def on_pcie(self) -> bool:
        """Whether PCIe alone joins its GPUs."""
        return self.system.scale_up.topology.pcie

    @property
    def plugin(self) -> bool:
        """Whether NCCL reaches the network by the plugin of EFA."""
        return self.layer == "EFA"


def benches(name, system_id, gpu, nodes, **how):
    """The same machine with each of these numbers of nodes."""
    return tuple(Bench(name, system_id, gpu, count, **how) for count in nodes)


V100, A100, H100 = "Tesla V100-SXM2-32GB", "NVIDIA A100-SXM4-80GB", "NVIDIA H100 80GB HBM3"
SEEN = (
    *benches("DGX-1 V100", "dgx-1-v100", V100, (1, 4)),
    *benches("A100, 8 x HDR", "dgx-a100", A100, (1, 2, 16)),
    *benches("A100, 4 x HDR", "dgx-a100", A100, (2, 8), fabric={"nics_per_domain": 4}),
    *benches("H100, InfiniBand", "dgx-h100", H100, (1, 2, 8, 128)),
    *benches("H100, RoCE", "dgx-h100", H100, (2, 16), layer="RoCE", fabric={"network": "roce-400"}),
    *benches(
        "H100, EFA", "dgx-h100", H100, (2, 8), adapter="rdmap", layer="EFA", fabric={"network": "efa-3200"}
    ),
    *benches("GB200 NVL72", "gb200-nvl72", "NVIDIA GB200", (1, 2)),
    *benches("L40S x 8", "l40s-x8", "NVIDIA L40S", (1,)),
    *benches("MI300X", "mi300x-x8", "AMD Instinct MI300X", (1, 4), library="RCCL"),
)
"""What constants and rules were looked at with."""
LEFT_OUT = (
    *benches("DGX-2", "dgx-2", "Tesla V100-SXM3-32GB", (1, 2)),
    *benches("A800", "hgx-a800-x8", "NVIDIA A800-SXM4-80GB", (1, 4)),
    *benches("H20", "hgx-h20-x8", "NVIDIA H20", (1, 4)),
    *benches("B200", "dgx-b200", "NVIDIA B200", (1, 4, 32)),
    *benches("RTX 4090 x 8", "rtx-4090-x8", "NVIDIA GeForce RTX 4090", (1,)),
    *benches("RTX PRO 6000 x 8", "rtx-pro-6000-x8", "NVIDIA RTX PRO 6000 Blackwell Server Edition", (1,)),
    *benches("MI355X", "mi355x-x8", "AMD Instinct MI355X", (1, 4), library="RCCL", adapter="ionic_", layer="RoCE"),
)  # fmt: skip
"""Asked only once the rules stood."""
