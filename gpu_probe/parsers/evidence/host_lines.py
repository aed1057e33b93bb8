"""Lines of tools for host and NICs: ibstat, ibdev2netdev, lspci -vvv, the kernel's log, nvidia-smi."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gpu_probe.parsers.evidence.launch_lines import LAUNCHERS, launched
from gpu_probe.parsers.evidence.nccl_lines import Said

_CA = re.compile(r"\s{0,8}(?:CA|Infiniband device) '([\w.-]{1,40})'")
_STATE = re.compile(r"\s{0,24}(?:State:|state:\s{1,24}\d:) (\w{1,20})")
_RATE = re.compile(r"\s{0,24}[Rr]ate:\s{1,24}(\d{1,5})\b")
_NETDEV = re.compile(r"([\w.-]{1,40}) port \d{1,3} ==> (\S{1,40}) \((Up|Down)\)")
_BUS = re.compile(r"\s{0,4}((?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-9a-fA-F]) (\S.{0,160})")
_ACS = re.compile(r"\bACSCtl:\s{0,8}(.{0,160})")
_CAPABLE = re.compile(r"\bLnkCap:.{0,80}?Speed ([\d.]{1,5}) ?GT/s.{0,40}?Width x(\d{1,2})")
_LINK = re.compile(r"\bLnkSta:.{0,80}?Speed ([\d.]{1,5}) ?GT/s.{0,40}?Width x(\d{1,2})( \(downgraded\))?")
_XID = re.compile(r"NVRM: Xid.{0,60}?: (\d{1,4})\b")
_IOMMU = re.compile(r"(?:intel_iommu|amd_iommu|iommu)=(\w{1,20})|(DMAR|AMD-Vi): .{0,40}(?i:enabled)")
_PASSTHROUGH = re.compile(r"iommu: Default domain type: Passthrough|\biommu\.passthrough=1\b")
_THROTTLE = re.compile(r"(?i:(?:HW|SW) (?:Thermal )?Slowdown|HW Power Brake)[\w ]{0,40}:\s{0,8}Active\b")
_INSTANCE = re.compile(
    r"\b(?:Standard_)?(p[345][a-z]{0,2}\.(?:24|48)xlarge|p6-b[23]00\.48xlarge|ND96\w{2,20}_v[45]|NDm?v[45]\b"
    r"|g(?:4dn|5|6|6e)\.(?:\d{0,2}xlarge|metal)|g2-standard-\d{1,2}"
    r"|a3-(?:mega|high|ultra)gpu-8g|a4-highgpu-8g|BM\.GPU(?:4|\.[A-Z]\d{2,3}(?:-v2)?)\.8)"
)
_DEVICE = re.compile(
    r"[#\s]{0,12}Rank\s{1,8}\d{1,7}\b.{0,160}?\bon\s{1,40}(\S{1,80}) device"
    r"\s{1,8}(\d{1,4}) \[([\w:.]{1,20})\]"
    r"|[#\s]{0,12}Rank\s{1,8}\d{1,7}\b.{0,200}\bdevice\s{1,8}(\d{1,4}) \["
)
_SLOTS_MOST = 64
"""Of more GPUs no line is kept: other evidence needs the place."""
_GPUS = ("NVIDIA", "3D controller", "Instinct", "Processing accelerators")
_ADAPTERS = ("Mellanox", "Infiniband", "InfiniBand", "ConnectX")
"""What keeps its link at full speed when idle; a GPU, and a device that no line names, may not."""

SIGNS = (
    *(
        "CA '",
        "Infiniband device",
        "tate: ",
        "tate:\t",
        "ate: ",
        "ate:\t",
        " ==> ",
        "ACSCtl",
        "LnkCap",
        "LnkSta",
        "Xid",
        "iommu",
        "IOMMU",
        "Slowdown",
    ),
    *("xlarge", "_v4", "_v5", "NDv", "NDmv", ".metal", "-standard-", "gpu-8g", "BM.GPU"),
    *("Power Brake", " device ", "controller", "bridge"),
    *LAUNCHERS,
)
"""A line without one of these says nothing here."""


def signed(text: str) -> bool:
    """Whether a line may say something here."""
    for sign in SIGNS:  # noqa: SIM110 (a generator takes twice as long, and every line comes here)
        if sign in text:
            return True
    return False


@dataclass(slots=True)
class HostLines:
    """A reader with the memory that these tools' blocks need: the adapter or the slot that a line is of."""

    adapter: str = ""
    state: str = ""
    slot: str = ""
    capable: tuple[float, int] | None = None
    slots: int = 0

    def observations(self, text: str) -> Iterator[Said]:
        """What one line says."""
        if not signed(text):
            return
        if match := _DEVICE.match(text):
            host, device, slot, alone = match.groups()
            yield "device", device or alone
            self.slots += 1
            if slot and self.slots <= _SLOTS_MOST:
                yield "slot", f"{host} {slot}"
            return
        yield from self._adapter(text)
        yield from self._slot(text)
        yield from _kernel(text)
        yield from launched(text)

    def _adapter(self, text: str) -> Iterator[Said]:
        if match := _CA.match(text):
            self.adapter, self.state = match.group(1), ""
        elif match := _NETDEV.search(text):
            yield "nic_state", f"{match.group(1)} {match.group(3)}"
        elif self.adapter and (match := _STATE.match(text)):
            self.state = match.group(1).capitalize()
            yield "nic_state", f"{self.adapter} {'Up' if self.state == 'Active' else 'Down'}"
        elif self.adapter and (match := _RATE.match(text)):
            if self.state == "Active":
                yield "nic_rate", f"{self.adapter} {match.group(1)}"
            self.adapter = ""

    def _slot(self, text: str) -> Iterator[Said]:
        if match := _BUS.match(text):
            self.slot, self.capable = match.group(2), None
        if match := _ACS.search(text):
            yield "acs", "on" if "SrcValid+" in match.group(1) or "ReqRedir+" in match.group(1) else "off"
        if match := _CAPABLE.search(text):
            self.capable = float(match.group(1)), int(match.group(2))
        elif match := _LINK.search(text):
            yield from self._link(match, text)

    def _link(self, match: re.Match[str], text: str) -> Iterator[Said]:
        """A link below what its ends could do; only of a GPU or an adapter that says much of the run."""
        speed, width = float(match.group(1)), int(match.group(2))
        adapter = any(word in self.slot for word in _ADAPTERS)
        named = (adapter or any(word in self.slot for word in _GPUS)) and "bridge" not in self.slot
        narrow = match.group(3) is not None or (self.capable is not None and width < self.capable[1])
        slower = "downgraded" in text or (self.capable is not None and speed < self.capable[0])
        if (named or not self.slot) and (narrow or slower):
            name = self.slot.partition(": ")[2][:60] or "a device"
            full = "" if self.capable is None else f" of {self.capable[0]:g} GT/s x{self.capable[1]}"
            weak = not named or (not narrow and not adapter)
            yield "pcie_speed" if weak else "pcie_link", f"{speed:g} GT/s x{width}{full}: {name}"


def _kernel(text: str) -> Iterator[Said]:
    if match := _INSTANCE.search(text):
        yield "instance", match.group(1)
    if match := _XID.search(text):
        yield "xid", match.group(1)
    settings = [match.group(1) or "on" for match in _IOMMU.finditer(text)]
    if "pt" in settings or _PASSTHROUGH.search(text):
        yield "iommu", "passthrough"
    elif settings:
        yield "iommu", settings[0]
    if _THROTTLE.search(text):
        yield "throttle", text.strip()[:80]
