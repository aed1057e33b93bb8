"""How far an engine lies from what the others say of its kernels: each left out in turn."""

from collections.abc import Mapping
from types import MappingProxyType

from core.catalog.calibrations.kernels.gemm_constants import Band

UNSEEN_GEMM: Mapping[str, Band] = MappingProxyType(
    {
        "bf16": Band(short=(0.851, 1.185), long=(0.887, 1.135)),
        "fp8": Band(short=(0.475, 2.18), long=(0.704, 1.27)),
        "fp8-block": Band(short=(0.429, 1.825), long=(0.613, 1.318)),
        "nvfp4": Band(short=(0.693, 1.654), long=(0.666, 1.421)),
    }
)
"""By the measured format; AIConfigurator's tables, 12,000 rows each (`python -m tests.bench.kernel_unseen`)."""
UNSEEN_ROUTED: Mapping[str, Band] = MappingProxyType(
    {
        "bf16": Band(short=(0.907, 1.413), long=(0.544, 1.94)),
        "fp8": Band(short=(0.235, 2.343), long=(0.235, 2.343)),
        "fp8-block": Band(short=(0.721, 1.58), long=(0.721, 1.58)),
        "nvfp4": Band(short=(0.796, 1.331), long=(0.822, 1.322)),
        "mxfp4-mxfp8": Band(short=(0.785, 1.488), long=(0.785, 1.489)),
        "mxfp4-weight-only": Band(short=(0.941, 1.134), long=(0.574, 2.316)),
        "int4-weight-only": Band(short=(0.679, 2.032), long=(0.679, 2.032)),
    }
)
"""The same of routed MLPs (`python -m tests.bench.kernel_unseen moe`)."""
UNSEEN = Band(short=(0.4, 2.5), long=(0.6, 1.6))
"""Of formats that one engine alone was measured with: a guess, as wide as most of the others."""
