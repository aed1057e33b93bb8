"""How far an engine lies from what the others say of its kernels: each left out in turn."""

from collections.abc import Mapping
from types import MappingProxyType

from core.catalog.calibrations.kernels.gemm_constants import Band

UNSEEN_GEMM: Mapping[str, Band] = MappingProxyType(
    {
        "bf16": Band(short=(0.851, 1.185), long=(0.887, 1.135)),
        "fp8": Band(short=(0.475, 2.18), long=(0.704, 1.27)),
        "fp8-block": Band(short=(0.429, 1.825), long=(0.613, 1.318)),
    }
)
"""By the measured format; AIConfigurator's tables, 12,000 rows each (`python -m tests.bench.kernel_unseen`)."""
UNSEEN_ROUTED: Mapping[str, Band] = MappingProxyType({})
UNSEEN = Band(short=(0.4, 2.5), long=(0.6, 1.6))
"""Of formats that one engine alone was measured with: a guess, by the widest of the others."""
