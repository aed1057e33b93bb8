"""Why a file could not be read: one line for the user, and where in the file."""

from typing import NoReturn

from core.storable import storable


class ParseError(ValueError):
    """A file that holds no measurement we can read; ``line`` counts from 1, None for the whole."""

    def __init__(self, message: str, line: int | None = None) -> None:
        """Keep the message on one line, whatever was quoted in it."""
        self.message = storable(" ".join(message.split())[:500])
        self.line = line
        super().__init__(self.message)

    def __reduce__(self) -> tuple[type["ParseError"], tuple[str, int | None]]:
        """Travel between processes with both arguments."""
        return (type(self), (self.message, self.line))


def refuse(message: str, line: int | None = None) -> NoReturn:
    """Raise a ``ParseError``."""
    raise ParseError(message, line)
