"""Texts that every store, file and terminal can hold. Standard library only."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from operator import is_
from typing import Any, TypeVar

UNSTORABLE = re.compile(r"[\0\ud800-\udfff]")
"""NUL, which PostgreSQL keeps in no text, and halves of surrogate pairs, which UTF-8 cannot write."""
REPLACEMENT = "\ufffd"
"""What a byte that is no UTF-8 is read as, too."""

Value = TypeVar("Value")


_PLAIN = frozenset({int, float, bool, type(None)})


def storable(value: Value) -> Value:
    """
    The value with U+FFFD for every sign of its texts that cannot be kept; itself where there is none.

    Texts in tuples, mappings and dataclasses are met, however deep; anything else stays as it is.
    """
    kind: Any = type(value)
    change = _change(kind)
    return value if change is None else change(value)


@cache
def _change(kind: type) -> Callable[[Any], Any] | None:
    """What is done to values of a type; None where nothing is."""
    if issubclass(kind, str):
        return _text
    if issubclass(kind, tuple):
        return _tuple
    if issubclass(kind, Mapping):
        return _mapping
    return _record if is_dataclass(kind) else None


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _text(value: str) -> str:
    if value.isascii() and "\0" not in value:
        return value
    return UNSTORABLE.sub(REPLACEMENT, value)


def _tuple(value: tuple[Any, ...]) -> tuple[Any, ...]:
    parts = tuple(map(storable, value))
    if all(map(is_, parts, value)):
        return value
    make: Callable[[Any], tuple[Any, ...]] = getattr(type(value), "_make", tuple)
    return make(parts)


def _mapping(value: Mapping[Any, Any]) -> Mapping[Any, Any]:
    parts = {storable(key): storable(part) for key, part in value.items()}
    return value if parts == value else parts


def _record(value: Any) -> Any:
    kind: Any = type(value)
    names = _names(kind)
    values = [getattr(value, name) for name in names]
    parts = [part if type(part) in _PLAIN else storable(part) for part in values]
    if all(map(is_, parts, values)):
        return value
    return replace(
        value, **{name: new for name, new, old in zip(names, parts, values, strict=True) if new is not old}
    )
