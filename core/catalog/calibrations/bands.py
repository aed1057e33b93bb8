"""How far unseen sites lie from the answer, by regime.

Written by `python -m core.fit`; edit the fit, not this file.
"""

from core.catalog.calibrations.shapes import (
    BandSet,
)

# fmt: off
BANDS = {
    "one": BandSet(log2_bytes=(0.0, 16.0, 19.0, 21.0, 23.0, 25.0, 28.0), ln_low=(-0.13, -0.13, -0.12, -0.1,
        -0.075, -0.05, -0.04), ln_high=(0.6, 0.6, 0.45, 0.2, 0.1, 0.07, 0.05)),
    "several": BandSet(log2_bytes=(6.0, 12.0, 16.0, 19.0, 22.0, 25.0, 28.0, 32.0), ln_low=(-0.081066,
        -0.1409, -0.3469, -0.89371, -0.48512, -0.35246, -0.21706, -0.071783), ln_high=(0.5, 0.67726,
        0.68641, 0.68482, 0.53492, 0.65773, 0.54603, 0.2589)),
}
