"""Reference of core's Python interface: the modules whose public names it is made of, read by autodoc."""

import importlib

MODULES = {
    "core.catalog": "Catalog",
    "core.calculators.question": "The shared question",
    "core.collectives.pricing": "Collectives",
    "core.calculators.bandwidth_hierarchy": "Bandwidth hierarchy",
    "core.calculators.tensor_parallel": "Tensor parallelism",
    "core.calculators.gradient_sync": "Gradient sync",
    "core.calculators.training": "Training step",
    "core.calculators.capacity": "Capacity",
    "core.calculators.layouts": "Parallelism layouts",
    "core.systems": "Systems",
    "core.measurement": "Measurements",
    "core.verdict": "Verdicts",
    "core.collectives.fitted": "Fits",
    "core.units": "Units",
    "core.errors": "Errors",
}
OPENING = """# Python

`core` needs numpy alone, does no input or output, and takes and gives SI floats: seconds, bytes, bytes/s,
per GPU and unidirectional. A value that cannot be used raises `core.errors.InputError` with one line that
names it. The how-to [Use it from Python](../howto/python.md) shows the way in.
"""


def reference() -> str:
    """The page in Markdown."""
    return "\n".join([OPENING, *(_section(name, title) for name, title in MODULES.items())])


def _section(name: str, title: str) -> str:
    public = hasattr(importlib.import_module(name), "__all__")
    members = "   :members:\n   :imported-members:" if public else "   :members:"
    return f"## {title}\n\n```{{eval-rst}}\n.. automodule:: {name}\n{members}\n```\n"
