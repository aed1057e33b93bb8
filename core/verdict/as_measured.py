"""The system that a log shows where the one it is compared with has other GPUs."""

from collections.abc import Sequence
from dataclasses import replace

from core.catalog import SYSTEMS
from core.checks import InputError
from core.hardware import System
from core.measurement import Run
from core.systems import configure
from core.verdict.log_gpu import alike, gpu_id
from core.verdict.ranks import gpu_mismatch, on_another_board
from core.verdict.recognition import system_of_file, with_stated_nics
from core.verdict.system_match import SystemMatch


def as_measured(runs: Sequence[Run], system: System) -> SystemMatch | None:
    """
    The system of the GPUs that a file names, where the catalog's that was named has others.

    Domains, network and NICs that the named system was given stay. None where the GPUs agree, where the log
    names none or several, and of a system of your own: what its owner states is not doubted.

    Args:
        runs: Of one file.
        system: The system named, as configured.
    """
    named = [run for run in runs if run.machine.gpus]
    base = SYSTEMS.get(system.id)
    if base is None or system.yours or len({gpu.name for run in named for gpu in run.machine.gpus}) != 1:
        return None
    run = max(named, key=lambda item: item.ranks or 0)
    if not (_another_gpu(run, runs, system) or _outgrown(run, system)):
        return None
    match = system_of_file(runs, _network(system, base))
    measured = _with_cluster(match.system, system, base) if match.system is not None else None
    if measured is None:
        return None
    name, board = run.machine.gpus[0].name, f"{system.gpu.name} of {system.name}"
    return SystemMatch(measured, f"the log says {name}, not the {board}; {match.remark}")


def _another_gpu(run: Run, runs: Sequence[Run], system: System) -> bool:
    """
    Whether the log's GPU is not the system's, nor a card that stands for it on the same slot.

    A card in place of a module of its name is, but where ``topo -m`` beside it tells how its GPUs are joined.
    """
    own = gpu_id(run)
    if gpu_mismatch(run, system):
        return True
    if own is None:
        return on_another_board(run, system) and not _shows_paths(runs)
    return own not in alike(system.gpu.id) and not _shows_paths(runs)


def _shows_paths(runs: Sequence[Run]) -> bool:
    return any(matrix.kind == "topology" for run in runs for matrix in run.matrices)


def _outgrown(run: Run, system: System) -> bool:
    """Whether one host holds more GPUs than a system without a network."""
    alone = len(run.machine.hosts) == 1 and system.network is None
    return alone and (run.ranks or 0) > system.domain_gpus * system.domains


def _network(system: System, base: System) -> str | None:
    """The network that was named with the system: its own too where it was given several domains."""
    return system.network if system.network != base.network or system.domains > 1 else None


def _with_cluster(found: System, system: System, base: System) -> System | None:
    """The system found, with what the named one was given beside its entry; None where it has no room."""
    network = _network(system, base)
    nics = (
        system.nics_per_domain
        if system.network != base.network or system.nics_per_domain != base.nics_per_domain
        else None
    )
    domains = max(found.domains, system.domains)
    ratio = system.scale_out.oversubscription if system.scale_out is not None else 1.0
    if domains == 1 and found.network is None:
        return found
    try:
        answer = configure(
            found, domains=domains, network=network, nics_per_domain=nics, oversubscription=ratio
        )
    except InputError:
        return None
    answer = replace(answer, unverified=answer.unverified or found.unverified)
    return with_stated_nics(answer) if nics is not None else answer
