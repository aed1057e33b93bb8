"""The latency target of decode that a question states, told from all its other times."""

import re

from pages.ui.home.understood.text import Text

_TIME = r"(?<![\d.,])(\d{1,5}(?:\.\d{1,3})?) ?(?:ms|milliseconds?)\b"
_TPOT = r"\b(?:tpot|itl|time per output token|inter[ -]token latency)\b"
_TTFT = r"\b(?:ttft|first token)\b"
_BETWEEN = r"(?:[ :=<≤~]|of|at|is|target|slo|within|under|below|most|less|than)*"
_AFTER = rf"{_TPOT}{_BETWEEN}{_TIME}"
_BEFORE = rf"{_TIME}(?: (?:of )?{_TPOT}| ?(?:/|per) ?(?:output )?token\b)"
_OF_TTFT = (rf"{_TTFT}{_BETWEEN}{_TIME}", rf"{_TIME} (?:of )?{_TTFT}")
_LIMITS = (
    rf"(?:\b(?:target|slo|within|under|below|at most|less than)\b|[<≤])(?:[ :=]|latency|of|is|a)*{_TIME}",
    rf"{_TIME} (?:latency )?(?:target|slo)\b",
)


def words(target_ms: float) -> str:
    """The target as pages repeat it."""
    return f"TPOT target {target_ms:g} ms"


def target(text: Text, *, of_decode: bool) -> float | None:
    """
    The first time above zero, in milliseconds, that is a target; every other time stays unread.

    Args:
        text: The question.
        of_decode: Whether a limit that names no quantity, such as "within 40 ms", is one of TPOT.
    """
    first = re.search(rf"{_TIME}|{_TPOT}|{_TTFT}", text.left)
    beside = (_BEFORE, _AFTER) if first and first[1] else (_AFTER, _BEFORE)
    stated = above_zero(text, beside)
    for pattern in _OF_TTFT:
        text.unread += [place[0].strip() for place in text.take(pattern)]
    if stated is None and of_decode:
        stated = above_zero(text, _LIMITS)
    text.unread += [place[0] for place in text.take(_TIME)]
    return stated


def above_zero(text: Text, patterns: tuple[str, ...]) -> float | None:
    """The first number above zero of these patterns; every other place of them stays unread."""
    first = None
    for place in (place for pattern in patterns for place in text.take(pattern)):
        number = float(place[1].replace(",", ""))
        if first is None and number > 0:
            first = number
        else:
            text.unread.append(place[0].strip())
    return first
