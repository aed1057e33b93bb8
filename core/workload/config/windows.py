"""Layers that look back a window only: listed by the config, or by the family's own pattern."""

from core.checks import InputError
from core.workload.config.families import Family
from core.workload.config.keys import Keys

ATTENTION_LAYERS = frozenset({"full_attention", "sliding_attention", "chunked_attention"})


def read_window(keys: Keys, family: Family, layers: int) -> tuple[int | None, int]:
    """
    Window in tokens and how many layers have it; a list of layers goes before the family's pattern.

    Raises:
        InputError: A listed layer that is no attention.
    """
    kinds = keys.any("layer_types")
    used = family.window != "flag" or keys.flag("use_sliding_window")
    window = keys.maybe(family.window_key)
    if isinstance(kinds, list) and not ATTENTION_LAYERS.issuperset(map(str, kinds)):
        unsupported = next(str(kind) for kind in kinds if str(kind) not in ATTENTION_LAYERS)
        message = (
            f"config: layer_types has {unsupported:.40}; only layers of plain attention are counted here"
        )
        raise InputError(message)
    if window is None or not used:
        return None, 0
    if isinstance(kinds, list):
        windowed = sum(1 for kind in kinds[:layers] if kind != "full_attention")
    else:
        windowed = _by_pattern(keys, family, layers)
    return (window, windowed) if windowed else (None, 0)


def _by_pattern(keys: Keys, family: Family, layers: int) -> int:
    """Layers with a window as the family's code places them."""
    if family.window == "never":
        return 0
    if family.window.isdigit():
        if isinstance(keys.any("sliding_window_pattern"), str):
            return layers - layers // max(1, len(keys.any("sliding_window_pattern")))
        every = keys.count("sliding_window_pattern", "_sliding_window_pattern", default=int(family.window))
        return layers - layers // every
    if family.window == "flag":
        return max(0, layers - keys.count("max_window_layers", default=layers, least=0))
    return layers
