"""A question as the readers of its parts see it: small letters, and what was read taken out."""

import re
from collections.abc import Iterator

MOST = 400
"""Characters of a question that are read."""
_NUMBERS = {"two": "2", "four": "4", "eight": "8", "nine": "9", "sixteen": "16"}
_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b")

_NUMBERED = re.compile(r"[^\s|?;()]*\d[^\s|?;(),]*")


class Text:
    """A text from which each reader takes what it understands, so that no number is read twice."""

    def __init__(self, question: str) -> None:
        """Small letters and plain signs, no longer than a question is."""
        signs = str.maketrans({"×": "x", "–": "-", "—": "-", "_": "-", "\u00a0": " "})
        left = question[:MOST].lower().translate(signs)
        self.left = _WORD.sub(lambda word: _NUMBERS[word[0]], left)
        self.unread: list[str] = []

    def take(self, pattern: str) -> Iterator[re.Match[str]]:
        """Every place of a pattern, and nothing of it is left."""
        places = list(re.finditer(pattern, self.left))
        for place in places:
            gap = "|" * len(place[0])
            self.left = f"{self.left[: place.start()]}{gap}{self.left[place.end() :]}"
        yield from places

    def numbers_left(self) -> tuple[str, ...]:
        """Words with a digit that nobody has taken, and what was taken in vain."""
        return (*self.unread, *_NUMBERED.findall(self.left))


def whole(text: str) -> int:
    """A whole number such as 1,024, 64 or 8k."""
    thousands = text.endswith("k")
    number = float(text.rstrip("k").replace(",", ""))
    return round(number * 1024) if thousands else round(number)
