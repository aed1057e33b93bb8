"""Layers of a chart of which there are rows: of one without, Vega complains in the browser's console."""

from collections.abc import Collection
from typing import Any

Spec = dict[str, Any]


def with_rows(spec: Spec, empty: Collection[str]) -> Spec:
    """
    The spec without the layers whose data are empty; as it is where no layer has rows.

    Args:
        spec: A chart, layered or not.
        empty: Names of data without rows.
    """
    layers = [with_rows(layer, empty) for layer in spec.get("layer", []) if not _is_empty(layer, empty)]
    return {**spec, "layer": layers} if layers else spec


def _is_empty(layer: Spec, empty: Collection[str]) -> bool:
    """Whether a layer has no rows, or is a group of such layers."""
    if "layer" in layer:
        return all(_is_empty(part, empty) for part in layer["layer"])
    return layer.get("data", {}).get("name") in empty
