"""nccl-tests and rccl-tests text: blocks found in a log, whatever stands between their lines."""

import re
from dataclasses import replace

from gpu_probe.parsers.environment import Software
from gpu_probe.parsers.limits import RUNS_MOST, SAMPLES_MOST
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.names import collective_in_words, collective_of, command_of
from gpu_probe.parsers.nccl_block import Block, Devices
from gpu_probe.parsers.nccl_headerless import columns_without_header
from gpu_probe.parsers.nccl_table import columns_of, is_header, real, row_of, tokens_of
from gpu_probe.parsers.problem import refuse
from gpu_probe.parsers.reader import BlockReader, ParsedRun

_STARTING = re.compile(r"[#\s]{0,40}Collective test starting: (\S{1,200})")
_CONCLUDED = re.compile(r"[#\s]{0,40}Collective test concluded: (\S{1,200})")
_PARAMETERS = re.compile(r"[#\s]{0,40}nThreads? \d{1,9} nGpus \d{1,9} minBytes")
_VERSION = re.compile(r"[#\s]{0,40}[nr]ccl-tests version \S")
_RCCL = re.compile(r"\brc{1,2}cl-tests: Version|\bRCCL version")
_NRANKS = re.compile(r"\bn[Rr]anks (\d{1,7})\b")
_LEVELS = ("INFO ", "WARN ", "TRACE ", "ERROR ")
_SPEAKER = re.compile(r"[A-Za-z][\w.-]{0,80}:\d{1,10}:\d{1,10} \[\d{1,4}\]$")
_FAILED = (
    "Test NCCL failure",
    "Test CUDA failure",
    "Test failure",
    "launch failed",
    "Invalid number of GPUs",
)
_PENDING_MOST = 40


