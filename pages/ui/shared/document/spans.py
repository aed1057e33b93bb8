"""The Markdown of an answer as runs of text: the same for every format of a document."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pages.ui.shared.messages import JOINER

_MARKS = re.compile(
    r"\\(?P<escaped>[\\`*\[\]<>$~_#&+=.):-])"
    r"|:material/\w+:\s*"
    r"|\*\*(?P<bold>(?:\\.|[^*\\])+)\*\*"
    r"|`(?P<code>[^`]+)`"
    r"|\[(?P<title>(?:\\.|[^\[\]\\])+)\]\((?P<where>https?://[^\s()]+)\)"
)
_PLACE = re.compile(
    r"(?P<arxiv>\barXiv:(?P<paper>\d{4}\.\d{4,5}))"
    r"|(?P<site>\b(?:github\.com|docs\.nvidia\.com|huggingface\.co|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|io|dev|net|ai))"
    r"(?:/[\w./@%~+-]*[\w/])?)"
)
_REVISION = re.compile(r"(github\.com/[\w.-]+/[\w.-]+)@([0-9a-f]{7,40})")


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text, bold or in a fixed width, and where it links to."""

    text: str
    bold: bool = False
    code: bool = False
    link: str = ""


def spans(markdown: str) -> tuple[Span, ...]:
    """Bold, code and links of a line of Markdown; icons are left out, what is escaped is text."""
    return tuple(_joined(_spans(markdown.replace(JOINER, ""))))


def plain(markdown: str) -> str:
    """The line without formatting."""
    return "".join(span.text for span in spans(markdown))


def cited(markdown: str) -> tuple[Span, ...]:
    """A source: as ``spans``, with a link at the site or paper that it names."""
    parts: list[Span] = []
    for span in spans(markdown):
        match = None if span.link else _PLACE.search(span.text)
        if match is None:
            parts.append(span)
            continue
        before, after = span.text[: match.start()], span.text[match.end() :]
        parts += [Span(before), Span(match[0], link=_address(match)), Span(after)]
    return tuple(part for part in parts if part.text)


def _address(match: re.Match[str]) -> str:
    if match["paper"]:
        return f"https://arxiv.org/abs/{match['paper']}"
    return "https://" + _REVISION.sub(r"\1", match["site"])


def _spans(markdown: str) -> Iterator[Span]:
    end = 0
    for match in _MARKS.finditer(markdown):
        yield Span(markdown[end : match.start()])
        end = match.end()
        if match["escaped"]:
            yield Span(match["escaped"])
        elif match["bold"]:
            yield Span(plain(match["bold"]), bold=True)
        elif match["code"]:
            yield Span(match["code"], code=True)
        elif match["title"]:
            yield Span(plain(match["title"]), link=match["where"])
    yield Span(markdown[end:])


def _joined(parts: Iterator[Span]) -> Iterator[Span]:
    """Neighbours of the same kind as one, empty ones left out."""
    former = Span("")
    for part in parts:
        if (part.bold, part.code, part.link) == (former.bold, former.code, former.link):
            former = Span(former.text + part.text, part.bold, part.code, part.link)
        else:
            if former.text:
                yield former
            former = part
    if former.text:
        yield former
