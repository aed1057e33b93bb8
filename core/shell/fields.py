"""The options of a command as fields of a JSON object: their schema, and the arguments they become."""

import argparse
import csv
import io
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from core import catalog
from core.checks import InputError
from core.shell import options

Json = dict[str, Any]
Arguments = tuple[list[str], dict[str, str]]
NOT_OFFERED = frozenset({"help", "json", "output"})
"""Options that make sense in a shell alone: how and where to print."""
RATES = ("published", "spec", "calibrated")
LONGEST_TEXT = 1000
_OBJECT: Json = {"type": "object"}
_CATALOG: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {"system": catalog.SYSTEMS, "model": catalog.MODELS, "network": catalog.LINKS}
)


@dataclass(frozen=True, slots=True)
class Field:
    """
    An option under the name it has in JSON.

    Attributes:
        name: Its long name with ``_`` for ``-``.
        option: As it is typed, ``--tpot-ms``; the place's name for what is typed without one.
        action: Of the parser.
    """

    name: str
    option: str
    action: argparse.Action

    @property
    def is_required(self) -> bool:
        """Whether a question is none without it."""
        return not self.action.option_strings

    @property
    def schema(self) -> Json:
        """JSON Schema with meaning, examples from the catalog and default."""
        action = self.action
        schema: Json = {}
        if action.help:
            schema["description"] = " ".join((action.help % vars(action)).split())
        if len(action.option_strings) > 1:
            schema["description"] += f" ({' or '.join(action.option_strings)})"
        schema |= _kind(self)
        if self.name in _CATALOG:
            schema["examples"] = list(_CATALOG[self.name])
        if action.default not in (None, argparse.SUPPRESS, False):
            schema["default"] = action.default
        return schema

    def arguments(self, value: Any) -> Arguments:
        """
        The arguments of a command line for a value, and the text of the file where they name one.

        Raises:
            InputError: A value of another type; one line begins with the field's name.
        """
        if self.name in _INLINE:
            return _INLINE[self.name](self, value)
        if self.action.nargs == 0:
            if not isinstance(value, bool):
                self.refuse("true or false", value)
            return ([self.option] if value else []), {}
        text = self._text(value)
        return [f"{self.option}={text}" if self.action.option_strings else text], {}

    def _text(self, value: Any) -> str:
        """What is typed after the option."""
        action = self.action
        if isinstance(action.type, options.Whole):
            return self._whole(value)
        if isinstance(action.type, options.Real):
            return self._number(value)
        if isinstance(action.type, options.OneOrTwo):
            pair = value if isinstance(value, list) else [value]
            if len(pair) not in (1, 2):
                self.refuse("one number or two", value)
            return ",".join(self._number(item) for item in pair)
        if action.type is options.size:
            return value if isinstance(value, str) else self._whole(value)
        if _is_list(action):
            items = value if isinstance(value, list) else [value]
            return ",".join("-" if item is None else self._item(item) for item in items)
        if action.choices is not None and value not in action.choices:
            self.refuse(f"one of {', '.join(action.choices)}", value)
        return self.text(value)

    def text(self, value: Any) -> str:
        """A text that is not too long; raises InputError."""
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            self.refuse(f"a text of at most {LONGEST_TEXT} characters", value)
        return str(value)

    def _item(self, value: Any) -> str:
        return value if isinstance(value, str) else self._number(value)

    def _whole(self, value: Any) -> str:
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole:
            self.refuse("a whole number", value)
        return str(int(value))

    def _number(self, value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            self.refuse("a finite number", value)
        return repr(value)

    def refuse(self, allowed: str, value: Any) -> None:
        """Raise InputError: what is allowed, and what came."""
        message = f"{self.name}: {allowed}, not {json.dumps(value, ensure_ascii=False, default=str)[:80]}"
        raise InputError(message)


def fields_of(parser: argparse.ArgumentParser) -> dict[str, Field]:
    """The fields of a command by name; an option of two names is found by either."""
    fields: dict[str, Field] = {}
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to list what a parser knows
        longs = [text for text in action.option_strings if text.startswith("--")] or [action.dest]
        for text in longs:
            name = _PLACES.get(text, text.removeprefix("--").replace("-", "_"))
            if action.dest not in NOT_OFFERED:
                fields[name] = Field(name, text, action)
    return fields


def _kind(field: Field) -> Json:
    action, convert = field.action, field.action.type
    kind: Json = {"type": "string", "maxLength": LONGEST_TEXT}
    if field.name in _SCHEMAS:
        kind = _SCHEMAS[field.name]
    elif action.nargs == 0:
        kind = {"type": "boolean"}
    elif isinstance(convert, options.Whole):
        kind = {"type": "integer", "minimum": convert.least, "maximum": options.MOST_WHOLE}
    elif isinstance(convert, options.Real):
        kind = _number(convert)
    elif isinstance(convert, options.OneOrTwo):
        item = _number(convert.each)
        kind = {"anyOf": [item, {"type": "array", "items": item, "minItems": 1, "maxItems": 2}]}
    elif convert is options.size:
        kind = {"anyOf": [{"type": "integer", "minimum": 0}, _SIZE_TEXT]}
    elif _is_list(action):
        kind = _LIST
    elif action.choices is not None:
        kind = {"type": "string", "enum": list(action.choices)}
    return kind


def _number(bounds: options.Real) -> Json:
    least = bounds.least if bounds.above is None else options.SMALLEST
    limits = {"minimum": least, "maximum": bounds.most}
    return {"type": "number"} | {name: limit for name, limit in limits.items() if limit is not None}


def _is_list(action: argparse.Action) -> bool:
    """Several entries with commas between, as the placeholder shows."""
    return str(action.metavar or "").rstrip("]").endswith("...")


def _file(field: Field, value: Any) -> Arguments:
    """A file as a JSON object, under a name of its own."""
    if not isinstance(value, dict):
        field.refuse("the JSON object of the file", value)
    return [f"{field.option}={field.name}.json"], {f"{field.name}.json": json.dumps(value)}


def _model(field: Field, value: Any) -> Arguments:
    if not isinstance(value, dict):
        return [f"{field.option}={field.text(value)}"], {}
    return [f"{field.option}=yours.json"], {"yours.json": json.dumps(value)}


def _rates(field: Field, value: Any) -> Arguments:
    if isinstance(value, dict):
        return [f"{field.option}=fitted:fit.json"], {"fit.json": json.dumps(value)}
    if value not in RATES:
        field.refuse(f"{', '.join(RATES)}, or a fit as an object", value)
    return [f"{field.option}={value}"], {}


def _rows(field: Field, value: Any) -> Arguments:
    """Rows of a CSV as objects; a column that a row lacks is empty there."""
    table = isinstance(value, list) and all(isinstance(row, dict) for row in value)
    if not table or not value:
        field.refuse("objects, at least one", value)
    cells = (cell for row in value for cell in row.values())
    if any(isinstance(cell, (dict, list, bool)) for cell in cells):
        field.refuse("objects of texts and numbers", value)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list({name: None for row in value for name in row}), restval="")
    writer.writeheader()
    writer.writerows(value)
    name = f"{field.name}.csv"
    return [f"{field.option}={name}" if field.action.option_strings else name], {name: text.getvalue()}


