"""GEMMs by format and generation.

Written by `python -m tests.bench.kernel_write`; edit the fit, not this file.
"""

from types import MappingProxyType

from core.catalog.calibrations.kernels.gemm_constants import Band, Bands, GemmKernel
from core.hardware import Architecture, MemoryKind

CACHE_BYTES = MappingProxyType(
    {
        (Architecture.AMPERE, MemoryKind.HBM): 40 * 2.0**20,
        (Architecture.ADA, MemoryKind.GDDR): 96 * 2.0**20,
        (Architecture.HOPPER, MemoryKind.HBM): 50 * 2.0**20,
        (Architecture.BLACKWELL, MemoryKind.HBM): 126 * 2.0**20,
        (Architecture.BLACKWELL, MemoryKind.GDDR): 128 * 2.0**20,
    }
)
# fmt: off
MEASURED_GPUS = ("a100-sxm-80gb", "h100-sxm", "h200-sxm", "l40s", "b200-sxm", "b300-sxm", "gb200", "gb300", "rtx-pro-6000-server")
GEMMS = MappingProxyType({
    "bf16": {
        (Architecture.ADA, MemoryKind.GDDR): GemmKernel(start_s=1.971e-07, wave_s=1.792e-06, step_s=1.016e-12, split_s=1.306e-06, share=0.679, throttle=0.2602, throttle_s=0.002648, memory_share=0.8093, cache_rate=3.023, handover=2.614, feed_bytes_per_s=1.921e+11, rates={"sglang": 0.9142, "trtllm": 1.016, "vllm": 1.077}),
        (Architecture.AMPERE, MemoryKind.HBM): GemmKernel(start_s=1e-09, wave_s=3.63e-06, step_s=1.311e-08, split_s=1.408e-06, share=0.9169, throttle=0.08539, throttle_s=0.02892, memory_share=0.8132, cache_rate=0.9816, handover=2.799, feed_bytes_per_s=7.544e+10, rates={"sglang": 0.9444, "trtllm": 1.021, "vllm": 1.037}),
        (Architecture.BLACKWELL, MemoryKind.GDDR): GemmKernel(start_s=6.213e-07, wave_s=1.544e-06, step_s=1.122e-12, split_s=1.118e-06, share=0.8174, throttle=0.001002, throttle_s=0.03, memory_share=0.8511, cache_rate=2.106, handover=2.849, feed_bytes_per_s=1.091e+11, rates={"sglang": 0.9853, "trtllm": 1.002, "vllm": 1.013}),
        (Architecture.BLACKWELL, MemoryKind.HBM): GemmKernel(start_s=1.867e-06, wave_s=1.671e-07, step_s=2.151e-08, split_s=2.357e-06, share=0.8173, throttle=0.2206, throttle_s=7.149e-05, memory_share=0.846, cache_rate=0.9263, handover=2.292, feed_bytes_per_s=1e+14, rates={"sglang": 0.9963, "trtllm": 0.9755, "vllm": 1.029}, revision=1.129),
        (Architecture.HOPPER, MemoryKind.HBM): GemmKernel(start_s=1.971e-06, wave_s=7.066e-07, step_s=8.669e-09, split_s=2.247e-06, share=0.8917, throttle=0.2012, throttle_s=0.0005323, memory_share=0.8685, cache_rate=1.015, handover=2.873, feed_bytes_per_s=1e+14, rates={"sglang": 0.9514, "trtllm": 1.009, "vllm": 1.042}),
    },
    "fp8": {
        (Architecture.ADA, MemoryKind.GDDR): GemmKernel(start_s=1.476e-06, wave_s=2.134e-06, step_s=1e-12, split_s=4.296e-06, share=0.9388, throttle=0.9281, throttle_s=6.245e-05, memory_share=0.7759, cache_rate=2.433, handover=2.904, feed_bytes_per_s=1e+14, quantise=0.9541, engines={"sglang": 6.159e-07, "trtllm": 7.819e-06, "vllm": 3.593e-06}, rates={"sglang": 0.8938, "trtllm": 1.12, "vllm": 0.9987}),
        (Architecture.BLACKWELL, MemoryKind.GDDR): GemmKernel(start_s=3.4e-06, wave_s=3.928e-07, step_s=1.009e-12, split_s=6.465e-06, share=0.9986, throttle=0.2308, throttle_s=8.434e-05, memory_share=0.8736, cache_rate=1.338, handover=1.985, feed_bytes_per_s=1.058e+11, quantise=1.219, engines={"sglang": 3.696e-06, "trtllm": 7.038e-06, "vllm": 1.174e-06}, rates={"sglang": 0.9461, "trtllm": 1, "vllm": 1.057}),
        (Architecture.BLACKWELL, MemoryKind.HBM): GemmKernel(start_s=3.885e-06, wave_s=6.657e-07, step_s=1.314e-08, split_s=4.772e-06, share=0.6619, throttle=0.1292, throttle_s=0.0007635, memory_share=0.8487, cache_rate=0.8, handover=1.939, feed_bytes_per_s=9.826e+13, quantise=2.64, engines={"sglang": 1.025e-06, "trtllm": 8.969e-06, "vllm": 1.572e-06}, rates={"sglang": 1.075, "trtllm": 1.109, "vllm": 0.8387}, revision=1.159),
        (Architecture.HOPPER, MemoryKind.HBM): GemmKernel(start_s=2.88e-06, wave_s=1.142e-06, step_s=4.965e-09, split_s=3.139e-06, share=0.7367, throttle=0.1909, throttle_s=0.00139, memory_share=0.8651, cache_rate=0.8, handover=2.74, feed_bytes_per_s=6.416e+11, quantise=2.376, engines={"sglang": 1.53e-06, "trtllm": 7.988e-06, "vllm": 2.507e-06}, rates={"sglang": 1.009, "trtllm": 1.143, "vllm": 0.8673}),
    },
    "fp8-block": {
        (Architecture.ADA, MemoryKind.GDDR): GemmKernel(start_s=2.679e-06, wave_s=9.079e-07, step_s=1e-12, split_s=0.0001634, share=0.5493, throttle=0.8456, throttle_s=2.926e-05, memory_share=0.8093, cache_rate=5.713, handover=3.026, feed_bytes_per_s=1e+14, quantise=0.4305),
        (Architecture.BLACKWELL, MemoryKind.GDDR): GemmKernel(start_s=1e-09, wave_s=8.099e-06, step_s=1.082e-08, split_s=0.0001268, share=0.7077, throttle=0.2042, throttle_s=0.03, memory_share=0.95, cache_rate=2.649, handover=2.064, feed_bytes_per_s=1e+14, quantise=3.088),
        (Architecture.BLACKWELL, MemoryKind.HBM): GemmKernel(start_s=3.537e-06, wave_s=1.554e-06, step_s=2.797e-08, split_s=5.957e-05, share=0.9324, throttle=0.5481, throttle_s=0.0003352, memory_share=0.9497, cache_rate=1.049, handover=2.181, feed_bytes_per_s=1e+14, quantise=1.242, engines={"sglang": 9.403e-06, "trtllm": 4.001e-07}, rates={"sglang": 1.029, "trtllm": 0.9718}, revision=1.161),
        (Architecture.HOPPER, MemoryKind.HBM): GemmKernel(start_s=7.019e-07, wave_s=2.763e-06, step_s=5.455e-09, split_s=0.0001311, share=0.8075, throttle=0.4444, throttle_s=0.01063, memory_share=0.95, cache_rate=0.9457, handover=1.699, feed_bytes_per_s=2.378e+11, quantise=2.049, engines={"sglang": 6.508e-07, "trtllm": 1.026e-06}, rates={"sglang": 1.109, "trtllm": 0.9015}),
    },
    "nvfp4": {
        (Architecture.BLACKWELL, MemoryKind.GDDR): GemmKernel(start_s=3.081e-06, wave_s=1.112e-06, step_s=1.172e-07, split_s=0.0004177, share=0.9869, throttle=0.4319, throttle_s=2.177e-05, memory_share=0.8595, cache_rate=1.259, handover=11.94, feed_bytes_per_s=4.399e+10, quantise=0.3161, engines={"sglang": 7.562e-09, "trtllm": 1.334e-07, "vllm": 2.066e-06}, rates={"sglang": 0.944, "trtllm": 1.052, "vllm": 1.007}),
        (Architecture.BLACKWELL, MemoryKind.HBM): GemmKernel(start_s=1.998e-06, wave_s=1.57e-06, step_s=4.446e-08, split_s=0.0001522, share=0.9829, throttle=0.3501, throttle_s=0.0003775, memory_share=0.95, cache_rate=1.215, handover=1.589, feed_bytes_per_s=2.74e+11, quantise=1.402, engines={"sglang": 5.186e-08, "trtllm": 4.35e-06, "vllm": 2.705e-06}, rates={"sglang": 1.058, "trtllm": 0.8209, "vllm": 1.151}, revision=0.8388),
    },
    "int8": {
        (Architecture.AMPERE, MemoryKind.HBM): GemmKernel(start_s=7.257e-06, wave_s=3.727e-06, step_s=4.598e-12, split_s=0.0004516, share=0.879, throttle=0.001015, throttle_s=0.02164, memory_share=0.95, cache_rate=0.961, handover=2.583, feed_bytes_per_s=8.267e+10, quantise=0.08893),
    },
    "int8-weight-only": {
        (Architecture.AMPERE, MemoryKind.HBM): GemmKernel(start_s=6.12e-06, wave_s=3.312e-06, step_s=1.542e-07, split_s=1.06e-05, share=0.9776, throttle=0.1204, throttle_s=0.0001484, memory_share=0.95, cache_rate=1.158, handover=12, feed_bytes_per_s=2.528e+11, quantise=0.2477),
    },
    "int4-weight-only": {
        (Architecture.AMPERE, MemoryKind.HBM): GemmKernel(start_s=8.904e-06, wave_s=2.377e-07, step_s=1.392e-07, split_s=8.367e-06, share=1, throttle=0.2462, throttle_s=3.274e-06, memory_share=0.586, cache_rate=1.489, handover=12, feed_bytes_per_s=3.896e+10, quantise=0.06529),
    },
})
GEMM_BANDS = MappingProxyType({
    "bf16": Bands(measured=Band(short=(0.858, 1.174), long=(0.897, 1.126)), sibling=Band(short=(0.858, 1.174), long=(0.897, 1.126)), neighbour=Band(short=(0.842, 1.422), long=(0.807, 1.347))),
    "fp8": Bands(measured=Band(short=(0.689, 1.59), long=(0.849, 1.251)), sibling=Band(short=(0.689, 1.59), long=(0.849, 1.251)), neighbour=Band(short=(0.649, 1.768), long=(0.661, 1.402))),
    "fp8-block": Bands(measured=Band(short=(0.592, 1.284), long=(0.816, 1.209)), sibling=Band(short=(0.592, 1.284), long=(0.816, 1.209)), neighbour=Band(short=(0.483, 2.415), long=(0.553, 1.648))),
    "nvfp4": Bands(measured=Band(short=(0.775, 1.389), long=(0.775, 1.281)), sibling=Band(short=(0.775, 1.389), long=(0.756, 1.281)), neighbour=Band(short=(0.628, 1.515), long=(0.63, 1.486))),
    "int8": Bands(measured=Band(short=(0.812, 1.181), long=(0.89, 1.164)), sibling=Band(short=(0.594, 1.516), long=(0.747, 1.462)), neighbour=Band(short=(0.594, 1.516), long=(0.747, 1.462))),
    "int8-weight-only": Bands(measured=Band(short=(0.851, 1.153), long=(0.845, 1.206)), sibling=Band(short=(0.668, 1.427), long=(0.656, 1.597)), neighbour=Band(short=(0.668, 1.427), long=(0.656, 1.597))),
    "int4-weight-only": Bands(measured=Band(short=(0.823, 1.148), long=(0.779, 1.223)), sibling=Band(short=(0.614, 1.412), long=(0.536, 1.654)), neighbour=Band(short=(0.614, 1.412), long=(0.536, 1.654))),
})
