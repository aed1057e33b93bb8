"""Models whose layers are known: what a step can be computed for."""

from collections.abc import Callable

from core.checks import InputError
from core.workload import Model


def with_layers(choice: Callable[[], Model | None]) -> Model:
    """The chosen model; InputError where nobody published its layers."""
    model = choice()
    if model is None or model.hidden is None:
        message = "model: one with published layers, or its config.json"
        raise InputError(message)
    return model
