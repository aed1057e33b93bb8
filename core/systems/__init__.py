"""Systems in use: configure one, spread ranks over it, ask what a hop of it is worth."""

from core.systems.configure import NETWORKS, configure
from core.systems.cube_mesh import Route, route
from core.systems.custom import custom_gpu, custom_system
from core.systems.hops import hop_for, outer_hop, split
from core.systems.system_file import read_system, system_json

__all__ = [
    "NETWORKS",
    "Route",
    "configure",
    "custom_gpu",
    "custom_system",
    "hop_for",
    "outer_hop",
    "read_system",
    "route",
    "split",
    "system_json",
]
