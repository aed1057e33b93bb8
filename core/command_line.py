"""What a command prints: one line of what is wrong, and nothing that a terminal would act on."""

import argparse
import re
from typing import NoReturn

from core.file_names import ACTING

FAILED = 2
_ACTING = re.compile(f"[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f{''.join(sorted(ACTING))}]")


class Parser(argparse.ArgumentParser):
    """argparse without the usage block above an error and without abbreviated options."""

    def __init__(self, *args: object, **options: object) -> None:
        options.setdefault("allow_abbrev", False)
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self._negative_number_matcher = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)

    def error(self, message: str) -> NoReturn:
        """One line on stderr, exit 2."""
        if message.startswith("unrecognized arguments"):
            message += "; COMMAND --help lists what is allowed"
        self.exit(FAILED, f"{self.prog}: {one_line(message)}\n")


def one_line(message: object) -> str:
    """A message without line breaks and without what a terminal would act on."""
    return harmless(" ".join(str(message).split()))


def harmless(text: str) -> str:
    """
    The text with escapes, as in JSON, in place of signs that act on a terminal or turn the writing.

    Names come from logs, models, traces and servers of other people.
    """
    return _ACTING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
