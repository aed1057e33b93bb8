"""Software presets: what serving engines and training frameworks do about communication as they come."""

from dataclasses import dataclass

from core.provenance import Source

LAYER_S = 30e-6
"""Of a layer in vLLM and SGLang: nothing beside Hopper's own, more than the fused kernels of gpt-fast on Ampere."""
NARROW_LAYER_S = 140e-6
"""Of a layer with FP8 experts in vLLM to 0.13: median of 19 steps of Qwen3-235B and Maverick (docs/MODEL-SERVING.md)."""
CROSSING_S = 80e-6
"""Of an all-reduce between two nodes of 8 GPUs, DeepSeek-R1 at TP16: tt-inference-server 356 (docs/MODEL-SERVING.md)."""
SERVING, TRAINING, COMMUNICATION = "serving", "training", "communication"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """
    An engine, framework or library as it is set up by default; None leaves a field to the calculator.

    Attributes:
        kind: ``serving``, ``training`` or ``communication``.
        engine: Whose kernels of routed MLPs run, where a model is served.
        implementation: Who does an all-reduce inside a domain.
        launch: ``stream``, or ``graph`` for CUDA graphs, as decode steps run.
        prefill_chunk: Most batched tokens of a step that holds prompt tokens; None: a prompt is not divided.
        chunk_steps, max_sequences, memory_of, reserve_bytes, kv_block, kv_reserve: Of the serving engine.
        state_ratio, state_slots, state_pages: Of the serving engine, where layers keep a state.
        host_step_s, host_sequence_s: Host time of a step, and for every running request, that the GPU waits.
        host_logit_s: The same for every running request and entry of the vocabulary.
        layer_s, expert_layer_s: The least that launches and small kernels of a layer take; more with experts.
        narrow_layer_s: More with experts in FP8 or 4 bits.
        server_s: Of a request outside the engine's steps, part of its first token.
        prompt_layer_s, prompt_state_layer_s: The least a layer of a prefill step takes; one that keeps a state.
        crossing_s: Of an all-reduce that leaves a domain, beside its own time.
        strategy: Data-parallel strategy.
        param_bytes: Bytes of one parameter as sent.
        recompute: Activation recomputation.
        framework: Whose GEMM efficiency a training step takes.
        note: What the preset stands for, and what it leaves out.
    """

    id: str
    name: str
    kind: str
    engine: str | None = None
    implementation: str = "nccl"
    launch: str = "stream"
    prefill_chunk: int | None = None
    chunk_steps: str | None = None
    max_sequences: int | None = None
    memory_of: str | None = None
    reserve_bytes: float | None = None
    kv_block: int | None = None
    kv_reserve: str | None = None
    state_ratio: float | None = None
    state_slots: int | None = None
    state_pages: bool | None = None
    host_step_s: float | None = None
    host_sequence_s: float | None = None
    host_logit_s: float | None = None
    layer_s: float | None = None
    expert_layer_s: float | None = None
    narrow_layer_s: float | None = None
    prompt_layer_s: float | None = None
    prompt_state_layer_s: float | None = None
    server_s: float | None = None
    crossing_s: float | None = None
    strategy: str | None = None
    param_bytes: float | None = None
    recompute: str | None = None
    framework: str | None = None
    note: str
    sources: tuple[Source, ...]


