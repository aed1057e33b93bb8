"""The network between the nodes: oversubscribed, congested, misrouted; or one node that holds all up."""

import re

import numpy as np

from core.units import GIGABIT_BYTES, whole_percent
from core.verdict.hypotheses.case import AGAINST, CERTAIN, SOME, STRONG, Case, Hypothesis
from core.verdict.hypotheses.frequencies import between_nodes
from core.verdict.records import NextTest, Reason

_COLLAPSE, _FALL = 0.85, 0.7
"""Of the best bus bandwidth, what the largest sizes have where packets are lost: healthy rates never fall."""
_LOSS = 0.5
"""Below it a fall with size is that of lost packets, and of no path inside a node."""
_LOSS_FACTOR_LN = float(np.log(100.0))
"""That lost packets may slow a run down by: a rate that collapses may collapse to a hundredth."""
_PAIR, _MANY = 2, 8
_OF_A_PAIR, _OF_MANY = 1 / 3, 1.5
"""Of the prior: two nodes mostly share a leaf of the network; of many some do not."""
_SOUND_SHARE = 0.8
"""Of a port's rate, what a perftest of sound cables and NICs reaches at least."""
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
    drop = case.kept_share
    signs = ((_LOSS, CERTAIN), (_FALL, STRONG), (_COLLAPSE, SOME))
    ln_lines = next((ln for most, ln in signs if drop < most), 0.0)
    if _sound_on_fewer_nodes(case):
        ln_lines += STRONG
    if sound_ports(case):
        ln_lines += AGAINST / 4
    code = "oversubscribed"
    share = _OF_A_PAIR if case.ranks.domains == _PAIR else 1.0 if case.ranks.domains < _MANY else _OF_MANY
    prior = share * between_nodes(code)
    text = "the network is oversubscribed, congested or misrouted (adaptive routing, ECMP, PFC)"
    if drop < _LOSS:
        text += f": bus bandwidth falls to {whole_percent(drop)} as sizes grow, as where packets are lost"
    reason = Reason(code, text, "network oversubscribed, congested or misrouted")
    lines = case.evidence.quote("fewer_nodes") or case.evidence.quote("as_many_nodes")
    most = _LOSS_FACTOR_LN if drop < _LOSS else 0.0
    return [Hypothesis(reason, prior, None, most, _NETWORK_TEST, ln_lines, lines)]


def _sound_on_fewer_nodes(case: Case) -> bool:
    """Whether a run of fewer nodes in the same file is as expected: then nodes and NICs are sound."""
    return bool(case.evidence.values("fewer_nodes") or case.evidence.values("as_many_nodes"))


def sound_ports(case: Case) -> bool:
    """Whether words beside the run tell of a perftest at its port's rate: cables and NICs are sound."""
    scale_out = case.ranks.system.scale_out
    rates = [float(value) for value in case.evidence.values("perftest_stated")]
    if scale_out is None or not rates:
        return False
    port = scale_out.bytes_per_s * case.ranks.system.domain_gpus / case.ranks.system.nics_per_domain
    return max(rates) * GIGABIT_BYTES >= _SOUND_SHARE * port


def slow_node(case: Case) -> list[Hypothesis]:
    """One node, NIC or cable slows every ring that passes it, by any factor."""
    if not case.several_nodes:
        return []
    prior = between_nodes("slow_node")
    faults, weak = case.evidence.warned(_FAULT), case.evidence.values("weak_host")
    if weak:
        host = weak[0].split()[0]
        reason = Reason("slow_node", f"{weak[0]}: look at its NICs, slots and cables", f"{host} is slow")
        lines = case.evidence.quote("weak_host")
        return [Hypothesis(reason, prior, None, 0.0, _NODE_TEST, CERTAIN, lines)]
    what = "a port or cable with errors" if faults else "one slow node, NIC or cable"
    reason = Reason("slow_node", f"{what} holds all others up", "one slow node or link")
    ln_lines = STRONG if faults else AGAINST / 2 if sound_ports(case) else 0.0
    return [Hypothesis(reason, prior, None, 0.0, _NODE_TEST, ln_lines, faults)]
