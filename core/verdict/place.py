"""Where the ranks of a run sat, and on what machine they are to be judged."""

import re
from dataclasses import dataclass, replace

from core.checks import InputError
from core.hardware import System
from core.measurement import Run
from core.systems import configure

_MODEL = re.compile(r"[A-Z]{1,3}\d{1,4}[A-Z]{0,2}|\d{4}")
_RACK_GPUS = 16
"""A scale-up domain of more GPUs than a node holds: hosts then say nothing about domains."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The system with as many domains as the run needs, and the ranks in each."""

    system: System
    local_ranks: int
    domains: int
    remarks: tuple[str, ...] = ()


def seat(run: Run, system: System, ranks: int) -> Seat:
    """
    Seat the ranks: by the hosts that the run names where a domain is a node, else domain by domain.

    Raises:
        InputError: More ranks than the machine can have.
    """
    hosts = len(run.machine.hosts)
    local = min(ranks, system.domain_gpus)
    remarks: tuple[str, ...] = ()
    if hosts > 1 and ranks % hosts == 0 and system.domain_gpus < _RACK_GPUS:
        local = min(local, ranks // hosts)
    domains = -(-ranks // local)
    if local * domains != ranks:
        remarks = (f"{ranks} ranks do not fill {domains} domains evenly",)
    if domains > system.domains:
        system = grown(system, domains)
    return Seat(system, local, domains, remarks)


def grown(system: System, domains: int, nics: int | None = None) -> System:
    """The same machine with more domains on its own network, or with fewer of its NICs at work."""
    leaf = system.scale_out
    if leaf is None and system.network is None:
        message = f"ranks: {domains} domains of {system.id} need a network: name one"
        raise InputError(message)
    ratio = leaf.oversubscription if leaf is not None else 1.0
    wanted = configure(system, domains=domains, nics_per_domain=nics, oversubscription=ratio)
    return replace(wanted, yours=system.yours)


def other_gpu(run: Run, system: System) -> str:
    """A remark where the log names other GPUs than the system has; empty where they agree."""
    names = {gpu.name for gpu in run.machine.gpus if _model(gpu.name)}
    wanted = _model(system.gpu.name)
    strange = sorted(name for name in names if wanted and wanted not in _words(name))
    return f"the log says {strange[0]}, the system has {system.gpu.name}" if strange else ""


def _model(name: str) -> str:
    """``H100`` of ``H100 SXM5 80GB``, ``4090`` of ``GeForce RTX 4090``: its own word, if there is one."""
    return next((word for word in _words(name.partition("(")[0]) if _MODEL.fullmatch(word)), "")


def _words(name: str) -> list[str]:
    return [word.strip(",()") for word in name.upper().replace("-", " ").split()]
