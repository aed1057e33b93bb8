"""Enough domains for a job: the machine grown to so many GPUs, its network as it is."""

from dataclasses import replace

from core.checks import count
from core.hardware import System
from core.systems import configure


def enough(system: System, gpus: int) -> System:
    """
    The same machine with as many domains as ``gpus`` need, never fewer than it has.

    Raises:
        InputError: Several domains of a machine without a network, or a count that is none.
    """
    needed = -(-count("gpus", gpus) // system.domain_gpus)
    if needed <= system.domains:
        return system
    return configure(system, domains=needed) if system.scale_out is None else replace(system, domains=needed)
