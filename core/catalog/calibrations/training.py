"""
Training: constants of the compute model, and the GEMM efficiency by architecture and format.

The constants are few, of one kind each, the same for every GPU and framework, and fitted together on
the published training tables of ``SOURCES`` (docs/MODEL-TRAINING.md), so that one constant is left to a
GPU, a format and a framework: the share of the dense peak that large GEMMs reach.
"""

from dataclasses import dataclass

from core.hardware import Architecture
from core.provenance import Source

SOURCES = (
    Source(
        "megatron-lm-tables",
        "Megatron-LM and Megatron-Core: published throughput",
        "github.com/NVIDIA/Megatron-LM",
        "2021 to 2024",
    ),
    Source(
        "megatron-bridge-tables",
        "Megatron-Bridge performance summary",
        "github.com/NVIDIA-NeMo/Megatron-Bridge: docs/performance-summary.md",
        "2025",
    ),
    Source(
        "dgxc-benchmarking", "DGX Cloud benchmarking recipes", "github.com/NVIDIA/dgxc-benchmarking", "2025"
    ),
    Source("nemo-performance", "NeMo performance summary 24.07", "github.com/NVIDIA/NeMo", "2024"),
    Source(
        "llm-foundry",
        "LLM Foundry throughput tables",
        "github.com/mosaicml/llm-foundry: scripts/train/benchmarking",
        "2023",
    ),
    Source("torchtitan", "torchtitan benchmarks", "github.com/pytorch/torchtitan: benchmarks", "2025"),
    Source(
        "flagperf",
        "FlagPerf: Llama 3 8B and 70B in Megatron-Core 0.6 on A800 and H100",
        "github.com/FlagOpen/FlagPerf: training/nvidia",
        "2024",
    ),
    Source(
        "nemo-long-sequences",
        "NeMo: long sequence performance, containers 24.03.01 and 25.04",
        "github.com/NVIDIA/NeMo: docs/source/performance/performance_long_sequence.md",
        "2025-04",
    ),
    Source(
        "rocm-te-issues",
        "Llama 3 in FSDP on eight MI300X, BF16 and FP8",
        "github.com/ROCm/TransformerEngine: issues 78 and 79",
        "2024-10",
    ),
    Source(
        "primus-mlperf",
        "Primus: Llama 3.1 8B in FP8 on eight MI355X",
        "github.com/AMD-AGI/Primus: pull request 656",
        "2026-04",
    ),
    Source(
        "deepspeed-a800",
        "LLaMA 7B with DeepSpeed 0.14.2 and Hugging Face's modules on eight A800",
        "gist.github.com/chenyaofo/d4cd6a20ab4b95cb3a49491747e2139a",
        "2024-05",
    ),
    Source(
        "autotp-benchmark",
        "TP benchmarking tool: Qwen3 32B on eight H100 in DeepSpeed and DTensor",
        "github.com/deepspeedai/DeepSpeedExamples",
        "2025-12",
    ),
    Source(
        "qwen3-16-h100",
        "Qwen3 in Megatron-Bridge 0.1.0rc4 on 16 H100, one change at a time",
        "github.com/BastiaanGroot/ML-Infrastructure-Engineer: training/README.md",
        "2026",
    ),
    Source(
        "bigscience", "BigScience training chronicles", "github.com/bigscience-workshop/bigscience", "2022"
    ),
)


@dataclass(frozen=True, slots=True)
class GemmEfficiency:
    """
    Share of the dense peak that large GEMMs reach in training, and how sure a step is that it prices.

    Attributes:
        usual: Median over the published tables.
        band: The prediction interval of a step reaches from it over (1 + band) to it times (1 + band).
        fitted: Whether a published table covers the GPU and format.
        framework: Whose tables; ``any`` where it is the median over all.
    """

    usual: float
    band: float
    fitted: bool = True
    framework: str = "any"


