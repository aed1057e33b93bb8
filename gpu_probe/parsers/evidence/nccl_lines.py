"""NCCL's and RCCL's own lines: networks, adapters, transports, channels, and what they could not use."""

import re
from collections.abc import Iterator

Said = tuple[str, str]
"""Kind and value of an observation."""

_ADAPTERS = re.compile(r"NET/IB ?: Using (?=\[\d)(.{1,1900}?)(?:\[RO\]|; ?OOB|$)")
_ADAPTER = re.compile(r"\[\d{1,3}\] ?([\w.+-]{1,160}?)(:\d{1,3}(?:/\w{1,12})?)(?![\w.+-])")
"""A name and its port; merged ports stand in braces, or as ``mlx5_0+mlx5_1:1/RoCE``."""
_SPEED = re.compile(r"NET/IB: \[\d{1,3}\] ([\w.-]{1,40}):\S{0,60} .{0,80}?speed=(\d{1,9})")
_SOCKETS = re.compile(r"NET/Socket ?: Using((?: ?\[\d{1,3}\][\w.-]{1,40}:\S{1,60})+)")
_SOCKET = re.compile(r"\[\d{1,3}\]([\w.-]{1,40}):")
_NO_ADAPTER = re.compile(
    r"NET/IB ?: No device found|NET/OFI No (?:eligible )?provider|NET/OFI .{0,60}not found"
)
_NETWORK = re.compile(r"(?:Using network|Assigned NET plugin) (\S.{0,40})")
"""Since 2.27 NCCL assigns a plugin to a communicator instead."""
_HOST_COPY = "via direct shared memory"
"""So NCCL up to 2.7 names its transport through host memory."""
_TRANSPORT = re.compile(r"\bvia ([A-Z][A-Za-z0-9]{1,20}(?:/[^\s\[]{1,60}){0,6}(?: Libfabric\S{0,40})?)")
_SIDE = re.compile(r"\[(send|receive)\]")
_NVLS = re.compile(r"NVLS multicast support is (not )?available")
_CHANNELS = re.compile(r"\b(\d{1,3}) coll channels")
_GRAPH = re.compile(
    r"Pattern (\d{1,2}), crossNic \d{1,2}, nChannels (\d{1,3}), (?:speed|bw) ([\d./]{1,30}), "
    r"type (\w{2,5}/\w{2,5})"
)
_NO_PATH = re.compile(r"Could not find a path for pattern (\d{1,2})")
_GDR = re.compile(r"GPU Direct RDMA (Enabled|Disabled)\b(.{0,120})")
_GDR_READ = re.compile(
    r"NET/\S{1,30} ?: GPU Direct RDMA \(?(?:nvidia-peermem|DMABUF|DMA-BUF)?\)? ?(?:Enabled|Disabled)"
)
_NO_MODULE = re.compile(
    r"(?i:GDRDMA not enabled|nv_peer_mem.{0,40}not (?:loaded|found)|peermem.{0,40}not "
    r"(?:loaded|found|available))"
)
_NO_PEER = re.compile(
    r"(?i:P2P is disabled between|could not enable P2P|P2P disabled|cannot access peer|peer "
    r"access is not supported"
    r"|No P2P support|xGMI.{0,40}not)"
)
_NODES = re.compile(r"\bnNodes (\d{1,6})\b")
_WARNING = re.compile(r"NCCL WARN (\S.{0,160})")
_RCCL_SET = re.compile(r"\b(RCCL_[A-Z0-9_]{1,60})(?: set by environment to |=)([^\s,;]{1,100})")
_DISTANCE = re.compile(r"NIC distance : ((?: ?\w{2,5}){1,16})")
_OFI_NICS = re.compile(r"(?i:selected provider) is (\w{1,20}).{0,60}\(found (\d{1,3}) nics\)")


def observations(text: str) -> Iterator[Said]:
    """What one line of NCCL says, in the words of ``core.measurement.Observation``."""
    if " via " in text:
        yield from _transport(text)
        return
    if "NET/" in text:
        yield from _network(text)
    if ("Using network" in text or "Assigned" in text) and (match := _NETWORK.search(text)):
        yield "network", match.group(1).partition(" to comm")[0].strip()
    if "NVLS" in text and (match := _NVLS.search(text)):
        yield "nvls", "unavailable" if match.group(1) else "available"
    yield from _channels(text)
    yield from _direct(text)
    yield from _others(text)


def _transport(text: str) -> Iterator[Said]:
    """``via NET/IB/1/GDRDMA`` without its numbers, and the side where the line names it."""
    if _HOST_COPY in text:
        yield "transport", "SHM"
        return
    match = _TRANSPORT.search(text)
    if match is None:
        return
    parts = match.group(1).split("/")
    side = _SIDE.search(text) if "[send" in text or "[receive" in text else None
    direction = f" {side.group(1)}" if side else ""
    if parts[0] == "NET":
        name = re.sub(r"[\d()]", "", parts[1]).strip() if len(parts) > 1 else ""
        direct = " GDRDMA" if "GDRDMA" in text else " staged"
        yield "transport", f"NET/{name}{direct}{direction}"
        return
    yield "transport", parts[0]


def _network(text: str) -> Iterator[Said]:
    if match := _ADAPTERS.search(text):
        yield from _adapters(match.group(1))
    if match := _SPEED.search(text):
        yield "nic_rate", f"{match.group(1)} {int(match.group(2)) / 1000:g}"
    if match := _SOCKETS.search(text):
        yield "sockets", " ".join(_SOCKET.findall(match.group(1)))
    if _NO_ADAPTER.search(text):
        yield "no_adapter", "no RDMA device"
    if (match := _OFI_NICS.search(text)) and match.group(1) not in ("tcp", "sockets", "udp"):
        yield "provider", match.group(1)
        yield "nic_count", match.group(2)


def _adapters(text: str) -> Iterator[Said]:
    """Every adapter of a list, those that are merged to one device too."""
    names = [f"{name}{port}" for merged, port in _ADAPTER.findall(text) for name in merged.split("+") if name]
    if names:
        yield "nics", " ".join(names)


def _channels(text: str) -> Iterator[Said]:
    if " coll channels" in text and (match := _CHANNELS.search(text)):
        yield "channels", match.group(1)
    if "Could not find" in text and (match := _NO_PATH.search(text)):
        yield "graph", f"no path for pattern {match.group(1)}"
    if "Pattern " in text and (match := _GRAPH.search(text)):
        yield "graph", f"pattern {match.group(1)} channels {match.group(2)} {match.group(4)}"


def _direct(text: str) -> Iterator[Said]:
    if "GPU Direct RDMA" in text:
        if match := _GDR.search(text):
            yield "gpudirect", match.group(1).lower()
        elif _GDR_READ.search(text):
            yield "gpudirect", "disabled" if "Disabled" in text else "enabled"
    small = text.lower()
    if "not " in small and _NO_MODULE.search(text):
        yield "gpudirect", "no peer memory module"
    if ("p2p" in small or "peer" in small or "xgm" in small) and _NO_PEER.search(text):
        yield "peer_access", "none"


def _others(text: str) -> Iterator[Said]:
    if "nNodes " in text and (match := _NODES.search(text)):
        yield "nodes", match.group(1)
    if "NCCL WARN " in text and (match := _WARNING.search(text)):
        yield "warning", match.group(1).strip()
    if "NIC distance" in text and (match := _DISTANCE.search(text)):
        yield "nic_distance", match.group(1).strip()
    if "RCCL_" in text:
        for name, value in _RCCL_SET.findall(text):
            yield "setting", f"{name}={value}"
