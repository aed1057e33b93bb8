"""The server's log: lines, and outages each once until all is well again."""

import sys
import threading

_lock = threading.Lock()
_reasons: set[str] = set()


def once(reason: str) -> None:
    """Write why the database cannot be used, unless that is written already; an empty reason ends it."""
    with _lock:
        if reason in _reasons or not (reason or _reasons):
            return
        if reason:
            _reasons.add(reason)
        else:
            _reasons.clear()
    line(reason or "the database answers again")


def line(text: str) -> None:
    """Write a line of the server's own."""
    print(f"wirespeed: {text}", file=sys.stderr, flush=True)  # noqa: T201
