"""Families without attention, and LFM2: layers that keep a state of constant size, and little else."""

from typing import Any

from core.checks import InputError, count, number
from core.workload.config.families import Family
from core.workload.config.keys import MOST_LAYERS, Keys
from core.workload.config.mixers import Mixers, Sizes
from core.workload.config.state_layers import mamba, mamba2, short_convolution

Values = dict[str, Any]

ATTENTION, CONVOLUTION = "full_attention", "conv"
MULTIPLIER_MOST = 100.0

MAMBA_NAMES = {
    "state_size": "mamba_d_state",
    "conv_kernel": "mamba_d_conv",
    "expand": "mamba_expand",
    "time_step_rank": "mamba_dt_rank",
    "use_conv_bias": "mamba_conv_bias",
    "use_bias": "mamba_proj_bias",
}
"""Keys of a Mamba alone, by those that Jamba gives them."""
MAMBA2_NAMES = {"num_heads": "mamba_num_heads", "head_dim": "mamba_head_dim", "state_size": "ssm_state_size"}


def _renamed(values: Values, names: dict[str, str]) -> Values:
    """Without the width of an MLP, which such models do not have."""
    kept = {names.get(name, name): value for name, value in values.items()}
    return {name: value for name, value in kept.items() if name != "intermediate_size"}


def _mamba(values: Values) -> Values:
    """Every channel is a head of its own; a stated inner width goes before the factor."""
    config, keys = _renamed(values, MAMBA_NAMES), Keys(values)
    hidden = keys.count("hidden_size")
    channels = keys.count("intermediate_size", default=keys.count("expand", default=2) * hidden)
    if channels % hidden:
        message = f"config: intermediate_size {channels} is no multiple of hidden_size {hidden}"
        raise InputError(message)
    return config | {"mamba_expand": channels // hidden, "num_attention_heads": channels, "head_dim": 1}


def _mamba2(values: Values) -> Values:
    config, keys = _renamed(values, MAMBA2_NAMES), Keys(values)
    heads, width = keys.count("num_heads"), keys.count("head_dim")
    keys.count("state_size")
    inner = keys.count("expand", default=2) * keys.count("hidden_size")
    if heads * width != inner:
        message = f"config: num_heads {heads} x head_dim {width} is not expand x hidden_size {inner}"
        raise InputError(message)
    return config | {"num_attention_heads": heads, "head_dim": width}


def _mamba_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    state = mamba(keys, layers, sizes.hidden, normed=False)
    return Mixers(without_attention=layers, without_mlp=layers, state=state)


def _mamba2_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    state = mamba2(keys, layers, sizes.hidden, normed=keys.flag("rms_norm", default=True))
    return Mixers(without_attention=layers, without_mlp=layers, state=state)


def _lfm2(values: Values) -> Values:
    """LFM2: two thirds of the stated width of the MLP, rounded up; layers that attend by name or number."""
    keys = Keys(values)
    width = keys.count("block_ff_dim", "intermediate_size")
    if keys.flag("block_auto_adjust_ff_dim", default=True):
        multiple = keys.count("block_multiple_of", default=256)
        narrow = 2 * width // 3
        factor = values.get("block_ffn_dim_multiplier")
        if factor is not None:
            narrow = int(number("block_ffn_dim_multiplier", factor, above=0, most=MULTIPLIER_MOST) * narrow)
        width = -(-narrow // multiple) * multiple
    layers = keys.count("num_hidden_layers", most=MOST_LAYERS)
    kinds = _lfm2_kinds(values, layers)
    tied = values.get("tie_word_embeddings", values.get("tie_embedding", True))
    return values | {"intermediate_size": width, "layer_types": kinds, "tie_word_embeddings": tied}


def _lfm2_kinds(values: Values, layers: int) -> list[str] | None:
    """What each layer mixes by; None where every one attends."""
    attending, kinds = values.get("full_attn_idxs"), values.get("layer_types")
    if kinds is not None:
        known = isinstance(kinds, list) and all(kind in (ATTENTION, CONVOLUTION) for kind in kinds)
        if not known or len(kinds) != layers:
            message = f"config: layer_types: {layers} times {ATTENTION!r} or {CONVOLUTION!r}"
            raise InputError(message)
        return list(kinds)
    if attending is None:
        return None
    if not isinstance(attending, list):
        message = "config: full_attn_idxs: a list of layers"
        raise InputError(message)
    places = {count("full_attn_idxs", place, least=0, most=layers - 1) for place in attending}
    return [ATTENTION if layer in places else CONVOLUTION for layer in range(layers)]


def _lfm2_mixers(keys: Keys, layers: int, sizes: Sizes) -> Mixers:
    """Attention has norms of queries and keys."""
    kinds = keys.any("layer_types")
    attention = kinds.count(ATTENTION) if isinstance(kinds, list) else layers
    states = layers - attention
    state = short_convolution(keys, states, sizes.hidden) if states else None
    return Mixers(without_attention=states, state=state, extra=attention * 2 * sizes.head_dim)


RECURRENT = {
    "mamba": Family("Mamba", tied=True, adapt=_mamba, mixers=_mamba_mixers),
    "mamba2": Family("Mamba-2", adapt=_mamba2, mixers=_mamba2_mixers),
    "lfm2": Family("LFM2", tied=True, adapt=_lfm2, mixers=_lfm2_mixers),
}
RECURRENT_ALIASES = {"falcon_mamba": "mamba"}
