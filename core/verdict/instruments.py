"""Commands that tell causes apart: of each the causes that it shows, and how."""

from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Instrument:
    """
    One command.

    Attributes:
        name: For the choice among several.
        command: ``{}`` takes the patterns of the causes in question.
        signs: By the reason's code: a pattern to search for (empty where the command needs none), and
            what it shows if that is the cause.
        nothing: What it shows under all other causes.
        brief: For a headline.
    """

    name: str
    command: str
    signs: MappingProxyType[str, tuple[str, str]]
    nothing: str
    brief: str


def _instrument(
    name: str, command: str, signs: dict[str, tuple[str, str]], nothing: str, brief: str
) -> Instrument:
    return Instrument(name, command, MappingProxyType(signs), nothing, brief)


LINES_OF_NCCL = "lines of NCCL"
INSTRUMENTS = (
    _instrument(
        LINES_OF_NCCL,
        "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,ENV,NET,GRAPH <command> 2>&1 | grep -E '{}'",
        {
            "no_gpudirect": ("via NET", "`via NET/...` without `/GDRDMA` on one side or both"),
            "fewer_nics": (
                "NET/IB : Using|found [0-9]+ nics",
                "fewer adapters behind `NET/IB : Using` than the node has",
            ),
            "tcp_sockets": ("Using network|NET/Socket", "`Using network Socket`"),
            "network_off": ("set by environment", "the setting that switches RDMA off"),
            "bonded_port": ("set by environment", "`NCCL_IB_QPS_PER_CONNECTION` of 1, or none"),
            "staged_copies": (" via ", "`via SHM` between GPUs of a node"),
            "peer_access_off": ("set by environment", "the setting that switches peer access off"),
            "nvls_off": ("NVLS", "`NVLS multicast support is not available`, or no line on NVLS"),
            "few_channels": ("coll channels", "few `coll channels`: below 8 on a switch of NVLink"),
            "forced_setting": ("set by environment", "the setting that overrides NCCL's choice"),
            "split_node": ("nNodes", "`nNodes` above the number of hosts"),
        },
        "all of it as on a sound machine",
        "NCCL_DEBUG=INFO and check that log",
    ),
    _instrument(
        "lspci",
        "sudo lspci -vvv | grep -E 'ACSCtl:|LnkSta:'; cat /proc/cmdline   (on every node)",
        {
            "pcie_path": (
                "",
                "`SrcValid+` (ACS is on), `downgraded` or less than x16, or an IOMMU without `iommu=pt`",
            )
        },
        "nothing of that: no ACS, full width, passthrough",
        "lspci -vvv, grep ACSCtl and LnkSta",
    ),
    _instrument(
        "topology",
        "nvidia-smi topo -m; nvidia-smi topo -p2p r; nvidia-smi nvlink -s",
        {
            "pcie_instead_of_nvlink": ("", "PIX to SYS between GPUs that ran, or inactive links"),
            "staged_copies": ("", "`CNS` or another word than `OK` between GPUs: no peer access"),
            "links_inactive": ("", "links that are inactive"),
            "numa": ("", "SYS between the GPU and the NIC or CPU in use"),
        },
        "NV# or PIX between all, `OK` throughout",
        "nvidia-smi topo -m",
    ),
    _instrument(
        "pairs of nodes",
        "<command> on every pair of nodes; python -m gpu_probe accept PAIR_*.log",
        {
            "oversubscribed": ("", "pairs of one leaf at full rate, those across leaves below"),
            "slow_node": ("", "every pair with one node is slow, the others are not"),
        },
        "all pairs alike, and slow",
        "every pair of nodes",
    ),
    _instrument(
        "devices",
        "nvidia-smi -q -d PERFORMANCE,CLOCK (under load); sudo dmesg | grep -i xid; nvidia-smi nvlink -e",
        {"slow_gpu": ("", "a GPU with a slowdown, a low clock, an Xid or errors of links")},
        "all GPUs alike, without errors",
        "nvidia-smi -q -d PERFORMANCE and dmesg, grep Xid",
    ),
    _instrument(
        "ports",
        'ibstat | grep -E "CA \'|State|Rate"   (on every node)',
        {
            "slow_port": ("", "a port below its rate"),
            "fewer_nics": ("", "ports that are Down"),
        },
        "all ports Active at their rate",
        "ibstat, grep Rate",
    ),
    _instrument(
        "the tool's table",
        "<command> with its whole table: algbw and busbw in GB/s, each direction of a copy",
        {
            "metric_misread": ("", "the number in the other column, or the sum of two directions"),
            "unit_misread": ("", "the number in the other unit"),
        },
        "the number as it was told",
        "the tool's own table, with its columns and units",
    ),
    _instrument(
        "memory",
        "ib_write_bw --use_cuda=0 ... beside the same without it; lsmod | grep -E 'nvidia_peermem|gdrdrv'",
        {
            "staged_gpu_memory": (
                "",
                "the port's rate from host memory and far less from the GPU's, or no module",
            )
        },
        "as slow from host memory",
        "ib_write_bw --use_cuda=0 beside host memory",
    ),
    _instrument(
        "another version",
        "LD_PRELOAD=/path/to/another/libnccl.so.2 <command>",
        {"nccl_version": ("", "another rate")},
        "the same rate",
        "another NCCL version",
    ),
    _instrument(
        "small sizes",
        "<command> -b 8 -e 64K -n 1000",
        {"latency_bound": ("", "as many microseconds too many from 8 B on")},
        "usual times at small sizes",
        "the same from 8 B on",
    ),
)
"""In the order of what they cost."""
