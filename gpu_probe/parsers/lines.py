"""The lines of a log, one at a time, freed of what launchers and terminals put around them."""

import html
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpu_probe.parsers.limits import LINE_MOST_BYTES, LINES_MOST
from gpu_probe.parsers.numbered import NUMBER, is_numbered
from gpu_probe.parsers.prefix import learned_prefixes
from gpu_probe.parsers.problem import refuse

_ANSI = re.compile(r"\x1b(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|\(B)")
_PASTED = re.compile(r"(?:\u241b|\^\[)?\[\d{1,3}(?:;\d{1,3}){0,6}m")
"""Colours whose escape character was lost when the log was pasted."""
_MPI = re.compile(r"\[\d{1,6},\d{1,6}\]<(?:stdout|stderr|stddiag)>:?")
_LABEL = re.compile(
    r"""\s{0,12}(?:
      (?P<mark>\[\d{1,6}\](?:<std(?:out|err)>)?:?|\d{1,6}:)(?=\s|$|\#|\d)
      |\[[A-Za-z][\w./:-]{0,200}\]:?(?=\s|$)
      |\[?(?:INFO|DEBUG|WARN|WARNING|ERROR)\]?:?(?=\s|$)
      |[\w.-]{1,100}[ ]{0,40}\|(?=\s|$)
      |\d{10}\.\d{3,9}(?=\s)
      |\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?=\s|$)
      |[\w.-]{1,100}:(?=\s{1,40}\#|\s{1,40}\d{1,20}\s{1,40}\d{1,20}\s{1,40}[a-z]{3})
      |\([^()]{1,80}\b(?:pid|rank)=\d{1,10}[^()]{0,60}\)(?=\s|$)
      |>(?=\s|$)
    )""",
    re.VERBOSE,
)
_RANK = re.compile(r"\[\d{1,6}\]:?|\d{1,6}:")
_QUOTES = ("`", '"')
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Line:
    """
    One line of a log.

    Attributes:
        number: Counted from 1.
        text: Without colours, launcher prefix and trailing blanks; columns keep their places.
        label: The launcher's rank label (``0:``, ``[0]``) that may come again between columns.
        last: Whether the file ends within this line, so that its last word may be cut.
        quoted: Whether a mail quotes it (``> ``).
    """

    number: int
    text: str
    label: str = ""
    last: bool = False
    quoted: bool = False


def lines_of(data: bytes) -> Iterator[Line]:
    """
    The lines of a file, read one at a time so that no second copy of it is ever held.

    Raises:
        ParseError: Not text, or more lines than any log has.
    """
    if data.count(b"\n") > LINES_MOST:
        refuse(f"more than {LINES_MOST:,} lines: cut the log down to the measurement")
    if b"\0" in data[:100_000]:
        refuse("not a text file")
    prefix = learned_prefixes(data, _plain, lambda text: clean(0, text).text)
    if is_numbered(data, _plain):
        prefix = re.compile(f"{prefix.pattern}|{NUMBER}" if prefix is not None else NUMBER)
    stream = io.BytesIO(data)
    number = 0
    while raw := stream.readline():
        number += 1
        line = clean(number, raw[:LINE_MOST_BYTES].decode("utf-8", "replace"), prefix)
        yield line if raw.endswith(b"\n") else replace(line, last=True)


def clean(number: int, text: str, prefix: re.Pattern[str] | None = None) -> Line:
    """One line without colours and launcher prefixes, the one of this file (``prefix``) included."""
    text, label = _plain(text), ""
    if prefix is not None and (match := prefix.match(text)):
        label = match.group().strip() if _RANK.fullmatch(match.group().strip()) else ""
        text = text[match.end() :]
        if (quote := match.group()[-1:]) in _QUOTES and text.rstrip().endswith(quote):
            text = text.rstrip()[:-1]
    if "]<std" in text:
        text = _MPI.sub(" ", text)
    text = text.rstrip()
    quoted = False
    for _ in range(_DEEPEST):
        match = _LABEL.match(text)
        if match is None:
            break
        label = match.group("mark") or label
        quoted = quoted or match.group().strip() == ">"
        text = text[match.end() :]
    return Line(number, text, label, quoted=quoted)


def _plain(text: str) -> str:
    """Text without colours, carriage returns, hard blanks and what a web page made of ``<`` and ``>``."""
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if "m" in text and "[" in text:
        text = _PASTED.sub("", text)
    if "&" in text and ("&gt;" in text or "&lt;" in text):
        text = html.unescape(text)
    text = text.replace("\r", "").replace("\ufeff", "").replace("\u00a0", " ")
    return text.replace("\t", " " * 8) if "\t" in text else text
