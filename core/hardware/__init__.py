"""The nouns of the fabric: hop, link, GPU, fabric, system."""

from core.hardware.gpu import Gpu
from core.hardware.hop import Hop
from core.hardware.link import Family, Link
from core.hardware.system import Fabric, System, Topology

__all__ = ["Fabric", "Family", "Gpu", "Hop", "Link", "System", "Topology"]
