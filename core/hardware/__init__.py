"""The nouns of the fabric: hop, link, GPU, fabric, system."""

from core.hardware.architecture import Architecture
from core.hardware.gpu import Gpu, MemoryKind
from core.hardware.hop import Hop
from core.hardware.link import Family, Link
from core.hardware.system import Fabric, System
from core.hardware.topology import Topology

__all__ = ["Architecture", "Fabric", "Family", "Gpu", "Hop", "Link", "MemoryKind", "System", "Topology"]
