"""Settings that switch off what makes a run fast, or that override NCCL's choice."""

from dataclasses import dataclass

import numpy as np

from core.checks import Floats
from core.hardware import Architecture
from core.units import GB
from core.verdict.hypotheses.case import CERTAIN, SOME, Case, Hypothesis
from core.verdict.records import NextTest, Reason

_ALGORITHMS = {"ring": "ring", "tree": "tree", "nvls": "nvls", "nvlstree": "nvlstree", "pat": "pat"}
_ALGORITHM_LN_SPREAD, _FORCED_LN_SPREAD = 0.15, 0.4
_ANY_LN_FACTOR = 5.0
_FORCED_TIME = 1.3
"""Over the model's own choice: a forced algorithm, protocol or path mostly costs a tenth to double."""
_PROTOCOL_LN_SPREAD = 0.4
_LL_SHARE = 0.5
"""LL sends a flag with each word: half of the bytes are data."""
_LL_MOST = {
    Architecture.VOLTA: (39.0, 39.0, 20.4),
    Architecture.AMPERE: (87.7, 22.5, 19.0),
    Architecture.HOPPER: (141.0, 45.0, 35.0),
    Architecture.BLACKWELL: (282.0, 90.0, 70.0),
}
"""Bus bandwidth of LL at most, GB/s: on one node, two, more (NCCL, src/graph/tuning.cc, llMaxBws)."""
_HOST = "copies between GPUs go through host memory"
_TCP = "traffic between nodes goes over TCP sockets"


@dataclass(frozen=True, slots=True)
class _Switch:
    """A variable that by itself makes a run slow: inside a node, between nodes, or both."""

    code: str
    name: str
    value: str
    effect: str
    inside: bool
    between: bool


_SWITCHES = (
    _Switch("peer_access_off", "NCCL_P2P_DISABLE", "1", _HOST, inside=True, between=True),
    _Switch("peer_access_off", "NCCL_P2P_LEVEL", "LOC", _HOST, inside=True, between=True),
    _Switch("peer_access_off", "NCCL_P2P_LEVEL", "0", _HOST, inside=True, between=True),
    _Switch("network_off", "NCCL_IB_DISABLE", "1", _TCP, inside=False, between=True),
    _Switch("network_off", "NCCL_NET", "Socket", _TCP, inside=False, between=True),
    _Switch("nvls_off", "NCCL_NVLS_ENABLE", "0", "no in-network reduction (NVLS)", inside=True, between=True),
    _Switch(
        "shared_memory_off",
        "NCCL_SHM_DISABLE",
        "1",
        "no shared memory between processes",
        inside=True,
        between=False,
    ),
)
_FORCING = (
    "NCCL_ALGO",
    "NCCL_PROTO",
    "NCCL_P2P_LEVEL",
    "NCCL_BUFFSIZE",
    "NCCL_IB_QPS_PER_CONNECTION",
    "NCCL_CROSS_NIC",
)
_LN_RARE = 3.5
"""One healthy log in some thirty sets one of these."""
_COMMON = ("NCCL_CROSS_NIC", "NCCL_IB_QPS_PER_CONNECTION", "NCCL_BUFFSIZE")
"""Set by many who are well off: they say little."""


def disabled_feature(case: Case) -> list[Hypothesis]:
    """A variable in the log that switches off peer access, the network, shared memory or NVLS."""
    proposals = []
    for switch in _SWITCHES:
        applies = switch.between if case.several_nodes else switch.inside
        if applies and case.evidence.setting(switch.name).lower() == switch.value.lower():
            said = f"{switch.name}={switch.value}"
            reason = Reason(switch.code, f"{said}: {switch.effect}", said)
            test = NextTest(
                f"unset {switch.name}; <command>", "the rate returns without it", f"without {switch.name}"
            )
            prior = 0.05 if switch.code == "nvls_off" else 0.15
            proposals.append(Hypothesis(reason, prior, None, _ANY_LN_FACTOR, test, CERTAIN + SOME, (said,)))
    return proposals


def forced_setting(case: Case) -> list[Hypothesis]:
    """A variable that overrides NCCL's choice, with the curve of that choice where it is an algorithm."""
    proposals = []
    for name in _FORCING:
        value = case.evidence.setting(name)
        if not value:
            continue
        said = f"{name}={value}"
        text = f"{said} overrides NCCL's choice of algorithm, protocol or path: try without it"
        test = NextTest(f"unset {name}; <command>", "the rate returns without it", f"without {name}")
        ln_lines = SOME / 2 if name in _COMMON else 0.0 if _is_measuring(case, name, value) else _LN_RARE
        prior = 0.01 if name in _COMMON else 0.06
        reason = Reason("forced_setting", text, said)
        curves = _curves(case, name, value)
        proposals += [
            Hypothesis(reason, prior / len(curves), times_s, ln_spread, test, ln_lines, (said,))
            for times_s, ln_spread in curves
        ]
    return proposals


def _curves(case: Case, name: str, value: str) -> list[tuple[Floats, float]]:
    """What a forced choice may cost: times, and the standard deviation of ln time around them."""
    forced_s = _forced_times(case, name, value)
    if forced_s is not None:
        return [(forced_s, _ALGORITHM_LN_SPREAD)]
    if name == "NCCL_PROTO" and value.strip().upper() == "LL":
        most = _LL_MOST.get(case.ranks.system.gpu.architecture)
        nodes = min(case.ranks.domains, 3) - 1
        by_tuning = np.inf if most is None else most[nodes] * GB
        half_s = case.expected_s / _LL_SHARE
        return [
            (times, _PROTOCOL_LN_SPREAD) for times in (half_s, np.maximum(half_s, case.at_busbw(by_tuning)))
        ]
    return [(case.expected_s * _FORCED_TIME, _FORCED_LN_SPREAD)]


def _is_measuring(case: Case, name: str, value: str) -> bool:
    """Whether rings are forced between nodes, as one does to measure the NICs: it slows nothing down."""
    return case.several_nodes and name == "NCCL_ALGO" and value.strip().lower() == "ring"


def _forced_times(case: Case, name: str, value: str) -> Floats | None:
    """Times with the algorithm that is forced, where that is slower than the model's own choice."""
    algorithm = _ALGORITHMS.get(value.strip().lower()) if name == "NCCL_ALGO" else None
    times_s = None if algorithm is None else case.with_algorithm(algorithm)
    return times_s if times_s is not None and bool((times_s > case.expected_s).any()) else None
