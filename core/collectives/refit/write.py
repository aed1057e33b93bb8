"""Writes fitted constants as readable Python modules; rounding keeps five significant digits."""

import dataclasses
import textwrap
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

WIDTH = 108
UNBROKEN = "\0"

HEADER = '''"""{title}

Written by `python -m core.collectives.refit`; edit the fit, not this file.
"""

{shapes}{hardware}
# fmt: off
'''
SHAPES = "from core.catalog.calibrations.shapes import (\n{names})\n"
HARDWARE = "from core.hardware import Architecture\n"


def literal(value: object) -> str:
    """A value as Python source: frozen dataclasses by keyword, floats rounded."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ", ".join(
            f"{field.name}={literal(getattr(value, field.name))}" for field in dataclasses.fields(value)
        )
        return f"{type(value).__name__}({fields})"
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, float):
        return repr(float(f"{value:.5g}"))
    if isinstance(value, tuple):
        inner = ", ".join(literal(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(text: str) -> str:
    mark = "'" if '"' in text and "'" not in text else '"'
    quoted = text.replace("\\", "\\\\").replace(mark, f"\\{mark}")
    return f"{mark}{quoted.replace(' ', UNBROKEN)}{mark}"


def write_module(path: Path, title: str, names: Mapping[str, object]) -> None:
    """One module with some named constants."""
    body = [f"{name} = {_top(value)}\n" for name, value in names.items()]
    text = "\n".join(body)
    shapes = (
        "BandSet",
        "Correction",
        "CrossingSet",
        "DomainKind",
        "DomainSet",
        "EngineSet",
        "HopSet",
        "InSwitchSet",
        "MultimemSet",
        "NetworkOffset",
        "NetworkReach",
        "NetworkSet",
        "Protocol",
        "Provenance",
        "Residual",
        "RingSet",
        "ShotSet",
    )
    used = "".join(f"    {name},\n" for name in shapes if f"{name}(" in text or f"{name}." in text)
    header = HEADER.format(
        title=title,
        shapes=SHAPES.format(names=used) if used else "",
        hardware=HARDWARE if "Architecture." in text else "",
    )
    path.write_text(header.replace('"""\n\n\n', '"""\n\n') + text, encoding="utf-8")


def _top(value: object) -> str:
    if isinstance(value, dict):
        inner = "".join(_wrapped(f"    {literal(key)}: {literal(item)},\n") for key, item in value.items())
        return "{\n" + inner + "}"
    return _wrapped(literal(value))


def _wrapped(text: str) -> str:
    """Lines of readable width, broken between items and never inside a text."""
    lines = textwrap.wrap(
        text,
        WIDTH,
        subsequent_indent="        ",
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )
    first = " " * (len(text) - len(text.lstrip()))
    return (first + "\n".join(lines).lstrip()).replace(UNBROKEN, " ") + ("\n" if text.endswith("\n") else "")
