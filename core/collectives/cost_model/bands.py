"""The band around an answer, in log2, over the knots: how unseen sites scatter, less what is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.catalog.calibrations.shapes import BandSet
    from core.collectives.cost_model.line import Floats
    from core.collectives.cost_model.setting import Resolved

WIDER = {"calibrated": 1.0, "extrapolated": 1.5, "parts": 2.0}
WIDER_ACROSS = {"parts": 1.3}
FOREIGN_LEAST = (-0.1, 0.2)
"""ln of the band that constants of another generation keep at any size: Hopper's tell A100 and B200
from 64 MiB on 2 to 21 % too fast (p10, p90)."""
MEASURED_DOMAIN = 8
FAMILY_EXTRA = {"pcie": 0.12, "mesh": 0.12}
REACH_OCTAVES = 6.0
KEPT_AT_POINT = 0.35
OTHER_COLLECTIVE_OCTAVES = 3.0


def base_band(
    asked: Resolved, basis: str, sizes: Floats, bands: Mapping[str, BandSet]
) -> tuple[Floats, Floats]:
    """ln(low) and ln(high) before any measured point."""
    word = basis.split(":", maxsplit=1)[0]
    least = (0.0, 0.0)
    if asked.domains == 1:
        band, widened = bands["one"], WIDER.get(word, 1.5)
        least = FOREIGN_LEAST if foreign(asked, basis) else least
    else:
        band = bands["several" if word == "calibrated" else "unknown network"]
        widened = WIDER_ACROSS.get(word, 1.0)
    position = np.log2(sizes)
    extra = FAMILY_EXTRA.get(asked.family, 0.0)
    low = np.interp(position, band.log2_bytes, band.ln_low) * widened - extra
    high = np.interp(position, band.log2_bytes, band.ln_high) * widened + extra
    return np.minimum(low, least[0]), np.maximum(high, least[1])


def foreign(asked: Resolved, basis: str) -> bool:
    """Whether a domain is answered with constants of another generation, from parts or far beyond eight."""
    word, _, name = basis.partition(":")
    if word == "parts":
        return True
    another = asked.family == "nvlink" and not name.endswith(f"nvlink-{asked.generation}")
    return word == "extrapolated" and (another or asked.gpus > MEASURED_DOMAIN)


def reaching(
    low: Floats, high: Floats, sizes: Floats, missed: Sequence[tuple[float, float]]
) -> tuple[Floats, Floats]:
    """The band opened to points that the adapted model does not meet: (size, ln measured / model) each."""
    for size, off in missed:
        part = off * np.exp(-np.abs(np.log2(sizes / size)) / REACH_OCTAVES)
        low, high = np.minimum(low, part), np.maximum(high, part)
    return low, high


def narrowed(
    low: Floats, high: Floats, sizes: Floats, points: Sequence[tuple[float, bool]]
) -> tuple[Floats, Floats]:
    """The band near measured points: (size, same collective) each."""
    kept = np.ones_like(sizes)
    for size, same in points:
        distance = np.abs(np.log2(sizes / size)) + (0.0 if same else OTHER_COLLECTIVE_OCTAVES)
        known = KEPT_AT_POINT + (1 - KEPT_AT_POINT) * (1 - np.exp(-distance / REACH_OCTAVES))
        kept = np.minimum(kept, known)
    wide = np.minimum(high, 1.5 * np.abs(low) + 0.05)
    return low * kept, (wide + (high - wide) * kept) * kept
