"""What nvbandwidth's text and JSON share: names, units and directions of its test cases."""

import re

from core.measurement import GpuCount
from core.units import GB, US
from gpu_probe.parsers.reader import Notices

PARTS = 3
"""A bidirectional device-to-device case prints two directions and their sum."""

_DEVICE = re.compile(r"(?:\d{1,5}: )?(\S[^(]{0,100}?)\s{0,8}(?:\([0-9a-fA-F]{8}:|$)")


def unit_of(description: str) -> tuple[str, float] | None:
    """Kind of matrix and factor to SI from a description such as ``... bandwidth (GB/s)``."""
    for sign, kind, scale in (
        ("(GB/s)", "bandwidth", GB),
        ("(ns)", "latency", US / 1000),
        ("(us)", "latency", US),
    ):
        if sign in description:
            return kind, scale
    return None


def direction_of(name: str, kind: str, part: str = "") -> str | None:
    """Bidirectional where both directions ran; each of the two parts of a sum is unidirectional."""
    if kind == "latency":
        return None
    return "both_ways" if "bidirectional" in name and part in ("", "total") else "one_way"


def part_name(name: str, part: int) -> str:
    """``read1``, ``read2`` or ``total``: the matrices of one bidirectional case in their order."""
    access = "read" if "read" in name else "write"
    return (f"{access}1", f"{access}2", "total")[part]


def measured_stream_only(name: str) -> bool:
    """Whether nvbandwidth times one stream of a two-way copy while the other runs unmeasured."""
    if "bidirectional" not in name or name.endswith(("total", "1", "2")):
        return False
    return "device_to_device" not in name or name.endswith("_ce")


def remark_on_direction(notices: Notices, names: list[str], line: int | None) -> None:
    """Say once that such two-way figures count one direction only."""
    if any(measured_stream_only(name) for name in names):
        text = "two-way copies: the figure counts the measured direction only, while the other runs"
        notices.add("one_stream_of_two", text, line)


def gpu_counts(devices: list[str]) -> tuple[GpuCount, ...]:
    """GPUs by name from lines such as ``0: NVIDIA H100 (00000000:1b:00)``."""
    names = [match.group(1) for text in devices if (match := _DEVICE.match(text))]
    return tuple(GpuCount(name, names.count(name)) for name in dict.fromkeys(names))


def cuda_version(code: int) -> str:
    """``12.8`` from 12080."""
    return f"{code // 1000}.{code % 1000 // 10}"
