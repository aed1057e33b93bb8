"""PCIe: generations 3 to 7, nominal and after line code."""

from core.catalog.sources import cite
from core.hardware import Family, Link
from core.provenance import Basis, Confidence, Quoted, Scope
from core.units import GB, US

_GIGATRANSFERS = {3: 8, 4: 16, 5: 32, 6: 64, 7: 128}
_YEARS = {3: 2010, 4: 2017, 5: 2019, 6: 2022, 7: 2025}
_NOTES = {
    5: "in practice 85-90 %: 55.4 GB/s measured from host to device",
    6: "counting TLP bytes only (236 of 256 of a flit) leaves 118 GB/s",
}
_FLIT_FROM = 6


def code_ratio(generation: int) -> float:
    """Share of the wire left by line code: 128b/130b up to generation 5, 242 of 256 in a flit after."""
    return 242 / 256 if generation >= _FLIT_FROM else 128 / 130


def pcie_bytes_per_s(generation: int, lanes: int) -> float:
    """Unidirectional, after line code: GT/s x lanes x code / 8."""
    return _GIGATRANSFERS[generation] * GB * lanes * code_ratio(generation) / 8


def _pcie(generation: int) -> Link:
    sources = cite("nvlink-table", "ml-network")
    one_way_gb = _GIGATRANSFERS[generation] * 16 / 8
    flit = generation >= _FLIT_FROM
    return Link(
        id=f"pcie{generation}-x16",
        name=f"PCIe Gen{generation} x16",
        family=Family.PCIE,
        year=_YEARS[generation],
        rate=Quoted(2 * one_way_gb, GB, Basis.BOTH_WAYS, Scope.SLOT, sources[0]),
        effective_bytes_per_s=pcie_bytes_per_s(generation, 16),
        raw_bytes_per_s=one_way_gb * GB,
        latency_low_s=2 * US,
        latency_high_s=5 * US,
        latency_kind="one hop, as a source assumes; starting a copy is reckoned at 0.5-1 us",
        links=1,
        lanes=16,
        signalling=f"{_GIGATRANSFERS[generation]} GT/s a lane, "
        + ("PAM4 flits with FEC" if flit else "NRZ 128b/130b"),
        max_domain="2+",
        sources=(*sources, *cite("briefing-000")),
        confidence=Confidence.MEDIUM if generation == max(_YEARS) else Confidence.HIGH,
        note=_NOTES.get(generation, ""),
    )


PCIE_LINKS = tuple(_pcie(generation) for generation in _GIGATRANSFERS)
