"""Which node, link or GPU the runs of a cluster point at together."""

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import islice

from core.verdict.member import Member

_PAIR = 2
_MOST_OF_PAIRS = 0.5
_SEPARATOR = re.compile(r"[-_. ]")
_MOST_SEPARATORS = 24
"""Of a file's name; one with more is nobody's, and all its parts together would be long."""

Nodes = dict[str, list[str]]
"""Host to the names of the runs that show it."""


def blamed(
    members: Sequence[Member], shows: Callable[[Member], bool]
) -> tuple[Nodes, tuple[tuple[str, str], ...]]:
    """
    Hosts that show something alone or with most of their partners, and pairs of others that show it.

    Args:
        members: The runs.
        shows: Whether a run shows it: it is weak, or names another GPU.
    """
    nodes: Nodes = defaultdict(list)
    for member in members:
        if len(member.hosts) == 1 and shows(member):
            nodes[member.hosts[0]].append(member.name)
    pairs = [member for member in members if len(member.hosts) == _PAIR]
    return nodes, _links(pairs, nodes, shows)


def _links(
    pairs: Sequence[Member], nodes: Nodes, shows: Callable[[Member], bool]
) -> tuple[tuple[str, str], ...]:
    """Pairs put down to nodes that show it with most partners, added to ``nodes``; the others are links."""
    partners = _partners(pairs)
    open_pairs = [pair for pair in pairs if shows(pair) and not set(pair.hosts) & set(nodes)]
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


def other_gpus(members: Sequence[Member]) -> dict[str, str]:
    """Hosts with another GPU than most runs name, each with that GPU."""
    names = Counter(name for member in members for name in set(member.gpus))
    if len(names) < _PAIR:
        return {}
    usual = names.most_common(1)[0][0]

    def is_odd(member: Member) -> bool:
        return any(name != usual for name in member.gpus)

    hosts, _ = blamed(members, is_odd)
    found = {}
    for host in hosts:
        odd = [name for member in members if host in member.hosts for name in member.gpus if name != usual]
        found[host] = statistics.mode(odd)
    return found


def host_in_name(file: str, hosts: frozenset[str]) -> tuple[str, ...]:
    """The one host of the cluster that a file's name holds as a word; empty where it is none or several."""
    base = file.rpartition("/")[2]
    separators = [match.span() for match in islice(_SEPARATOR.finditer(base), _MOST_SEPARATORS + 1)]
    if len(separators) > _MOST_SEPARATORS:
        return ()
    edges = [0, *(at for span in separators for at in span), len(base)]
    parts = {base[first:last] for first in edges[::2] for last in edges[1::2] if first < last}
    named = parts & hosts
    whole = [host for host in named if not any(host != other and host in other for other in named)]
    return tuple(whole) if len(whole) == 1 else ()


def explains(nodes: Nodes, links: Sequence[tuple[str, str]], hosts: Sequence[str]) -> bool:
    """Whether a weak node, or both ends of a weak link, took part in a run of many hosts."""
    took_part = set(hosts)
    return bool(took_part & set(nodes)) or any(set(link) <= took_part for link in links)
