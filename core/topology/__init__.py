"""Topology: what `nvidia-smi topo -m` says of a machine, and the System that follows from it."""

from core.topology.domains import Domain, Layout, domains_of, layout_of
from core.topology.machine import system_document, system_of
from core.topology.paths import Path, PathRate, path_rate
from core.topology.survey import Pair, Survey, survey
from core.topology.ultrametric import Strange, strange_triples
from core.topology.wires import PCIE_WORDS, Devices, devices_of

__all__ = [
    "PCIE_WORDS",
    "Devices",
    "Domain",
    "Layout",
    "Pair",
    "Path",
    "PathRate",
    "Strange",
    "Survey",
    "devices_of",
    "domains_of",
    "layout_of",
    "path_rate",
    "strange_triples",
    "survey",
    "system_document",
    "system_of",
]
