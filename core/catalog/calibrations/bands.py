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
    "several": BandSet(log2_bytes=(6.0, 12.0, 16.0, 19.0, 22.0, 25.0, 28.0, 32.0), ln_low=(-0.48373, -0.45,
        -0.45, -0.39866, -0.27818, -0.24285, -0.12132, -0.094154), ln_high=(0.77246, 0.5, 0.5, 0.4757,
        0.56023, 0.85666, 0.55647, 0.49252)),
    "unknown network": BandSet(log2_bytes=(6.0, 12.0, 16.0, 19.0, 22.0, 25.0, 28.0, 32.0), ln_low=(-0.45,
        -0.45, -0.45, -0.39867, -0.33597, -0.22377, -0.21224, -0.17806), ln_high=(1.4674, 1.2482, 1.1186,
        1.3206, 1.2572, 0.94644, 0.7802, 0.41819)),
}
