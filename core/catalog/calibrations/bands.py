"""How far unseen sites lie from the answer, by regime.

Written by `python -m core.fit`; edit the fit, not this file.
"""

from core.catalog.calibrations.shapes import BandSet

# fmt: off
BANDS = {
    "one": BandSet(log2_bytes=(0.0, 16.0, 19.0, 21.0, 23.0, 25.0, 28.0), ln_low=(-0.15, -0.15, -0.15, -0.13,
        -0.1, -0.07, -0.05), ln_high=(0.65, 0.65, 0.55, 0.3, 0.15, 0.1, 0.08)),
    "several": BandSet(log2_bytes=(0.0, 16.0, 20.0, 24.0, 28.0, 32.0), ln_low=(-0.45, -0.45, -0.45, -0.35,
        -0.2, -0.15), ln_high=(0.55, 0.6, 0.65, 0.55, 0.3, 0.2)),
}
