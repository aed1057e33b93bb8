"""Constants of attention kernels, fitted on measured calls of three engines on nine GPUs."""

from collections.abc import Mapping

from core.catalog.calibrations.kernels.shapes import (
    Band,
    DecodeEngine,
    DecodeKernel,
    Generation,
    PrefillEngine,
    PrefillKernel,
)
from core.hardware import Architecture, MemoryKind
from core.provenance import Source

AICONFIGURATOR = Source(
    "aic-attention",
    "AIConfigurator, attention kernels of TensorRT-LLM, vLLM and SGLang, A100 to GB300",
    "github.com/ai-dynamo/aiconfigurator @095f58a (Apache-2.0)",
    "2026",
)
"""Fitted by `python -m tests.bench.kernels_attention --fit`."""

# fmt: off
PREFILL: Mapping[Generation, PrefillKernel] = {
    (Architecture.AMPERE, MemoryKind.HBM): PrefillKernel(tensor_share=(0.4, 0.576, 0.5, 0.5, 0.3),
        fp8_speed=(1, 1, 1, 1, 1), query_tile=64, block_s=1.2e-06, tail=1.69, memory_share=0.532,
        engines={"trtllm": PrefillEngine(launch_s=9.74e-06, speed=0.813, packs_group=False),
        "vllm": PrefillEngine(launch_s=8.21e-06, speed=1.03, packs_group=True),
        "sglang": PrefillEngine(launch_s=9.92e-06, speed=1.25, packs_group=True)}, band=Band(0.873, 1.17,
        0.829, 1.33, 0.695, 1.42)),
    (Architecture.BLACKWELL, MemoryKind.HBM): PrefillKernel(tensor_share=(0.376, 0.71, 0.0898, 0.846,
        0.815), fp8_speed=(1.13, 1.16, 1.66, 1.2, 0.864), query_tile=128, block_s=2.23e-06, tail=1.28,
        memory_share=0.354, engines={"trtllm": PrefillEngine(launch_s=1.21e-05, speed=0.934,
        packs_group=False), "vllm": PrefillEngine(launch_s=7.99e-06, speed=1.11, packs_group=False),
        "sglang": PrefillEngine(launch_s=9.99e-06, speed=0.996, packs_group=False)}, band=Band(0.766,
        1.24, 0.766, 1.3, 0.695, 1.42)),
    (Architecture.HOPPER, MemoryKind.HBM): PrefillKernel(tensor_share=(0.48, 0.669, 0.605, 0.713, 0.134),
        fp8_speed=(1.05, 1.23, 1.09, 1.4, 1.29), query_tile=128, block_s=3.12e-06, tail=0.794,
        memory_share=0.541, engines={"trtllm": PrefillEngine(launch_s=1.35e-05, speed=0.951,
        packs_group=False), "vllm": PrefillEngine(launch_s=1.07e-05, speed=1.07, packs_group=True),
        "sglang": PrefillEngine(launch_s=7.88e-06, speed=1.11, packs_group=True)}, band=Band(0.802, 1.33,
        0.802, 1.72, 0.695, 1.72)),
    (Architecture.ADA, MemoryKind.GDDR): PrefillKernel(tensor_share=(0.469, 0.545, 0.313, 0.537, 0.3),
        fp8_speed=(0.604, 1.77, 2.15, 0.527, 1), query_tile=64, block_s=6.77e-10, tail=0.844,
        memory_share=0.95, engines={"trtllm": PrefillEngine(launch_s=7.56e-06, speed=0.785,
        packs_group=False), "vllm": PrefillEngine(launch_s=7.59e-06, speed=0.996, packs_group=True),
        "sglang": PrefillEngine(launch_s=5.79e-06, speed=0.997, packs_group=True)}, band=Band(0.703,
        1.55, 0.703, 1.73, 0.695, 1.73)),
    (Architecture.BLACKWELL, MemoryKind.GDDR): PrefillKernel(tensor_share=(0.599, 0.575, 0.331, 0.542,
        0.212), fp8_speed=(0.611, 1.93, 1.65, 0.574, 1.81), query_tile=128, block_s=8.8e-10, tail=0.521,
        memory_share=0.888, engines={"trtllm": PrefillEngine(launch_s=1.1e-05, speed=0.754,
        packs_group=False), "vllm": PrefillEngine(launch_s=8.04e-06, speed=0.919, packs_group=True),
        "sglang": PrefillEngine(launch_s=7.09e-06, speed=1.15, packs_group=True)}, band=Band(0.768, 1.43,
        0.75, 1.74, 0.695, 1.74)),
}
DECODE: Mapping[Generation, DecodeKernel] = {
    (Architecture.AMPERE, MemoryKind.HBM): DecodeKernel(key_s=2.22e-08, key_fp8=1, row=0.45,
        width_power=0.3, head_s=1e-06, head_key_s=1.5e-08, split_keys=1.7e+03, walk_s=7.43e-09,
        l2_bytes=4e+07, l2_speed=1, engines={"trtllm": DecodeEngine(launch_s=9.36e-06, unit_s=4.64e-06,
        unit_fp8=1, memory_share=0.774, single_heads=True), "vllm": DecodeEngine(launch_s=1.35e-05,
        unit_s=2.52e-06, unit_fp8=1, memory_share=0.692, single_heads=False),
        "sglang": DecodeEngine(launch_s=1.22e-05, unit_s=2.3e-06, unit_fp8=1, memory_share=0.474,
        single_heads=False)}, band=Band(0.78, 1.24, 0.713, 1.47, 0.609, 1.59)),
    (Architecture.BLACKWELL, MemoryKind.HBM): DecodeKernel(key_s=5.21e-09, key_fp8=0.602, row=0.45,
        width_power=0.149, head_s=1.07e-06, head_key_s=7.78e-09, split_keys=1.81e+03, walk_s=1.22e-09,
        l2_bytes=1.26e+08, l2_speed=1, engines={"trtllm": DecodeEngine(launch_s=1e-05, unit_s=1.49e-06,
        unit_fp8=0.881, memory_share=0.917, single_heads=True), "vllm": DecodeEngine(launch_s=8.58e-06,
        unit_s=1.18e-06, unit_fp8=1.1, memory_share=0.849, single_heads=False),
        "sglang": DecodeEngine(launch_s=1.18e-05, unit_s=9.29e-07, unit_fp8=2.28, memory_share=0.864,
        single_heads=False)}, band=Band(0.835, 1.23, 0.795, 1.42, 0.609, 1.59)),
    (Architecture.HOPPER, MemoryKind.HBM): DecodeKernel(key_s=1.44e-08, key_fp8=0.894, row=0.45,
        width_power=0.0894, head_s=1.01e-06, head_key_s=1e-08, split_keys=862, walk_s=5.26e-09,
        l2_bytes=5e+07, l2_speed=1, engines={"trtllm": DecodeEngine(launch_s=6.92e-06, unit_s=3.77e-06,
        unit_fp8=0.16, memory_share=0.761, single_heads=True), "vllm": DecodeEngine(launch_s=9.72e-06,
        unit_s=2.58e-06, unit_fp8=1.23, memory_share=0.864, single_heads=False),
        "sglang": DecodeEngine(launch_s=8.93e-06, unit_s=2.03e-06, unit_fp8=1.62, memory_share=0.84,
        single_heads=False)}, band=Band(0.763, 1.37, 0.624, 1.57, 0.609, 1.59)),
    (Architecture.ADA, MemoryKind.GDDR): DecodeKernel(key_s=4.78e-09, key_fp8=4.82, row=0.45,
        width_power=0.085, head_s=6.45e-07, head_key_s=1.07e-08, split_keys=909, walk_s=3.27e-09,
        l2_bytes=9.6e+07, l2_speed=3.57, engines={"trtllm": DecodeEngine(launch_s=6.86e-06,
        unit_s=3.09e-06, unit_fp8=0.841, memory_share=0.779, single_heads=True),
        "vllm": DecodeEngine(launch_s=7.64e-06, unit_s=4.8e-06, unit_fp8=0.34, memory_share=0.751,
        single_heads=False), "sglang": DecodeEngine(launch_s=5.9e-06, unit_s=5.05e-07, unit_fp8=3.1,
        memory_share=0.825, single_heads=False)}, band=Band(0.741, 1.63, 0.741, 2.2, 0.609, 2.2)),
    (Architecture.BLACKWELL, MemoryKind.GDDR): DecodeKernel(key_s=2.09e-08, key_fp8=0.983, row=0.45,
        width_power=0.00252, head_s=7.31e-07, head_key_s=1.1e-08, split_keys=1.6e+03, walk_s=6.42e-09,
        l2_bytes=1.26e+08, l2_speed=2.54, engines={"trtllm": DecodeEngine(launch_s=6.62e-06,
        unit_s=1.93e-06, unit_fp8=1.2, memory_share=0.83, single_heads=True),
        "vllm": DecodeEngine(launch_s=8.61e-06, unit_s=3.73e-06, unit_fp8=0.447, memory_share=0.827,
        single_heads=False), "sglang": DecodeEngine(launch_s=6.8e-06, unit_s=3.13e-08, unit_fp8=57,
        memory_share=0.859, single_heads=False)}, band=Band(0.728, 1.47, 0.723, 1.88, 0.609, 1.88)),
}
