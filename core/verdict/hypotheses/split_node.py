"""One host that NCCL takes for several: its GPUs talk over the network."""

from core.verdict.hypotheses.case import CERTAIN, STRONG, Case, Hypothesis
from core.verdict.ranks import RACK_GPUS
from core.verdict.records import NextTest, Reason

_SEVERAL = 2
_TEST = NextTest(
    "NCCL_DEBUG=INFO <command> | grep -E 'nNodes|via NET'; echo $NCCL_HOSTID; hostname (in each container)",
    "`nNodes` above the number of hosts, and `via NET` inside one: containers without a shared /dev/shm and "
    "IPC namespace, or with an NCCL_HOSTID each",
    "NCCL_DEBUG=INFO, grep nNodes",
)


def split_node(case: Case) -> list[Hypothesis]:
    """Any factor between GPUs of one host whose processes lie in containers apart; by lines alone."""
    if said := case.evidence.quote("containers"):
        return [_containers(said)]
    nodes = case.evidence.nodes
    if case.several_nodes or case.ranks.system.domain_gpus >= RACK_GPUS or (nodes or 0) < _SEVERAL:
        return []
    over_network = case.evidence.quote("transport", "NET/")
    text = f"NCCL counts {nodes} nodes on one host, so that GPUs talk over the network: containers kept apart"
    reason = Reason("split_node", text, "one host counted as several nodes")
    lines = (*case.evidence.quote("nodes"), *over_network)[:2]
    return [Hypothesis(reason, 0.05, None, 0.0, _TEST, CERTAIN if over_network else STRONG, lines)]


def _containers(said: tuple[str, ...]) -> Hypothesis:
    if any("the command names" in line for line in said):
        text = "containers of one node without common memory: their GPUs talk through the host or its NICs"
        reason = Reason("split_node", text, "containers of one node kept apart")
    else:
        text = (
            "containers of one node, each with a host name of its own: their GPUs share its NICs "
            "instead of talking over NVLink or PCIe"
        )
        reason = Reason("split_node", text, "containers of one node talk over its NICs")
    return Hypothesis(reason, 0.1, None, 0.0, _TEST, CERTAIN, said)
