"""Published training runs: what was run, and the throughput or step time as printed, to three digits."""

from dataclasses import dataclass

from core.provenance import Source

SC21 = Source(
    "megatron-sc21",
    "Efficient large-scale training on GPU clusters using Megatron-LM, table 1",
    "arxiv.org/abs/2104.04473; github.com/NVIDIA/Megatron-LM at 50a4b5fa02, images/cases_april2021.png",
    "2021-04",
)
SEQUENCE_PARALLEL = Source(
    "korthikanti",
    "Reducing activation recomputation in large transformer models, table 5",
    "arxiv.org/abs/2205.05198",
    "2022-05",
)
MEGATRON_CORE = Source(
    "megatron-core-0.8",
    "Megatron-Core 0.8: performance benchmarking",
    "github.com/NVIDIA/Megatron-LM at 937571cfd4, images/model_table.png",
)
DGX_CLOUD = Source(
    "dgxc-training",
    "DGX Cloud benchmarking 25.04: Llama 3.1 and Nemotron",
    "github.com/NVIDIA/dgxc-benchmarking at 741c886, llama3.1/README.md and nemotron/README.md",
    "2025-04",
)
BRIDGE = Source(
    "megatron-bridge",
    "Megatron-Bridge performance summary, NeMo containers 26.04 and 26.04.01",
    "github.com/NVIDIA-NeMo/Megatron-Bridge at 067f987df0, docs/performance-summary-archive.md",
    "2026-04",
)


@dataclass(frozen=True, slots=True)
class Shape:
    """A GPT with a plain MLP of 4 x hidden: layers, hidden size, attention heads, vocabulary."""

    layers: int
    hidden: int
    heads: int
    vocab: int = 51200


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """
    One published run.

    Attributes:
        source: Who printed it.
        model: A catalog id, or a shape.
        gpu: Catalog id.
        gpus: World size.
        tp, pp, vpp, cp, ep: Degrees of parallelism; ``vpp`` virtual pipeline stages.
        micro_batch: Sequences; None where it is not published.
        global_batch: Sequences of one step.
        seq: Sequence length.
        precision: Of the matrix products.
        recompute: Activation recomputation: none, selective or full.
        step_s: Seconds of a step, if that was printed.
        tflop_per_s_per_gpu: Model TFLOP/s of a GPU, if those were printed; of the hardware, so with
            recomputation, in ``SC21``.
        tokens_per_s_per_gpu: If those were printed.
    """

    source: Source
    model: str | Shape
    gpu: str
    gpus: int
    tp: int = 1
    pp: int = 1
    vpp: int = 1
    cp: int = 1
    ep: int = 1
    micro_batch: int | None = 1
    global_batch: int = 1
    seq: int = 4096
    precision: str = "bf16"
    recompute: str = "none"
    step_s: float | None = None
    tflop_per_s_per_gpu: float | None = None
    tokens_per_s_per_gpu: float | None = None


def sc21(shape: Shape, gpus: int, tp: int, pp: int, global_batch: int, tflop_per_s: float) -> TrainingRun:
    """A row of table 1: FP16 on A100, full recomputation, hardware TFLOP/s."""
    return TrainingRun(
        SC21,
        shape,
        "a100-sxm-80gb",
        gpus,
        tp,
        pp,
        micro_batch=None,
        global_batch=global_batch,
        seq=2048,
        precision="fp16",
        recompute="full",
        tflop_per_s_per_gpu=tflop_per_s,
    )


def table5(shape: Shape, gpus: int, pp: int, vpp: int, micro_batch: int, batch: int, *step_s: float):
    """Two rows of table 5: FP16 on A100, TP8, full recomputation and selective with sequence parallelism."""
    return tuple(
        TrainingRun(
            SEQUENCE_PARALLEL,
            shape,
            "a100-sxm-80gb",
            gpus,
            8,
            pp,
            vpp,
            micro_batch=micro_batch,
            global_batch=batch,
            seq=2048,
            precision="fp16",
            recompute=recompute,
            step_s=seconds,
        )
        for recompute, seconds in zip(("full", "selective"), step_s, strict=True)
    )


def core(shape: Shape, gpus: int, tp: int, pp: int, vpp: int, batch: int, tflop_per_s: float) -> TrainingRun:
    """A row of Megatron-Core 0.8: BF16 on H100, model TFLOP/s."""
    return TrainingRun(
        MEGATRON_CORE,
        shape,
        "h100-sxm",
        gpus,
        tp,
        pp,
        vpp,
        micro_batch=None,
        global_batch=batch,
        tflop_per_s_per_gpu=tflop_per_s,
    )