_PLACES = {"input": "rows"}
_LIST: Json = {
    "anyOf": [
        {"type": ["string", "number"]},
        {"type": "array", "items": {"type": ["string", "number", "null"]}, "minItems": 1},
    ]
}
_SIZE_TEXT: Json = {"type": "string", "examples": ["64MiB", "1GB"]}
_ROWS: Json = {
    "type": "array",
    "minItems": 1,
    "items": {"type": "object", "additionalProperties": {"type": ["string", "number", "null"]}},
}
_INLINE: Mapping[str, Callable[[Field, Any], Arguments]] = {
    "system_file": _file,
    "job": _file,
    "model": _model,
    "rates": _rates,
    "rows": _rows,
    "measured": _rows,
}
_SCHEMAS: Mapping[str, Json] = {
    "system_file": _OBJECT | {"description": "your own system: the JSON object of a system file"},
    "job": _OBJECT | {"description": "your job: a job file's JSON object, as GET /api/v1/jobs/{id} gives it"},
    "model": {
        "description": "catalog id, or a Hugging Face config.json as an object",
        "anyOf": [{"type": "string", "maxLength": LONGEST_TEXT}, _OBJECT],
    },
    "rates": {
        "description": "published | spec | calibrated (default, else spec), or a fit as an object",
        "anyOf": [{"type": "string", "enum": list(RATES)}, _OBJECT],
    },
    "rows": _ROWS | {"description": "questions: the columns of python -m core predict"},
    "measured": _ROWS | {"description": "measured points of your machine: the same columns and time_us"},
}
