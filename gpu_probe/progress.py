"""Progress on the terminal: rich where it is installed, plain lines where not, silence elsewhere."""

import contextlib
import sys
from typing import Any


class Progress:
    """Says on stderr what is being measured; only one process of a probing speaks."""

    def __init__(self, *, enabled: bool) -> None:
        """Take rich's console if there is one and somebody watches."""
        self._enabled = enabled
        self._console: Any = None
        self._status: Any = None
        if enabled and sys.stderr.isatty():
            with contextlib.suppress(ImportError):
                from rich.console import Console  # noqa: PLC0415 (rich is a guest)

                self._console = Console(stderr=True)

    def begin(self, title: str) -> None:
        """A probe starts."""
        if self._console is not None:
            self._status = self._console.status(title)
            self._status.start()
        elif self._enabled:
            print(f"{title} ...", file=sys.stderr, flush=True)

    def step(self, text: str) -> None:
        """A probe has come a step further; seen only where a line can be rewritten."""
        if self._status is not None:
            self._status.update(text)

    def end(self, text: str) -> None:
        """A probe has ended, or was skipped."""
        if self._status is not None:
            self._status.stop()
            self._status = None
        if self._console is not None:
            self._console.print(text, highlight=False, markup=False)
        elif self._enabled:
            print(text, file=sys.stderr, flush=True)
