"""Topology matrices: does a printed one describe a tree at all?"""

from core.measurement import Matrix
from core.systems.topology import devices_of, strange_triples

PRINTED = (("X", "PIX", "PHB", "SYS"), ("PIX", "X", "SYS", "PHB"))
"""The two rows that document 000 shows for a machine without NVLink."""


def impossible_triples() -> float:
    """Triples of the printed matrix that no PCIe tree can have."""
    gpus = ("GPU0", "GPU1", "GPU2", "GPU3")
    printed = Matrix("nvidia-smi topo -m", "topology", None, None, gpus[:2], gpus, PRINTED)
    return float(len(strange_triples(devices_of(printed))))
