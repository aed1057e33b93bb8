"""No GPUDirect RDMA: what goes to the NIC passes through host memory."""

from core.hardware import Family
from core.verdict.evidence import Evidence
from core.verdict.hypotheses.case import AGAINST, CERTAIN, SOME, STRONG, Case, Hypothesis
from core.verdict.hypotheses.frequencies import between_nodes
from core.verdict.hypotheses.network_kind import network_family
from core.verdict.records import NextTest, Reason

STAGED_NIC_SHARE = 0.5
"""Of a NIC's rate, what copies through host memory leave: each byte crosses the root port twice."""
HOST_BYTES_PER_S = 100e9
"""Of a node: four passes of each byte through two sockets' memory of some 200 GB/s each."""
_LN_SPREAD = 0.28
_TEST = NextTest(
    "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH <command> | grep -E 'via NET|GPU "
    "Direct'; lsmod | grep peermem",
    "`via NET/IB/0` without `/GDRDMA` on one side or both: load nvidia-peermem or use DMA-BUF",
    "NCCL_DEBUG=INFO, grep GDRDMA",
)
_OFF_VALUES = ("0", "LOC")
_HAVE_NONE = (Family.TCPX,)


def no_gpudirect(case: Case) -> list[Hypothesis]:
    """Half of each NIC, and never more than a node's memory carries."""
    if not case.several_nodes or case.network_bytes_per_s <= 0 or network_family(case) in _HAVE_NONE:
        return []
    nics = STAGED_NIC_SHARE * case.network_bytes_per_s
    rate = 1 / (1 / nics + 1 / HOST_BYTES_PER_S)
    ln_lines, lines, where = _lines(case.evidence)
    text = f"no GPUDirect RDMA{where}: data between GPU and NIC is staged through host memory"
    reason = Reason("no_gpudirect", text, "no GPUDirect RDMA: staged through host memory")
    return [
        Hypothesis(
            reason, between_nodes(reason.code), case.at_busbw(rate), _LN_SPREAD, _TEST, ln_lines, lines
        )
    ]


def _lines(evidence: Evidence) -> tuple[float, tuple[str, ...], str]:
    """What speaks for it or against it, and on which hosts."""
    level = evidence.setting("NCCL_NET_GDR_LEVEL").upper()
    if level in _OFF_VALUES:
        return CERTAIN, (f"NCCL_NET_GDR_LEVEL={level}",), " (NCCL_NET_GDR_LEVEL)"
    if evidence.staged:
        hosts = {
            item.host
            for item in evidence.observations
            if item.kind == "transport" and item.value in evidence.staged
        }
        named = sorted(host for host in hosts if host)[:3]
        lines = tuple(line for text in evidence.staged for line in evidence.quote("transport", text))[:2]
        return CERTAIN, lines, f" on {', '.join(named)}" if named else ""
    if said := evidence.quote("gpudirect", "disabled") or evidence.quote("gpudirect", "no peer memory"):
        return STRONG, said, ""
    if (said := evidence.stated("no GPUDirect RDMA")) and not evidence.direct:
        return STRONG, said, ""
    if evidence.far_adapters and not evidence.direct:
        # NCCL uses it to a NIC on the GPU's side of the CPU alone, unless a level is set
        return SOME, evidence.far_adapters, ""
    against = AGAINST / 4 if evidence.direct_one_way else AGAINST
    return (against if evidence.direct else 0.0), (), ""
