"""All calibrated constants together: the shipped ones, or others for cross-validation."""

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


@dataclass(frozen=True, slots=True)
class Calibration:
    """
    Constants by name: domains, networks (common, offsets, how far they reach), engines, bands.

    Attributes:
        residuals: By kind of domain, what its measured machines share beyond its lines.
    """

    domains: Mapping[str, DomainSet]
    network: NetworkSet
    offsets: Mapping[str, NetworkOffset]
    reach: Mapping[str, NetworkReach]
    engines: Mapping[str, EngineSet]
    multimem: Mapping[str, MultimemSet]
    bands: Mapping[str, BandSet]
    residuals: Mapping[str, tuple[Residual, ...]] = field(default_factory=dict)


@lru_cache(maxsize=1)
def shipped() -> Calibration:
    """The constants in core/catalog/calibrations."""
    from core.catalog.calibrations import bands, bridges, engines, networks, nvlink, residuals  # noqa: PLC0415

    return Calibration(
        {**nvlink.NVLINK, **bridges.BRIDGES},
        networks.BASE,
        networks.OFFSETS,
        networks.REACH,
        engines.ENGINES,
        engines.MULTIMEM,
        bands.BANDS,
        residuals.RESIDUALS,
    )
