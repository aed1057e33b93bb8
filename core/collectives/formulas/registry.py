"""Every algorithm in one list: what it is called, its formula, its bytes and where it comes from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from core.catalog.sources import cite
from core.collectives.formulas import direct, in_switch, railed, ring, tree, two_level
from core.collectives.formulas.cost import Cost
from core.provenance import Source

DERIVATION = Source(
    key="model",
    title="Collectives: where each formula comes from",
    where="docs/MODEL-COLLECTIVES.md",
    date="2026-11",
)
NCCL_TUNING, ML_NETWORK = cite("nccl-tuning", "ml-network")


@dataclass(frozen=True, slots=True)
class Algorithm:
    """
    One way to run one collective.

    Attributes:
        name: As users ask for it: ``ring``, ``two-level`` ...
        shown: As an answer calls it: a ring over several domains is still a ``ring``.
        function: ``f(size_bytes, ranks, hop)`` on one level, ``f(size_bytes, local_ranks, domains,
            inner, outer)`` on two; returns a ``Cost``.
        wire_factor: Bytes that a GPU sends (or receives, if more) per byte of size: of ``ranks`` on
            one level, of ``(local_ranks, domains)`` on two.
        levels: 1 or 2.
        in_network: True where switches must be able to add.
    """

    name: str
    collective: str
    function: Callable[..., Cost]
    formula_latex: str
    source: Source
    levels: int
    wire_factor: Callable[..., float]
    in_network: bool = False
    shown: str = ""

    @property
    def word(self) -> str:
        """What an answer calls it."""
        return self.shown or self.name


def _rounds(count: int) -> Callable[[int], float]:
    return lambda n: count * (n - 1) / n


def _one(n: int) -> float:
    return 1.0 if n > 1 else 0.0


def _over_all(one_level: Callable[[int], float]) -> Callable[[int, int], float]:
    """Levels that share the work send together what one level of all ranks would."""
    return lambda local_ranks, domains: one_level(local_ranks * domains)


def _railed_tree(local_ranks: int, domains: int) -> float:
    across = float(tree.tree_factor(domains)) / local_ranks
    return float(tree.tree_factor(local_ranks)) + across


def _two_level_tree(local_ranks: int, domains: int) -> float:
    return 2 * (local_ranks - 1) / local_ranks + float(tree.tree_factor(domains)) / local_ranks


_tree_across = partial(two_level.two_level_all_reduce, across="tree")


def _sharp(local_ranks: int, domains: int) -> float:
    return 2 * (local_ranks - 1) / local_ranks + _one(domains) / local_ranks


def _nvls_sharp(local_ranks: int, domains: int) -> float:
    inside = float(in_switch.in_switch_factor(local_ranks)) if local_ranks > 1 else 0.0
    return inside + _one(domains) / local_ranks


RING_2 = r"T = 2(n-1)\,a + \frac{2(n-1)}{n}\,\frac{M}{B}"
RING_1 = r"T = (n-1)\,a + \frac{n-1}{n}\,\frac{M}{B}"
DIRECT = r"T = a + \frac{n-1}{n}\,\frac{M}{B}"
CHAIN = r"T = (n-1)\,a + \frac{M}{B}"
TREE_1 = r"T = \lceil \log_2 n \rceil\,a + \frac{M}{B}"
TREE_2 = r"T = 2\lceil \log_2 n \rceil\,a + k_n\,\frac{M}{B},\quad k_2 = 1,\; k_{n \ge 3} = 2"
NVLS_2 = r"T = a + \frac{n+1}{n}\,\frac{M}{\eta B}"
NVLS_1 = r"T = a + \frac{n-1}{n}\,\frac{M}{\eta B}"
ONE_SHOT = r"T = a + (n-1)\,\frac{M}{B}"
TWO_SHOT = r"T = 2a + \frac{2(n-1)}{n}\,\frac{M}{B}"
PAIR = r"T = a + \frac{M}{B}"

LEVELS_2 = (
    r"T = \mathrm{RS}_l(M; B_1, a_1) + \mathrm{AR}_N\!\left(\tfrac{M}{l}; B_2, a_2\right)"
    r" + \mathrm{AG}_l(M; B_1, a_1)"
)
PIPELINED_2 = (
    r"T = 2(l-1)\,a_1 + 2(N-1)\,a_2"
    r" + \max\!\left(\frac{2(l-1)}{l}\frac{M}{B_1}, \frac{2(N-1)}{N}\frac{M}{l B_2}\right)"
)
LEVELS_1 = r"T = \mathrm{AG}_N\!\left(\tfrac{M}{l}; B_2, a_2\right) + \mathrm{AG}_l(M; B_1, a_1)"
PIPELINED_1 = (
    r"T = (l-1)\,a_1 + (N-1)\,a_2"
    r" + \max\!\left(\frac{l-1}{l}\frac{M}{B_1}, \frac{N-1}{N}\frac{M}{l B_2}\right)"
)
LEVELS_B = r"T = (N-1)\,a_2 + \frac{M}{l B_2} + \mathrm{AG}_l(M; B_1, a_1)"
PIPELINED_B = r"T = (N-1)\,a_2 + (l-1)\,a_1 + \max\!\left(\frac{M}{l B_2}, \frac{l-1}{l}\frac{M}{B_1}\right)"
RAILED_2 = r"T = 2(n-1)\,\bar a + \frac{2(n-1)}{n}\,\frac{M}{\min(B_1, l B_2)}"
RAILED_1 = r"T = (n-1)\,\bar a + \frac{n-1}{n}\,\frac{M}{\min(B_1, l B_2)}"
RAILED_CHAIN = r"T = (n-1)\,\bar a + \frac{M}{\min(B_1, l B_2)}"
RAILED_TREE = (
    r"T = 2(l-1)\,a_1 + 2\lceil \log_2 N \rceil\,a_2"
    r" + \max\!\left(k_l \frac{M}{B_1}, k_N \frac{M}{l B_2}\right)"
)
NVLS_TREE = (
    r"T = a_1 + 2\lceil \log_2 N \rceil\,a_2"
    r" + \max\!\left(\frac{l+1}{l}\frac{M}{B_1}, k_N \frac{M}{l B_2}\right)"
)
SHARP = r"T = \mathrm{RS}_l(M; B_1, a_1) + a_2 + \frac{M}{l B_2} + \mathrm{AG}_l(M; B_1, a_1)"
SHARP_PIPELINED = r"T = 2(l-1)\,a_1 + a_2 + \max\!\left(\frac{2(l-1)}{l}\frac{M}{B_1}, \frac{M}{l B_2}\right)"
NVLS_SHARP = r"T = a_1 + a_2 + \max\!\left(\frac{l+1}{l}\frac{M}{B_1}, \frac{M}{l B_2}\right)"
EXCHANGE = r"T = a_1 + a_2 + \max\!\left(\frac{l-1}{n}\frac{M}{B_1}, \frac{n-l}{n}\frac{M}{B_2}\right)"
SLOWEST_PAIR = r"T = \max(a_1, a_2) + \frac{M}{\min(B_1, B_2)}"

_F, _N, _M = DERIVATION, NCCL_TUNING, ML_NETWORK
_AR, _AG, _RS = "all_reduce", "all_gather", "reduce_scatter"
_2, _1 = _rounds(2), _rounds(1)

ONE_LEVEL = (
    Algorithm("ring", _AR, ring.ring_all_reduce, RING_2, _N, 1, _2),
    Algorithm("tree", _AR, tree.tree_all_reduce, TREE_2, _N, 1, lambda n: float(tree.tree_factor(n))),
    Algorithm("nvls", _AR, in_switch.nvls_all_reduce, NVLS_2, _M, 1, lambda n: (n + 1) / n, in_network=True),
    Algorithm("one-shot", _AR, direct.one_shot_all_reduce, ONE_SHOT, _F, 1, lambda n: n - 1.0),
    Algorithm("two-shot", _AR, direct.two_shot_all_reduce, TWO_SHOT, _F, 1, _2),
    Algorithm("ring", _AG, ring.ring_all_gather, RING_1, _N, 1, _1),
    Algorithm("direct", _AG, direct.direct_all_gather, DIRECT, _F, 1, _1),
    Algorithm("nvls", _AG, in_switch.nvls_all_gather, NVLS_1, _F, 1, _1, in_network=True),
    Algorithm("ring", _RS, ring.ring_reduce_scatter, RING_1, _N, 1, _1),
    Algorithm("direct", _RS, direct.direct_reduce_scatter, DIRECT, _F, 1, _1),
    Algorithm("nvls", _RS, in_switch.nvls_reduce_scatter, NVLS_1, _F, 1, _1, in_network=True),
    Algorithm("direct", "all_to_all", direct.direct_all_to_all, DIRECT, _F, 1, _1),
    Algorithm("ring", "broadcast", ring.chain_broadcast, CHAIN, _N, 1, _one),
    Algorithm("tree", "broadcast", tree.tree_broadcast, TREE_1, _F, 1, _one),
    Algorithm("ring", "reduce", ring.chain_reduce, CHAIN, _N, 1, _one),
    Algorithm("tree", "reduce", tree.tree_reduce, TREE_1, _F, 1, _one),
    Algorithm("direct", "send_recv", direct.send_recv, PAIR, _F, 1, _one),
)

TWO_LEVEL = (
    Algorithm("two-level", _AR, two_level.two_level_all_reduce, LEVELS_2, _F, 2, _over_all(_2)),
    Algorithm("two-level-tree", _AR, _tree_across, LEVELS_2, _F, 2, _two_level_tree),
    Algorithm("two-level-pipelined", _AR, two_level.pipelined_all_reduce, PIPELINED_2, _F, 2, _over_all(_2)),
    Algorithm(
        "railed-ring", _AR, railed.railed_ring_all_reduce, RAILED_2, _N, 2, _over_all(_2), shown="ring"
    ),
    Algorithm(
        "railed-tree", _AR, railed.railed_tree_all_reduce, RAILED_TREE, _N, 2, _railed_tree, shown="tree"
    ),
    Algorithm(
        "nvlstree",
        _AR,
        railed.nvlstree_all_reduce,
        NVLS_TREE,
        _N,
        2,
        railed.nvlstree_factor,
        in_network=True,
    ),
    Algorithm("sharp", _AR, railed.sharp_all_reduce, SHARP, _F, 2, _sharp, in_network=True),
    Algorithm(
        "sharp-pipelined",
        _AR,
        railed.pipelined_sharp_all_reduce,
        SHARP_PIPELINED,
        _F,
        2,
        _sharp,
        in_network=True,
    ),
    Algorithm(
        "nvls-sharp", _AR, railed.nvls_sharp_all_reduce, NVLS_SHARP, _F, 2, _nvls_sharp, in_network=True
    ),
    Algorithm("two-level", _AG, two_level.two_level_all_gather, LEVELS_1, _F, 2, _over_all(_1)),
    Algorithm("two-level-pipelined", _AG, two_level.pipelined_all_gather, PIPELINED_1, _F, 2, _over_all(_1)),
    Algorithm(
        "railed-ring", _AG, railed.railed_ring_all_gather, RAILED_1, _N, 2, _over_all(_1), shown="ring"
    ),
    Algorithm("two-level", _RS, two_level.two_level_reduce_scatter, LEVELS_1, _F, 2, _over_all(_1)),
    Algorithm(
        "two-level-pipelined", _RS, two_level.pipelined_reduce_scatter, PIPELINED_1, _F, 2, _over_all(_1)
    ),
    Algorithm(
        "railed-ring", _RS, railed.railed_ring_reduce_scatter, RAILED_1, _N, 2, _over_all(_1), shown="ring"
    ),
    Algorithm(
        "two-level",
        "all_to_all",
        railed.two_level_all_to_all,
        EXCHANGE,
        _F,
        2,
        _over_all(_1),
        shown="direct",
    ),
    Algorithm("two-level", "broadcast", two_level.two_level_broadcast, LEVELS_B, _F, 2, _over_all(_one)),
    Algorithm(
        "two-level-pipelined", "broadcast", two_level.pipelined_broadcast, PIPELINED_B, _F, 2, _over_all(_one)
    ),
    Algorithm(
        "railed-ring",
        "broadcast",
        railed.railed_chain_broadcast,
        RAILED_CHAIN,
        _N,
        2,
        _over_all(_one),
        shown="ring",
    ),
    Algorithm("two-level", "reduce", two_level.two_level_reduce, LEVELS_B, _F, 2, _over_all(_one)),
    Algorithm(
        "two-level-pipelined", "reduce", two_level.pipelined_reduce, PIPELINED_B, _F, 2, _over_all(_one)
    ),
    Algorithm(
        "railed-ring",
        "reduce",
        railed.railed_chain_reduce,
        RAILED_CHAIN,
        _N,
        2,
        _over_all(_one),
        shown="ring",
    ),
    Algorithm(
        "two-level",
        "send_recv",
        railed.two_level_send_recv,
        SLOWEST_PAIR,
        _F,
        2,
        _over_all(_one),
        shown="direct",
    ),
)

ALGORITHMS: Mapping[tuple[str, str], Algorithm] = MappingProxyType(
    {(item.collective, item.name): item for item in (*ONE_LEVEL, *TWO_LEVEL)}
)