def cloud(
    model: str, precision: str, gpus: int, layout: tuple[int, ...], batch: int, step_s: float
) -> TrainingRun:
    """A row of DGX Cloud on H100 with (TP, PP, VPP, CP), seconds of a step."""
    tp, pp, vpp, cp = layout
    return TrainingRun(
        DGX_CLOUD,
        model,
        "h100-sxm",
        gpus,
        tp,
        pp,
        vpp,
        cp,
        global_batch=batch,
        seq=8192 if model.startswith("llama") else 4096,
        precision=precision,
        step_s=step_s,
    )


def bridge(
    model: str, gpu: str, precision: str, layout: tuple[int, ...], batch: tuple[int, int], rate: float
):
    """A row of Megatron-Bridge with (GPUs, TP, PP, VPP, EP) and (micro, global) batch, tokens/s per GPU."""
    gpus, tp, pp, vpp, ep = layout
    return TrainingRun(
        BRIDGE,
        model,
        gpu,
        gpus,
        tp,
        pp,
        vpp,
        ep=ep,
        micro_batch=batch[0],
        global_batch=batch[1],
        precision=precision,
        tokens_per_s_per_gpu=rate,
    )


# fmt: off
DENSE = (
    sc21(Shape(24, 2304, 24), 32, 1, 1, 512, 137),
    sc21(Shape(30, 3072, 32), 64, 2, 1, 512, 138),
    sc21(Shape(36, 4096, 32), 128, 4, 1, 512, 142),
    sc21(Shape(40, 6144, 48), 256, 8, 1, 1024, 135),
    sc21(Shape(48, 8192, 64), 512, 8, 2, 1536, 138),
    sc21(Shape(60, 10240, 80), 1024, 8, 4, 1792, 140),
    sc21(Shape(80, 12288, 96), 1536, 8, 8, 2304, 148),
    sc21(Shape(96, 16384, 128), 1920, 8, 16, 2160, 155),
    sc21(Shape(105, 20480, 128), 2520, 8, 35, 2520, 163),
    sc21(Shape(128, 25600, 160), 3072, 8, 64, 3072, 163),
    *table5(Shape(48, 6144, 64), 8, 1, 1, 4, 4, 1.42, 1.10),
    *table5(Shape(96, 12288, 96), 64, 8, 3, 1, 64, 18.1, 13.8),
    *table5(Shape(128, 25600, 160), 512, 64, 1, 1, 512, 94.4, 71.5),
    core(Shape(24, 2048, 16, 131072), 48, 1, 1, 1, 192, 409),
    core(Shape(32, 6144, 48, 131072), 192, 4, 1, 1, 192, 489),
    core(Shape(48, 7168, 56, 131072), 384, 8, 1, 1, 192, 460),
    core(Shape(92, 10240, 80, 131072), 1536, 8, 4, 23, 768, 421),
    core(Shape(96, 12288, 96, 131072), 2304, 8, 6, 16, 1152, 433),
    core(Shape(112, 18432, 144, 131072), 6144, 8, 16, 7, 3072, 460),
    cloud("llama-3.1-8b", "bf16", 8, (1, 1, 1, 2), 128, 12.3),
    cloud("llama-3.1-8b", "bf16", 128, (1, 1, 1, 2), 2048, 12.3),
    cloud("llama-3.1-70b", "bf16", 64, (4, 4, 5, 2), 128, 14.7),
    cloud("llama-3.1-70b", "bf16", 2048, (4, 4, 5, 2), 4096, 14.7),
    cloud("llama-3.1-8b", "fp8", 8, (1, 1, 1, 2), 128, 9.33),
    cloud("llama-3.1-8b", "fp8", 128, (1, 1, 1, 2), 2048, 9.54),
    cloud("llama-3.1-70b", "fp8", 64, (4, 8, 5, 1), 128, 9.86),
    cloud("llama-3.1-70b", "fp8", 2048, (4, 8, 5, 1), 4096, 10.2),
)
MOE = (
    bridge("deepseek-v3-r1", "gb200", "mxfp8", (256, 1, 4, 4, 64), (1, 4096), 4260),
    bridge("qwen3-235b-a22b", "gb200", "mxfp8", (256, 1, 8, 3, 32), (1, 8192), 5680),
    bridge("gpt-oss-120b", "gb200", "bf16", (64, 1, 1, 1, 64), (4, 1280), 16600),
    bridge("gpt-oss-120b", "h100-sxm", "bf16", (64, 1, 4, 9, 8), (1, 1280), 5820),
    bridge("gpt-oss-120b", "b200-sxm", "bf16", (64, 1, 1, 1, 8), (4, 1280), 13600),
    bridge("qwen3-235b-a22b", "h100-sxm", "fp8", (256, 2, 8, 4, 32), (1, 8192), 1710),
)
