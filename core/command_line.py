"""An argument parser that says what is wrong in one line and exits with 2."""

import argparse
import re
from typing import NoReturn

FAILED = 2


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
    """A message without line breaks."""
    return " ".join(str(message).split())
