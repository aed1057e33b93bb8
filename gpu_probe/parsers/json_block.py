"""JSON printed into a log (``nvbandwidth -j`` under a launcher): found, cut out and read."""

import re

from core.measurement import Run
from gpu_probe.parsers.documents import parse
from gpu_probe.parsers.limits import JSON_MOST_BYTES
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.nvbandwidth_json import is_nvbandwidth_json, read_nvbandwidth_json
from gpu_probe.parsers.problem import ParseError
from gpu_probe.parsers.reader import ParsedRun

_TRIES_MOST = 20
_OPENS = re.compile(r'\s{0,40}\{\s{0,40}(?:$|"nvbandwidth")')
_NAMED = '"nvbandwidth"'


class JsonBlock:
    """Reader of nvbandwidth's JSON inside a text."""

    def __init__(self, file: str) -> None:
        """Start with no document open."""
        self._file = file
        self._runs: list[ParsedRun] = []
        self._tries = 0
        self._begin()

    def _begin(self) -> None:
        self._line = 0
        self._parts: list[str] = []
        self._length = 0
        self._depth = 0

    @property
    def busy(self) -> bool:
        """Whether a document is open."""
        return self._line > 0

    def feed(self, line: Line) -> bool:
        """Take the lines between an opening brace and the one that closes it."""
        text = line.text
        if not self._line:
            if "{" not in text or self._tries >= _TRIES_MOST or not _OPENS.match(text):
                return False
            self._line = line.number
            self._tries += 1
        self._parts.append(text)
        self._length += len(text) + 1
        self._depth += text.count("{") - text.count("}")
        is_other_json = len(self._parts) == 2 and _NAMED not in self._parts[0] + self._parts[1]  # noqa: PLR2004
        if is_other_json or self._length > JSON_MOST_BYTES:
            self._begin()
            return False
        if self._depth <= 0:
            self._close()
        return True

    def finish(self) -> list[ParsedRun]:
        """All documents; one that was cut short is mended."""
        self._close()
        return self._runs

    def _close(self) -> None:
        if not self._line:
            return
        line, text = self._line, "\n".join(self._parts)
        self._begin()
        try:
            for document in parse(text):
                if is_nvbandwidth_json(document.value):
                    self._runs.append(
                        ParsedRun(
                            line, read_nvbandwidth_json(self._file, document.value, mended=document.mended)
                        )
                    )
        except ParseError as error:
            error_here = ParseError(error.message, line)
            self._runs.append(ParsedRun(line, _empty(self._file), error_here))


def _empty(file: str) -> Run:
    return Run(file, "nvbandwidth-json", None, None)