ANY, MEGATRON, MEGATRON_2024, MEGATRON_2022 = "any", "megatron", "megatron-2024", "megatron-2022"
FSDP, FSDP_2024, TRANSFORMERS = "fsdp", "fsdp-2024", "transformers"
PYTORCH = (FSDP, FSDP_2024)
"""Frameworks whose parameters PyTorch shards."""
BAND, MOE_BAND = 0.1, 0.22
"""Of a framework whose publishers agree; as wide as they differ where they do not. So 75 to 90 % of the steps of
a publisher lie inside whose own tables are left out (docs/MODEL-TRAINING.md)."""
ANY_BAND, WIDE_BAND = 0.16, 0.21
"""Where the framework is not known; the second where publishers of one framework differ by as much."""
FULL_MEMORY_TIMES = 1.35
"""How many times longer a step may get where sharded parameters fill the memory to 94 % and more: of 18 such rows of
llm-foundry eleven take as long as computed, seven 1.12 to 1.32 times."""
UNMEASURED_BAND = 0.40
"""Where no table covers the GPU and format."""
GEMM_EFFICIENCY = {
    (Architecture.AMPERE, "bf16"): GemmEfficiency(0.78, WIDE_BAND),
    (Architecture.HOPPER, "bf16"): GemmEfficiency(0.7, ANY_BAND),
    (Architecture.HOPPER, "fp8"): GemmEfficiency(0.77, WIDE_BAND),
    (Architecture.BLACKWELL, "bf16"): GemmEfficiency(0.6, WIDE_BAND, framework=MEGATRON),
    (Architecture.BLACKWELL, "fp8"): GemmEfficiency(0.62, ANY_BAND, framework=MEGATRON),
    (Architecture.BLACKWELL, "nvfp4"): GemmEfficiency(0.54, ANY_BAND, framework=MEGATRON),
    (Architecture.CDNA3, "bf16"): GemmEfficiency(0.37, UNMEASURED_BAND, framework=FSDP),
    (Architecture.CDNA3, "fp8"): GemmEfficiency(0.29, UNMEASURED_BAND, framework=FSDP),
    (Architecture.CDNA4, "fp8"): GemmEfficiency(0.69, UNMEASURED_BAND, framework=MEGATRON),
}
"""By architecture and compute format over all frameworks, fitted to the tables of ``SOURCES``; Blackwell's
are of Megatron alone, so of another framework they are less sure; AMD's are of one publisher each, and a guess for
others."""
FRAMEWORK_EFFICIENCY = {
    (MEGATRON, Architecture.HOPPER, "bf16"): GemmEfficiency(0.8, BAND),
    (MEGATRON, Architecture.HOPPER, "fp8"): GemmEfficiency(0.77, BAND),
    (MEGATRON, Architecture.BLACKWELL, "bf16"): GemmEfficiency(0.6, WIDE_BAND),
    (MEGATRON, Architecture.BLACKWELL, "fp8"): GemmEfficiency(0.62, 0.12),
    (MEGATRON, Architecture.BLACKWELL, "nvfp4"): GemmEfficiency(0.54, 0.12),
    (MEGATRON_2024, Architecture.HOPPER, "bf16"): GemmEfficiency(0.73, BAND),
    (MEGATRON_2024, Architecture.HOPPER, "fp8"): GemmEfficiency(0.79, BAND),
    (MEGATRON_2022, Architecture.AMPERE, "bf16"): GemmEfficiency(0.7, WIDE_BAND),
    (MEGATRON_2022, Architecture.AMPERE, "fp16"): GemmEfficiency(0.9, WIDE_BAND),
    (FSDP, Architecture.AMPERE, "bf16"): GemmEfficiency(0.81, BAND),
    (FSDP, Architecture.HOPPER, "bf16"): GemmEfficiency(0.76, ANY_BAND),
    (FSDP, Architecture.HOPPER, "fp8"): GemmEfficiency(0.65, WIDE_BAND),
    (FSDP_2024, Architecture.AMPERE, "bf16"): GemmEfficiency(0.81, BAND),
    (FSDP_2024, Architecture.HOPPER, "bf16"): GemmEfficiency(0.64, WIDE_BAND),
    (FSDP_2024, Architecture.HOPPER, "fp8"): GemmEfficiency(0.57, WIDE_BAND),
    (FSDP_2024, Architecture.CDNA3, "bf16"): GemmEfficiency(0.37, WIDE_BAND),
    (FSDP_2024, Architecture.CDNA3, "fp8"): GemmEfficiency(0.29, WIDE_BAND),
    (FSDP, Architecture.CDNA3, "bf16"): GemmEfficiency(0.37, UNMEASURED_BAND),
    (FSDP, Architecture.CDNA3, "fp8"): GemmEfficiency(0.29, UNMEASURED_BAND),
    (MEGATRON, Architecture.CDNA4, "fp8"): GemmEfficiency(0.69, UNMEASURED_BAND),
    (TRANSFORMERS, Architecture.AMPERE, "bf16"): GemmEfficiency(0.58, UNMEASURED_BAND),
}
"""The same of one framework and its time, where a table of it is open: DGX Cloud and Megatron-Bridge (2025 and 2026),
Megatron-Core 0.6 to 0.8 and NeMo 24 (2024), Megatron-LM until 2022 (and BigScience), FSDP (llm-foundry 2023,
torchtitan to 2025; PyTorch on MI300X in 2024-10, of which today is a guess; of today 0.8 by our own steps of one H100
and one H200 and 0.7 by KempnerForge's with TP on H200: between; in FP8 that times what our own GEMMs of that torch
reach with their activations rounded, 0.62 of the peak, over BF16's 0.73), Primus on MI355X (one dense model), Hugging
Face's modules under DeepSpeed on A800. Bands wider than ``BAND`` are those of publishers that differ: 10 to 20 %
(Blackwell from one release to the next), 25 to 30 % (Megatron-LM and BigScience; FSDP in FP8 of 2023 and 2025, in
BF16 on Hopper of 2023), or of one alone."""
EAGER_SHARE = 0.74
"""GEMM efficiency of Hugging Face's modules over that of all frameworks (0.58 and 0.78 on A100 in BF16, where one publisher of
DeepSpeed asks for 0.53 and another, ms-swift, for 0.8), where no table covers the GPU: kernels between the GEMMs that
nobody fused. Attention is PyTorch's, and owes nothing to it."""
UNMEASURED = GemmEfficiency(0.65, UNMEASURED_BAND, fitted=False)
"""A wide guess where no table covers the GPU and format."""

