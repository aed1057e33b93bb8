"""A bond of two ports of which one carries the traffic."""

import re

from core.verdict.evidence import whole
from core.verdict.hypotheses.case import AGAINST, SOME, Case, Hypothesis
from core.verdict.hypotheses.nics import RING_SHARE
from core.verdict.records import NextTest, Reason

_BOND = re.compile(r"bond", re.IGNORECASE)
_SHARE, _LN_SPREAD = 0.55, 0.2
"""Of the NICs' rate: one port of two, and a little where some connections meet the other."""
_UNNAMED_PRIOR = 0.04
"""Where no setting tells the number of queue pairs."""
_QUEUE_PAIRS = "NCCL_IB_QPS_PER_CONNECTION"
_TEST = NextTest(
    f"{_QUEUE_PAIRS}=4 NCCL_IB_SPLIT_DATA_ON_QPS=0 <command>; ib_write_bw -q 1, then -q 8",
    "the rate rises with the number of queue pairs: each keeps to one port of the bond; two adapters "
    "without a bond need no such setting",
    f"{_QUEUE_PAIRS}=4",
)


def one_port_of_bond(case: Case) -> list[Hypothesis]:
    """Half of each NIC, where the log names bonds; the name speaks for nothing, healthy bonds have it too."""
    if not case.several_nodes or case.network_bytes_per_s <= 0:
        return []
    evidence = case.evidence
    chosen = evidence.setting("NCCL_IB_HCA")
    said = evidence.quote("nics", "bond") or ((f"NCCL_IB_HCA={chosen}",) if _BOND.search(chosen) else ())
    if not said:
        return []
    queue_pairs = whole(evidence.setting(_QUEUE_PAIRS))
    ln_lines = 0.0 if queue_pairs is None else SOME if queue_pairs == 1 else AGAINST / 2
    if queue_pairs == 1:
        said = (f"{_QUEUE_PAIRS}=1", *said)
    text = "one port of each bond carries the traffic: a queue pair keeps to one port"
    reason = Reason("bonded_port", text, "one port of each bond")
    expected_s = case.at_busbw(RING_SHARE * _SHARE * case.network_bytes_per_s)
    prior = 0.12 if queue_pairs == 1 else _UNNAMED_PRIOR
    return [Hypothesis(reason, prior, expected_s, _LN_SPREAD, _TEST, ln_lines, said)]
