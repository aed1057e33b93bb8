"""Public threads that ask whether a number is right: figures, lines of the paste in neutral names, and the answer."""

from dataclasses import dataclass

MIB, GIB = 1 << 20, 1 << 30
LARGE = (256 * MIB, GIB, 4 * GIB)


@dataclass(frozen=True)
class Table:
    """One execution: the collective, its rows of size and bus bandwidth in GB/s, and its own lines before it."""

    collective: str
    rows: tuple[tuple[int, float], ...]
    lines: tuple[str, ...] = ()
    nodes: int | None = None


@dataclass(frozen=True)
class Thread:
    """
    A question of a thread, and its answer.

    Attributes:
        id: Repository and number, and which of the thread's figures.
        url: Where it stands.
        found: What established the answer, and who.
        verdicts: That are right.
        causes: Codes of which one must be listed; empty where the thread knows none.
        gpu, nodes, local: Of the list of devices; without a GPU the paste has none.
        tables: What was measured; empty where prose alone tells it.
        lines: What else the paste holds.
        options: That a reader of the thread would give.
        prefix: Before each line of output.
    """

    id: str
    url: str
    found: str
    verdicts: tuple[str, ...]
    causes: tuple[str, ...] = ()
    gpu: str = ""
    nodes: int = 1
    local: int = 8
    tables: tuple[Table, ...] = ()
    lines: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    prefix: str = ""


def flat(collective, rate, *, sizes=LARGE, lines=(), nodes=None):
    """The same rate at all large sizes, where a thread gives one number."""
    return Table(collective, tuple((size, rate) for size in sizes), tuple(lines), nodes)


def reduced(rate, **how):
    """An all-reduce of one rate."""
    return (flat("all_reduce", rate, **how),)
