"""What to do about the weak parts of a cluster, one sentence each."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.verdict.cluster_parts import Nodes
from core.verdict.member import Member


@dataclass(frozen=True, slots=True)
class Found:
    """What the runs of a cluster point at: nodes, links, other GPUs, runs that nothing explains or places."""

    members: Sequence[Member]
    nodes: Nodes
    links: Sequence[tuple[str, str]]
    other_gpus: dict[str, str]
    groups: Sequence[str]
    unnamed: Sequence[str]


def advice(found: Found) -> tuple[str, ...]:
    """Other GPUs, weak nodes, links, then what is open."""
    sentences = [
        f"{host}: holds {gpu}, the others do not: put in the GPU that was ordered, or judge it by itself"
        for host, gpu in found.other_gpus.items()
    ]
    sentences += [_of_node(host, names, found.members) for host, names in found.nodes.items()]
    sentences += [
        (
            f"{a} to {b}: run each with a node that is well; where both are well so, swap cable or port, "
            "or look at their route"
        )
        for a, b in found.links
    ]
    if found.groups:
        sentences.append(f"{', '.join(found.groups[:5])}: run every pair of these nodes to find the weak one")
    if found.unnamed:
        sentences.append(
            f"{', '.join(found.unnamed[:5])}: names no host; keep the lines `# Rank ... on HOST` of "
            "nccl-tests"
        )
    return tuple(sentences)


def _of_node(host: str, names: Sequence[str], members: Sequence[Member]) -> str:
    """Take the node out, and what of it to look at: what its own copies point at, else all."""
    of_it = [member for member in members if member.hosts == (host,) and member.weak and member.part]
    count = len(set(names))
    runs = f"{count} weak {'run' if count == 1 else 'runs'}"
    if of_it:
        return f"{host}: {of_it[0].part} ({runs})"
    return f"{host}: take it out and run again ({runs}); look at its GPUs, NICs and cables"
