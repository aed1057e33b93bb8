"""Defects of machines: what each leaves of the rate, by measured cases or arithmetic, and what the log then says."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.bench.causes import lines, rates
from tests.bench.causes.logs import execution, info, usual_lines
from tests.bench.causes.rates import SIZES, expected, floor

LEAST_COST = 1.15


@dataclass(frozen=True)
class Defect:
    """
    A defect on any machine that can have it.

    Attributes:
        name: For the table.
        codes: Reasons that name it; ``fine`` where it is none.
        group: The line of the issue that asks for it.
        applies: Of which machines.
        times: Bench, collective, sound times and random generator to its times.
        lines: Bench to NCCL's lines.
        beside: What other tools say in the same paste.
        several: Further executions of the same paste, beside lines: bench, times, random to text lines.
        collective: That is run.
    """

    name: str
    codes: tuple[str, ...]
    applies: Callable
    times: Callable
    lines: Callable
    beside: Callable = lambda *_: []
    several: Callable | None = None
    collective: str = "all_reduce"
    settings: tuple[str, ...] = ()

    def log(self, bench, random, *, share, noise):
        """
        One paste.

        Args:
            bench: The machine.
            random: Generator.
            share: Of NCCL's and the tools' lines that the paste holds.
            noise: Standard deviation of ln time from size to size.
        """
        sound = expected(bench, self.collective) * float(np.exp(random.normal(0, 0.05)))
        times = self.times(bench, self.collective, sound, random) * np.exp(
            random.normal(0, noise, len(SIZES))
        )
        times = np.maximum(times, floor(bench, self.collective))
        said = [
            *self.lines(bench),
            *(info(f"{name} set by environment to {value}") for name, value in map(_pair, self.settings)),
            *self.beside(bench),
        ]
        kept = [line for line in said if share >= 1 or random.random() < share]
        runs = execution(bench, self.collective, SIZES, times, lines=kept if share > 0 else ())
        if self.several is not None and share > 0:
            runs += self.several(bench, sound, times, random)
        return "\n".join(runs) + "\n"  # fmt: skip


def _pair(text):
    name, _, value = text.partition("=")
    return name, value


def harms(defect, bench):
    """Whether the defect costs a machine a seventh at least at large sizes: what costs nothing is no defect."""
    if "fine" in defect.codes:
        return True
    sound = expected(bench, defect.collective)
    slow = defect.times(bench, defect.collective, sound, np.random.default_rng(1)) / sound
    return bool(np.median(slow[-6:]) > LEAST_COST) or defect.codes == ("latency_bound",)


def spans(bench):
    """Whether it has a network."""
    return bench.nodes > 1


def one(bench):
    """Whether it is one node joined by NVLink or xGMI."""
    return bench.nodes == 1 and not bench.on_pcie


def nvlink(bench):
    """Of one node of NVIDIA's with links, on PCIe slots behind them."""
    return one(bench) and bench.library == "NCCL" and bench.system.domain_gpus <= 16


def cards(bench):
    """Cards on PCIe."""
    return bench.nodes == 1 and bench.on_pcie


def by_verbs(bench):
    """A network that NCCL reaches by its own code."""
    return spans(bench) and not bench.plugin


