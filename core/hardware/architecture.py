"""The architecture of an accelerator: its generation, in the order of years."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class _Generation:
    """Vendor as its datasheets name it, label for pages, year of the first part."""

    vendor: str
    label: str
    year: int


class Architecture(StrEnum):
    """
    Generation of an accelerator, oldest first within a vendor; the value is what calibrations are keyed by.

    ``UNKNOWN`` is a custom accelerator whose generation nobody states.
    """

    PASCAL = "pascal"
    VOLTA = "volta"
    TURING = "turing"
    AMPERE = "ampere"
    ADA = "ada"
    HOPPER = "hopper"
    BLACKWELL = "blackwell"
    RUBIN = "rubin"
    FEYNMAN = "feynman"
    CDNA = "cdna"
    CDNA2 = "cdna2"
    CDNA3 = "cdna3"
    CDNA4 = "cdna4"
    CDNA5 = "cdna5"
    TPU = "tpu"
    GAUDI = "gaudi"
    NEURONCORE = "neuroncore"
    UNKNOWN = "unknown"

    @property
    def vendor(self) -> str:
        """As datasheets name it; empty for an unknown architecture."""
        return _GENERATIONS[self].vendor

    @property
    def label(self) -> str:
        """Readable name, as pages show it."""
        return _GENERATIONS[self].label

    @property
    def year(self) -> int:
        """Year of the first part; 0 for an unknown architecture."""
        return _GENERATIONS[self].year

    @property
    def computes_bf16(self) -> bool:
        """Whether GEMMs run in BF16: on NVIDIA since Ampere (CUDA programming guide)."""
        return self not in (Architecture.PASCAL, Architecture.VOLTA, Architecture.TURING)

    @property
    def computes_fp8(self) -> bool:
        """Whether GEMMs run in FP8: since Ada, Hopper and CDNA3 (vendors' datasheets)."""
        return self.computes_bf16 and self not in _WITHOUT_FP8

    def nearest(self, measured: Iterable["Architecture"]) -> "Architecture | None":
        """
        The closest in years of those measured, of the same vendor; of two as close the newer.

        None where no architecture of this vendor was measured.
        """
        kin = [other for other in measured if other.vendor == self.vendor]
        if self in kin:
            return self
        return min(kin, key=lambda other: (abs(other.year - self.year), -other.year), default=None)


_WITHOUT_FP8 = (Architecture.AMPERE, Architecture.CDNA, Architecture.CDNA2)
_GENERATIONS = {
    Architecture.PASCAL: _Generation("NVIDIA", "Pascal", 2016),
    Architecture.VOLTA: _Generation("NVIDIA", "Volta", 2017),
    Architecture.TURING: _Generation("NVIDIA", "Turing", 2018),
    Architecture.AMPERE: _Generation("NVIDIA", "Ampere", 2020),
    Architecture.ADA: _Generation("NVIDIA", "Ada", 2022),
    Architecture.HOPPER: _Generation("NVIDIA", "Hopper", 2022),
    Architecture.BLACKWELL: _Generation("NVIDIA", "Blackwell", 2024),
    Architecture.RUBIN: _Generation("NVIDIA", "Rubin", 2026),
    Architecture.FEYNMAN: _Generation("NVIDIA", "Feynman", 2028),
    Architecture.CDNA: _Generation("AMD", "CDNA", 2020),
    Architecture.CDNA2: _Generation("AMD", "CDNA2", 2021),
    Architecture.CDNA3: _Generation("AMD", "CDNA3", 2023),
    Architecture.CDNA4: _Generation("AMD", "CDNA4", 2025),
    Architecture.CDNA5: _Generation("AMD", "CDNA5", 2026),
    Architecture.TPU: _Generation("Google", "TPU", 2016),
    Architecture.GAUDI: _Generation("Intel", "Gaudi", 2019),
    Architecture.NEURONCORE: _Generation("AWS", "NeuronCore", 2020),
    Architecture.UNKNOWN: _Generation("", "unknown", 0),
}
