"""Where the ranks of a run sat, and on what machine they are to be judged."""

from dataclasses import dataclass, replace

from core.checks import InputError
from core.hardware import System
from core.measurement import Run
from core.systems import configure

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
    names = {gpu.name for gpu in run.machine.gpus if gpu.name}
    wanted = _model(system.gpu.name)
    strange = sorted(
        name for name in names if wanted and wanted not in name.upper().replace("-", " ").split()
    )
    return f"the log says {strange[0]}, the system has {system.gpu.name}" if strange else ""


def _model(name: str) -> str:
    """``H100`` from ``H100 SXM5 80GB``: the word that a driver's name must hold, if there is one."""
    words = [word.strip(",()") for word in name.upper().replace("-", " ").split()]
    return next(
        (word for word in words if any(c.isdigit() for c in word) and any(c.isalpha() for c in word)), ""
    )
