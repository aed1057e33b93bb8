"""What a failed run says of its cause: known messages of NCCL, CUDA and the kernel, each with what to try."""

import re

from core.measurement.xid import HARDWARE_XIDS

_KNOWN = (
    (
        r"(?:Got completion|completed).{0,160}?(?:error |status=)(?:4|10|11)\b|vendor err 81\b",
        (
            "the NIC may not reach GPU memory (ACS or IOMMU on, or peer memory without its module): "
            "NCCL_NET_GDR_LEVEL=LOC runs if so; then lspci -vvv, grep ACSCtl"
        ),
    ),
    (
        (
            r"(?:Got completion|completed).{0,160}?(?:error |status=)1[23]\b|retry counter exceeded|"
            r"vendor err 129\b"
        ),
        (
            "a peer over the network does not answer (cable, route, NCCL_IB_GID_INDEX of RoCE, ACS between "
            "GPU and NIC, or the peer died): ib_write_bw between the two NICs, with and without --use_cuda"
        ),
    ),
    (
        r"(?i:async (?:fatal )?event.{0,40}(?:port|link)|Got async event ?: port)",
        "a NIC's port went down or up during the run: ibstat and the cable of that port",
    ),
    (
        r"ibv_reg_mr.{0,120}(?:fail|Cannot allocate|error|Bad address)",
        (
            "memory could not be registered for RDMA: ulimit -l unlimited (containers: --ulimit "
            "memlock=-1), and nvidia-peermem for GPU memory"
        ),
    ),
    (
        (r"ibv_open_device.{0,40}fail|Unable to open device|Failed to open libibverbs"),
        (
            "the process may not use the NICs, so NCCL falls back to TCP sockets: containers need "
            "--device=/dev/infiniband (or --privileged), --cap-add=IPC_LOCK and libibverbs"
        ),
    ),
    (
        (
            r"ibv_modify_qp.{0,120}(?:fail|error|timed out|Invalid|No data)|Call to ibv_(?:create_qp|"
            r"create_cq).{0,40}fail"
        ),
        (
            "no connection between two NICs (wrong NCCL_IB_GID_INDEX, other subnet, or an adapter that "
            "is no network of this job): NCCL_IB_HCA and show_gids"
        ),
    ),
    (
        r"shared memory segment|/dev/shm.{0,60}(?:No space|fail)|No space left on device",
        "shared memory is too small: containers need --shm-size=1g or --ipc=host",
    ),
    (
        r"(?i:no socket interface found|no usable (?:network|interface))",
        "no network interface is found: NCCL_SOCKET_IFNAME",
    ),
    (
        (
            r"wrong type \d{1,3} != \d{1,3}|(?i:connect(?:ion)?.{0,80}(?:refused|No route to host|timed "
            r"out))|socketStartConnect"
        ),
        ("ranks do not reach each other over TCP (firewall, or the wrong interface): NCCL_SOCKET_IFNAME"),
    ),
    (
        r"(?i:fabric manager|system not yet initialized|Cuda failure 802)",
        "the NVSwitch fabric is not set up: systemctl status nvidia-fabricmanager",
    ),
    (
        r"(?i:transport/nvls|nvls).{0,120}(?i:failure|error|unhandled)|Cuda failure (?:801|1 )",
        "NVLS could not be set up (fabric manager, IMEX or driver): NCCL_NVLS_ENABLE=0 runs without",
    ),
    (
        r"(?i:duplicate GPU detected)",
        "two ranks share a GPU: one rank for each, CUDA_VISIBLE_DEVICES",
    ),
    (
        r"(?i:connection closed by (?:remote )?peer|remote process exited)",
        (
            "another rank ended first: its own message, earlier in this log or in that of another node, "
            "tells why"
        ),
    ),
    (
        r"(?i:no kernel image|invalid device function|device kernel image is invalid)",
        "NCCL or the test was not built for this GPU: a newer build",
    ),
    (
        r"(?i:out of memory)",
        "no GPU memory left: other processes on the GPU, or a smaller -e",
    ),
    (
        r"(?i:mismatch.{0,40}version|version mismatch|Driver/library version)",
        ("two versions that do not fit: the same NCCL on all ranks, driver and library from one release"),
    ),
    (
        r"(?i:watchdog caught collective operation timeout|Timeout at NCCL work)",
        "a rank did not come to the collective: NCCL's flight recorder of all ranks, on the page Job",
    ),
    (
        (
            rf"NVRM: Xid.{{0,60}}?: (?:{'|'.join(HARDWARE_XIDS)})\b|fallen off the bus|uncorrectable "
            r"(?:ECC|NVLink)"
        ),
        "a GPU or its link failed: sudo dmesg, grep Xid; nvidia-smi -q -d ECC",
    ),
    (
        (
            r"(?i:peer access is not supported|mapping of buffer object failed|"
            r"cudaIpcOpenMemHandle.{0,40}fail)"
        ),
        "GPUs do not reach each other's memory: NCCL_P2P_DISABLE=1 runs if so",
    ),
)
_PATTERNS = tuple((re.compile(pattern), meaning) for pattern, meaning in _KNOWN)
_SIGNS = (
    *("warn", "fail", "error", "xid", "timeout", "timed out", "refused", "unable", "out of memory"),
    *("fallen", "duplicate", "no space"),
)
"""In small letters: a line without one of these is no message."""
_LINE_MOST, _QUOTE_MOST = 600, 110


def explained(text: str) -> str:
    """What a line of a failed run says, and what to try; empty where it is no message we know."""
    small = text[:_LINE_MOST].lower()
    if not _warns(small):
        return ""
    for pattern, meaning in _PATTERNS:
        if match := pattern.search(text[:_LINE_MOST]):
            return f"{_quoted(text, match)!r}: {meaning}"
    return ""


def _warns(small: str) -> bool:
    for sign in _SIGNS:  # noqa: SIM110 (a generator takes twice as long, and every line comes here)
        if sign in small:
            return True
    return False


def _quoted(text: str, match: re.Match[str]) -> str:
    """The message without the speaker before it."""
    _, _, said = text[:_LINE_MOST].rpartition(" NCCL WARN ")
    quote = said if said and match.group(0) in said else text[match.start() :]
    return " ".join(quote.split())[:_QUOTE_MOST]


_CONNECTED = re.compile(r"Connected all (?:rings|trees)|Init COMPLETE|via (?:P2P|SHM|NET)")
HANG = (
    "NCCL connected and no row followed: the first data hangs; NCCL_P2P_DISABLE=1 or NCCL_IB_DISABLE=1 tells "
    "which path (between GPUs ACS or IOMMU, between nodes firewall or routing)"
)


def connected(text: str) -> bool:
    """Whether a line says that ranks are connected."""
    words = "via " in text or "Connected all " in text or "Init COMPLETE" in text
    return words and _CONNECTED.search(text) is not None
