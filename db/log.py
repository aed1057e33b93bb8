"""The server's log of outages: a line each time the reason changes, not at each request."""

import sys
import threading

_lock = threading.Lock()
_last = [""]


def once(line: str) -> None:
    """Write a line unless it is the one written last; an empty one says that all is well again."""
    with _lock:
        if line == _last[0]:
            return
        _last[0] = line
        print(f"wirespeed: {line or 'the database answers again'}", file=sys.stderr, flush=True)  # noqa: T201
