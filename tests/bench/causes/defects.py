"""Defects of machines: what each leaves of the rate, by measured cases or arithmetic, and what the log then says."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from core.collectives.pricing import Scenario, sweep
from core.errors import InputError
from core.measurement.bus_factor import bus_factor
from core.systems import configure
from core.verdict.floor import floor_s
from core.verdict.links import link_rates
from tests.bench.causes.logs import execution, info, usual_lines

SIZES = tuple(1 << power for power in range(13, 34))
LARGE = 32 << 20
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
        lines: Bench and random generator to NCCL's lines.
        beside: What other tools say in the same paste.
        several: Further executions of the same paste, beside lines: bench, times, random to text lines.
        collective: That is run.
    """

    name: str
    codes: tuple[str, ...]
    applies: Callable
    times: Callable
    lines: Callable
    beside: Callable = lambda bench, random: []
    several: Callable | None = None
    collective: str = "all_reduce"
    settings: tuple[str, ...] = field(default=())

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
            *self.lines(bench, random),
            *(info(f"{name} set by environment to {value}") for name, value in map(_pair, self.settings)),
            *self.beside(bench, random),
        ]
        kept = [line for line in said if share >= 1 or random.random() < share]
        runs = execution(bench, self.collective, SIZES, times, lines=kept if share > 0 else ())
        if self.several is not None and share > 0:
            runs += self.several(bench, sound, times, random)
        return "\n".join(runs) + "\n"  # fmt: skip


def _pair(text):
    name, _, value = text.partition("=")
    return name, value


def expected(bench, collective, **how):
    """The model's times on a machine."""
    system = bench.system
    if "nics" in how:
        system = configure(system, domains=bench.nodes, nics_per_domain=how["nics"])
    algorithm = how.get("algorithm", "auto")
    return sweep(Scenario(system, collective, bench.ranks, dtype="float", algorithm=algorithm), SIZES).time_s


def floor(bench, collective):
    """The least times in which its links can carry the bytes."""
    system = bench.system
    links = link_rates(system, system.domain_gpus, bench.nodes)
    return floor_s(collective, np.array(SIZES, dtype=float), system.domain_gpus, bench.nodes, links)


def harms(defect, bench):
    """Whether the defect costs a machine a seventh at least at large sizes: what costs nothing is no defect."""
    if "fine" in defect.codes:
        return True
    sound = expected(bench, defect.collective)
    slow = defect.times(bench, defect.collective, sound, np.random.default_rng(1)) / sound
    return bool(np.median(slow[-6:]) > LEAST_COST) or defect.codes == ("latency_bound",)


def capped(rate):
    """Times at a bus bandwidth in bytes/s of large sizes; the bends of two limits are round."""

    def times(bench, collective, sound, random):
        limit = bus_factor(collective, bench.ranks) * np.array(SIZES) / rate(bench, random)
        return (sound**3 + limit**3) ** (1 / 3)

    return times


def of_network(low, high, most=None):
    """A share of a node's NICs, drawn evenly, and at most so many bytes/s."""

    def rate(bench, random):
        share = random.uniform(low, high) * bench.network
        return share if most is None else min(share, random.uniform(*most))

    return capped(rate)


def gigabytes(low, high):
    """A rate in GB/s, drawn evenly."""
    return capped(lambda bench, random: random.uniform(low, high) * 1e9)


def of_slot(low, high):
    """A share of a slot."""
    return capped(lambda bench, random: random.uniform(low, high) * bench.slot)


def slower(low, high):
    """Large sizes so many times slower."""

    def times(bench, collective, sound, random):
        return sound * np.where(np.array(SIZES) >= 1 << 20, random.uniform(low, high), 1.0)

    return times


def falling(bench, collective, sound, random):
    """Lost packets: the more is sent at once the slower."""
    depth = np.clip(np.log2(np.array(SIZES) / LARGE) / 8, 0, 1)
    return sound * (1 + depth * random.uniform(2, 5))


def late(low, high):
    """So many microseconds more at every size, as of a slow host."""
    return lambda bench, collective, sound, random: sound + random.uniform(low, high) * 1e-6


