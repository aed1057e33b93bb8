"""How far unseen sites lie from the answer, by regime.

Written by `python -m core.fit`; edit the fit, not this file.
"""

from core.catalog.calibrations.shapes import (
    BandSet,
)

# fmt: off
BANDS = {
    "one": BandSet(log2_bytes=(0.0, 16.0, 19.0, 21.0, 23.0, 25.0, 28.0), ln_low=(-0.15, -0.15, -0.15, -0.13,
        -0.1, -0.07, -0.05), ln_high=(0.65, 0.65, 0.55, 0.3, 0.15, 0.1, 0.08)),
    "several": BandSet(log2_bytes=(6.0, 12.0, 16.0, 19.0, 22.0, 25.0, 28.0, 32.0), ln_low=(-0.30862,
        -0.31086, -0.30565, -0.35897, -0.15481, -0.26565, -0.20588, -0.089885), ln_high=(0.5, 0.69261,
        0.727, 0.71586, 0.60619, 0.51333, 0.45426, 0.25488)),
}