_VLLM = Source(
    "vllm-engine-args",
    "vLLM: engine arguments",
    "https://docs.vllm.ai/en/latest/configuration/engine_args.html",
    "2026",
)
_VLLM_DEFAULTS = Source(
    "vllm-batch-defaults",
    "vLLM: defaults of a batch by GPU (vllm/engine/arg_utils.py)",
    "https://github.com/vllm-project/vllm/blob/main/vllm/engine/arg_utils.py",
    "2026",
)
_VLLM_TUNING = Source(
    "vllm-optimization",
    "vLLM: optimization and tuning (chunked prefill)",
    "https://docs.vllm.ai/en/latest/configuration/optimization.html",
    "2026",
)
_VLLM_ASYNC = Source(
    "vllm-kimi-recipe",
    "vLLM recipes: asynchronous scheduling is on by default (Kimi K2.5, vLLM 0.17)",
    "https://github.com/vllm-project/recipes/blob/main/moonshotai/Kimi-K2.5.md",
    "2026",
)
_VLLM_PAGES = Source(
    "vllm-hybrid-pages",
    "vLLM: KV blocks of hybrid models as large as a page of state (issue 24280, pull request 37467)",
    "https://github.com/vllm-project/vllm/issues/24280",
    "2025 and 2026",
)
_SGLANG = Source(
    "sglang-server-args",
    "SGLang: server arguments",
    "https://docs.sglang.ai/advanced_features/server_arguments.html",
    "2026",
)
_SGLANG_DEFAULTS = Source(
    "sglang-prefill-defaults",
    "SGLang: chunk of a prefill by GPU memory (sglang/srt/server_args.py)",
    "https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/server_args.py",
    "2026",
)
_SGLANG_STATES = Source(
    "sglang-state-pool",
    "SGLang cookbook: pools of states and KV blocks of hybrid models, and states per running request",
    "https://docs.sglang.io/cookbook/autoregressive/Qwen/Qwen3.8-27B",
    "2026",
)
_TRTLLM = Source(
    "trtllm-plugins",
    "TensorRT-LLM: useful build-time flags and all-reduce",
    "https://nvidia.github.io/TensorRT-LLM/performance/performance-tuning-guide/useful-build-time-flags.html",
    "2026",
)
_MEGATRON = Source(
    "megatron-distributed-optimizer",
    "Megatron Core: distributed optimizer",
    "https://docs.nvidia.com/megatron-core/developer-guide/latest/api-guide/dist_optimizer.html",
    "2026",
)
_FSDP = Source(
    "pytorch-fsdp2",
    "PyTorch: fully_shard (FSDP2)",
    "https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html",
    "2026",
)
_DEEPSPEED = Source(
    "deepspeed-zero", "DeepSpeed: ZeRO", "https://deepspeed.readthedocs.io/en/latest/zero3.html", "2026"
)
_NCCL = Source(
    "nccl-user-guide",
    "NCCL user guide",
    "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/index.html",
    "2026",
)

