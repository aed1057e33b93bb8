"""Too few channels: not enough SMs copy."""

from core.hardware import Architecture
from core.units import GB
from core.verdict.evidence import whole
from core.verdict.hypotheses.case import AGAINST, SOME, STRONG, Case, Hypothesis
from core.verdict.records import NextTest, Reason

CHANNEL_BYTES_PER_S = 22 * GB
"""Bus bandwidth of one channel of a ring: NCCL's tuning (src/graph/tuning.cc) counts 20 GB/s up to Ampere."""
_NEWER_CHANNELS = {Architecture.HOPPER: 33 * GB, Architecture.BLACKWELL: 40 * GB}
"""Likewise 36.7 and 40 GB/s; on H100 some 30 were measured."""
_LN_SPREAD = 0.35
_PER_PEER = "NCCL_NCHANNELS_PER_NET_PEER"
_PER_PEER_SHARE, _PER_PEER_LN_SPREAD = 0.65, 0.2
"""Of the expected rate: known cases reach half to three quarters of it."""
_PER_PEER_TEST = NextTest(
    f"{_PER_PEER}=4 <command>",
    "the rate rises: one or two channels to a peer did not fill the NIC",
    f"{_PER_PEER}=4",
)
_FEW_PER_PEER = 2
_UNNAMED_PRIOR = 0.03
"""Where no setting limits the channels: NCCL's own choice hardly ever is the cause."""
_FEW_SHARE = 0.5
"""Channels that NCCL chose are a sign where they move less than this share of the expected rate."""
_LIMITS = ("NCCL_MAX_NCHANNELS", "NCCL_MAX_CTAS", "NCCL_MAX_NRINGS")
_TEST = NextTest(
    "NCCL_DEBUG=INFO <command> | grep 'coll channels'; then with NCCL_MIN_NCHANNELS=16 (NCCL_MIN_CTAS)",
    "the rate rises with the number of channels",
    "NCCL_DEBUG=INFO, grep 'coll channels'",
)


def few_channels_per_peer(case: Case) -> list[Hypothesis]:
    """Point-to-point over the network: few channels to a peer, as all-to-all of many nodes wants them."""
    if not case.several_nodes or case.scenario.collective not in ("all_to_all", "send_recv"):
        return []
    said = case.evidence.setting(_PER_PEER)
    text = f"few channels to each peer on another node ({_PER_PEER}): one channel does not fill a NIC"
    reason = Reason("few_channels", text, f"few channels per peer ({_PER_PEER})")
    count = whole(said)
    few = count is not None and count <= _FEW_PER_PEER
    ln_lines = SOME if few else AGAINST / 2 if said else 0.0
    prior, lines = (0.2, (f"{_PER_PEER}={count}",)) if few else (_UNNAMED_PRIOR, ())
    expected_s = case.expected_s / _PER_PEER_SHARE
    return [Hypothesis(reason, prior, expected_s, _PER_PEER_LN_SPREAD, _PER_PEER_TEST, ln_lines, lines)]


def few_channels(case: Case) -> list[Hypothesis]:
    """As many times a channel's rate as the log says there are; unknown numbers may mean any factor."""
    evidence = case.evidence
    limited = next((name for name in _LIMITS if whole(evidence.setting(name)) is not None), None)
    count = whole(evidence.setting(limited)) if limited else evidence.channels
    text = "too few channels: not enough SMs copy"
    if count is None:
        reason = Reason("few_channels", text, "too few channels")
        return [Hypothesis(reason, _UNNAMED_PRIOR, None, 0.0, _TEST)]
    channel = _NEWER_CHANNELS.get(case.ranks.system.gpu.architecture, CHANNEL_BYTES_PER_S)
    rate = max(1, count) * channel
    expected = float((case.factor * case.size_bytes / case.expected_s).max())
    unnamed = SOME if rate < _FEW_SHARE * expected else 0.0
    ln_lines = AGAINST if rate >= expected else STRONG if limited else unnamed
    prior = 0.08 if limited else _UNNAMED_PRIOR
    said = (f"{limited}={count}",) if limited else evidence.quote("channels")
    reason = Reason("few_channels", f"{text} ({count})", f"{count} channels")
    return [Hypothesis(reason, prior, case.at_busbw(rate), _LN_SPREAD, _TEST, ln_lines, said)]
