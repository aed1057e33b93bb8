"""The floor: the least time in which the links can carry the bytes that a collective must move."""

import numpy as np

from core.checks import Floats
from core.verdict.links import LinkRates


def floor_s(collective: str, size_bytes: Floats, local_ranks: int, domains: int, links: LinkRates) -> Floats:
    """
    Seconds below which a result cannot be true, whatever the algorithm.

    Inside a domain a GPU must send or receive what no other can do for it; between domains, a
    domain must send or receive what the others hold. An all-reduce with in-network reduction needs
    each byte once, without it 2(n-1)/n of them.

    Args:
        collective: Its name, such as ``all_reduce``.
        size_bytes: Message sizes as nccl-tests counts them.
        local_ranks: Ranks in each domain.
        domains: Domains with ranks in them.
        links: Unidirectional rates of those links.
    """
    inside = size_bytes * _gpu_share(collective, local_ranks, domains, links) / links.gpu_bytes_per_s
    if links.domain_bytes_per_s is None:
        return inside
    across = size_bytes * _domain_share(collective, local_ranks, domains) / links.domain_bytes_per_s
    floors: Floats = np.maximum(inside, across)
    return floors


def _gpu_share(collective: str, local_ranks: int, domains: int, links: LinkRates) -> float:
    """Bytes that a GPU moves at least over the links of its domain, in message sizes."""
    if local_ranks < 2:  # noqa: PLR2004 (alone in its domain)
        return 0.0
    if collective == "all_reduce":
        once = links.in_network_reduction or domains > 1
        return 1.0 if once else 2 * (local_ranks - 1) / local_ranks
    if collective in ("all_to_all", "all_gather", "reduce_scatter"):
        return (local_ranks - 1) / (local_ranks * domains)
    return 1.0 if domains == 1 else 0.0


def _domain_share(collective: str, local_ranks: int, domains: int) -> float:
    """Bytes that a domain sends or receives at least, in message sizes."""
    if collective == "all_to_all":
        return local_ranks * (domains - 1) / domains
    if collective in ("all_gather", "reduce_scatter"):
        return (domains - 1) / domains
    return 1.0
