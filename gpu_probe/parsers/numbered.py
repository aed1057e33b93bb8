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
    offsets_by_line, offsets_by_text = set(), set()
    count = 0
    for index, raw in enumerate(data[:_HEAD_MOST].split(b"\n")[:_LOOKED_AT]):
        text = plain(raw.decode("utf-8", "replace"))
        if not text.strip():
            continue
        match = _NUMBER.match(text)
        if match is None:
            return False
        offsets_by_line.add(int(match.group(1)) - index)
        offsets_by_text.add(int(match.group(1)) - count)
        count += 1
    return count >= _FEWEST and 1 in (len(offsets_by_line), len(offsets_by_text))
