"""The table of nccl-tests: columns are decided by the header line, rows are read by them."""

import re
from dataclasses import dataclass, field

from gpu_probe.parsers.lines import Line

_PLACEMENTS = ("out-of-place", "in-place")
"""In the order of nccl-tests; MSCCL++ prints them the other way round."""
_TIME_COLUMNS = ("time", "cputime")
_OLD_NAMES = {"bytes": "size", "N": "count", "op": "redop", "res": "error"}
_NO_TYPE = "unnamed"
"""Of a table without a column of types, as MSCCL++ prints it."""
_US_PER_MS = 1000.0
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_TIMESTAMP_TOKENS = 2
_SIZE_MOST = 10**18
_FIGURE_MOST = 1e14
_ABSENT_FIGURES = frozenset({"N/A", "n/a", "nan", "-nan", "inf", "-"})
"""Words for a figure that the tool could not make: no time, no rate."""
_NULL_BODY = 24
"""Blanks after the root column that show a row without out-of-place figures."""


@dataclass(frozen=True, slots=True)
class Figures:
    """
    One placement's figures in a row of the table.

    Attributes:
        placement: ``out-of-place`` or ``in-place``.
        time_us: Microseconds of one operation.
        algbw, busbw: GB/s as printed; None where the tool printed none.
        wrong: Wrong values; None where the tool did not check.
        rounding_us: Half of the last digit that a time is printed with.
        fastest_us, slowest_us: Of the single iterations, where they are timed one by one.
    """

    placement: str
    time_us: float
    algbw: float | None
    busbw: float | None
    wrong: int | None
    rounding_us: float = 0.0051
    fastest_us: float | None = None
    slowest_us: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: size, type, reduction and root, and the figures of one or both placements."""

    line: int
    size_bytes: int
    dtype: str
    redop: str | None
    root: str | None
    figures: tuple[Figures, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """One placement, and the places of its figures in a row; None where there is no such column."""

    placement: str
    start: int
    time: int
    algbw: int
    busbw: int
    wrong: int | None
    fastest: int | None
    slowest: int | None

    @classmethod
    def of(cls, placement: str, names: tuple[str, ...], start: int) -> "_Part":
        """Of columns from a place on."""
        places = {name: start + index for index, name in enumerate(names)}
        time = places["time"] if "time" in places else places["cputime"]
        others = (places.get(name) for name in ("wrong", "i_min", "i_max"))
        return cls(placement, start, time, places["algbw"], places["busbw"], *others)


@dataclass(frozen=True, slots=True)
class Columns:
    """
    What the header line promised.

    Attributes:
        lead: Columns before the first time: size, count, type, then redop and root if printed.
        figures: Column names of each placement's figures.
        placements: The placement of each of them.
        stamped: Whether each row ends with a date and a time of day.
        milliseconds: Whether times are such: NCCL 1 and the first nccl-tests, headed ``bytes N``.
        lengths: Token counts of a complete row: both placements, or only the first.
        parts: Where each placement's figures stand.
    """

    lead: tuple[str, ...]
    figures: tuple[tuple[str, ...], ...]
    placements: tuple[str, ...]
    stamped: bool
    milliseconds: bool = False
    lengths: tuple[int, ...] = field(init=False)
    parts: tuple[_Part, ...] = field(init=False)

    def __post_init__(self) -> None:
        """What every row is read by is found once."""
        start, lengths, parts = len(self.lead), [], []
        for placement, names in zip(self.placements, self.figures, strict=True):
            parts.append(_Part.of(placement, names, start))
            start += len(names)
            lengths.append(start)
        object.__setattr__(self, "lengths", tuple(reversed(lengths)))
        object.__setattr__(self, "parts", tuple(parts))

    @property
    def is_typeless(self) -> bool:
        """Whether rows name no data type, as those of MSCCL++, whose second placement may be missing."""
        return "type" not in self.lead


def is_header(text: str) -> bool:
    """Whether a line heads the table, with or without its ``#``."""
    return (
        "busbw" in text
        and text.lstrip(" #")[:5] in ("size ", "bytes")
        and "algbw" in text
        and "|" not in text
    )


def columns_of(text: str, line_above: str = "") -> Columns | None:
    """The columns that a header line names; the line above it names the placements."""
    names = text.replace("#wrong", "wrong").replace("#", " ").split()
    first_generation = names[:2] == ["bytes", "N"]
    names = [_OLD_NAMES.get(name, name) for name in names] if first_generation else names
    stamped = bool(names) and names[-1] == "timestamp"
    names = names[:-1] if stamped else names
    starts = [i for i, name in enumerate(names) if name in _TIME_COLUMNS]
    lead = names[: starts[0]] if starts else []
    if not starts or names[0] != "size" or not {"type", "count"} & set(lead) or len(starts) > 2:  # noqa: PLR2004
        return None
    ends = [*starts[1:], len(names)]
    figures = tuple(tuple(names[start:end]) for start, end in zip(starts, ends, strict=True))
    if any("algbw" not in part or "busbw" not in part for part in figures):
        return None
    order = [word for word in line_above.split() if word in _PLACEMENTS]
    usual = len(order) > len(figures) or not order
    placements = _PLACEMENTS[: len(figures)] if usual else tuple(order)
    if len(placements) < len(figures):
        placements = _PLACEMENTS
    return Columns(tuple(names[: starts[0]]), figures, placements, stamped, first_generation)


