"""All calibrated constants together: the shipped ones, or others for cross-validation."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from core.catalog.calibrations.shapes import (
    BandSet,
    DomainSet,
    EngineSet,
    MultimemSet,
    NetworkOffset,
    NetworkReach,
    NetworkSet,
    Residual,
)
from core.collectives.cost_model.basis import Basis, Support


@dataclass(frozen=True, slots=True)
class Calibration:
    """
    Constants by name: domains, networks (common, offsets, how far they reach), engines, bands.

    Attributes:
        residuals: By kind of domain, what its measured machines share beyond its lines.
        largest: By set of constants and collective, the largest message that was measured, in bytes.
    """

    domains: Mapping[str, DomainSet]
    network: NetworkSet
    offsets: Mapping[str, NetworkOffset]
    reach: Mapping[str, NetworkReach]
    engines: Mapping[str, EngineSet]
    multimem: Mapping[str, MultimemSet]
    bands: Mapping[str, BandSet]
    residuals: Mapping[str, tuple[Residual, ...]] = field(default_factory=dict)
    largest: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def largest_bytes(self, basis: Basis, collective: str) -> float:
        """
        The largest message behind an answer that counts as calibrated; no limit where none does.

        Of a collective that nobody measured, what any other on such hardware has.
        """
        own = self.largest.get(basis.name, {}) if basis.support is Support.CALIBRATED else {}
        return own.get(collective, max(own.values(), default=math.inf))


@lru_cache(maxsize=1)
def shipped() -> Calibration:
    """The constants in core/catalog/calibrations."""
    from core.catalog.calibrations import (  # noqa: PLC0415
        bands,
        bridges,
        engines,
        networks,
        nvlink,
        residuals,
        sizes,
    )

    return Calibration(
        {**nvlink.NVLINK, **bridges.BRIDGES},
        networks.BASE,
        networks.OFFSETS,
        networks.REACH,
        engines.ENGINES,
        engines.MULTIMEM,
        bands.BANDS,
        residuals.RESIDUALS,
        sizes.LARGEST_BYTES,
    )