def nics_left(share):
    """The model's times with a part of the NICs, by rings where the draw says so between two nodes."""

    def times(bench, collective, sound, random):
        count = _count(bench, share)
        by_tree = expected(bench, collective, nics=count) * sound / expected(bench, collective)
        if bench.nodes != 2 or random.random() < 0.5:
            return by_tree
        limit = (
            bus_factor(collective, bench.ranks)
            * np.array(SIZES)
            / (0.92 * bench.network * count / bench.nics)
        )
        return (sound**3 + limit**3) ** (1 / 3)

    return times


def _count(bench, share):
    return 1 if share == 0 else max(1, round(bench.nics * share))


def forced(algorithm, *, least=1.15):
    """The model's times of an algorithm."""

    def times(bench, collective, sound, random):
        return sound * expected(bench, collective, algorithm=algorithm) / expected(bench, collective)

    return times


def is_slower(algorithm, least=1.15):
    """Machines on which an algorithm costs so much at 1 GiB."""

    def applies(bench):
        try:
            ratio = expected(bench, "all_reduce", algorithm=algorithm) / expected(bench, "all_reduce")
        except InputError:
            return False
        return bool(ratio[SIZES.index(1 << 30)] > least)

    return applies


def of_channels(low, high):
    """So many channels; the number is drawn again for the lines by the same rule."""

    def times(bench, collective, sound, random):
        most = {"HOPPER": 37e9, "BLACKWELL": 40e9}.get(bench.system.gpu.architecture.name, 22e9)
        rate = 2 * random.uniform(0.8, 1.0) * most
        return capped(lambda *_: rate)(bench, collective, sound, random)

    return times


def two_sound_nodes(bench, sound, times, random):
    """The same test on two nodes of it, as expected."""
    pair = replace(bench, nodes=2)
    again = expected(pair, "all_reduce") * np.exp(random.normal(0, 0.03, len(SIZES)))
    return execution(pair, "all_reduce", SIZES, again)


def slow_pairs(bench, sound, times, random):
    """Pairs of nodes, those with node1 slow."""
    pair = replace(bench, nodes=2)
    lines = []
    for first, second in ((0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)):
        factor = 2.5 if 1 in (first, second) else 1.0
        again = factor * expected(pair, "all_reduce") * np.exp(random.normal(0, 0.03, len(SIZES)))
        lines += execution(pair, "all_reduce", SIZES, again, hosts=[f"node{first}", f"node{second}"])
    return lines


def usual(**how):
    """The lines of a machine with this change."""
    return lambda bench, random: usual_lines(bench, **how)


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


