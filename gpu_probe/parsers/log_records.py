"""Logs that a collector wrapped: one JSON record a line, of which only the message is the log."""

import json
import re

from gpu_probe.parsers.limits import JSON_MOST_BYTES, LINES_MOST

_KEYS = ("log", "message", "msg", "MESSAGE", "line", "textPayload")
_FIRST = re.compile(rb'\{.{0,4000}"(?:log|message|msg|MESSAGE|line|textPayload)"\s{0,4}:\s{0,4}"')
_RECORD_MOST = 100_000


def unwrapped(data: bytes) -> bytes:
    """
    The messages of a file of records (Docker, Kubernetes, journald), a line each; other files as they are.

    A line that is no record, such as one cut short at the end, is left out.
    """
    first_line = data[:8192].lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")[0]
    if not _FIRST.match(first_line) or _message(first_line) is None:
        return data
    if len(data) > JSON_MOST_BYTES or data.count(b"\n") > LINES_MOST:
        return data
    messages = (_message(line) for line in data.splitlines())
    lines = (text.rstrip("\r\n") for text in messages if text is not None)
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _message(line: bytes) -> str | None:
    """The message of one record; None where the line is none."""
    if len(line) > _RECORD_MOST:
        return None
    try:
        record = json.loads(line.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    texts = (record.get(key) for key in _KEYS) if isinstance(record, dict) else ()
    return next((text for text in texts if isinstance(text, str)), None)
