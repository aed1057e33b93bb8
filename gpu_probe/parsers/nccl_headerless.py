"""Rows of nccl-tests whose header was not pasted: their columns, by what the figures say of each other."""

import re

from gpu_probe.parsers.nccl_table import Columns, columns_of, real, whole

_ABOVE = "out-of-place in-place"
_FIGURES = ("time algbw busbw #wrong", "time algbw busbw error")
_HEADS = {5: "size count type redop root", 4: "size count type redop", 3: "size count type"}
_TYPE = re.compile(r"float|double|half|bfloat16|char|int|u?int(?:8|32|64)|f(?:p8_)?(?:8_?)?e[45]m[23]")
_FIGURES_OF_PLACEMENT = 4
_ROUNDING, _LAST_DIGIT = 0.02, 0.01
"""Of a rate: a share, and GB/s of the last digit that is printed, which is all that small messages have."""


def columns_without_header(text: str) -> Columns | None:
    """
    The columns of a row of nccl-tests, in any of its three layouts; None of any other line.

    A row is one where size is a multiple of the count and divided by the time is the algorithm bandwidth.
    """
    tokens = text.split()
    lead = next((length for length in _HEADS if _is_row(tokens, length)), None)
    if lead is None:
        return None
    placements = (len(tokens) - lead) // _FIGURES_OF_PLACEMENT
    figures = _FIGURES["e" in tokens[lead + 3].lower()]
    return columns_of(" ".join([_HEADS[lead], *[figures] * placements]), _ABOVE)


def _is_row(tokens: list[str], lead: int) -> bool:
    """Whether tokens are such a row with so many columns before the first time."""
    placements, rest = divmod(len(tokens) - lead, _FIGURES_OF_PLACEMENT)
    if rest or placements not in (1, 2) or not _TYPE.fullmatch(tokens[2]):
        return False
    size, count = whole(tokens[0]), whole(tokens[1])
    time_us, algbw = real(tokens[lead]), real(tokens[lead + 1])
    if not size or not count or not time_us or algbw is None or size % count:
        return False
    rate = size / time_us / 1e3
    return abs(rate - algbw) <= max(_ROUNDING * rate, _LAST_DIGIT)
