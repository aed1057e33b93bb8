"""What others measured on a kind of link, each with how; a link that nobody measured is not here."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.catalog.sources import cite
from core.provenance import Source
from core.units import GB


@dataclass(frozen=True, slots=True)
class Measured:
    """
    What somebody measured on a link, bytes/s per GPU.

    Attributes:
        one_way_bytes_per_s: One direction: a copy, or the bus bandwidth of a collective.
        both_ways_bytes_per_s: Both directions at once, summed; None where nobody measured it.
        how: On what system and with which tool.
    """

    one_way_bytes_per_s: float
    both_ways_bytes_per_s: float | None
    how: str
    source: Source


(_ML,) = cite("ml-network")

MEASURED: Mapping[str, Measured] = MappingProxyType(
    {
        "nvlink3": Measured(234.9 * GB, None, "ring busbw of 8 A100, nccl-tests, 16 GiB", _ML),
        "nvlink4": Measured(396.40 * GB, 783.73 * GB, "copy between two H200", _ML),
        "nvlink5": Measured(682.2 * GB, None, "ring busbw of 8 B200, nccl-tests, 8 GiB", _ML),
        "if-mi300x": Measured(312.9 * GB, None, "busbw of 8 MI300X", _ML),
        "pcie5-x16": Measured(55.06 * GB, None, "copy from H200 to host (back: 55.43)", _ML),
        "c2c-grace": Measured(
            359 * GB,
            347 * GB,
            "copy on a DGX Station GB300 (unidirectional 359-377; both directions at once 175 + 172)",
            _ML,
        ),
    }
)
"""By link id."""

MEASURED_PAIRS: Mapping[str, Measured] = MappingProxyType(
    {"if-mi300x": Measured(47.7 * GB, None, "busbw of 2 MI300X", _ML)}
)
"""Of one pair of a mesh, by link id."""
