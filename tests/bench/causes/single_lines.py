"""Single lines of logs: for each a slow run, the cause that the line speaks for or against, and its weight."""

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario, sweep
from core.measurement.bus_factor import bus_factor
from core.systems import configure
from core.verdict import judge_runs
from gpu_probe.parsers import read
from tests.gpu_probe.formats import text

SAID = "node0:101:201 [0] NCCL INFO "
SIZES = tuple(1 << power for power in range(25, 34))
H100, L40S = "NVIDIA H100 80GB HBM3", "NVIDIA L40S"
_HEAD = (
    "#                                                              out-of-place                       in-place",
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong",
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)",
)


def weights(system, factor, *lines, gpu=H100, tool="nccl-tests", most=None):
    """Causes of a run so many times as slow as expected, with these lines in its log: code to cause."""
    ranks = system.gpus
    times = factor * sweep(Scenario(system, "all_reduce", ranks, dtype="float"), SIZES).time_s
    local = system.domain_gpus
    log = [f"# {tool} version 2.17.8", "# Collective test starting: all_reduce_perf", "# Using devices"]
    log += [
        f"#  Rank {rank:2d} Group  0 Pid {4000 + rank:6d} on {f'node{rank // local}':>10} device {rank % local:2d} "
        f"[0x{16 + rank % local:02x}] {gpu}"
        for rank in range(ranks)
    ]
    log += ["#", *lines, *_HEAD]
    for size, time_s in zip(SIZES, times, strict=True):
        algbw = size / time_s / 1e9
        half = f"{time_s * 1e6:8.2f} {algbw:7.2f} {bus_factor('all_reduce', ranks) * algbw:7.2f}      0"
        log.append(f"{size:12d} {size // 4:13d}     float     sum      -1 {half} {half}")
    (verdict,) = [item for item in judge_runs(read("log", text(log)), system) if item.sizes]
    return {cause.reason.code: cause for cause in verdict.causes}


NODE, TWO, FOUR = (
    SYSTEMS["dgx-h100"],
    configure(SYSTEMS["dgx-h100"], domains=2),
    configure(SYSTEMS["dgx-h100"], domains=4),
)
A100 = configure(SYSTEMS["dgx-a100"], domains=4)
CARDS, MI300X = SYSTEMS["l40s-x8"], configure(SYSTEMS["mi300x-x8"], domains=2)
AMD = "AMD Instinct MI300X"

