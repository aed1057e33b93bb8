"""Enough domains for a job: the system grown to so many GPUs, its network as it is."""

from dataclasses import replace

from core.checks import count
from core.hardware import System
from core.systems import configure


def domains_for(system: System, gpus: int) -> int:
    """
    Scale-up domains that ``gpus`` GPUs of the system fill, the last one perhaps in part.

    Raises:
        InputError: A count below one.
    """
    return -(-count("gpus", gpus) // system.domain_gpus)


def grow_to(system: System, gpus: int) -> System:
    """
    The same system with as many domains as ``gpus`` need, never fewer than it has.

    Raises:
        InputError: Several domains of a system without a network, or a count below one.
    """
    domains = domains_for(system, gpus)
    if domains <= system.domains:
        return system
    return (
        configure(system, domains=domains) if system.scale_out is None else replace(system, domains=domains)
    )
