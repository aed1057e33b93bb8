"""What NCCL and the host's tools print of a machine with a defect."""

from tests.bench.causes.logs import info, usual_lines


def usual(**how):
    """The lines of a machine with this change."""
    return lambda bench: usual_lines(bench, **how)


def chosen_half(bench):
    """NCCL_IB_HCA names half of the NICs."""
    names = ",".join(f"{bench.adapter}{index}" for index in range(max(1, bench.nics // 2)))
    return [*usual_lines(bench, nics=max(1, bench.nics // 2)), info(f"NCCL_IB_HCA set to {names}")]


def half_down(bench):
    """Half of the ports are down."""
    down = [
        f"{bench.adapter}{index} port 1 ==> ib{index} (Down)" for index in range(bench.nics // 2, bench.nics)
    ]
    return [f"{bench.adapter}{index} port 1 ==> ib{index} (Up)" for index in range(bench.nics // 2)] + down


def disabled(bench):
    """GPUDirect RDMA is disabled."""
    return [
        *usual_lines(bench, direct=False),
        info("NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'" if not bench.plugin else "NET/OFI GPU Direct RDMA Disabled for GPU 0 / HCA 0 (distance 4 >= 4)"),
    ]  # fmt: skip


def one_side(bench):
    """GPUDirect RDMA is used to send, not to receive."""
    lines = usual_lines(bench)
    return [line.replace("/GDRDMA", "") if "[receive]" in line else line for line in lines]


def throttled(bench):
    """A GPU is too hot."""
    return ["    Clocks Event Reasons", "        HW Thermal Slowdown               : Active"]


def acs(bench):
    """ACS is on at a bridge."""
    return ["        ACSCtl: SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-"]


def iommu(bench):
    """The kernel translates DMA."""
    return ["BOOT_IMAGE=/vmlinuz-5.15 root=/dev/sda1 ro intel_iommu=on"]


def narrow(kind):
    """A GPU or NIC has half of its lanes."""

    def said(bench):
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


def slow_port(bench):
    """One port came up at half its rate."""
    rate = bench.network / bench.nics / 0.125e9
    lines = []
    for index in range(bench.nics):
        lines += [
            f"CA '{bench.adapter}{index}'",
            "        State: Active",
            f"        Rate: {rate / 2 if index == 1 else rate:g}",
        ]
    return lines  # fmt: skip


def topology(bench):
    """Topo -m without NVLink."""
    count = bench.system.domain_gpus
    head = "        " + "\t".join(f"GPU{index}" for index in range(count))
    rows = ["\t".join([f"GPU{a}", *(" X " if a == b else "PHB" for b in range(count))]) for a in range(count)]
    return [head, *rows]


def xid(bench):
    """An NVLink reported a fault."""
    return ["[ 812.3] NVRM: Xid (PCI:0000:3b:00): 74, pid=812, NVLink: fatal error detected on link 3"]


def async_event(bench):
    """A port reported errors."""
    return [
        "node3:410:420 [3] transport/net_ib.cc:94 NCCL WARN NET/IB : mlx5_3:1 Got async event : port error"
    ]


def split(bench):
    """Every GPU is a node to NCCL."""
    return [
        info(f"comm 0x5 rank 0 nRanks {bench.ranks} nNodes {bench.ranks} localRanks 1 localRank 0 MNNVL 0"),
        info("Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IB/0/GDRDMA"),
        *usual_lines(bench, inside="NET/IB/0/GDRDMA")[-1:],
    ]
