"""How far unseen sites lie from the answer, by regime.

Written by `python -m core.fit`; edit the fit, not this file.
"""

from core.catalog.calibrations.shapes import BandSet

# fmt: off
BANDS = {
    "one": BandSet(log2_bytes=(0.0, 16.0, 19.0, 21.0, 23.0, 25.0, 28.0), ln_low=(-0.15, -0.15, -0.15, -0.13,
        -0.1, -0.07, -0.05), ln_high=(0.65, 0.65, 0.55, 0.3, 0.15, 0.1, 0.08)),
    "several": BandSet(log2_bytes=(6.0, 12.0, 16.0, 19.0, 22.0, 25.0, 28.0, 32.0), ln_low=(-0.30299,
        -0.2358, -0.27274, -0.69769, -0.39643, -0.19365, -0.16418, -0.081255), ln_high=(0.36808, 0.69171,
        0.70088, 0.69347, 0.46161, 0.46322, 0.41561, 0.25487)),
}