_COMMA = re.compile(r"^(\d{1,9}),(\d{1,2})$")
"""A decimal comma, as translated pages have it."""


def tokens_of(line: Line, columns: Columns) -> list[str]:
    """The words of a table line, freed of a rank label and of a time stamp, a blank reduction filled in."""
    text = line.text
    if line.label and line.label in text:
        text = text.replace(line.label, " ")
    tokens = text.split()
    if "," in text:
        tokens = [_COMMA.sub(r"\1.\2", token) for token in tokens]
    if columns.stamped and len(tokens) > _TIMESTAMP_TOKENS and _DATE.fullmatch(tokens[-2]):
        tokens = tokens[:-_TIMESTAMP_TOKENS]
    return _with_reduction(tokens, columns.lead)


def _with_reduction(tokens: list[str], lead: tuple[str, ...]) -> list[str]:
    """The words of a row with ``none`` where an older tool leaves the reduction of a copy blank."""
    if "redop" not in lead or len(tokens) <= lead.index("redop"):
        return tokens
    place = lead.index("redop")
    begins = place > 1 and tokens[0].isdigit() and tokens[place - 1][:1].isalpha()
    figure = tokens[place] == "-1" or real(tokens[place]) is not None
    return [*tokens[:place], "none", *tokens[place:]] if begins and figure else tokens


def row_of(line: Line, tokens: list[str], columns: Columns) -> Row | None:
    """A complete row, None where the words are none."""
    if len(tokens) not in columns.lengths:
        return None
    lead = dict(zip(columns.lead, tokens, strict=False))
    size, dtype = whole(lead["size"]), lead.get("type", _NO_TYPE)
    if size is None or not dtype[:1].isalpha() or whole(lead.get("count", "0")) is None:
        return None
    figures = _row_figures(line, tokens, columns)
    if not figures:
        return None
    return Row(line.number, size, dtype, lead.get("redop"), lead.get("root"), figures)


def _row_figures(line: Line, tokens: list[str], columns: Columns) -> tuple[Figures, ...]:
    """The figures of each placement that has any; empty where a word stands for a figure."""
    row: list[Figures] = []
    parts, moved = columns.parts, 0
    if len(parts) > 1 and len(tokens) < columns.lengths[0]:
        in_place = _only_in_place(line.text, tokens, len(columns.lead))
        parts, moved = (parts[1:], parts[1].start - parts[0].start) if in_place else (parts[:1], 0)
    words = [*tokens[: len(columns.lead)], *[""] * moved, *tokens[len(columns.lead) :]] if moved else tokens
    for part in parts:
        figures = _figures(part, words, milliseconds=columns.milliseconds)
        if figures is not None:
            row.append(figures)
        elif not _ABSENT_FIGURES & {words[part.time], words[part.algbw], words[part.busbw]}:
            return ()
    return tuple(row)


def _only_in_place(text: str, tokens: list[str], lead: int) -> bool:
    end = 0
    for token in tokens[:lead]:
        end = text.find(token, end) + len(token)
    return len(text[end:]) - len(text[end:].lstrip()) > _NULL_BODY


def _figures(part: _Part, words: list[str], *, milliseconds: bool) -> Figures | None:
    time_us, algbw, busbw = real(words[part.time]), real(words[part.algbw]), real(words[part.busbw])
    if time_us is None or algbw is None or busbw is None:
        return None
    wrong = wrong_of(None if part.wrong is None else words[part.wrong])
    if milliseconds:
        return Figures(part.placement, time_us * _US_PER_MS, algbw, busbw, wrong, rounding_us=0.51)
    fastest = None if part.fastest is None else real(words[part.fastest])
    slowest = None if part.slowest is None else real(words[part.slowest])
    return Figures(part.placement, time_us, algbw, busbw, wrong, fastest_us=fastest, slowest_us=slowest)


def wrong_of(token: str | None) -> int | None:
    """The count of wrong values; None for ``N/A`` and where the tool printed an error size."""
    value = real(token) if token is not None else None
    return round(value) if value is not None and value < _SIZE_MOST else None


def real(token: str) -> float | None:
    """A printed number that can be a measurement: not negative and not astronomic."""
    if len(token) > 40 or "_" in token:  # noqa: PLR2004 (no printed number is longer)
        return None
    try:
        value = float(token)
    except ValueError:
        return None
    return value if 0 <= value <= _FIGURE_MOST else None


def whole(token: str) -> int | None:
    """A printed whole number that can be a size or a count."""
    if not token.isascii() or not token.isdigit() or len(token) > 19:  # noqa: PLR2004 (64-bit)
        return None
    value = int(token)
    return value if value <= _SIZE_MOST else None
