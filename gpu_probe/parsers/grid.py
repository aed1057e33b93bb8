"""A table by pair while it is read line by line: a header of columns, then one row per line."""

from dataclasses import dataclass, field

from core.measurement import Matrix
from gpu_probe.parsers.limits import CELLS_MOST, COLUMNS_MOST
from gpu_probe.parsers.nccl_table import real
from gpu_probe.parsers.problem import refuse

EMPTY = ("\u2014", "\u2013", "-", "--", "N/A", "n/a", "nan", "-nan", "inf", "...")
DOTS = ("...", "\u2026", "[...]")

Cell = float | str | None


def header_numbers(tokens: list[str]) -> tuple[str, ...] | None:
    """Column names 0, 1, 2 ... of a numbered header, None where words are no such header."""
    if not tokens or len(tokens) > COLUMNS_MOST or tokens != [str(i) for i in range(len(tokens))]:
        return None
    return tuple(tokens)


def _decimals(token: str) -> int:
    return len(token.partition(".")[2])


@dataclass(slots=True)
class Grid:
    """
    Rows gathered so far.

    Attributes:
        scale: What a printed figure is multiplied with to be SI.
        elided: Whether dots stand for rows, or a row ends early.
    """

    name: str
    kind: str
    direction: str | None
    scale: float
    line: int
    peer_access: bool | None = None
    columns: tuple[str, ...] = ()
    elided: bool = False
    rows: list[str] = field(default_factory=list)
    values: list[tuple[Cell, ...]] = field(default_factory=list)

    def add(self, row: str, cells: list[Cell]) -> None:
        """One row; what is missing at its end stays empty."""
        width = len(self.columns)
        if (len(self.rows) + 1) * width > CELLS_MOST:
            refuse(f"a matrix of more than {CELLS_MOST:,} cells", self.line)
        self.elided = self.elided or len(cells) < width
        self.rows.append(row)
        self.values.append((*cells[:width], *([None] * (width - len(cells)))))

    def add_figures(self, tokens: list[str], *, cut: bool = False) -> bool:
        """
        A row of figures with its number in front; False where the words are none.

        Where the file ends in a row (``cut``) that is not complete, its last figure may lack digits.
        """
        tokens = self.whole(tokens, cut=cut)
        if tokens and tokens[0] in DOTS and len(tokens) == 1:
            self.elided = len(self.rows) < len(self.columns)
            return True
        if len(tokens) < 2 or not tokens[0].isdigit() or len(tokens) > len(self.columns) + 1:  # noqa: PLR2004
            return False
        cells: list[Cell] = []
        for token in tokens[1:]:
            value = real(token)
            if value is None and token not in EMPTY:
                return False
            cells.append(None if value is None else value * self.scale)
        self.add(tokens[0], cells)
        return True

    def whole(self, tokens: list[str], *, cut: bool) -> list[str]:
        """The words of a row without the last one where that may have been cut."""
        if not cut or len(tokens) < 2:  # noqa: PLR2004 (the row's name and a cell)
            return tokens
        fewer_digits = _decimals(tokens[-1]) < _decimals(tokens[-2])
        return tokens[:-1] if fewer_digits or len(tokens) <= len(self.columns) else tokens

    @property
    def short(self) -> bool:
        """Whether a square table lacks rows or cells."""
        return self.elided or (len(self.rows) > 1 and len(self.rows) < len(self.columns))

    def matrix(self) -> Matrix:
        """The table as it is kept."""
        rows, columns, values = tuple(self.rows), self.columns, tuple(self.values)
        return Matrix(self.name, self.kind, self.direction, self.peer_access, rows, columns, values)
