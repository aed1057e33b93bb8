"""How the ranks of a run map to the scale-up domains of a system."""

import re
from dataclasses import dataclass, replace

from core.catalog import GPUS
from core.checks import InputError
from core.hardware import Family, System, Topology
from core.measurement import Run
from core.measurement.bus_factor import bus_factor
from core.systems import configure
from core.verdict.cards import own_adapters, stand_in
from core.verdict.evidence import evidence_of
from core.verdict.links import scale_up_family

_MODEL = re.compile(r"[A-Z]{1,3}\d{1,4}[A-Z]{0,2}|\d{4}")
_ROUNDING_BYTES_PER_S = 1.5e7
"""Of both rates, which nccl-tests prints with two decimals."""
RACK_GPUS = 16
"""A scale-up domain of more GPUs than a node holds: hosts then say nothing about domains."""


@dataclass(frozen=True, slots=True)
class RankMapping:
    """
    The ranks of a run on a system.

    Attributes:
        system: The system with as many domains as the run needs.
        local_ranks: Ranks in each domain.
        domains: Domains with ranks in them.
        warnings: Remarks for people, such as a domain that is not full.
    """

    system: System
    local_ranks: int
    domains: int
    warnings: tuple[str, ...] = ()


def map_ranks(run: Run, system: System, ranks: int) -> RankMapping:
    """
    Map ranks to domains: by the hosts named or counted where a domain is a node, else domain by domain.

    Of racks the domains that were asked about count, where the hosts divide evenly among them.

    Raises:
        InputError: The ranks need several domains, and the system has no network.
    """
    hosts = len(run.machine.hosts) or evidence_of(run).nodes or 0
    local_ranks = min(ranks, system.domain_gpus)
    if hosts > 1 and ranks % hosts == 0 and system.domain_gpus < RACK_GPUS:
        local_ranks = min(local_ranks, ranks // hosts)
    elif _spread_over_racks(system, ranks, hosts):
        local_ranks = min(local_ranks, ranks // system.domains)
    domains = -(-ranks // local_ranks)
    if ranks % domains == 0:
        local_ranks = ranks // domains
    warnings: tuple[str, ...] = ()
    if local_ranks * domains != ranks:
        warnings = (f"{ranks} ranks do not fill {domains} domains evenly",)
    if domains > system.domains:
        system = with_domains(system, domains)
    return RankMapping(system, local_ranks, domains, warnings)


def _spread_over_racks(system: System, ranks: int, hosts: int) -> bool:
    """Whether the hosts of a run divide evenly among the racks asked about; hosts alone might be in one."""
    asked = system.domains > 1 and not system.yours
    return asked and hosts > 1 and hosts % system.domains == 0 and ranks % system.domains == 0


def with_ranks_of(run: Run, system: System) -> Run:
    """The run, as of all GPUs of the system where its log tells no ranks and its printed rates fit them."""
    factor = bus_factor(run.collective_or_guess, system.gpus) if run.collective_or_guess else None
    if run.ranks_or_guess is not None or factor is None:
        return run
    rates = [
        (sample.reported_algbw_bytes_per_s, sample.reported_busbw_bytes_per_s)
        for sample in run.samples
        if sample.reported_algbw_bytes_per_s and sample.reported_busbw_bytes_per_s
    ]
    algbw, busbw = max(rates, default=(0.0, 0.0))
    slack = _ROUNDING_BYTES_PER_S / algbw if algbw else 0.0
    fit = algbw > 0 and abs(busbw / algbw / factor - 1) <= slack
    return replace(run, ranks_guess=system.gpus) if fit else run


def with_domains(system: System, domains: int, nics: int | None = None) -> System:
    """
    The same system with more domains on its own network, or with fewer of its NICs in use.

    Raises:
        InputError: The system has no network.
    """
    scale_out = system.scale_out
    if scale_out is None and system.network is None:
        message = f"ranks: {domains} domains of {system.id} need a network: name one"
        raise InputError(message)
    oversubscription = scale_out.oversubscription if scale_out is not None else 1.0
    larger = configure(system, domains=domains, nics_per_domain=nics, oversubscription=oversubscription)
    return replace(larger, yours=system.yours)


def gpu_mismatch(run: Run, system: System) -> str:
    """
    A remark where the log names other GPUs than the system has; empty where they agree.

    Cards of a system on PCIe stand for each other where the slot of the log's is known and no slower:
    there the slot decides, not the GPU.
    """
    others = _others(run, system)
    if not others or all(_same_slot(name, system) for name in others):
        return ""
    return f"the log says {others[0]}, the system has {system.gpu.name}"


def gpu_remark(run: Run, system: System) -> str:
    """A remark where another card on the same slot, or the same GPU on another board, was measured."""
    if any(own_adapters(gpu.name) and gpu.name == system.name for gpu in run.machine.gpus):
        return ""
    others = _others(run, system)
    if not others and on_another_board(run, system):
        others = [gpu.name for gpu in run.machine.gpus if _board(gpu.name)]
    return f"the log says {others[0]}, the system has {system.gpu.name}" if others else ""


def on_another_board(run: Run, system: System) -> bool:
    """Whether the log's GPUs are cards by their names, and the system's are modules."""
    return "SXM" in system.gpu.name.upper() and any(_board(gpu.name) for gpu in run.machine.gpus)


def _others(run: Run, system: System) -> list[str]:
    """GPUs of the log of another model than the system's."""
    names = {gpu.name for gpu in run.machine.gpus if _gpu_model(gpu.name)}
    model = _gpu_model(system.gpu.name)
    return sorted(name for name in names if model and model not in _tokens(name))


def _same_slot(name: str, system: System) -> bool:
    """
    Whether a card of the catalog has the slot of this system's, or a newer one, and no link beside it.

    A card stands for one with the same bridge too.
    """
    if system.scale_up.topology is Topology.BRIDGE and stand_in(name, bridged=True) == system.gpu.id:
        return True
    if scale_up_family(system) is not Family.PCIE:
        return False
    model, card = _gpu_model(name), stand_in(name)
    slots = [gpu.pcie_link or "" for gpu in GPUS.values() if model == _gpu_model(gpu.name)]
    slots += [GPUS[card].pcie_link or ""] if card else []
    return any(slot >= (system.gpu.pcie_link or "~") for slot in slots)


def _board(name: str) -> str:
    """``NVL`` or ``PCIE`` where the name of a GPU says that it is a card, not a module."""
    return next((token for token in _tokens(name) if token in ("NVL", "PCIE")), "")


def _gpu_model(name: str) -> str:
    """``H100`` of ``H100 SXM5 80GB``, ``4090`` of ``GeForce RTX 4090``; empty where there is none."""
    return next((token for token in _tokens(name.partition("(")[0]) if _MODEL.fullmatch(token)), "")


def _tokens(name: str) -> list[str]:
    return [token.strip(",()") for token in name.upper().replace("-", " ").split()]
