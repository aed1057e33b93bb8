"""Systems in use: configure one, state a custom one, spread ranks over it, ask what a hop of it is worth."""

from core.systems.configure import NETWORKS, configure
from core.systems.cube_mesh import Route, route
from core.systems.custom import CustomSystem, custom_system
from core.systems.custom_domain import DomainSpec
from core.systems.custom_gpu import custom_gpu
from core.systems.custom_network import NetworkSpec
from core.systems.hops import hop_for, outer_hop, split
from core.systems.scale_up import ScaleUpPath, scale_up_path
from core.systems.system_file import read_system, system_json

__all__ = [
    "NETWORKS",
    "CustomSystem",
    "DomainSpec",
    "NetworkSpec",
    "Route",
    "ScaleUpPath",
    "configure",
    "custom_gpu",
    "custom_system",
    "hop_for",
    "outer_hop",
    "read_system",
    "route",
    "scale_up_path",
    "split",
    "system_json",
]