def _hca(bench, random):
    names = ",".join(f"{bench.adapter}{index}" for index in range(max(1, bench.nics // 2)))
    return [*usual_lines(bench, nics=max(1, bench.nics // 2)), info(f"NCCL_IB_HCA set to {names}")]


def _half_down(bench, random):
    down = [
        f"{bench.adapter}{index} port 1 ==> ib{index} (Down)" for index in range(bench.nics // 2, bench.nics)
    ]
    return [f"{bench.adapter}{index} port 1 ==> ib{index} (Up)" for index in range(bench.nics // 2)] + down


def _disabled(bench, random):
    return [
        *usual_lines(bench, direct=False),
        info("NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'" if not bench.plugin else "NET/OFI GPU Direct RDMA Disabled for GPU 0 / HCA 0 (distance 4 >= 4)"),
    ]  # fmt: skip


def _one_side(bench, random):
    lines = usual_lines(bench)
    return [line.replace("/GDRDMA", "") if "[receive]" in line else line for line in lines]


def _throttled(bench, random):
    return ["    Clocks Event Reasons", "        HW Thermal Slowdown               : Active"]


def _acs(bench, random):
    return ["        ACSCtl: SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-"]


def _iommu(bench, random):
    return ["BOOT_IMAGE=/vmlinuz-5.15 root=/dev/sda1 ro intel_iommu=on"]


def _narrow(kind):
    def said(bench, random):
        device = {
            "gpu": "3D controller: NVIDIA Corporation Device",
            "nic": "Infiniband controller: Mellanox Technologies MT28908",
        }[kind]
        return [
            f"3b:00.0 {device}",
            "        LnkCap: Port #0, Speed 16GT/s, Width x16, ASPM not supported",
            "        LnkSta: Speed 16GT/s, Width x8 (downgraded)",
        ]

    return said  # fmt: skip


def _slow_port(bench, random):
    rate = bench.network / bench.nics / 0.125e9
    lines = []
    for index in range(bench.nics):
        lines += [
            f"CA '{bench.adapter}{index}'",
            "        State: Active",
            f"        Rate: {rate / 2 if index == 1 else rate:g}",
        ]
    return lines  # fmt: skip


def _topology(bench, random):
    count = bench.system.domain_gpus
    head = "        " + "\t".join(f"GPU{index}" for index in range(count))
    rows = ["\t".join([f"GPU{a}", *(" X " if a == b else "PHB" for b in range(count))]) for a in range(count)]
    return [head, *rows]


def _xid(bench, random):
    return ["[ 812.3] NVRM: Xid (PCI:0000:3b:00): 74, pid=812, NVLink: fatal error detected on link 3"]


def _async(bench, random):
    return [
        "node3:410:420 [3] transport/net_ib.cc:94 NCCL WARN NET/IB : mlx5_3:1 Got async event : port error"
    ]


def _split(bench, random):
    return [
        info(f"comm 0x5 rank 0 nRanks {bench.ranks} nNodes {bench.ranks} localRanks 1 localRank 0 MNNVL 0"),
        info("Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IB/0/GDRDMA"),
        *usual_lines(bench, inside="NET/IB/0/GDRDMA")[-1:],
    ]


DEFECTS = (
    Defect("none", ("fine",), lambda bench: True, lambda bench, collective, sound, random: sound, usual()),
    Defect("rings forced, two nodes at full rate", ("fine",), lambda bench: by_verbs(bench) and bench.nodes == 2, forced("ring"), usual(), settings=("NCCL_ALGO=Ring",)),
    Defect("no GPUDirect RDMA", ("no_gpudirect",), spans, of_network(0.35, 0.6, (60e9, 130e9)), _disabled),
    Defect("no GPUDirect RDMA on one side", ("no_gpudirect",), spans, of_network(0.4, 0.62, (70e9, 150e9)), _one_side),
    Defect("GPUDirect RDMA off by level", ("no_gpudirect",), by_verbs, of_network(0.35, 0.6, (60e9, 130e9)), usual(direct=False), settings=("NCCL_NET_GDR_LEVEL=LOC",)),
    Defect("ACS on", ("pcie_path",), by_verbs, of_network(0.35, 0.62), usual(), _acs),
    Defect("IOMMU translates", ("pcie_path",), by_verbs, of_network(0.3, 0.6), usual(), _iommu),
    Defect("slot of the NIC at half", ("pcie_path",), by_verbs, of_network(0.42, 0.5), usual(), _narrow("nic")),
    Defect("slot of a card at half", ("pcie_path",), cards, slower(1.8, 2.4), usual(), _narrow("gpu")),
    Defect("one NIC", ("fewer_nics",), lambda bench: spans(bench) and bench.nics > 1, nics_left(0), lambda bench, random: usual_lines(bench, nics=1)),
    Defect("half of the NICs", ("fewer_nics",), lambda bench: spans(bench) and bench.nics > 1, nics_left(0.5), lambda bench, random: usual_lines(bench, nics=bench.nics // 2)),
    Defect("half of the NICs by NCCL_IB_HCA", ("fewer_nics",), lambda bench: by_verbs(bench) and bench.nics > 1, nics_left(0.5), _hca),
    Defect("ports down", ("fewer_nics",), lambda bench: by_verbs(bench) and bench.nics > 1 and bench.layer == "IB", nics_left(0.5), lambda bench, random: usual_lines(bench, nics=bench.nics // 2), _half_down),
    Defect("a port at half its rate", ("slow_port",), lambda bench: by_verbs(bench) and bench.layer == "IB", of_network(0.42, 0.5), usual(), _slow_port),
    Defect("TCP", ("tcp_sockets",), spans, gigabytes(1, 5), usual(network="Socket")),
    Defect("TCP over IPoIB", ("tcp_sockets",), by_verbs, gigabytes(4, 9), lambda bench, random: [line.replace("eth0", "ib0") for line in usual_lines(bench, network="Socket")]),
    Defect("RDMA off by setting", ("network_off", "tcp_sockets"), by_verbs, gigabytes(1, 5), usual(network="Socket"), settings=("NCCL_IB_DISABLE=1",)),
    Defect("no peer access, NVLink", ("staged_copies", "peer_access_off"), nvlink, gigabytes(4, 11), usual(inside="SHM/direct/direct")),
    Defect("no peer access, cards", ("staged_copies", "peer_access_off"), lambda bench: cards(bench) and bench.system.gpu.peer_to_peer, of_slot(0.06, 0.16), usual(inside="SHM/direct/direct")),
    Defect("peer access off by setting", ("peer_access_off", "staged_copies"), nvlink, gigabytes(4, 11), usual(inside="SHM/direct/direct"), settings=("NCCL_P2P_DISABLE=1",)),
    Defect("PCIe for NVLink", ("pcie_instead_of_nvlink",), lambda bench: nvlink(bench) and bench.system.domain_gpus == 8, of_slot(0.5, 0.8), usual(), _topology),
    Defect("NVLS off", ("nvls_off",), lambda bench: bench.nodes == 1 and is_slower("ring", 1.1)(bench) and bench.switched, forced("ring"), usual(nvls=False)),
    Defect("NVLS off by setting", ("nvls_off",), lambda bench: bench.nodes == 1 and is_slower("ring", 1.1)(bench) and bench.switched, forced("ring"), usual(nvls=False), settings=("NCCL_NVLS_ENABLE=0",)),
    Defect("tree forced", ("forced_setting",), is_slower("tree"), forced("tree"), usual(), settings=("NCCL_ALGO=Tree",)),
    Defect("LL forced", ("forced_setting",), lambda bench: bench.library == "NCCL", slower(2.0, 3.5), usual(), settings=("NCCL_PROTO=LL",)),
    Defect("two channels", ("few_channels",), nvlink, of_channels(2, 2), usual(channels=2), settings=("NCCL_MAX_NCHANNELS=2",)),
    Defect("two channels, unset", ("few_channels",), nvlink, of_channels(2, 2), usual(channels=2)),
    Defect("oversubscribed", ("oversubscribed",), lambda bench: bench.nodes > 2, slower(1.8, 4), usual(), several=two_sound_nodes),
    Defect("rate falls with size", ("oversubscribed",), spans, falling, usual()),
    Defect("slow node, pairs beside it", ("slow_node",), lambda bench: bench.nodes > 2 and bench.system.domain_gpus <= 16, slower(1.8, 3), usual(), several=slow_pairs),
    Defect("port with errors", ("slow_node",), by_verbs, slower(1.8, 3.5), usual(), _async),
    Defect("throttled GPU", ("slow_gpu",), one, slower(1.4, 2.5), usual(), _throttled),
    Defect("GPU with Xid 74", ("slow_gpu",), nvlink, slower(1.5, 3), usual(), _xid),
    Defect("NVLSTree of 2.19", ("nccl_version",), lambda bench: spans(bench) and bench.switched and bench.library == "NCCL" and bench.system.gpu.architecture.name == "HOPPER", slower(2.4, 3.2), usual(version="2.19.3+cuda12.3")),
    Defect("host split by containers", ("split_node",), lambda bench: nvlink(bench) and bench.system.domain_gpus == 8, gigabytes(15, 40), _split),
    Defect("slow host: latency alone", ("latency_bound",), lambda bench: True, late(60, 200), usual()),
)  # fmt: skip
"""Each with what it leaves: ranges of measured cases of public threads where there are some, arithmetic elsewhere."""