DEFECTS = (
    Defect("none", ("fine",), lambda _: True, rates.sound, lines.usual()),
    Defect("rings forced, two nodes at full rate", ("fine",), lambda bench: by_verbs(bench) and bench.nodes == 2, rates.forced("ring"), lines.usual(), settings=("NCCL_ALGO=Ring",)),
    Defect("no GPUDirect RDMA", ("no_gpudirect",), spans, rates.of_network(0.35, 0.6, (60e9, 130e9)), lines.disabled),
    Defect("no GPUDirect RDMA on one side", ("no_gpudirect",), spans, rates.of_network(0.4, 0.62, (70e9, 150e9)), lines.one_side),
    Defect("GPUDirect RDMA off by level", ("no_gpudirect",), by_verbs, rates.of_network(0.35, 0.6, (60e9, 130e9)), lines.usual(direct=False), settings=("NCCL_NET_GDR_LEVEL=LOC",)),
    Defect("ACS on", ("pcie_path",), by_verbs, rates.of_network(0.35, 0.62), lines.usual(), lines.acs),
    Defect("IOMMU translates", ("pcie_path",), by_verbs, rates.of_network(0.3, 0.6), lines.usual(), lines.iommu),
    Defect("slot of the NIC at half", ("pcie_path",), by_verbs, rates.of_network(0.42, 0.5), lines.usual(), lines.narrow("nic")),
    Defect("slot of a card at half", ("pcie_path",), cards, rates.slower(1.8, 2.4), lines.usual(), lines.narrow("gpu")),
    Defect("one NIC", ("fewer_nics",), lambda bench: spans(bench) and bench.nics > 1, rates.nics_left(0), lambda bench: usual_lines(bench, nics=1)),
    Defect("half of the NICs", ("fewer_nics",), lambda bench: spans(bench) and bench.nics > 1, rates.nics_left(0.5), lambda bench: usual_lines(bench, nics=bench.nics // 2)),
    Defect("half of the NICs by NCCL_IB_HCA", ("fewer_nics",), lambda bench: by_verbs(bench) and bench.nics > 1, rates.nics_left(0.5), lines.chosen_half),
    Defect("ports down", ("fewer_nics",), lambda bench: by_verbs(bench) and bench.nics > 1 and bench.layer == "IB", rates.nics_left(0.5), lambda bench: usual_lines(bench, nics=bench.nics // 2), lines.half_down),
    Defect("a port at half its rate", ("slow_port",), lambda bench: by_verbs(bench) and bench.layer == "IB", rates.of_network(0.42, 0.5), lines.usual(), lines.slow_port),
    Defect("TCP", ("tcp_sockets",), spans, rates.gigabytes(1, 5), lines.usual(network="Socket")),
    Defect("TCP over IPoIB", ("tcp_sockets",), by_verbs, rates.gigabytes(4, 9), lambda bench: [line.replace("eth0", "ib0") for line in usual_lines(bench, network="Socket")]),
    Defect("RDMA off by setting", ("network_off", "tcp_sockets"), by_verbs, rates.gigabytes(1, 5), lines.usual(network="Socket"), settings=("NCCL_IB_DISABLE=1",)),
    Defect("no peer access, NVLink", ("staged_copies", "peer_access_off"), nvlink, rates.gigabytes(4, 11), lines.usual(inside="SHM/direct/direct")),
    Defect("no peer access, cards", ("staged_copies", "peer_access_off"), lambda bench: cards(bench) and bench.system.gpu.peer_to_peer, rates.of_slot(0.06, 0.16), lines.usual(inside="SHM/direct/direct")),
    Defect("peer access off by setting", ("peer_access_off", "staged_copies"), nvlink, rates.gigabytes(4, 11), lines.usual(inside="SHM/direct/direct"), settings=("NCCL_P2P_DISABLE=1",)),
    Defect("PCIe for NVLink", ("pcie_instead_of_nvlink",), lambda bench: nvlink(bench) and bench.system.domain_gpus == 8, rates.of_slot(0.5, 0.8), lines.usual(), lines.topology),
    Defect("NVLS off", ("nvls_off",), lambda bench: bench.nodes == 1 and rates.is_slower("ring", 1.1)(bench) and bench.switched, rates.forced("ring"), lines.usual(nvls=False)),
    Defect("NVLS off by setting", ("nvls_off",), lambda bench: bench.nodes == 1 and rates.is_slower("ring", 1.1)(bench) and bench.switched, rates.forced("ring"), lines.usual(nvls=False), settings=("NCCL_NVLS_ENABLE=0",)),
    Defect("tree forced", ("forced_setting",), rates.is_slower("tree"), rates.forced("tree"), lines.usual(), settings=("NCCL_ALGO=Tree",)),
    Defect("LL forced", ("forced_setting",), lambda bench: bench.library == "NCCL", rates.slower(2.0, 3.5), lines.usual(), settings=("NCCL_PROTO=LL",)),
    Defect("two channels", ("few_channels",), nvlink, rates.of_channels(2, 2), lines.usual(channels=2), settings=("NCCL_MAX_NCHANNELS=2",)),
    Defect("two channels, unset", ("few_channels",), nvlink, rates.of_channels(2, 2), lines.usual(channels=2)),
    Defect("oversubscribed", ("oversubscribed",), lambda bench: bench.nodes > 2, rates.slower(1.8, 4), lines.usual(), several=rates.two_sound_nodes),
    Defect("rate falls with size", ("oversubscribed",), spans, rates.falling, lines.usual()),
    Defect("slow node, pairs beside it", ("slow_node",), lambda bench: bench.nodes > 2 and bench.system.domain_gpus <= 16, rates.slower(1.8, 3), lines.usual(), several=rates.slow_pairs),
    Defect("port with errors", ("slow_node",), by_verbs, rates.slower(1.8, 3.5), lines.usual(), lines.async_event),
    Defect("throttled GPU", ("slow_gpu",), one, rates.slower(1.4, 2.5), lines.usual(), lines.throttled),
    Defect("GPU with Xid 74", ("slow_gpu",), nvlink, rates.slower(1.5, 3), lines.usual(), lines.xid),
    Defect("NVLSTree of 2.19", ("nccl_version",), lambda bench: spans(bench) and bench.switched and bench.library == "NCCL" and bench.system.gpu.architecture.name == "HOPPER", rates.slower(2.4, 3.2), lines.usual(version="2.19.3+cuda12.3")),
    Defect("host split by containers", ("split_node",), lambda bench: nvlink(bench) and bench.system.domain_gpus == 8, rates.gigabytes(15, 40), lines.split),
    Defect("slow host: latency alone", ("latency_bound",), lambda _: True, rates.late(60, 200), lines.usual()),
)  # fmt: skip
"""Each with what it leaves: ranges of measured cases of public threads where there are some, arithmetic elsewhere."""