TILE_RESULTS = 128 * 256
"""Results that one multiprocessor computes at a time, in the tiles that reach the peak."""
TYPICAL_MULTIPROCESSORS = 132
"""Of a GPU whose catalog entry states none: as many as H100 has."""

ATTENTION = 0.38
"""FLOP/s of attention over those of large GEMMs, in BF16, where no kernel below is meant."""


@dataclass(frozen=True, slots=True)
class AttentionKernel:
    """
    Fused attention of a framework on an architecture.

    Attributes:
        share: Its FLOP/s over those of large GEMMs in BF16, at long sequences.
        ramp_tokens: Sequence length (of a CP rank) at which it reaches half of that: tiles on the diagonal are half empty.
        narrow: Its FLOP/s at half a head dimension of 128 over those at 128: as many exponentials for half the products.
    """

    share: float
    ramp_tokens: float = 0.0
    narrow: float = 1.0


RAMP_TOKENS = {Architecture.AMPERE: 1000.0, Architecture.HOPPER: 2200.0, Architecture.BLACKWELL: 3100.0}
"""By the measured forward kernels of the generation (docs/MODEL-KERNELS.md), between grouped and plain attention."""
NARROW_HEADS = {Architecture.AMPERE: 1.0, Architecture.HOPPER: 0.72, Architecture.BLACKWELL: 0.55}
"""Of heads of 64 by the same kernels; on Ampere, whose tensor cores are slower, published training shows no difference."""
CUDNN_ATTENTION = (Architecture.HOPPER, Architecture.BLACKWELL)
"""Where PyTorch takes cuDNN's attention by itself."""
ATTENTION_KERNELS = {
    **{(MEGATRON, name): AttentionKernel(0.7, RAMP_TOKENS[name], NARROW_HEADS[name]) for name in RAMP_TOKENS},
    **{
        (MEGATRON_2024, name): AttentionKernel(0.45, RAMP_TOKENS[name], NARROW_HEADS[name])
        for name in RAMP_TOKENS
    },
    **{(FSDP, name): AttentionKernel(0.7, RAMP_TOKENS[name], NARROW_HEADS[name]) for name in CUDNN_ATTENTION},
    (FSDP_2024, Architecture.HOPPER): AttentionKernel(0.3),
    (FSDP_2024, Architecture.BLACKWELL): AttentionKernel(0.16),
}
"""By framework and architecture: Megatron's of today (cuDNN 9) by DGX Cloud, Megatron-Bridge and NeMo's sequences up to a
million on B200, which agree; of 2024 by NeMo 24.03 to 24.12 on H100; PyTorch's of 2026 by steps of one H100 and one H200
(tests/bench/one_gpu), of Megatron's share; llm-foundry in 2023 had FlashAttention-2, not written
for Hopper, nor for Blackwell, where it is taken to run as fast per multiprocessor (190 TFLOP/s on H100, 213 of 148)."""
EXPERT_ARITHMETIC = 1.05
"""Time of an expert's arithmetic over that of as many FLOPs in dense layers: grouped GEMMs of wide experts reach 0.95 of their
rate, and hardly more in kernels measured alone (docs/MODEL-KERNELS.md)."""
EXPERT_WIDTH = 1060.0
"""Width of an expert's matrices (harmonic mean of the hidden size and its own) at which permuting tokens,
uneven filling and small GEMMs take as long in BF16 as dense layers do for the same FLOPs. This and the three below are
fitted together to 114 published steps of 19 publishers (tests/bench/held_out*.py), those of the open tables only compared."""
EXPERT_TOKENS = 1900.0
"""Tokens of one expert in a micro-batch at which that overhead doubles; fitted likewise."""
EXPERT_FORMAT = 1.4
"""Power of the rate of dense GEMMs over that in BF16 by which it grows beside arithmetic in eight bits: at 1 it takes the same
time as in BF16, and what it takes more are casts, scales and padding. Four bits take no more than eight. Seven pairs of one job
in BF16 and then in FP8 gain between -8 and 13 %."""
EXPERT_FUSED = 0.2
"""That overhead over itself where one graph captures the iteration on Blackwell: such recipes fuse the grouped MLP with its
permutation, casts and activation (Megatron-LM: examples/moe_recipes; Megatron-Bridge: verification cards of 2026-07 and
2026-08, pull requests 4330 and 4458)."""
EXPERT_BIAS_PASSES = 9.0
"""Times the values that experts read and write are read or written more in one forward where experts have biases (GPT-OSS):
they are added, their gradients summed and the activation computed outside the grouped GEMMs. Fitted likewise: without, five
tables of GPT-OSS are 8 to 50 % too fast with constants that fit all other models."""
EXPERTS_YEAR = Architecture.HOPPER.year
"""First year of GPUs on which a table of experts is open."""
EP_SMS = 20.0
"""Multiprocessors that dispatch and combine take from the GEMMs they overlap with (DeepSeek-V3: 20 of 132)."""
HBM = 0.8
"""Share of the memory bandwidth reached around and between the GEMMs."""
PASSES = 16.0
"""Times a layer's residual stream is read or written outside GEMMs in one forward."""
INNER_PASSES = 1.0
"""The same for the hidden values of MLP and attention."""
OPERANDS = 0.5
"""Share of the memory time of a GEMM's operands that does not overlap with its arithmetic."""
TAIL_WAVES = 0.57
"""Waves over the multiprocessors that a GEMM loses: the last is half empty on average."""
ACCUMULATE_BYTES = 7.0
"""Bytes moved per parameter to accumulate a gradient: FP32 read and written, partly fused."""
SCORE_BYTES = 10.0
"""Bytes moved per attention score in a forward without flash attention: five passes in two bytes."""
VECTOR_UNITS = 16.0
"""Peak of the tensor cores over that of the vector units (312 over 19.5 TFLOP/s on A100)."""
LOGIT_BYTES = 12.0
"""Bytes moved per logit, forward and backward: the loss works in FP32."""
LAYER_START_S = 28e-6
"""Kernel launch overhead and tails of one layer in one forward, whatever its size."""