_PRESETS = (
    Preset(
        id="vllm",
        name="vLLM",
        kind=SERVING,
        engine="vllm",
        implementation="vllm-custom",
        launch="graph",
        prefill_chunk=8192,
        max_sequences=1024,
        memory_of="driver",
        reserve_bytes=4e9,
        kv_block=16,
        state_pages=True,
        layer_s=LAYER_S,
        crossing_s=CROSSING_S,
        server_s=15e-3,
        note=(
            "Its custom all-reduce inside a domain, NCCL beyond it; decode in CUDA graphs; "
            "prefill in chunks of max_num_batched_tokens, 8,192, and at most 1,024 requests: what its API server "
            "takes on GPUs of 70 GiB and more (2,048 and 256 on smaller ones and on A100), in steps with decode "
            "tokens; asynchronous scheduling, which it has by default since 0.14: the host prepares a step while "
            "the GPU runs the one before."
        ),
        sources=(_VLLM, _VLLM_DEFAULTS, _VLLM_TUNING, _VLLM_ASYNC, _VLLM_PAGES),
    ),
    Preset(
        id="vllm-0.8",
        name="vLLM 0.8 to 0.13",
        kind=SERVING,
        engine="vllm",
        implementation="vllm-custom",
        launch="graph",
        prefill_chunk=8192,
        max_sequences=256,
        memory_of="driver",
        reserve_bytes=4e9,
        kv_block=16,
        state_pages=True,
        host_step_s=1e-3,
        host_sequence_s=0.0,
        host_logit_s=0.4e-9,
        layer_s=LAYER_S,
        narrow_layer_s=NARROW_LAYER_S,
        crossing_s=CROSSING_S,
        server_s=15e-3,
        note=(
            "vLLM before asynchronous scheduling, at most 256 requests: its host time is that of 0.8.5, where "
            "sampling goes by the vocabulary."
        ),
        sources=(_VLLM, _VLLM_DEFAULTS, _VLLM_TUNING, _VLLM_PAGES),
    ),
    Preset(
        id="sglang",
        name="SGLang",
        kind=SERVING,
        engine="sglang",
        implementation="sglang-custom",
        launch="graph",
        prefill_chunk=8192,
        chunk_steps="separate",
        memory_of="driver",
        reserve_bytes=4e9,
        layer_s=LAYER_S,
        expert_layer_s=35e-6,
        prompt_layer_s=1.2e-3,
        prompt_state_layer_s=3e-3,
        crossing_s=CROSSING_S,
        state_ratio=0.9,
        state_slots=5,
        note=(
            "Its custom all-reduce inside a domain, NCCL beyond it; decode in CUDA graphs; "
            "prefill in chunks of chunked_prefill_size: 8,192 as it is set on GPUs of 60 to 160 GB "
            "(2,048 or 4,096 below, 16,384 above), in separate prefill steps; states of hybrid models in a pool "
            "of their own, 0.9 times that of KV blocks, five for each running request (mamba_full_memory_ratio, "
            "extra_buffer)."
        ),
        sources=(_SGLANG, _SGLANG_DEFAULTS, _SGLANG_STATES),
    ),
    Preset(
        id="trtllm",
        name="TensorRT-LLM",
        kind=SERVING,
        engine="trtllm",
        implementation="trtllm-auto",
        launch="graph",
        prefill_chunk=8192,
        memory_of="free",
        reserve_bytes=4e9,
        kv_block=32,
        kv_reserve="longest",
        host_step_s=1e-3,
        host_sequence_s=4e-6,
        expert_layer_s=100e-6,
        crossing_s=CROSSING_S,
        server_s=45e-3,
        note=(
            "Its one-shot and two-shot all-reduce by message size inside a domain, NCCL beyond it; "
            "decode in CUDA graphs; steps of at most max_num_tokens 8,192 hold prompts beside decode tokens "
            "(longer prompts need chunked context); room for a whole answer is kept from the start "
            "(GUARANTEED_NO_EVICT); versions 1.x, whose layers with experts take 100 us beside their kernels."
        ),
        sources=(_TRTLLM,),
    ),
    Preset(
        id="trtllm-0",
        name="TensorRT-LLM 0.x",
        kind=SERVING,
        engine="trtllm",
        implementation="trtllm-auto",
        launch="graph",
        prefill_chunk=8192,
        memory_of="free",
        reserve_bytes=4e9,
        kv_block=32,
        kv_reserve="longest",
        host_step_s=1e-3,
        host_sequence_s=4e-6,
        note="TensorRT-LLM with engines built ahead, to 0.21: as 1.x, but for its layers with experts.",
        sources=(_TRTLLM,),
    ),
    Preset(
        id="megatron",
        name="Megatron-LM",
        kind=TRAINING,
        strategy="zero1",
        param_bytes=2.0,
        recompute="none",
        framework="megatron",
        note=(
            "Distributed optimizer (ZeRO-1): gradients reduce-scattered in FP32, parameters gathered in BF16; "
            "sequence parallelism."
        ),
        sources=(_MEGATRON,),
    ),
    Preset(
        id="fsdp",
        name="PyTorch FSDP",
        kind=TRAINING,
        strategy="fsdp",
        param_bytes=2.0,
        recompute="none",
        framework="fsdp",
        note=(
            "fully_shard with BF16 mixed precision: parameters gathered in forward and backward, "
            "gradients reduce-scattered in BF16."
        ),
        sources=(_FSDP,),
    ),
    Preset(
        id="deepspeed",
        name="DeepSpeed",
        kind=TRAINING,
        strategy="zero3",
        param_bytes=2.0,
        recompute="none",
        framework="transformers",
        note=(
            "ZeRO stage 3 in BF16 under Hugging Face's modules, whose kernels are not fused; stages 1 and 2 are the "
            "strategies zero1 and zero2, Megatron's kernels the framework megatron."
        ),
        sources=(_DEEPSPEED,),
    ),
    Preset(
        id="nccl",
        name="plain NCCL",
        kind=COMMUNICATION,
        note="NCCL (RCCL on AMD) on a stream, without an engine or a framework: what nccl-tests measures.",
        sources=(_NCCL,),
    ),
)
PRESETS = {preset.id: preset for preset in _PRESETS}
"""Every preset by id."""

SERVING_DEFAULT, TRAINING_DEFAULT, SHARDING_DEFAULT, COMMUNICATION_DEFAULT = (
    "vllm",
    "megatron",
    "fsdp",
    "nccl",
)
"""What ``auto`` stands for: serving, a training step, gradient synchronization alone, a single collective."""
