"""Typed look-ups in a config: a wrong value is one clear line that names its key."""

from typing import Any

from core import checks
from core.checks import InputError

LARGEST = 10_000_000
MOST_LAYERS = 10_000
"""Lists with an entry a layer are built up to here."""


class Keys:
    """A config's top level (or its text part), remembering which keys were read."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values
        self.read: set[str] = set()

    def has(self, name: str) -> bool:
        """Present and not null."""
        self.read.add(name)
        return self._values.get(name) is not None

    def any(self, name: str, default: Any = None) -> Any:
        """The value as it stands; null counts as absent."""
        return self._values[name] if self.has(name) else default

    def count(self, *names: str, default: int | None = None, least: int = 1, most: int = LARGEST) -> int:
        """The first of several spellings of a whole number."""
        for name in names:
            if self.has(name):
                return checks.count(name, _same(name, self._values[name]), least=least, most=most)
        if default is None:
            message = f"config: {names[0]} is missing; it is needed to count parameters"
            raise InputError(message)
        return default

    def maybe(self, *names: str) -> int | None:
        """A whole number, or None where it is absent."""
        return self.count(*names) if any(self.has(name) for name in names) else None

    def flag(self, name: str, *, default: bool = False) -> bool:
        """True or false."""
        value = self.any(name, default)
        if not isinstance(value, bool):
            message = f"config: {name} is true or false, not {value!r}"
            raise InputError(message)
        return value

    def unread(self) -> tuple[str, ...]:
        """Keys nobody asked for, in order."""
        return tuple(name for name in self._values if name not in self.read)


def _same(name: str, value: Any) -> Any:
    """The one value of a list that gives every layer the same; other values as they are."""
    if not isinstance(value, list):
        return value
    if not value or any(item != value[0] for item in value):
        message = f"config: {name} differs from layer to layer; only layers of one size are counted here"
        raise InputError(message)
    return value[0]
