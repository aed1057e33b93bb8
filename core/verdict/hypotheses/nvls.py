"""In-network reduction of the NVSwitches (NVLS) is not used."""

from core.verdict.hypotheses.case import AGAINST, STRONG, Case, Hypothesis
from core.verdict.records import NextTest, Reason

_LN_SPREAD = 0.09
_TEST = NextTest(
    "NCCL_DEBUG=INFO <command> | grep NVLS; systemctl status nvidia-fabricmanager; echo "
    "$NCCL_NVLS_ENABLE $NCCL_ALGO",
    "`NVLS multicast support is not available`, or no line `Connected NVLS`: rings are used",
    "NCCL_DEBUG=INFO, grep NVLS",
)


def no_nvls(case: Case) -> list[Hypothesis]:
    """The rate of rings on a system whose switches can add."""
    scenario = case.scenario
    if case.several_nodes or not case.links.in_network_reduction or scenario.collective != "all_reduce":
        return []
    if scenario.algorithm != "auto" or (rings_s := case.with_algorithm("ring")) is None:
        return []
    said = case.evidence.quote("nvls", "unavailable")
    available = "available" in case.evidence.values("nvls")
    ln_lines = STRONG if said else AGAINST if available else 0.0
    text = "the rate of ring all-reduce: in-network reduction (NVLS) is not used, though the switches have it"
    reason = Reason("nvls_off", text, "no in-network reduction (NVLS)")
    return [Hypothesis(reason, 0.15, rings_s, _LN_SPREAD, _TEST, ln_lines, said)]
