"""How often each cause was what made a run between nodes slow, before the run itself is looked at."""

from types import MappingProxyType

THREADS = MappingProxyType(
    {
        "no_gpudirect": 5.9,
        "tcp_sockets": 5.8,
        "pcie_path": 5.3,
        "fewer_nics": 5.0,
        "oversubscribed": 4.3,
        "nccl_version": 2.9,
        "slow_node": 2.8,
        "few_channels": 1.0,
        "forced_setting": 0.8,
    }
)
"""
Public threads on runs between nodes in which somebody established it, a part for each of several causes.

Of rounds 1 to 16 in docs/PROBE.md, each thread once, none of those kept for judging.
"""
_SCALE = 1.75
"""Of all priors between nodes together: those inside a node, where too few threads tell, are on it."""


def between_nodes(code: str) -> float:
    """Prior of a cause of a run between nodes."""
    return _SCALE * THREADS[code] / sum(THREADS.values())
