"""What the constants of attention kernels are: of a generation, and of an engine on it."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.hardware import Architecture, MemoryKind

Generation = tuple[Architecture, MemoryKind]
"""Chips of one architecture differ by their memory: Blackwell with GDDR has other tensor cores than with HBM."""
FALLBACK = "triton"
"""Kernels in Triton, which vLLM and SGLang take where no tuned ones fit; no part of the engines' mean."""
HEAD_DIMS = (64, 128, 192, 256, 512)


@dataclass(frozen=True, slots=True)
class Band:
    """
    Measured over predicted, 10th and 90th percentile; of a named engine see there.

    Attributes:
        low, high: Of the median of the engines.
        new_low, new_high: On a generation that nobody measured.
    """

    low: float
    high: float
    new_low: float
    new_high: float


@dataclass(frozen=True, slots=True)
class PrefillEngine:
    """
    What an engine's prefill kernels add.

    Attributes:
        launch_s: Of a call, with what runs before it (rotary embedding and cache write in TensorRT-LLM).
        speed: Over the generation's ``tensor_share``.
        block_s: Of one multiprocessor for a block of queries, beside its keys.
        packs_group: Whether the query heads of a KV head share a tile.
        skips_window: Whether keys outside a sliding window are left out.
        absorbs: Whether MLA stays in its latent space, with the keys and values of one head for all.
        low, high: Measured over predicted, 10th and 90th percentile.
    """

    launch_s: float
    speed: float
    block_s: float
    packs_group: bool
    skips_window: bool = True
    absorbs: bool = False
    low: float = 1.0
    high: float = 1.0


@dataclass(frozen=True, slots=True)
class PrefillKernel:
    """
    Prefill attention of one generation.

    Attributes:
        tensor_share: Share of the dense BF16 peak inside a block, by head dimension (``HEAD_DIMS``).
        fp8_speed: Over that with products in FP8, by head dimension.
        query_tile: Rows of queries that a thread block holds.
        tail: Share of the longest block that nothing hides.
        memory_share: Share of the memory's bandwidth.
        engines: By engine.
    """

    tensor_share: tuple[float, ...]
    fp8_speed: tuple[float, ...]
    query_tile: int
    tail: float
    memory_share: float
    engines: Mapping[str, PrefillEngine]
    band: Band


@dataclass(frozen=True, slots=True)
class DecodeEngine:
    """
    What an engine's decode kernels add.

    Attributes:
        launch_s: Of a call.
        unit_s: Of one multiprocessor for a sequence and KV head, however short its context.
        unit_fp8: The same over it with an FP8 cache.
        memory_share: Share of the memory's bandwidth.
        memory_fp8: Over it with an FP8 cache.
        key_ratio: Over the generation's ``key_s`` and ``walk_s``.
        single_heads: Whether groups of one and of more than 32 queries are decoded head by head.
        group_rows: Queries of a KV head that a tile takes together.
        most_splits: Blocks over which a context is split at most.
        fp8_splits: The same with an FP8 cache.
        low, high: Measured over predicted, 10th and 90th percentile.
    """

    launch_s: float
    unit_s: float
    unit_fp8: float
    memory_share: float
    memory_fp8: float
    key_ratio: float
    single_heads: bool
    group_rows: int = 16
    most_splits: int = 1024
    fp8_splits: int = 1024
    low: float = 1.0
    high: float = 1.0


@dataclass(frozen=True, slots=True)
class DecodeKernel:
    """
    Decode attention of one generation; seconds of one multiprocessor at head dimension 128.

    Attributes:
        key_s, key_fp8: For each key and tile; over it with an FP8 cache.
        row: Of ``unit_s`` for each further tile.
        width_power: Power of the head dimension in ``unit_s``.
        head_s, head_key_s, head_fp8: Of a query head decoded by itself, and for each of its keys; keys with FP8.
        split_keys: Keys from which a sequence is split over several blocks.
        walk_s: Of a block for each key in turn.
        l2_bytes, l2_speed: L2 cache and its rate over the memory's; 1 where it made no difference.
        engines: By engine.
    """

    key_s: float
    key_fp8: float
    row: float
    width_power: float
    head_s: float
    head_key_s: float
    head_fp8: float
    split_keys: float
    walk_s: float
    l2_bytes: float
    l2_speed: float
    engines: Mapping[str, DecodeEngine]
    band: Band


@dataclass(frozen=True, slots=True)
class ScanKernel:
    """
    A scan by chunks of 64 tokens.

    Attributes:
        launch_s: Of its kernels.
        chunk_s: Of one multiprocessor for a chunk and head.
        walk_s: For each chunk of a sequence in turn.
        head_s: Of one multiprocessor for each sequence and head.
    """

    launch_s: float
    chunk_s: float
    walk_s: float
    head_s: float


@dataclass(frozen=True, slots=True)
class StateSpaceKernel:
    """
    Gated delta net on one generation.

    Attributes:
        convolution_launch_s, convolution_share: Of a prefill's convolution; share of the memory's bandwidth.
        update_launch_s, update_share: The same of a decode step.
        step_launch_s, state_share: Of a step of the state.
        scans: By library.
    """

    convolution_launch_s: float
    convolution_share: float
    update_launch_s: float
    update_share: float
    step_launch_s: float
    state_share: float
    scans: Mapping[str, ScanKernel]
    band: Band
