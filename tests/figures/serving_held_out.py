"""Published output tokens/s that were computed before they were looked up, to three or four digits."""

from dataclasses import dataclass
from itertools import chain

from core.provenance import Source

OVERVIEW_0_14 = Source(
    "tensorrt-llm-0.14",
    "TensorRT-LLM 0.14: performance overview",
    "github.com/arthurrasmusson/TensorRT-LLM at e00d4e6564, docs/source/performance/perf-overview.md",
    "2024",
)
OVERVIEW_0_20 = Source(
    "tensorrt-llm-0.20",
    "TensorRT-LLM 0.20: performance overview",
    "github.com/dominicshanshan/TensorRT-LLM at ab4143e1d3, docs/source/performance/perf-overview.md",
    "2025",
)
OVERVIEW_1_2 = Source(
    "tensorrt-llm-1.2",
    "TensorRT-LLM 1.2: performance overview, tokens/s per GPU",
    "github.com/NVIDIA/TensorRT-LLM at 03e27c7d5f, docs/source/developer-guide/perf-overview.md",
    "2026",
)
ROCM_VLLM = Source(
    "rocm-vllm",
    "vLLM on 8x MI300X: throughput and latency of Llama 3.1 in FP8",
    "github.com/ROCm/vllm, docs/dev-docker/README.md",
    "2025",
)
GPUSTACK = Source(
    "gpustack-performance-lab",
    "GPUStack performance lab: vLLM 0.11 before any optimization, total tokens/s",
    "docs.gpustack.ai/latest/performance-lab",
    "2025",
)
REQUESTS = {
    (128, 128): 30000, (128, 2048): 3000, (128, 4096): 1500, (500, 2000): 3000, (1000, 1000): 3000,
    (1000, 2000): 1500, (1024, 2048): 1500, (2048, 128): 3000, (2048, 2048): 1500, (5000, 500): 1500,
    (20000, 2000): 1000, (1024, 8192): 1500, (1024, 32768): 1000, (8192, 1024): 1500, (32768, 1024): 1000,
}  # fmt: skip
"""Requests of a run of TensorRT-LLM by its input and output length, as its overviews state them."""
TRTLLM_LENGTHS = {
    OVERVIEW_0_14.key: ((1000, 1000), (128, 128), (128, 2048), (128, 4096), (20000, 2000), (2048, 128),
                        (2048, 2048), (500, 2000), (5000, 500)),
    OVERVIEW_0_20.key: ((128, 128), (128, 2048), (128, 4096), (500, 2000), (1000, 1000), (1000, 2000),
                        (1024, 2048), (2048, 128), (5000, 500), (20000, 2000)),
    OVERVIEW_1_2.key: ((1000, 1000), (1024, 8192), (1024, 32768), (8192, 1024), (32768, 1024)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """
    One published throughput.

    Attributes:
        ep: Above 1: DP attention with the experts over so many GPUs.
        requests: Of the whole run, all there from the start; None: not stated.
        engine: Fields that replace those of the preset ``software``.
    """

    source: Source
    model: str
    system: str
    weights: str
    kv: str
    tp: int
    ep: int
    isl: int
    osl: int
    tokens_per_s: float
    requests: int | None
    software: str = "trtllm"
    engine: tuple[tuple[str, int], ...] = ()


# fmt: off
_DENSE_0_14 = {
    ("llama-3.1-70b", "dgx-h100", "bf16", 2): (785.5, 3207, 822.2, 419, None, 322.7, 166.8, 700.5, 228.9),
    ("llama-3.1-70b", "dgx-a100", "bf16", 2): (468.6, 1347, 483.1, 272.9, None, 144.8, 126.1, 430.6, 117),
    ("llama-3.1-70b", "a100-pcie-x8", "bf16", 2): (258, 806.7, None, None, None, 95, None, None, 76.2),
    ("llama-3.1-70b", "dgx-h100", "bf16", 4): (3775, 5847, 4983, 3084, 369.4, 688, 2393, 3781, 849.1),
    ("llama-3.1-70b", "dgx-a100", "bf16", 4): (1763, 2421, 2492, 1686, 179.5, 278.4, 1231, 2096, 362.9),
    ("llama-3.1-70b", "a100-pcie-x8", "bf16", 4): (989.4, 1273, 1435, 1213, 126.8, 150.7, 823.5, 1176, 209.2),
    ("llama-3.1-70b", "l40s-x8", "fp8", 4): (1161, 1438, 1764, 1280, 140.6, 169, 876.2, 1470, 236.1),
    ("llama-3.1-70b", "dgx-h100", "bf16", 8): (5978, 10649, 7606, 4982, None, 1316, 4024, 6205, 1420),
    ("llama-3.1-70b", "dgx-a100", "bf16", 8): (3190, 4572, 4254, 3068, 362.9, 550.5, 2172, 3487, 670.4),
    ("llama-3.1-70b", "a100-pcie-x8", "bf16", 8): (959.8, 1212, 1609, 1310, 156.6, 142.6, 858.7, 1306, 203.8),
    ("llama-3.1-70b", "l40s-x8", "fp8", 8): (1188, 1382, 1944, 1499, 141.2, 163.7, 1001, 1639, 230.3),
    ("llama-3.1-8b", "dgx-h100", "bf16", 1): (7055, 15572, 9151, 5369, 562.9, 1904, 4160, 7498, 1708),
    ("llama-3.1-8b", "dgx-a100", "bf16", 1): (3634, 6702, 4963, 3011, 316.5, 795.4, 2265, 3945, 790.7),
    ("llama-3.1-8b", "a100-pcie-x8", "bf16", 1): (3165, 5338, 4251, 2569, 291.5, 611.8, 2011, 3375, 703.6),
    ("llama-3.1-8b", "l40s-x8", "fp8", 1): (3727, 8640, 5102, 2775, 270.5, 986.9, 2018, 4065, 856),
}
_EXPERTS_0_14 = {
    ("mixtral-8x7b", "dgx-h200", "fp8", 2): (18712, 24971, 29314, 21520, 2204, 2958, 13843, 23459, 3743),
    ("mixtral-8x7b", "dgx-h100", "fp8", 2): (15932, 24322, 20946, 12071, 1660, 2884, 9334, 18186, 3564),
    ("mixtral-8x7b", "dgx-h100", "bf16", 2): (6053, 15334, 7410, 3929, 622, 1797, 3503, 6023, 1649),
    ("mixtral-8x7b", "dgx-a100", "bf16", 2): (3277, 5915, 4284, 2303, 322, 688, 1997, 3439, 733),
    ("mixtral-8x7b", "dgx-h200", "fp8", 4): (32834, 42501, 52681, 32551, 4048, 5230, 22389, 39971, 6602),
    ("mixtral-8x7b", "dgx-h100", "fp8", 4): (28015, 40183, 40669, 29120, 3291, 4973, 20186, 31694, 6021),
    ("mixtral-8x7b", "dgx-h100", "bf16", 4): (15509, 27719, 21293, 11678, 1602, 3355, 9143, 17087, 3544),
    ("mixtral-8x7b", "dgx-a100", "bf16", 4): (7357, 11329, 10929, 6538, 779, 1352, 4964, 8930, 1604),
    ("mixtral-8x7b", "l40s-x8", "fp8", 4): (5061, 6770, 7507, 4959, 587, 812, 3454, 6435, 1047),
    ("mixtral-8x7b", "dgx-h200", "fp8", 8): (44411, 54304, 70409, 40373, 6562, 7031, 28975, 60721, 8863),
    ("mixtral-8x7b", "dgx-h100", "fp8", 8): (40573, 51031, 64530, 36358, 5329, 6533, 26177, 48843, 8215),
    ("mixtral-8x7b", "dgx-h100", "bf16", 8): (27685, 40119, 40839, 21629, 3113, 5025, 19292, 31358, 5969),
    ("mixtral-8x7b", "dgx-a100", "bf16", 8): (13948, 17918, 21058, 13566, 1646, 2249, 10553, 17035, 2813),
    ("mixtral-8x7b", "l40s-x8", "fp8", 8): (5726, 6422, 9908, 8272, 829, 771, 4930, 8131, 1098),
    ("mixtral-8x22b", "dgx-h200", "fp8", 8): (18557, 25179, 27492, 19719, 2897, 3094, 13796, 24637, 3889),
    ("mixtral-8x22b", "dgx-h100", "fp8", 8): (16918, 23730, 24557, 17755, 2190, 2917, 12488, 19997, 3578),
    ("mixtral-8x22b", "dgx-h100", "bf16", 8): (9760, 16421, 12303, 7474, 1119, 1994, 5858, 10638, 2211),
    ("mixtral-8x22b", "dgx-a100", "bf16", 8): (4754, 6949, 7247, 4697, 595, 825, 3378, 6008, 1028),
    ("mixtral-8x22b", "l40s-x8", "fp8", 8): (2128, 2489, 3540, 2568, 309, 295, 1695, 2977, 420),
}
_ALL_0_20 = {
    ("llama-3.1-70b", "dgx-b200", "nvfp4", 2): (17542, 15432, 9842, 11851, 10816, 9831, 9807, 1989, 2420, 1177),
    ("llama-3.1-70b", "dgx-b200", "nvfp4", 4): (24667, 23568, 17809, 20710, 16413, 15597, 15519, 3033, 3687, 2121),
    ("llama-3.1-70b", "dgx-b200", "nvfp4", 8): (27272, 31174, 25229, 28039, 20061, 20672, 20617, 4036, 5183, 3429),
    ("llama-3.1-405b", "dgx-b200", "nvfp4", 8): (9003, 10288, 8714, 9126, 7583, 7626, 7464, 1087, 1532, 1098),
    ("llama-4-maverick", "dgx-h200", "fp8", 8): (None, 27544, 18541, 21117, None, None, 16859, 4364, 5129, 1764),
    ("llama-4-maverick", "dgx-h100", "fp8", 8): (None, None, 11163, None, None, 10556, 11584, 3832, None, 1401),
}
_PER_GPU_1_2 = {
    ("llama-3.1-70b", "gb200-nvl72", "nvfp4", 1): (7769, 3805, None, 1491, 302),
    ("llama-3.1-70b", "dgx-h200", "fp8", 2): (2587, 2009, None, 537, 120),
    ("llama-3.1-70b", "dgx-h100", "fp8", 2): (2209, None, None, 398, None),
    ("deepseek-v3-r1", "dgx-b200", "nvfp4", 4): (6463, 3862, 1451, 1168, None),
    ("deepseek-v3-r1", "gb200-nvl72", "nvfp4", 4): (6939, 4379, 1465, 1192, None),
    ("deepseek-v3-r1", "dgx-h200", "fp8", 8): (1627, 1218, 438, None, None),
    ("gpt-oss-120b", "dgx-b200", "mxfp4", 2): (25943, 17289, 6279, 6111, 1392),
    ("gpt-oss-120b", "gb200-nvl72", "mxfp4", 1): (27198, 14800, 5556, 6835, 1645),
    ("gpt-oss-120b", "dgx-h200", "mxfp4", 1): (6868, 3543, None, 1828, 519),
    ("gpt-oss-120b", "dgx-h100", "mxfp4", 4): (4685, None, 1177, 1169, 333),
    ("gpt-oss-20b", "dgx-b200", "mxfp4", 1): (53812, 34702, 14589, 11904, 2645),
    ("gpt-oss-20b", "gb200-nvl72", "mxfp4", 1): (55823, 38100, 16463, 12941, 2905),
    ("gpt-oss-20b", "dgx-h200", "mxfp4", 1): (13858, 12743, None, 4015, 915),
    ("gpt-oss-20b", "dgx-h100", "mxfp4", 1): (11557, 8617, None, 3366, 785),
    ("llama-4-maverick", "dgx-b200", "nvfp4", 4): (11337, 5174, 2204, 3279, 859),
    ("llama-4-maverick", "gb200-nvl72", "nvfp4", 4): (11828, 5508, 2300, 3444, 963),
    ("llama-4-maverick", "dgx-h200", "fp8", 8): (4146, 1157, 679, 1276, None),
    ("qwen3-235b-a22b", "dgx-b200", "nvfp4", 4): (5764, 3389, 1255, 1410, 319),
    ("qwen3-235b-a22b", "gb200-nvl72", "nvfp4", 4): (6172, 3423, None, 1464, 333),
    ("qwen3-235b-a22b", "dgx-h200", "fp8", 4): (3288, 1417, None, 627, 134),
    ("qwen3-235b-a22b", "dgx-h100", "fp8", 8): (1932, 873, None, None, None),
    ("qwen3-30b-a3b", "dgx-b200", "nvfp4", 1): (26971, 13497, 4494, 5735, 1265),
    ("qwen3-30b-a3b", "gb200-nvl72", "nvfp4", 1): (22856, 14272, 4925, 6201, 1380),
}
_ROCM = {
    "llama-3.1-70b": ((128, 2048, 3200, 13819), (128, 4096, 1500, 11612), (500, 2000, 2000, 11409), (2048, 2048, 1500, 7801)),
    "llama-3.1-405b": ((128, 2048, 1500, 4134), (128, 4096, 1500, 3178), (500, 2000, 2000, 3034), (2048, 2048, 500, 2214)),
}
_GPUSTACK = {
    ("qwen3-14b", "dgx-h100", "bf16", 1): (8299, 9218, 10597),
    ("qwen3-14b", "dgx-a100", "bf16", 1): (4430, 5153, 5967),
    ("qwen3-32b", "dgx-h100", "bf16", 1): (None, 2149, 3195),
    ("qwen3-32b", "dgx-a100", "bf16", 1): (None, 1837, 2521),
    ("gpt-oss-20b", "dgx-h100", "mxfp4", 1): (29730, 33236, 32114),
    ("gpt-oss-20b", "dgx-a100", "mxfp4", 1): (7280, 15939, 18021),
    ("qwen3-235b-a22b", "dgx-a100", "bf16", 8): (6658, 8171, 9343),
}
MI300X_SECONDS = {
    ("llama-3.1-70b", 128): (15.25, 18.16, 18.55, 20.55, 22.16, 25.43, 33.3, 45.79),
    ("llama-3.1-70b", 2048): (15.3, 18.19, 18.94, 20.53, 23.21, 26.52, 34.82, 52.21),
    ("llama-3.1-405b", 128): (47.15, 50.93, 52.52, 55.23, 59.07, 68.79, 88.09, 118.5),
    ("llama-3.1-405b", 2048): (47.68, 50.79, 52.41, 55.46, 59.92, 70.39, 91.22, 127),
}
"""Seconds of 2,048 tokens in FP8 at TP8 by model and prompt, for batches of 1, 2, 4 and so on to 128."""
# fmt: on
GPUSTACK_LENGTHS = ((32000, 100), (4000, 200), (2000, 100))
GPUSTACK_PROMPTS = {32000: 100, 4000: 500, 2000: 500}
"""Of a run, all sent at once, by input length: the outputs in docs/performance-lab of github.com/gpustack/gpustack."""
GPUSTACK_ENGINE = {
    "dgx-h100": (("max_sequences", 1024), ("prefill_chunk", 8192)),
    "dgx-a100": (("max_sequences", 256), ("prefill_chunk", 2048)),
}
"""What vLLM 0.11 sets by itself on the two GPUs."""


HOPPER = ("dgx-h100", "dgx-h200")


def _cache(weights, system):
    """The format of the KV cache: TensorRT-LLM leaves that of GPT-OSS on Hopper in BF16."""
    return "bf16" if weights == "bf16" or (weights == "mxfp4" and system in HOPPER) else "fp8"


def _trtllm(source, table, software="trtllm", *, dp_attention=False):
    for (model, system, weights, gpus), rates in table.items():
        routed = dp_attention and model != "llama-3.1-70b"
        kv = _cache(weights, system)
        for (isl, osl), rate in zip(TRTLLM_LENGTHS[source.key], rates, strict=True):
            if rate is not None:
                tp, ep = (1, gpus) if routed else (gpus, 1)
                total = rate * gpus if dp_attention else rate
                requests = REQUESTS[isl, osl]
                yield Run(source, model, system, weights, kv, tp, ep, isl, osl, total, requests, software)


def _rocm():
    for model, runs in _ROCM.items():
        for isl, osl, requests, rate in runs:
            yield Run(ROCM_VLLM, model, "mi300x-x8", "fp8", "fp8", 8, 1, isl, osl, rate, requests, "vllm-0.8",
                      (("max_sequences", requests),))  # fmt: skip


def _gpustack():
    for (model, system, weights, tp), rates in _GPUSTACK.items():
        for (isl, osl), rate in zip(GPUSTACK_LENGTHS, rates, strict=True):
            if rate is not None:
                output = rate * osl / (isl + osl)
                yield Run(GPUSTACK, model, system, weights, "bf16", tp, 1, isl, osl, output, GPUSTACK_PROMPTS[isl],
                          "vllm-0.8", GPUSTACK_ENGINE[system])  # fmt: skip


RUNS = tuple(
    chain(
        _trtllm(OVERVIEW_0_14, _DENSE_0_14 | _EXPERTS_0_14, "trtllm-0"),
        _trtllm(OVERVIEW_0_20, _ALL_0_20),
        _trtllm(OVERVIEW_1_2, _PER_GPU_1_2, dp_attention=True),
        _rocm(),
        _gpustack(),
    )
)
