"""How far unseen sites lie from the answer, by regime.

Written by `python -m core.collectives.refit`; edit the fit, not this file.
"""

from core.catalog.calibrations.shapes import (
    BandSet,
)

# fmt: off
BANDS = {
    "one": BandSet(log2_bytes=(0.0, 16.0, 19.0, 21.0, 23.0, 25.0, 28.0, 29.0, 31.0), ln_low=(-0.2, -0.2, -0.2,
        -0.16, -0.12, -0.1, -0.08, -0.08, -0.08), ln_high=(0.58, 0.58, 0.5, 0.28, 0.16, 0.11, 0.06, 0.06, 0.07)),
    "several": BandSet(log2_bytes=(6.0, 12.0, 16.0, 19.0, 22.0, 25.0, 28.0, 32.0), ln_low=(-0.61241,
        -0.61241, -0.61241, -0.61241, -0.30585, -0.2575, -0.14179, -0.1), ln_high=(0.5, 0.5, 0.5, 0.44532,
        0.35946, 0.2306, 0.2306, 0.21696)),
    "several, varying": BandSet(log2_bytes=(6.0,), ln_low=(-0.4,), ln_high=(0.9,)),
    "unknown network, varying": BandSet(log2_bytes=(6.0,), ln_low=(-0.4,), ln_high=(1.2,)),
    "unknown network": BandSet(log2_bytes=(6.0, 12.0, 16.0, 19.0, 22.0, 25.0, 28.0, 32.0), ln_low=(-0.45,
        -0.45, -0.45, -0.40045, -0.35729, -0.21793, -0.21217, -0.17806), ln_high=(1.4674, 1.3172, 1.3172,
        1.3172, 1.2477, 0.9237, 0.77945, 0.41819)),
}
