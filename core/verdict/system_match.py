"""The system that a log describes, and what its lines tell of its nodes."""

from dataclasses import dataclass

from core.hardware import System
from core.verdict.log_network import NetworkMatch


@dataclass(frozen=True, slots=True)
class SystemMatch:
    """The system that a log describes, and what had to be assumed; None with the reason."""

    system: System | None
    remark: str


@dataclass(frozen=True, slots=True)
class Nodes:
    """What a log tells of its nodes: GPU, GPUs of each, how many there are, their network and NICs."""

    gpu: str
    local: int
    hosts: int
    network: NetworkMatch
    nics: int | None
    shown: int | None
