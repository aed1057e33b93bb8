"""Lines of ``nvidia-smi -q`` and of the kernel on faults and clocks of GPUs and PCIe links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gpu_probe.parsers.evidence.nccl_lines import Said

_COUNT = re.compile(r"\s{4,40}([A-Z][\w -]{2,40}?)\s{1,40}: (\d{1,12})\s*$")
_FLAG = re.compile(r"\s{4,40}([A-Z][\w ]{2,40}?)\s{1,40}: (Yes|No|Active|Not Active)\s*$")
_CLOCK = re.compile(r"\s{4,40}(?:SM|Graphics)\s{1,40}: (\d{2,5}) MHz")
_SECTION = re.compile(r"\s{2,12}([A-Z][\w ]{2,40}?)\s*$")
_AER = re.compile(
    r"\bAER: .{0,60}(?:error|Error)|PCIe Bus Error: severity=(\w[\w ()-]{0,40})"
    r"|\b(?:BadTLP|BadDLLP|Replay (?:Timer Timeout|Rollover)|RELAY_NUM)(?![-\w])"
)
_NOT_STATUS = re.compile(r"\b[CU]E(?:Msk|Svrt):")
"""lspci's masks and severities: a ``+`` there is no error, and a ``-`` in a status is none."""
_FAULTS = {
    "SRAM Uncorrectable": "uncorrectable ECC errors (SRAM)",
    "SRAM Uncorrectable Parity": "uncorrectable ECC errors (SRAM)",
    "SRAM Uncorrectable SEC-DED": "uncorrectable ECC errors (SRAM)",
    "DRAM Uncorrectable": "uncorrectable ECC errors (memory)",
    "Double Bit ECC": "retired pages",
    "Uncorrectable Error": "rows remapped for uncorrectable errors",
}
_PENDING = {
    "Pending": "a row remapping is pending: reset the GPU",
    "Pending Page Blacklist": "a page retirement is pending: reset the GPU",
    "Remapping Failure Occurred": "row remapping failed: replace the GPU",
}
_POWER = ("SW Power Cap", "HW Power Brake Slowdown")
_REPLAYS_LEAST = 100
_LOW_CLOCK = 0.75
_SIGNS = (
    " : ",
    "Clocks",
    "AER",
    "PCIe Bus Error",
    "BadTLP",
    "BadDLLP",
    "Replay",
    "Remapped",
    "Retired",
    "ECC",
)
_CLOCKS, _MOST = "Clocks", "Max Clocks"


@dataclass(slots=True)
class GpuLines:
    """A reader with the memory that ``nvidia-smi -q`` needs: the section, and the clocks of this GPU."""

    section: str = ""
    idle: bool = True
    now_mhz: int = 0

    def observations(self, text: str) -> Iterator[Said]:
        """What one line says."""
        if text.startswith(("GPU 0", "GPU 1")):
            self.section, self.idle, self.now_mhz = "", True, 0
        if not any(sign in text for sign in _SIGNS):
            return
        if _AER.search(text) and not _NOT_STATUS.search(text):
            yield "aer", " ".join(text.split())[:100]
        elif match := _CLOCK.match(text):
            yield from self._clock(int(match.group(1)))
        elif match := _COUNT.match(text):
            yield from self._counted(match.group(1), int(match.group(2)))
        elif match := _FLAG.match(text):
            yield from self._flagged(match.group(1), match.group(2))
        elif match := _SECTION.match(text):
            self.section = match.group(1)

    def _counted(self, name: str, count: int) -> Iterator[Said]:
        if count and name in _FAULTS:
            yield "gpu_fault", f"{count} {_FAULTS[name]}"
        elif name == "Replays Since Reset" and count >= _REPLAYS_LEAST:
            yield "aer", f"{count} replays of a GPU's PCIe link since its reset"

    def _flagged(self, name: str, value: str) -> Iterator[Said]:
        if name == "Idle":
            self.idle = value == "Active"
        elif value == "Yes" and name in _PENDING:
            yield "gpu_fault", _PENDING[name]
        elif value == "Active" and name in _POWER:
            yield "power_cap", name

    def _clock(self, mhz: int) -> Iterator[Said]:
        """The clock under load against the most that the GPU has."""
        if self.section == _CLOCKS:
            self.now_mhz = mhz
        elif self.section == _MOST and self.now_mhz and not self.idle and self.now_mhz < _LOW_CLOCK * mhz:
            yield "clock", f"{self.now_mhz} of {mhz} MHz"
            self.now_mhz = 0
