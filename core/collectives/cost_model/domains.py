"""Which domain constants answer a question, and what that answer rests on."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.catalog.calibrations.shapes import DomainKind, DomainSet
from core.collectives.cost_model.basis import Basis, Support, calibrated, extrapolated
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.generations import mean_generation
from core.collectives.cost_model.one_domain import ONLY_RANKS
from core.hardware import Architecture

SAME_RATE = 0.02
"""Up to this difference a link counts as one of those measured."""


@dataclass(frozen=True, slots=True)
class DomainConstants:
    """
    The constants for a kind of domain.

    Attributes:
        own: They were measured on this architecture (PCIe: on this GPU).
    """

    constants: DomainSet
    basis: Basis
    own: bool


def domain_for(comm: Communicator, domains: Mapping[str, DomainSet]) -> DomainConstants:
    """The constants for a kind of domain: its own, or the mean of those measured."""
    constants, own = _nearest(comm, [item for item in domains.values() if item.kind is comm.kind])
    if comm.rate_given:
        return DomainConstants(
            constants, Basis(Support.PARTS, f"link rate with the steps of {constants.name}"), own
        )
    same_rate = abs(comm.link_bytes_per_s / constants.link_bytes_per_s - 1) < SAME_RATE
    measured = own and comm.catalogued and comm.own_link and comm.usual_switching
    if measured and (same_rate or comm.kind is DomainKind.PCIE):
        return DomainConstants(constants, calibrated(constants.name), own)
    return DomainConstants(constants, extrapolated(constants.name), own)


def _nearest(comm: Communicator, sets: list[DomainSet]) -> tuple[DomainSet, bool]:
    if comm.kind is DomainKind.PCIE:
        constants = next(item for item in sets if item.peer_to_peer is comm.peer_to_peer)
        return constants, comm.setting.gpu in constants.measured_on
    by_architecture = {item.architecture: item for item in sets if item.architecture is not None}
    if comm.architecture in by_architecture:
        return by_architecture[comm.architecture], True
    typical = {key: item for key, item in by_architecture.items() if item.name not in ONLY_RANKS}
    nearest = comm.architecture.nearest(typical) or middle(typical)
    return mean_generation(typical[nearest], tuple(typical.values())), False


def middle(architectures: Mapping[Architecture, DomainSet]) -> Architecture:
    """The middle architecture in years: it stands for one of whose vendor none was measured."""
    ordered = sorted(architectures, key=lambda item: item.year)
    return ordered[len(ordered) // 2]
