"""Whether a layout fits the memory of its GPUs: as it was asked, if something is changed, or not at all."""

from dataclasses import dataclass
from enum import StrEnum

from core.units import format_fill


class Verdict(StrEnum):
    """Whether the memory of a GPU suffices."""

    FITS = "fits"
    FITS_IF = "fits if"
    DOES_NOT_FIT = "does not fit"


@dataclass(frozen=True, slots=True)
class Fit:
    """
    The verdict of three values.

    Attributes:
        verdict: Fits as asked, fits if ``conditions`` are met, or does not fit with all of them.
        conditions: What must change, as few as possible, the cheapest first; empty unless it fits if.
        total_bytes: Of the fullest GPU with the conditions met; of the leanest where nothing fits.
        available_bytes: Memory of the GPU.
        tried: What did not help either where it does not fit.
    """

    verdict: Verdict
    conditions: tuple[str, ...]
    total_bytes: float
    available_bytes: float
    tried: str = "everything recomputed or offloaded that can be"

    @property
    def together(self) -> str:
        """All conditions in words, as *BF16 gradients and full activation recomputation*."""
        *others, last = self.conditions or ("",)
        return f"{', '.join(others)} and {last}" if others else last

    @property
    def text(self) -> str:
        """As ``fits with BF16 gradients (71 of 86 GB)``."""
        fill = format_fill(self.total_bytes, self.available_bytes)
        if self.verdict is Verdict.FITS_IF:
            return f"fits with {self.together} ({fill})"
        if self.verdict is Verdict.DOES_NOT_FIT:
            return f"does not fit, not even with {self.tried} ({fill})"
        return f"fits ({fill})"
