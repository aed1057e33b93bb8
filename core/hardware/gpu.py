"""An accelerator, as its catalog row says it."""

from dataclasses import dataclass

from core.provenance import Confidence, Quoted, Source


@dataclass(frozen=True, slots=True)
class Gpu:
    """
    An accelerator, dense peaks only.

    ``scale_up`` is None where it has no GPU-to-GPU link; peaks are None where it lacks the format.
    """

    id: str
    name: str
    vendor: str
    year: int
    architecture: str
    memory_bytes: float
    memory_rate: Quoted
    bf16_flop_per_s: float | None
    fp8_flop_per_s: float | None
    fp4_flop_per_s: float | None
    int8_flop_per_s: float | None
    scale_up: Quoted | None
    scale_up_link: str | None
    scale_up_links: int | None
    pcie_link: str | None
    domain_sizes: str
    in_network_reduction: bool
    sources: tuple[Source, ...]
    confidence: Confidence
    note: str = ""
    unverified: str = ""

    @property
    def verified(self) -> bool:
        """Trusted, and no figure of it rests on memory alone (``unverified`` names those)."""
        return self.confidence.verified and not self.unverified
