"""All calibrated constants together: the shipped ones, or others for cross-validation."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.catalog.calibrations.shapes import (
    BandSet,
    DomainSet,
    EngineSet,
    MultimemSet,
    NetworkOffset,
    NetworkReach,
    NetworkSet,
)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Constants by name: domains, networks (common, offsets, how far they reach), engines, bands."""

    domains: Mapping[str, DomainSet]
    network: NetworkSet
    offsets: Mapping[str, NetworkOffset]
    reach: Mapping[str, NetworkReach]
    engines: Mapping[str, EngineSet]
    multimem: Mapping[str, MultimemSet]
    bands: Mapping[str, BandSet]


@lru_cache(maxsize=1)
def shipped() -> Calibration:
    """The constants in core/catalog/calibrations."""
    from core.catalog.calibrations import bands, bridges, engines, networks, nvlink  # noqa: PLC0415

    return Calibration(
        {**nvlink.NVLINK, **bridges.BRIDGES},
        networks.BASE,
        networks.OFFSETS,
        networks.REACH,
        engines.ENGINES,
        engines.MULTIMEM,
        bands.BANDS,
    )
