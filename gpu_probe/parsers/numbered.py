"""Listings with line numbers (``cat -n``, ``nl``, ``grep -n``, an issue's quote): the numbers are no data."""

import re
from collections.abc import Callable

NUMBER = r"\s{0,12}\d{1,7}(?:\s{0,2}[:|.)]|\s|$)"
"""What stands before each line of such a listing."""

_NUMBER = re.compile(r"\s{0,12}(\d{1,7})(?:\s{0,2}[:|.)]|\s|$)")
_LOOKED_AT = 40
_FEWEST = 8
_HEAD_MOST = 40_000


def is_numbered(data: bytes, plain: Callable[[str], str]) -> bool:
    """Whether the first lines of a file count themselves, the blank ones too or not (``nl``)."""
    by_line, by_text = set(), set()
    seen = 0
    for at, raw in enumerate(data[:_HEAD_MOST].split(b"\n")[:_LOOKED_AT]):
        text = plain(raw.decode("utf-8", "replace"))
        if not text.strip():
            continue
        match = _NUMBER.match(text)
        if match is None:
            return False
        by_line.add(int(match.group(1)) - at)
        by_text.add(int(match.group(1)) - seen)
        seen += 1
    return seen >= _FEWEST and 1 in (len(by_line), len(by_text))
