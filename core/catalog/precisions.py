"""Precisions: number formats of weights, activations and caches, block scales included."""

from core.workload import Precision

PRECISIONS = {
    entry.id: entry
    for entry in (
        Precision("fp32", "FP32", 32),
        Precision("bf16", "BF16", 16),
        Precision("fp16", "FP16", 16),
        Precision("fp8", "FP8", 8),
        Precision("fp8-block", "FP8 with a scale for 128 x 128 weights", 8, 32, 128 * 128, weight_only=True),
        Precision("mxfp8", "MXFP8 (an 8-bit scale for 32 values)", 8, scale_bits=8, block=32),
        Precision("nvfp4", "NVFP4 (an 8-bit scale for 16 values)", 4, scale_bits=8, block=16),
        Precision("mxfp4", "MXFP4 (an 8-bit scale for 32 values)", 4, scale_bits=8, block=32),
        Precision("fp4", "FP4 without scales", 4),
        Precision("int8", "INT8", 8),
        Precision("int4", "INT4 without scales", 4),
        Precision("w8a16", "W8A16 (INT8 weights, BF16 math)", 8, 16, 128, weight_only=True),
        Precision("w4a16", "W4A16 (INT4 weights, BF16 math: AWQ, GPTQ)", 4, 20, 128, weight_only=True),
    )
}
"""
Every format by id.

FP8 blocks are those that DeepSeek, Qwen3, GLM-4.5 and MiniMax publish. Weights of W8A16 and W4A16 have a
16-bit scale, W4A16 a 4-bit zero too, for each 128.
"""
