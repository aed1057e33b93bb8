"""Acceptance of a cluster: the runs of nodes, pairs and all to weak nodes, weak links, what to swap."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.measurement import Run
from core.measurement.bus_factor import bus_factor
from core.verdict.cluster_advice import Found, advice
from core.verdict.cluster_parts import blamed, explains, host_in_name, other_gpus
from core.verdict.headline import headline
from core.verdict.member import Member
from core.verdict.reasons import LARGE_BYTES
from core.verdict.records import RunVerdict, Status

__all__ = ["FAILED", "Acceptance", "Member", "accept"]

FAILED = (Status.LOW, Status.IMPOSSIBLE, Status.WRONG)
WEAK_SHARE = 0.9
"""A run below this share of the median of runs like it is weak, also where the model calls it fine."""
_PEERS_LEAST = 3
_PAIR = 2
_OF_A_PART = ("slow_gpu", "slow_link", "links_inactive", "pcie_path", "staged_copies")
"""Reasons of copies within a node whose words name the GPU, pair or link."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """
    The answer for a whole cluster.

    Attributes:
        members: Each run, in the order given.
        weak_nodes: Host to the names of the runs that show it.
        weak_links: Pairs of hosts whose nodes are well by their other runs.
        unexplained: Weak runs of more than two hosts that no weak node or link explains, and those
            whose log names no host.
        swap: What to do, one sentence each.
        other_gpus: Hosts with another GPU than the others, each with that GPU.
        hosts: All that took part, by name.
    """

    members: tuple[Member, ...]
    weak_nodes: dict[str, tuple[str, ...]]
    weak_links: tuple[tuple[str, str], ...]
    unexplained: tuple[str, ...]
    swap: tuple[str, ...]
    other_gpus: dict[str, str] = field(default_factory=dict)
    hosts: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Runs by verdict."""
        return dict(Counter(str(member.status) for member in self.members))

    @property
    def fine_nodes(self) -> int:
        """Hosts that nothing speaks against."""
        linked = {host for link in self.weak_links for host in link}
        return len(set(self.hosts) - set(self.weak_nodes) - set(self.other_gpus) - linked)


def accept(judged: Sequence[tuple[Run, RunVerdict]]) -> Acceptance:
    """What the verdicts on a cluster's runs say together: a node slow in most of its pairs is the cause."""
    members = _placed(_members(judged))
    nodes, links = blamed(members, lambda member: member.weak)
    weak = [member for member in members if member.weak]
    groups = [
        member.name
        for member in weak
        if len(member.hosts) > _PAIR and not explains(nodes, links, member.hosts)
    ]
    unnamed = [member.name for member in weak if not member.hosts]
    gpus = other_gpus(members)
    return Acceptance(
        members,
        {host: tuple(dict.fromkeys(names)) for host, names in nodes.items()},
        links,
        (*groups, *unnamed),
        advice(Found(members, nodes, links, gpus, groups, unnamed)),
        gpus,
        tuple(sorted({host for member in members for host in member.hosts})),
    )


def _placed(members: Sequence[Member]) -> tuple[Member, ...]:
    """The runs, those whose log names no host on the one that the name of their file holds."""
    hosts = frozenset(host for member in members for host in member.hosts)
    return tuple(
        member if member.hosts else replace(member, hosts=host_in_name(member.name, hosts))
        for member in members
    )


def _members(judged: Sequence[tuple[Run, RunVerdict]]) -> tuple[Member, ...]:
    curves = [_busbw(verdict) for _, verdict in judged]
    peers: dict[tuple[object, ...], list[dict[int, float]]] = defaultdict(list)
    for (_, verdict), curve in zip(judged, curves, strict=True):
        peers[_kind(verdict)].append(curve)
    typical = {kind: _typical(curves_of_it) for kind, curves_of_it in peers.items()}
    members = []
    for (run, verdict), curve in zip(judged, curves, strict=True):
        share = _peer_share(curve, typical[_kind(verdict)])
        weak = verdict.status in FAILED or (share is not None and share < WEAK_SHARE)
        members.append(
            Member(
                run.file,
                run.machine.hosts,
                verdict.status,
                headline(verdict),
                max(curve.values(), default=None),
                share,
                weak,
                _part(verdict),
                tuple(dict.fromkeys(gpu.name for gpu in run.machine.gpus)),
            )
        )
    return tuple(members)


def _part(verdict: RunVerdict) -> str:
    """What of a node slow copies point at."""
    low = verdict.status is Status.LOW and verdict.reason.code in _OF_A_PART and not verdict.sizes
    return verdict.reason.text if low else ""


def _typical(curves: Sequence[dict[int, float]]) -> dict[int, float]:
    """The median of runs alike at each size that enough of them have."""
    by_size: dict[int, list[float]] = defaultdict(list)
    for curve in curves:
        for size, rate in curve.items():
            by_size[size].append(rate)
    return {size: statistics.median(rates) for size, rates in by_size.items() if len(rates) >= _PEERS_LEAST}


def _peer_share(curve: dict[int, float], typical: dict[int, float]) -> float | None:
    """Of the median of the peers, this one among them, at the largest size of it that enough of them have."""
    shared = [size for size in curve if size in typical]
    return curve[max(shared)] / typical[max(shared)] if shared else None


def _kind(verdict: RunVerdict) -> tuple[object, ...]:
    """Runs of one kind are each other's peers."""
    return verdict.collective, verdict.ranks, verdict.local_ranks, verdict.domains


def _busbw(verdict: RunVerdict) -> dict[int, float]:
    """The best bus bandwidth of each large size, of all sizes where none is large; empty for copies."""
    factor = bus_factor(verdict.collective, verdict.ranks)
    if factor is None:
        return {}
    sizes = [size for size in verdict.sizes if size.time_s > 0 and size.size_bytes > 0]
    large = [size for size in sizes if size.size_bytes >= LARGE_BYTES] or sizes
    curve: dict[int, float] = {}
    for size in large:
        rate = factor * size.size_bytes / size.time_s
        curve[size.size_bytes] = max(rate, curve.get(size.size_bytes, 0.0))
    return curve
