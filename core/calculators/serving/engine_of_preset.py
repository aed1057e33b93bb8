"""The serving engine that a software preset stands for."""

from dataclasses import fields
from typing import Any

from core.calculators.serving.engine import Engine
from core.catalog.software import Preset


def engine_of(preset: Preset, **replaced: Any) -> Engine:
    """
    The engine of a software preset; ``replaced`` fields that are not None go first.

    A time of one's own for every running request replaces that of sampling too.

    Raises:
        InputError: A value that cannot be used.
    """
    stated = {item.name: getattr(preset, item.name, None) for item in fields(Engine)}
    if replaced.get("host_sequence_s") is not None:
        replaced = {"host_logit_s": 0.0, **replaced}
    both = (
        stated
        | {"software": preset.id}
        | {name: value for name, value in replaced.items() if value is not None}
    )
    return Engine(**{name: value for name, value in both.items() if value is not None})
