"""State-space and linear-attention layers of a config: matrices, taps and the state that each keeps."""

from core.checks import InputError
from core.workload import Recurrence, StateLayers
from core.workload.config.keys import Keys

STATE_DTYPES = {"float32": 4.0, "bfloat16": 2.0, "float16": 2.0}
"""Bytes of a value of the state by the name that a config gives its format."""


def state_value_bytes(keys: Keys) -> float:
    """Bytes of a value of the state: as the config says, else FP32, as serving engines keep it."""
    name = str(keys.any("mamba_ssm_cache_dtype", keys.any("mamba_ssm_dtype", "float32")))
    return STATE_DTYPES.get(name.removeprefix("torch."), 4.0)


def mamba2(keys: Keys, layers: int, hidden: int, *, normed: bool = True) -> StateLayers:
    """
    Mamba-2: one projection in (gate, values, B, C, steps), a convolution, a gated norm, one out.

    Args:
        keys: In either spelling: ``mamba_n_heads`` or ``mamba_num_heads``.
        layers: How many.
        hidden: Width of the residual stream.
        normed: Whether the output passes a gated norm.
    """
    heads = keys.count("mamba_num_heads", "mamba_n_heads")
    head_dim = keys.count("mamba_head_dim", "mamba_d_head")
    state = keys.count("ssm_state_size", "mamba_d_state")
    groups = keys.count("n_groups", "mamba_n_groups", default=1)
    kernel = keys.count("conv_kernel", "mamba_d_conv", default=4)
    biased = keys.flag("use_conv_bias", default=keys.flag("mamba_conv_bias", default=True))
    projection_bias = keys.flag("mamba_proj_bias") or keys.flag("use_bias")
    inner, shared = heads * head_dim, 2 * groups * state
    channels = inner + shared
    vectors = channels * (kernel + biased) + 3 * heads + (inner if normed else 0)
    vectors += inner + channels + heads + hidden if projection_bias else 0
    return StateLayers(
        kind=Recurrence.MAMBA2,
        layers=layers,
        heads=heads,
        key_dim=state,
        value_dim=head_dim,
        groups=groups,
        conv_kernel=kernel,
        projections=hidden * (2 * inner + shared + heads) + inner * hidden,
        group_projections=hidden * shared,
        vectors=vectors,
        state_value_bytes=state_value_bytes(keys),
    )


def mamba(keys: Keys, layers: int, hidden: int, *, normed: bool = True) -> StateLayers:
    """Mamba: every channel its own state; ``normed`` as Jamba has it, with norms of step, B and C."""
    inner = keys.count("mamba_expand", default=2) * hidden
    state = keys.count("mamba_d_state", default=16)
    kernel = keys.count("mamba_d_conv", default=4)
    rank = -(-hidden // 16) if keys.any("mamba_dt_rank", "auto") == "auto" else keys.count("mamba_dt_rank")
    biased = keys.flag("mamba_conv_bias", default=True)
    taps = inner * (kernel + biased)
    projection_bias = 2 * inner + hidden if keys.flag("mamba_proj_bias") else 0
    norms = rank + 2 * state if normed else 0
    return StateLayers(
        kind=Recurrence.MAMBA,
        layers=layers,
        heads=inner,
        key_dim=state,
        value_dim=1,
        groups=0,
        conv_kernel=kernel,
        projections=3 * hidden * inner + inner * (rank + 2 * state) + rank * inner,
        group_projections=0,
        vectors=taps + inner * (state + 2) + norms + projection_bias,
        state_value_bytes=state_value_bytes(keys),
    )


def gated_delta(keys: Keys, layers: int, hidden: int) -> StateLayers:
    """Gated delta net: query, key, value and gate, decay and step of each value head."""
    groups, heads = keys.count("linear_num_key_heads"), keys.count("linear_num_value_heads")
    key, value = keys.count("linear_key_head_dim"), keys.count("linear_value_head_dim")
    kernel = keys.count("linear_conv_kernel_dim", default=4)
    if heads % groups:
        message = f"config: linear_num_key_heads {groups} must divide linear_num_value_heads {heads}"
        raise InputError(message)
    shared, inner = 2 * groups * key, heads * value
    return StateLayers(
        kind=Recurrence.GATED_DELTA,
        layers=layers,
        heads=heads,
        key_dim=key,
        value_dim=value,
        groups=groups,
        conv_kernel=kernel,
        projections=hidden * (shared + 3 * inner + 2 * heads),
        group_projections=hidden * shared,
        vectors=(shared + inner) * kernel + 2 * heads + value,
        state_value_bytes=state_value_bytes(keys),
    )


def kimi_delta(keys: Keys, layers: int, hidden: int) -> StateLayers:
    """Kimi delta attention: a decay of every channel and an output gate, both of low rank."""
    heads, width = keys.count("num_heads"), keys.count("head_dim")
    kernel = keys.count("short_conv_kernel_size", default=4)
    inner = heads * width
    low_rank = 2 * width * (hidden + inner)
    return StateLayers(
        kind=Recurrence.KIMI_DELTA,
        layers=layers,
        heads=heads,
        key_dim=width,
        value_dim=width,
        groups=heads,
        conv_kernel=kernel,
        projections=4 * hidden * inner + low_rank + hidden * heads,
        group_projections=0,
        vectors=3 * inner * kernel + heads + inner + width,
        state_value_bytes=state_value_bytes(keys),
    )


def lightning(keys: Keys, layers: int, hidden: int, heads: int, head_dim: int) -> StateLayers:
    """Lightning attention: query, key, value, output gate and output; fixed decays, a norm of all heads."""
    inner = heads * head_dim
    return StateLayers(
        kind=Recurrence.LIGHTNING,
        layers=layers,
        heads=heads,
        key_dim=head_dim,
        value_dim=head_dim,
        groups=heads,
        conv_kernel=0,
        projections=5 * hidden * inner,
        group_projections=0,
        vectors=inner,
        state_value_bytes=state_value_bytes(keys),
    )


def short_convolution(keys: Keys, layers: int, hidden: int) -> StateLayers:
    """LFM2's gated convolution: two gates and a value in, a few taps, one out; the last inputs stay."""
    kernel = keys.count("conv_L_cache", default=3)
    bias = 5 * hidden if keys.flag("conv_bias") else 0
    return StateLayers(
        kind=Recurrence.SHORT_CONVOLUTION,
        layers=layers,
        heads=hidden,
        key_dim=0,
        value_dim=1,
        groups=0,
        conv_kernel=kernel,
        projections=4 * hidden * hidden,
        group_projections=0,
        vectors=hidden * kernel + bias,
        state_value_bytes=state_value_bytes(keys),
    )
