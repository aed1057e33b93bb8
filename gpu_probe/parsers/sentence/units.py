"""Units of rates as people spell them: ``400 MB / s``, ``84504 (Mb/s)``, a bandwidth of ``44GB``."""

import re

_SPACED = re.compile(
    r"(?<=\d)( ?[KMGT]i?(?:B|b|bits?|[Bb]ytes)) ?/ (s(?:ec)?)\b|(?<=\d)( ?[KMGT]i?[Bb]) /(s)\b"
)
"""A slash with blanks around it."""
_BRACKETED = re.compile(r"(?<=\d) ?\(([KMGT]i?[Bb](?:its?|ytes)?(?:/s(?:ec)?|ps))\)")
_NO_SECOND = re.compile(
    r"(?i)\b((?:bandwidth|throughput|transfer rate|BW)(?: (?:is|was|of|as|reaches|reached|shows?))?"
    r"(?: (?:also|only|about|around|just|as))*[ :=]{1,3}[~≈]?)"
    r"(\d{1,4}(?:\.\d{1,3})?) ?((?-i:[GM]B))(?=[,;)]|\.?\s*$|\.\s|\s(?:and|but|while|on)\b)"
)
"""``the bandwidth is 44GB``: a bandwidth is never an amount."""


def spelled(line: str) -> str:
    """A line whose rates have their units behind them, without blanks, brackets or a missing ``/s``."""
    if not any(letter.isdigit() for letter in line):
        return line
    line = _SPACED.sub(lambda match: f"{match[1] or match[3]}/{match[2] or match[4]}", line)
    return _NO_SECOND.sub(r"\1\2 \3/s", _BRACKETED.sub(r" \1", line))
