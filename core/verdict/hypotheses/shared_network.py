"""The network between the nodes: oversubscribed, congested, misrouted; or one node that holds all up."""

import re

import numpy as np

from core.verdict.hypotheses.case import SOME, STRONG, Case, Hypothesis
from core.verdict.records import NextTest, Reason

_COLLAPSE = 0.9
"""Of the best bus bandwidth, what the largest size has where packets are lost: healthy rates never fall."""
_PAIR, _MANY = 2, 8
_FAULT = re.compile(
    r"(?i)async (?:fatal )?event|port error|retry count|retries exceeded|link (?:is )?down|error: 12\b"
)
"""Of a warning: a port went down or messages had to be sent again."""
_NETWORK_TEST = NextTest(
    "<command> on two nodes of one leaf, then on two of different leaves; ib_write_bw "
    "between them; perfquery -x",
    "full rate inside a leaf and less across: uplinks or routing (adaptive routing, ECMP); "
    "xmit_wait, CNP or pause counters that rise: congestion",
    "two nodes of one leaf, then of two",
)
_NODE_TEST = NextTest(
    "python -m gpu_probe accept PAIR_*.log   (two-node runs of every pair of nodes)",
    "every pair with one node slow: that node; one pair slow: its path",
    "every pair of nodes",
)


def oversubscribed(case: Case) -> list[Hypothesis]:
    """Any factor between more than two nodes; a rate that falls with size points at lost packets."""
    if not case.several_nodes:
        return []
    ln_lines = SOME if _collapses(case) else 0.0
    prior = 0.07 if case.ranks.domains == _PAIR else 0.14 if case.ranks.domains < _MANY else 0.25
    text = "the network is oversubscribed, congested or misrouted (adaptive routing, ECMP, PFC)"
    reason = Reason("oversubscribed", text, "network oversubscribed, congested or misrouted")
    return [Hypothesis(reason, prior, None, 0.0, _NETWORK_TEST, ln_lines)]


def _collapses(case: Case) -> bool:
    """Whether the largest size has a lower bus bandwidth than a smaller one."""
    busbw = case.size_bytes / case.times_s
    return float(busbw[int(np.argmax(case.size_bytes))]) < _COLLAPSE * float(busbw.max())


def slow_node(case: Case) -> list[Hypothesis]:
    """One node, NIC or cable slows every ring that passes it, by any factor."""
    if not case.several_nodes:
        return []
    prior = 0.06 if case.ranks.domains == _PAIR else 0.1
    faults = case.evidence.warned(_FAULT)
    what = "a port or cable with errors" if faults else "one slow node, NIC or cable"
    reason = Reason("slow_node", f"{what} holds all others up", "one slow node or link")
    return [Hypothesis(reason, prior, None, 0.0, _NODE_TEST, STRONG if faults else 0.0, faults)]