HOST_LAYER_S = {
    **dict.fromkeys((MEGATRON, MEGATRON_2024), 1.43e-3),
    **dict.fromkeys(PYTORCH, 5.3e-3),
    TRANSFORMERS: 3.2e-3,
}
"""Seconds that Python takes to launch one forward of a layer under TP, where no graph does it (Megatron-Core's modules,
DTensor, DeepSpeed's AutoTP); a backward counts as two forwards. Megatron: Qwen3 8B on eight and 16 H100 takes 155 to
162 ms for 4,096 tokens with TP4 and TP8 alike (Megatron-Bridge 0.1.0rc4). The others: Qwen3 32B on eight H100 with
2,048 tokens and full recomputation takes 21 and 13 ms a layer, eight times its arithmetic."""
HOST_NARROW = 1.3
"""The same with GEMMs in FP8 and below over that in BF16, whose casts are launched too: 1.4 by Qwen3 8B with TP2
(Megatron-Bridge 0.1.0rc4), 1.2 by Llama 3 70B with TP8 on 32 H100 (Megatron-Bridge 2026)."""
HOST_EXPERTS_S = 4.3e-3
"""The same of a whole layer with routed experts, whatever its tokens, the GPU and TP, where nothing is captured: Qwen3 30B in
Megatron takes 12.6 ms a layer for 2,048 tokens on 16 H100 and 13.1 for 4,096 on eight B200, forward and backward
(Megatron-Bridge's verification card; Megatron-MoE-ModelZoo, issue 7); in Hugging Face's modules 18.8 with recomputation."""
HOST_EXPERTS_PIPELINE = 1.45
"""Times as long where stages of a pipeline that does not interleave wait for one another's hosts in every micro-batch. With
routing forced to be even Qwen3 235B takes 18 ms a layer on H800 with PP8 (XTuner); with a learned router GPT-OSS 120B
takes 28 and 29 for 2,048 and 4,096 tokens on H100 with PP4 and Qwen3 235B on GB200 with PP16 26 (same cards)."""

