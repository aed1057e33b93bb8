"""How far unseen sites lie from the answer, by regime."""

from core.catalog.calibrations.shapes import BandSet

BANDS = {
    "one": BandSet(
        (0.0, 16.0, 20.0, 22.0, 24.0, 28.0),
        (-0.15, -0.15, -0.15, -0.1, -0.06, -0.05),
        (0.65, 0.65, 0.45, 0.2, 0.1, 0.08),
    ),
    "several": BandSet(
        (0.0, 16.0, 20.0, 24.0, 28.0, 32.0),
        (-0.45, -0.45, -0.45, -0.35, -0.2, -0.15),
        (0.55, 0.6, 0.65, 0.55, 0.3, 0.2),
    ),
}