LINES = (
    "3b:00.0 Infiniband controller: Mellanox Technologies MT28908",
    "        LnkCap: Port #0, Speed 16GT/s, Width x16, ASPM not supported",
    "        LnkSta: Speed 16GT/s, Width x8 (downgraded)",
)
PORTS = [
    line
    for index in range(8)
    for line in (f"CA 'mlx5_{index}'", "        State: Active", f"        Rate: {200 if index == 2 else 400}")
]
PATHS = [
    "        " + "\t".join(f"GPU{index}" for index in range(8)),
    *("\t".join([f"GPU{a}", *(" X " if a == b else "PHB" for b in range(8))]) for a in range(8)),
]
UP = [
    ("lspci, LnkSta downgraded", TWO, 2.6, "\n".join(LINES), "pcie_path"),
    ("ibstat, a rate below the others", FOUR, 2.1, "\n".join(PORTS), "slow_port"),
    ("topo -m, PHB between GPUs", NODE, 11.0, "\n".join(PATHS), "pcie_instead_of_nvlink"),
    ("NET/IB : Using, half of the adapters", FOUR, 2.0, f"{SAID}NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_2:1/IB [3]mlx5_3:1/IB [RO]; OOB eno1:<0>", "fewer_nics"),
    ("NCCL_IB_HCA, half of the adapters", FOUR, 2.0, f"{SAID}NCCL_IB_HCA set to mlx5_0,mlx5_1,mlx5_2,mlx5_3", "fewer_nics"),
    ("-x of mpirun", FOUR, 2.0, "mpirun -np 32 -x NCCL_IB_HCA=mlx5_0,mlx5_1,mlx5_2,mlx5_3 ./all_reduce_perf -b 32M -e 8G", "fewer_nics"),
    ("NET/OFI, found 4 nics", FOUR, 2.0, f"{SAID}NET/OFI Selected provider is efa, fabric is efa (found 4 nics)", "fewer_nics"),
    ("NET/IB, bonds, one queue pair", FOUR, 1.9, f"{SAID}NET/IB : Using [0]mlx5_bond_0:1/RoCE [1]mlx5_bond_1:1/RoCE [RO]; OOB eno1:<0>\n{SAID}NCCL_IB_QPS_PER_CONNECTION set by environment to 1", "bonded_port"),
    ("No device found", TWO, 40.0, f"{SAID}NET/IB : No device found.", "tcp_sockets"),
    ("Using network Socket", TWO, 40.0, f"{SAID}Using network Socket", "tcp_sockets"),
    ("NET/Socket : Using", TWO, 40.0, f"{SAID}NET/Socket : Using [0]eth0:10.0.0.1<0>", "tcp_sockets"),
    ("via NET/Socket", TWO, 40.0, f"{SAID}Channel 00 : 8[0] -> 0[0] [receive] via NET/Socket/0", "tcp_sockets"),
    ("via NET/IB without GDRDMA", TWO, 2.4, f"{SAID}Channel 00/0 : 8[0] -> 0[0] [receive] via NET/IB/0", "no_gpudirect"),
    ("GPU Direct RDMA Disabled", TWO, 2.4, f"{SAID}GPU Direct RDMA Disabled for GPU 0 / HCA 1 (distance 7 > 4)", "no_gpudirect"),
    ("NCCL_NET_GDR_LEVEL=LOC", TWO, 2.4, f"{SAID}NCCL_NET_GDR_LEVEL set by environment to LOC", "no_gpudirect"),
    ("NIC distance", TWO, 2.4, f"{SAID}CUDA Dev 0[0], NIC distance :  SYS", "pcie_path"),
    ("via SHM", CARDS, 5.0, f"{SAID}Channel 00 : 0[0] -> 1[1] via SHM/direct/direct", "staged_copies"),
    ("P2P is disabled", CARDS, 5.0, f"{SAID}P2P is disabled between connected GPUs 1 and 0.", "staged_copies"),
    ("NCCL_P2P_DISABLE", NODE, 20.0, f"{SAID}NCCL_P2P_DISABLE set by environment to 1", "peer_access_off"),
    ("NVLS not available", NODE, 1.35, f"{SAID}NVLS multicast support is not available on dev 0", "nvls_off"),
    ("NCCL_NVLS_ENABLE=0", NODE, 1.35, f"{SAID}NCCL_NVLS_ENABLE set by environment to 0", "nvls_off"),
    ("coll channels", NODE, 6.0, f"{SAID}2 coll channels, 0 collnet channels, 0 nvls channels, 2 p2p channels", "few_channels"),
    ("NCCL version", TWO, 3.0, "NCCL version 2.19.3+cuda12.3", "nccl_version"),
    ("NCCL_ALGO=Tree", FOUR, 1.8, f"{SAID}NCCL_ALGO set by environment to Tree", "forced_setting"),
    ("NCCL_PROTO=LL", NODE, 2.5, f"{SAID}NCCL_PROTO set by environment to LL", "forced_setting"),
    ("NCCL_IB_DISABLE", TWO, 40.0, f"{SAID}NCCL_IB_DISABLE set by environment to 1", "network_off"),
    ("nNodes above the hosts", NODE, 12.0, f"{SAID}comm 0x1 rank 0 nRanks 8 nNodes 8 localRanks 1 localRank 0 MNNVL 0", "split_node"),
    ("ACS on", TWO, 2.6, "        ACSCtl: SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl-", "pcie_path"),
    ("IOMMU on", TWO, 2.6, "BOOT_IMAGE=/vmlinuz root=/dev/sda1 intel_iommu=on", "pcie_path"),
    ("dmesg, Xid 79", NODE, 1.8, "[ 12.3] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.", "slow_gpu"),
    ("HW Slowdown", NODE, 1.8, "        HW Slowdown                       : Active", "slow_gpu"),
    ("port error", FOUR, 2.6, "node3:41:42 [3] transport/net_ib.cc:94 NCCL WARN NET/IB : mlx5_3:1 Got async event : port error", "slow_node"),
    ("ibdev2netdev, half of the ports down", FOUR, 2.0, "\n".join(f"mlx5_{index} port 1 ==> ibs{index} ({'Up' if index < 4 else 'Down'})" for index in range(8)), "fewer_nics"),
]  # fmt: skip
RCCL = [
    ("RCCL: NET/IB : Using", MI300X, 2.0, f"{SAID}NET/IB : Using [0]ionic_0:1/RoCE [1]ionic_1:1/RoCE [RO]; OOB eth0:<0>", "fewer_nics"),
    ("RCCL: via NET/IB without GDRDMA", MI300X, 2.0, f"{SAID}Channel 00/0 : 8[0] -> 0[0] [receive] via NET/IB/0 comm 0x7 nRanks 16", "no_gpudirect"),
    ("RCCL: NCCL_PROTO", MI300X, 2.0, f"{SAID}NCCL_PROTO set by environment to LL", "forced_setting"),
    ("RCCL: NUMA balancing", MI300X, 1.6, "node0:1:2 [0] NCCL WARN NUMA auto balancing enabled which can lead to variability in the RCCL performance", "numa_balancing"),
]  # fmt: skip


EIGHT = " ".join(f"[{index}]mlx5_{index}:1/IB" for index in range(8))
DOWN = [
    ("NET/IB : Using, all adapters", FOUR, 2.0, f"{SAID}NET/IB : Using {EIGHT} [RO]; OOB eno1:<0>", "fewer_nics"),
    ("via NET/IB/GDRDMA", TWO, 5.0, f"{SAID}Channel 00/0 : 8[0] -> 0[0] via NET/IB/0/GDRDMA", "no_gpudirect"),
    ("Using network IB", TWO, 40.0, f"{SAID}Using network IB", "tcp_sockets"),
    ("via P2P", CARDS, 5.0, f"{SAID}Channel 00 : 0[0] -> 1[1] via P2P/CUMEM", "staged_copies"),
    ("NVLS available", NODE, 1.35, f"{SAID}NVLS multicast support is available on dev 0 (NVLS_NCHANNELS 16)", "nvls_off"),
    ("ACS off", TWO, 2.6, "        ACSCtl: SrcValid- TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl-", "pcie_path"),
]  # fmt: skip


def held(causes, code):
    """Weight of a cause; 0 where it is not listed."""
    return causes[code].weight if code in causes else 0.0


def sides(system):
    """How the log of a system names its GPU and tool."""
    if system is CARDS:
        return {"gpu": L40S}
    return {"gpu": AMD, "tool": "rccl-tests"} if system is MI300X else {}


def report():
    """Markdown: the weight of the cause without the line and with it."""
    lines = ["| line | times slower | cause | without | with |", "|---|---|---|---|---|"]
    for name, system, factor, line, code in (*UP, *RCCL, *DOWN):
        before, after = (
            weights(system, factor, **sides(system)),
            weights(system, factor, line, **sides(system)),
        )
        lines.append(
            f"| {name} | {factor:g} | `{code}` | {100 * held(before, code):.0f} % | {100 * held(after, code):.0f} % |"
        )
    return "\n".join(lines) + "\n"