class NcclText(BlockReader[Block]):
    """Reader of nccl-tests and rccl-tests text."""

    def __init__(self, file: str) -> None:
        """Start with no block open."""
        super().__init__(file)
        self._commands: list[str] = []
        self._known: str | None = None
        self._spoken: str | None = None
        self._outside = Software(newest=True)
        self._above = ""
        self._pending: tuple[Line, list[str]] | None = None
        self._rows = 0

    @property
    def busy(self) -> bool:
        """Whether a block is open."""
        return self._block is not None and not self._block.ended

    def feed(self, line: Line) -> bool:
        """Take a line of a block; launchers' and NCCL's own lines are looked at and declined."""
        text, noise = _without_noise(line.text)
        if noise:
            self._look_at_software(noise)
            self._look_for_failure(noise, line.number)
            if not text.strip():
                return False
            line = Line(line.number, text, line.label)
        if not text.strip():
            return False
        claimed = self._structure(line) or self._row(line)
        if not claimed:
            self._look_at_unclaimed(line)
        return claimed

    def _structure(self, line: Line) -> bool:
        text = line.text
        if is_header(text):
            return self._header(line)
        if "Rank" in text or "->" in text or "..." in text or "\u2026" in text:
            return self._device(line)
        return self._marker(line) or self._footer(line)

    def _device(self, line: Line) -> bool:
        """A line of the list of ranks; one that stands before all else begins a block."""
        block = self._block
        if block is not None and not block.ended:
            return block.devices.feed(line.text)
        devices = Devices()
        if not devices.feed(line.text):
            return False
        self._open(line, fresh=block is not None).devices = devices
        return True

    def _marker(self, line: Line) -> bool:
        """A line that only the beginning of an execution prints."""
        text = line.text
        if "ccl-tests" not in text and "nThread" not in text and "Collective" not in text:
            return False
        if match := _STARTING.match(text):
            block = self._open(line, fresh=self._has("named", "parameters", "columns", "ended"))
            block.collective, block.named = collective_of(match.group(1)), True
            if block.collective is None:
                block.notices.add("collective_other", f"{match.group(1)} is none of our names", line.number)
            return True
        if _PARAMETERS.match(text):
            self._open(line, fresh=self._has("parameters", "columns", "ended")).parameters = True
            return True
        if _VERSION.match(text):
            self._open(line, fresh=self._has("named", "parameters", "columns", "ended")).software.look(text)
            return True
        return False

    def _footer(self, line: Line) -> bool:
        text, block = line.text, self._block
        if "out-of-place" in text or "in-place" in text:
            self._above = text
            return block is not None
        if block is None:
            return False
        if "Out of bounds values" in text:
            self._finish_torn_row()
            if "FAILED" in text:
                block.notices.add("out_of_bounds", text.strip(" #"), line.number)
            return True
        if "Avg bus bandwidth" in text or "Collective test concluded" in text:
            self._finish_torn_row()
            block.ended = True
            if block.collective is None and (match := _CONCLUDED.match(text)):
                block.collective = collective_of(match.group(1))
            return True
        return False

    def _has(self, *facts: str) -> bool:
        block = self._block
        return block is not None and any(getattr(block, fact) for fact in facts)

    def _open(self, line: Line, *, fresh: bool) -> Block:
        if fresh:
            self._close()
        if self._block is None:
            if len(self._runs) >= RUNS_MOST:
                refuse(f"more than {RUNS_MOST:,} runs in one file", line.number)
            self._block = Block(line.number)
            self._block.software.env.update(self._outside.env)
            self._block.software.nccl, self._block.software.cuda = self._outside.nccl, self._outside.cuda
        return self._block

    def _header(self, line: Line) -> bool:
        columns = columns_of(line.text, self._above)
        if columns is None:
            return False
        before = self._block
        is_repeated = before is not None and before.columns is not None
        block = self._open(line, fresh=is_repeated)
        if is_repeated and before is not None and not before.ended:
            block.devices, block.nranks = before.devices, before.nranks
            block.collective, block.named = before.collective, before.named
        block.columns = columns
        if not block.named and block.collective is None:
            block.collective = self._from_commands()
        block.spoken, self._spoken = self._spoken or block.spoken, None
        self._above = ""
        return True

    def _from_commands(self) -> str | None:
        """The collective of the command lines since the last block; two different ones tell nothing."""
        if self._commands:
            self._known = self._commands[0] if len(set(self._commands)) == 1 else None
            self._commands = []
        return self._known

    def _row(self, line: Line) -> bool:
        block = self._block
        if block is None or block.columns is None:
            return self._headerless(line)
        if block.ended:
            return False
        commented = line.text.lstrip()[:1] == "#"
        if commented:
            line = replace(line, text=line.text.replace("#", " ", 1))
        tokens = tokens_of(line, block.columns)
        whole = block.columns.lengths if block.columns.is_typeless else block.columns.lengths[:1]
        row = row_of(line, tokens, block.columns) if len(tokens) in whole else None
        if row is not None:
            self._finish_torn_row()
            self._count()
            block.rows.append(row)
            return True
        return not commented and self._part(line, tokens)

    def _headerless(self, line: Line) -> bool:
        """A row before any header begins a table whose columns its figures tell."""
        columns = columns_without_header(line.text)
        if columns is None:
            return False
        self._open(line, fresh=False).columns = columns
        if self._block is not None and self._block.collective is None:
            self._block.collective = self._from_commands()
        return self._row(line)

    def _part(self, line: Line, tokens: list[str]) -> bool:
        """A piece of a row that NCCL's own output tore apart."""
        block = self._block
        if block is None or block.columns is None:
            return False
        if self._pending is not None and all(real(cell) is not None or cell == "N/A" for cell in tokens):
            head, tokens_so_far = self._pending
            joined = [*tokens_so_far, *tokens]
            if len(joined) <= min(_PENDING_MOST, block.columns.lengths[0]):
                self._pending = (head, joined)
                if len(joined) == block.columns.lengths[0]:
                    self._finish_torn_row()
                return True
        if _row_head(tokens):
            self._finish_torn_row()
            self._pending = (line, tokens)
            return True
        return False

    def _count(self) -> None:
        self._rows += 1
        if self._rows > SAMPLES_MOST // 2:
            refuse(f"more than {SAMPLES_MOST // 2:,} rows in one file")

    def _finish_torn_row(self) -> None:
        """Take the torn row for what it is: complete, complete in its first placement, or lost."""
        block = self._block
        if self._pending is None or block is None or block.columns is None:
            return
        head, tokens = self._pending
        self._pending = None
        row = row_of(head, tokens, block.columns)
        self._count()
        if row is not None:
            block.rows.append(row)
        else:
            has_all_columns = len(tokens) >= block.columns.lengths[-1]
            text = "row with words for figures" if has_all_columns else f"row cut after {len(tokens)} columns"
            block.notices.add("row_incomplete", f"{text}: dropped", head.number)

    def _look_at_unclaimed(self, line: Line) -> None:
        """Look at a line that is not ours: commands, versions, settings, failures."""
        text = line.text
        if name := command_of(text):
            if self._block is not None and (self._block.ended or self._block.rows):
                self._close()
            self._commands.append(name)
            del self._commands[:-50]
        self._spoken = collective_in_words(text) or self._spoken
        self._look_at_software(text)
        self._look_for_failure(text, line.number)
        if self._block is not None and not self._block.rows:
            for sign in _FAILED:
                if sign in text:
                    self._block.note_failure(text[text.find(sign) :], line.number)

    def _look_for_failure(self, text: str, number: int) -> None:
        """Of an execution that has no row yet, what its messages say of why."""
        if self._block is not None and not self._block.rows:
            self._block.note_message(text, number)

    def _look_at_software(self, text: str) -> None:
        block = self._block
        if block is None or block.ended:
            self._outside.look(text)
        if block is None or (block.ended and (block.nccl_seen or " NCCL " not in text)):
            return
        block.nccl_seen = block.nccl_seen or (not block.ended and " NCCL " in text)
        block.software.look(text)
        if not block.rccl and ("rc" in text or "RCCL" in text):
            block.rccl = _RCCL.search(text) is not None
        if "anks " in text and (match := _NRANKS.search(text)):
            block.nranks = int(match.group(1)) or None

    def _close(self) -> None:
        self._finish_torn_row()
        super()._close()

    def _parsed(self, block: Block, /) -> list[ParsedRun]:
        has_content = block.columns is not None or block.named or block.parameters
        return [block.parsed_run(self._file)] if has_content else []


def _without_noise(text: str) -> tuple[str, str]:
    """A line cut into its own part and what NCCL printed into it."""
    cut = text.find(" NCCL ")
    while cut >= 0 and not text.startswith(_LEVELS, cut + len(" NCCL ")):
        cut = text.find(" NCCL ", cut + 1)
    if cut < 0:
        return text, ""
    head = text[:cut]
    match = _SPEAKER.search(head, max(0, len(head) - 110))
    start = match.start() if match is not None else 0
    return text[:start], text[start:]


def _row_head(tokens: list[str]) -> bool:
    """Whether words begin a row: a size, then a count, then a type, as far as they go."""
    if not tokens or not tokens[0].isdigit():
        return False
    if len(tokens) > 1 and not tokens[1].isdigit():
        return False
    return len(tokens) < 3 or tokens[2][:1].isalpha()  # noqa: PLR2004 (size, count, type)
