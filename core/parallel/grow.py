"""Enough domains for a job: the system grown to so many GPUs, its network as it is."""

from dataclasses import replace

from core.checks import InputError, count
from core.hardware import System
from core.systems import configure
from core.systems.limits import MOST_DOMAINS


def domains_for(system: System, gpus: int) -> int:
    """
    Scale-up domains that ``gpus`` GPUs of the system fill, the last one perhaps in part.

    Raises:
        InputError: A count below one.
    """
    return -(-count("gpus", gpus) // system.domain_gpus)


def domains_needed(system: System, gpus: int) -> int:
    """
    As ``domains_for``, of a system that there can be.

    Raises:
        InputError: A count below one, or more GPUs than the most domains hold.
    """
    domains = domains_for(system, gpus)
    if domains > MOST_DOMAINS:
        message = f"gpus: at most {MOST_DOMAINS * system.domain_gpus:,} of {system.name}, not {gpus:,}"
        raise InputError(message)
    return domains


def grow_to(system: System, gpus: int) -> System:
    """
    The same system with as many domains as ``gpus`` need, never fewer than it has.

    Raises:
        InputError: Several domains of a system without a network, or a count that cannot be.
    """
    domains = domains_needed(system, gpus)
    if domains <= system.domains:
        return system
    return (
        configure(system, domains=domains) if system.scale_out is None else replace(system, domains=domains)
    )
