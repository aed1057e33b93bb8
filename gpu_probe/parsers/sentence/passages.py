"""Prose in sentences and clauses, and what the passage nearest to a rate says."""

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

_END = re.compile(r"(?<!vs)(?<!approx)(?<!i\.e)(?<!e\.g)[.!?]+(?=\s|$)|;(?=\s|$)|\n")
_WRAPPED_LINE = 60
_SENTENCE_MOST = 1000
"""Characters of a sentence on either side: nobody writes longer ones, and each rate reads its own again."""
_BREAK = re.compile(
    r"(?i)[,;]\s|[,;]$| [\u2013\u2014-] |\b(?:but|while|whereas|although|though|however|instead of"
    r"|rather than|vs|versus|compared)\b"
)

Value = TypeVar("Value", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Passages:
    """The clause of a rate, its sentence, the whole text, from near to far; its place in the sentence."""

    clause: str
    sentence: str
    text: str
    place: int

    def nearest(self, read: Callable[[str], set[Value]]) -> set[Value]:
        """What the nearest passage that says anything says."""
        parts = dict.fromkeys((self.clause, self.sentence, self.text))
        return next((said for part in parts if (said := read(part))), set())


def unwrapped(lines: list[str]) -> str:
    """Lines as one text, those joined that an editor wrapped."""
    text = ""
    for line in lines:
        last = text.rsplit("\n", 1)[-1]
        is_wrapped = len(last) > _WRAPPED_LINE and last[-1:] not in ".!?:;" and re.match(r"[a-z\d(]", line)
        text += ("" if not text else " " if is_wrapped else "\n") + line
    return text


def around(text: str, start: int, end: int) -> Passages:
    """The passages of the words between two places."""
    begin = max(0, start - _SENTENCE_MOST)
    near = text[begin : end + _SENTENCE_MOST]
    start, end = start - begin, end - begin
    first, last = _bounds(_END, near, start, end)
    sentence = near[first:last]
    low, high = _bounds(_BREAK, sentence, start - first, end - first)
    return Passages(sentence[low:high], sentence, text, start - first)


def _bounds(separator: re.Pattern[str], text: str, start: int, end: int) -> tuple[int, int]:
    first, last = 0, len(text)
    for match in separator.finditer(text):
        if match.end() <= start:
            first = match.end()
        elif match.start() >= end:
            last = match.start()
            break
    return first, last
