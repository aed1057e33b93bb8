"""Tooltips and the words of single marks: values with their units, for the eye and for screen readers."""

import re
from typing import Any

import altair as alt

from core.units import LEAST_SHARE, LONG, format_share, singular

_TEXT_OF = re.compile(r"(?P<field>\w+) in (?P<unit>.+)")
"""A tooltip's field that stands for the text of another with its unit."""
_BINARY = (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))
_SILENT = ("line", "area", "trail", "text")
"""A path has one label for all its points, and words repeat their mark: neither is read out."""
_SPOKEN = "in words"


def si(value: str, unit: str, digits: str = "") -> str:
    """A Vega expression: a value with SI prefix and unit, such as *466 GB/s* or *19.4 ms*; minutes to years."""
    if unit:
        text = prefixed(value, unit, digits)
        return duration(value, text) if unit == "s" else text
    # Without a unit an m would read as metres or minutes: small numbers are written out.
    return f"abs({value}) >= 1000 ? format({value}, '{digits}~s') : format({value}, ',.4~r')"


def share(value: str, digits: str) -> str:
    """A Vega expression: a share of one in percent, with a space before the sign as in texts."""
    return f"format(100 * {value}, '{digits}') + ' %'"


def told_share(value: str, sign: str = "") -> str:
    """A Vega expression: a share as ``format_share`` tells it, with a sign where it is a change."""
    told, least = share(value, f"{sign}.3~r"), format_share(LEAST_SHARE / 2)
    return told if sign else f"({value} > 0 && {value} < {LEAST_SHARE} ? '{least}' : {told})"


def prefixed(value: str, unit: str, digits: str = "") -> str:
    """A Vega expression: a value with SI prefix and unit."""
    return f"replace(format({value}, '{digits}~s'), regexp('([a-zA-Zµ]?)$'), ' $1') + '{unit}'"


def duration(value: str, short: str, *, whole: bool = False) -> str:
    """
    A Vega expression: a long time in minutes, hours, days or years, below as ``short`` has it.

    From two of a unit on as ``format_time`` does it; with ``whole`` from one on, for ticks that are whole.
    """
    text = ""
    for name, unit, least in reversed(LONG):
        from_s = unit if whole else least * unit
        number = f"format({value} / {unit:.12g}, ',.3~r')"
        named = f"({number} == '1' ? ' {singular(name)}' : ' {name}')"
        named = named if singular(name) != name else f"' {name}'"
        long = f"{number} + {named}"
        text = f"{value} >= {from_s:.12g} ? {long} : {text}" if text else long
    _, unit, least = LONG[-1]
    # Asked first, as most times are short: a browser interprets this for every row of a chart.
    return f"{value} < {unit if whole else least * unit:.12g} ? {short} : {text}"


def binary(value: str) -> str:
    """A Vega expression: bytes of a message in B, KiB, MiB, GiB or TiB."""
    tib, gib, mib, kib = (_of(value, *step) for step in _BINARY)
    large = f"({value} >= {_BINARY[1][1]} ? ({value} >= {_BINARY[0][1]} ? {tib} : {gib}) : {mib})"
    small = f"({value} >= {_BINARY[3][1]} ? {kib} : format({value}, ',.4~r') + ' B')"
    return f"{value} >= {_BINARY[2][1]} ? {large} : {small}"


def _of(value: str, name: str, unit: int) -> str:
    return f"format({value} / {unit}, ',.3~r') + ' {name}'"


def line(field: str, title: str, unit: str = "", kind: str = "Q") -> alt.Tooltip:
    """A tooltip line: a value with its unit (``s``, ``bytes``, ``bytes/s``; ``%`` of a share) to three digits."""
    if unit:
        return alt.Tooltip(f"{field} in {unit}", type="nominal", title=title)
    return alt.Tooltip(f"{field}:{kind}", title=title, format=",.4~r")


def spell(part: Any) -> None:
    """Write out what Vega's own formats leave without units: tooltip lines, and each mark for a screen reader."""
    if isinstance(part, list):
        for value in part:
            spell(value)
    if not isinstance(part, dict):
        return
    if "mark" in part:
        _spell_mark(part)
    for value in part.values():
        spell(value)


def _spell_mark(part: dict[str, Any]) -> None:
    lines = _lines(part)
    texts = [
        {"calculate": _text_of(match["field"], match["unit"]), "as": entry["field"]}
        for entry in lines
        if (match := _TEXT_OF.fullmatch(entry["field"]))
    ]
    mark = part["mark"] = {"type": part["mark"]} if isinstance(part["mark"], str) else part["mark"]
    if not lines:
        mark.setdefault("tooltip", None)
    if mark["type"] in _SILENT or not lines:
        mark["aria"] = False
    if lines and (mark["type"] not in _SILENT or "point" in mark):
        texts.append({"calculate": _sentence(lines), "as": _SPOKEN})
        part["encoding"]["description"] = {"field": _SPOKEN, "type": "nominal"}
    for channel in ("x", "y"):
        _name_axis(part.get("encoding", {}).get(channel))
    if texts:
        part["transform"] = [*part.get("transform", []), *texts]


def _name_axis(channel: Any) -> None:
    """An axis is read out by its title: Vega adds its range, without a unit."""
    if isinstance(channel, dict) and channel.get("title") and channel.get("axis", {}) is not None:
        channel["axis"] = {**channel.get("axis", {}), "description": f"Axis: {channel['title']}"}


def _lines(part: dict[str, Any]) -> list[dict[str, Any]]:
    """Tooltip lines of a mark that show a field."""
    lines = part.get("encoding", {}).get("tooltip", [])
    lines = lines if isinstance(lines, list) else [lines]
    return [entry for entry in lines if isinstance(entry, dict) and "field" in entry]


def _text_of(field: str, unit: str) -> str:
    """A Vega expression: a field with its unit, empty where it is missing."""
    value = f"datum['{field}']"
    if field.endswith("size_bytes"):
        text = binary(value)
    elif unit.endswith("%"):
        text = told_share(value, unit.removesuffix("%"))
    else:
        text = si(value, unit.replace("bytes", "B"), digits=".3")
    return f"isValid({value}) ? {text} : ''"


def _sentence(lines: list[dict[str, Any]]) -> str:
    """A Vega expression: every line of the tooltip in one text."""
    return " + '; ' + ".join(
        f"'{_quoted(entry.get('title', entry['field']))}: ' + {_value(entry)}" for entry in lines
    )


def _value(entry: dict[str, Any]) -> str:
    value = f"datum['{entry['field']}']"
    if entry.get("type") == "quantitative" and "format" in entry:
        return f"(isValid({value}) ? format({value}, '{entry['format']}') : '')"
    if entry.get("type") == "temporal":
        return f"utcFormat({value}, '%d %b %Y %H:%M')"
    return f"(isValid({value}) ? {value} : '')"


def _quoted(text: str) -> str:
    return text.replace("'", "\\'")
