"""Acceptance of a cluster: the runs of nodes, pairs and all to weak nodes, weak links, what to swap."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.measurement import Run
from core.measurement.bus_factor import bus_factor
from core.verdict.headline import headline
from core.verdict.reasons import LARGE_BYTES
from core.verdict.records import RunVerdict, Status

FAILED = (Status.LOW, Status.IMPOSSIBLE, Status.WRONG)
WEAK_SHARE = 0.9
"""A run below this share of the median of runs like it is weak, also where the model calls it fine."""
_PEERS_LEAST = 3
_PAIR = 2
_MOST_OF_PAIRS = 0.5


@dataclass(frozen=True, slots=True)
class Member:
    """
    One run of an acceptance.

    Attributes:
        name: Of its file.
        hosts: That took part; empty where the log names none.
        status, headline: The verdict.
        busbw_bytes_per_s: Best of its large sizes; None for copies.
        peer_share: Of the median of the runs like it, at the largest size that at least three of them
            have; None where there is none.
        weak: Failed, or behind its peers.
    """

    name: str
    hosts: tuple[str, ...]
    status: Status
    headline: str
    busbw_bytes_per_s: float | None
    peer_share: float | None
    weak: bool


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
    """

    members: tuple[Member, ...]
    weak_nodes: dict[str, tuple[str, ...]]
    weak_links: tuple[tuple[str, str], ...]
    unexplained: tuple[str, ...]
    swap: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Runs by verdict."""
        return dict(Counter(str(member.status) for member in self.members))


def accept(judged: Sequence[tuple[Run, RunVerdict]]) -> Acceptance:
    """What the verdicts on a cluster's runs say together: a node slow in most of its pairs is the cause."""
    members = _members(judged)
    weak = [member for member in members if member.weak]
    nodes: dict[str, list[str]] = defaultdict(list)
    for member in weak:
        if len(member.hosts) == 1:
            nodes[member.hosts[0]].append(member.name)
    pairs = [member for member in members if len(member.hosts) == _PAIR]
    links = _blame(pairs, nodes)
    groups = [
        member.name
        for member in weak
        if len(member.hosts) > _PAIR and not any(_explains(nodes, links, member.hosts))
    ]
    unnamed = [member.name for member in weak if not member.hosts]
    weak_nodes = {host: tuple(dict.fromkeys(names)) for host, names in nodes.items()}
    swap = _swap({host: len(names) for host, names in nodes.items()}, links, groups, unnamed)
    return Acceptance(members, weak_nodes, links, (*groups, *unnamed), swap)


def _members(judged: Sequence[tuple[Run, RunVerdict]]) -> tuple[Member, ...]:
    curves = [_busbw(verdict) for _, verdict in judged]
    peers: dict[tuple[object, ...], list[dict[int, float]]] = defaultdict(list)
    for (_, verdict), curve in zip(judged, curves, strict=True):
        peers[_kind(verdict)].append(curve)
    members = []
    for (run, verdict), curve in zip(judged, curves, strict=True):
        share = _peer_share(curve, peers[_kind(verdict)])
        weak = verdict.status in FAILED or (share is not None and share < WEAK_SHARE)
        best = max(curve.values(), default=None)
        hosts = run.machine.hosts
        members.append(Member(run.file, hosts, verdict.status, headline(verdict), best, share, weak))
    return tuple(members)


def _peer_share(curve: dict[int, float], peers: Sequence[dict[int, float]]) -> float | None:
    """Of the median of the peers, this one among them, at the largest size of it that enough of them have."""
    for size in sorted(curve, reverse=True):
        alike = [other[size] for other in peers if size in other]
        if len(alike) >= _PEERS_LEAST:
            return curve[size] / statistics.median(alike)
    return None


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


def _blame(pairs: Sequence[Member], nodes: dict[str, list[str]]) -> tuple[tuple[str, str], ...]:
    """Weak pairs put down to nodes weak with most partners, added to ``nodes``; the others are links."""
    partners = _partners(pairs)
    open_pairs = [pair for pair in pairs if pair.weak and not set(pair.hosts) & set(nodes)]
    while open_pairs:
        weak_partners = _partners(open_pairs)
        host = max(weak_partners, key=lambda name: len(weak_partners[name]))
        count = len(weak_partners[host])
        if count < _PAIR or count <= _MOST_OF_PAIRS * len(partners[host]):
            break
        nodes[host] += [pair.name for pair in open_pairs if host in pair.hosts]
        open_pairs = [pair for pair in open_pairs if host not in pair.hosts]
    return tuple(dict.fromkeys((pair.hosts[0], pair.hosts[1]) for pair in open_pairs))


def _partners(pairs: Sequence[Member]) -> dict[str, set[str]]:
    """The hosts that each host was paired with."""
    partners: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        first, second = pair.hosts
        partners[first].add(second)
        partners[second].add(first)
    return partners


def _explains(
    nodes: dict[str, list[str]], links: tuple[tuple[str, str], ...], hosts: tuple[str, ...]
) -> list[bool]:
    """Whether a weak node, or both ends of a weak link, took part in a run of many hosts."""
    return [host in nodes for host in hosts] + [set(link) <= set(hosts) for link in links]


def _swap(
    weak_runs: dict[str, int],
    links: tuple[tuple[str, str], ...],
    groups: Sequence[str],
    unnamed: Sequence[str],
) -> tuple[str, ...]:
    """What to do about each."""
    sentences = [
        f"{host}: take it out and run again ({count} weak {'run' if count == 1 else 'runs'}); "
        "look at its GPUs, NICs and cables"
        for host, count in weak_runs.items()
    ]
    sentences += [
        (
            f"{a} to {b}: run each with a node that is well; where both are well so, swap cable or port, "
            "or look at their route"
        )
        for a, b in links
    ]
    if groups:
        sentences.append(f"{', '.join(groups[:5])}: run every pair of these nodes to find the weak one")
    if unnamed:
        sentences.append(
            f"{', '.join(unnamed[:5])}: names no host; keep the lines `# Rank ... on HOST` of nccl-tests"
        )
    return tuple(sentences)
