"""Why a run is slow: one function per cause, each with the curve and the lines that it predicts."""

from core.verdict.hypotheses.bonded_port import one_port_of_bond
from core.verdict.hypotheses.case import Case, Hypothesis, Propose
from core.verdict.hypotheses.channels import few_channels, few_channels_per_peer
from core.verdict.hypotheses.devices import numa_balancing, shared_gpu, slow_device
from core.verdict.hypotheses.gpudirect import no_gpudirect
from core.verdict.hypotheses.latency import late_start
from core.verdict.hypotheses.nics import fewer_nics
from core.verdict.hypotheses.nvls import no_nvls
from core.verdict.hypotheses.pcie_path import slow_pcie_path
from core.verdict.hypotheses.peer_access import links_inactive, no_peer_access, pcie_between_gpus
from core.verdict.hypotheses.port_rate import slow_port
from core.verdict.hypotheses.settings import disabled_feature, forced_setting
from core.verdict.hypotheses.shared_network import oversubscribed, slow_node
from core.verdict.hypotheses.sockets import over_sockets
from core.verdict.hypotheses.split_node import split_node
from core.verdict.hypotheses.unit import bits_for_bytes
from core.verdict.hypotheses.versions import known_regression

PROPOSALS: tuple[Propose, ...] = (
    disabled_feature,
    forced_setting,
    over_sockets,
    fewer_nics,
    slow_port,
    one_port_of_bond,
    no_gpudirect,
    slow_pcie_path,
    oversubscribed,
    slow_node,
    no_peer_access,
    pcie_between_gpus,
    links_inactive,
    no_nvls,
    few_channels,
    few_channels_per_peer,
    slow_device,
    shared_gpu,
    numa_balancing,
    split_node,
    known_regression,
    late_start,
    bits_for_bytes,
)

__all__ = ["PROPOSALS", "Case", "Hypothesis"]
