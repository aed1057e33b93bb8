"""Topology: what `nvidia-smi topo -m` says of a machine, and the System that follows from it."""

from core.systems.topology.devices import PCIE_WORDS, Devices, devices_of
from core.systems.topology.domains import Domain, Layout, domains_of, layout_of
from core.systems.topology.machine import system_of
from core.systems.topology.paths import Path, PathRate, path_rate
from core.systems.topology.survey import Pair, Survey, survey
from core.systems.topology.ultrametric import Strange, strange_triples

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
    "system_of",
]
