"""How far unseen sites lie from the answer, by regime.

Written by `python -m core.collectives.refit`; edit the fit, not this file.
"""

from core.catalog.calibrations.shapes import (
    BandSet,
)

# fmt: off
BANDS = {
    "one": BandSet(log2_bytes=(0.0, 16.0, 19.0, 21.0, 23.0, 25.0, 28.0), ln_low=(-0.22, -0.22, -0.2, -0.18,
        -0.15, -0.12, -0.09), ln_high=(0.7, 0.7, 0.6, 0.35, 0.2, 0.14, 0.1)),
    "several": BandSet(log2_bytes=(6.0, 12.0, 16.0, 19.0, 22.0, 25.0, 28.0, 32.0), ln_low=(-0.45, -0.45,
        -0.45, -0.99011, -0.78803, -0.36396, -0.22501, -0.063283), ln_high=(0.5, 0.5, 0.5, 0.54455, 0.69472,
        0.34399, 0.26638, 0.25418)),
    "unknown network": BandSet(log2_bytes=(6.0, 12.0, 16.0, 19.0, 22.0, 25.0, 28.0, 32.0), ln_low=(-0.45,
        -0.45, -0.45, -0.4696, -0.11087, -0.20786, -0.13865, -0.090537), ln_high=(0.97017, 0.93821, 0.9767,
        1.1421, 1.1522, 0.94719, 0.95481, 0.27317)),
}