SCAN_FLOP_PER_S = 0.34e12
"""Of one multiprocessor in the scan of layers that keep a state, its convolution included: what the chunked
kernels of a gated delta net reach in prefill on H100 and B200 (docs/MODEL-KERNELS.md)."""

BACKWARD_OVER_FORWARD = 2.0
FLASH_BACKWARD_OVER_FORWARD = 2.5
"""Flash attention recomputes the scores in backward (Dao 2023)."""
UPDATE_BYTES = 6.0
"""Bytes moved per parameter by mixed-precision Adam beside its state: gradient and result."""
TP_OVERLAP = {MEGATRON: 0.7, MEGATRON_2024: 0.7, FSDP: 0.45, FSDP_2024: 0.45}
"""Share of TP communication that overlaps with GEMMs, by framework, from Hopper on; none elsewhere. Of Megatron (NeMo,
userbuffers) by two degrees of Nemotron-4 15B on the same GPUs, of FSDP by torchtitan's asynchronous
TP: 5.4 % of the throughput at the end of 2024, 8.4 to 14 % in 2025."""
TP_OVERLAP_YEAR = Architecture.HOPPER.year
"""First year of GPUs on which published runs overlap it; InternEvo on A100 hides none."""
PP_OVERLAP = 1.0
"""Interleaved stages send while they compute the next virtual stage."""
EP_OVERLAP = 0.0
"""Dispatch and combine overlap with compute only in schedules made for it."""
OVERLAP_COST = 0.43
"""Compute lost for each second of data-parallel communication that overlaps with it: its kernels take multiprocessors
and memory bandwidth, and are slower beside GEMMs than alone. Levels of the open tables are best at 0.35, losses and
levels of the others at 0.5."""
COPY_COST = 0.075
"""The same of copies to the host and back, whose engines take memory bandwidth alone."""
STEP_START_S = 0.04
"""Of every step, whatever its size: data, gradient norm, launches of the optimizer, logging; fitted to all
tables, of which those of small models (steps of a second and less) tell it."""
DP_CONTENTION = 2.5
"""Times as long as alone that data-parallel collectives across domains take where none overlaps with compute
and all groups begin at once: fitted to BigScience and Megatron-LM until 2022."""
LAYER_JITTER = 0.025
"""Standard deviation of a layer's time over ranks, where every layer waits for the slowest (FSDP): large models of
llm-foundry and torchtitan from 8 to 128 GPUs ask for 0.02, small ones for ``HOST_JITTER_S`` beside it."""
HOST_JITTER_S = 0.02
"""Standard deviation of a step's fixed cost over ranks of FSDP, in seconds: models of 125 million to 3 billion parameters
(llm-foundry, steps of 0.4 to 1.5 s) lose 2 to 6 % from 16 to 128 GPUs, 20 to 40 ms whatever their step takes."""
STEP_JITTER = 0.009
"""Standard deviation of a step's time over ranks, where they wait for one another once, with GEMMs in 16 bits: eight
series of DGX Cloud on up to 2,048 GPUs lose 1.3 % in the mean, none to 2.6 %."""
LOW_PRECISION_STEP_JITTER = 0.025
"""The same with GEMMs in FP8 and below, which lose 3.2 % in the mean, 1 to 5.6 %; what makes ranks differ that much
is not known."""

PIPELINE_JITTER = 2.0
"""How many times further ranks are apart where stages of a pipeline wait for one another in every micro-batch."""

HOST_BYTES_PER_S = 34e9
"""Host memory that an Adam on the host moves, per GPU: 0.44 of the peak, as ZeRO-Offload's CPU-Adam reaches
(Ren et al. 2021), of sixteen channels of DDR5-4800 between eight GPUs; an estimate, not fitted."""
HOST_THREAD_BYTES_PER_S = 1.6e9
"""The same with a thread a GPU, which is what torchrun gives a process unless told otherwise: DeepSpeed's update of 0.84
billion parameters a GPU on eight A800 took 14 to 17 s a step. The high end of a step whose optimizer is offloaded."""
HOST_COPY_BYTES_PER_S = 23e9
"""Between a GPU and its host where all eight of a virtual machine copy activations at once: 23 and 29 GB/s of two hosts
(Qwen3 8B with all activations offloaded, Megatron-Bridge 0.1.0rc4). The high end of a step whose activations are offloaded."""
JOINED_HOST_BYTES_PER_S = 120e9
"""The same where a Grace CPU of 546 GB/s belongs to two GPUs."""
