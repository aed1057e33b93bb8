"""JSON printed into a log (``nvbandwidth -j`` under a launcher): found, cut out and read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.measurement import Run
from gpu_probe.parsers.documents import parse
from gpu_probe.parsers.limits import JSON_MOST_BYTES
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nvbandwidth_json import is_nvbandwidth_json, read_nvbandwidth_json
from gpu_probe.parsers.problem import ParseError
from gpu_probe.parsers.reader import BlockReader, ParsedRun

_TRIES_MOST = 20
_OPENS = re.compile(r'\s{0,40}\{\s{0,40}(?:$|"nvbandwidth")')
_NAMED = '"nvbandwidth"'


@dataclass(slots=True)
class _Document:
    line: int
    parts: list[str] = field(default_factory=list)
    length: int = 0
    depth: int = 0


class JsonBlock(BlockReader[_Document]):
    """Reader of nvbandwidth's JSON inside a text; a document that was cut short is mended."""

    def __init__(self, file: str) -> None:
        """Start with no document open."""
        super().__init__(file)
        self._tries = 0

    def feed(self, line: Line) -> bool:
        """Take the lines between an opening brace and the one that closes it."""
        text = line.text
        if self._block is None:
            if "{" not in text or self._tries >= _TRIES_MOST or not _OPENS.match(text):
                return False
            self._block = _Document(line.number)
            self._tries += 1
        block = self._block
        block.parts.append(text)
        block.length += len(text) + 1
        block.depth += text.count("{") - text.count("}")
        is_other_json = len(block.parts) == 2 and _NAMED not in block.parts[0] + block.parts[1]  # noqa: PLR2004
        if is_other_json or block.length > JSON_MOST_BYTES:
            self._block = None
            return False
        if block.depth <= 0:
            self._close()
        return True

    def _parsed(self, block: _Document, /) -> Iterator[ParsedRun]:
        try:
            for document in parse("\n".join(block.parts)):
                if is_nvbandwidth_json(document.value):
                    run = read_nvbandwidth_json(self._file, document.value, mended=document.mended)
                    yield ParsedRun(block.line, run)
        except ParseError as error:
            yield ParsedRun(block.line, _empty(self._file), ParseError(error.message, block.line))


def _empty(file: str) -> Run:
    return Run(file, "nvbandwidth-json", None, None)
