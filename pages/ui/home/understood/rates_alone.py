"""A rate without a machine: the links that would give it, and what would make it a question of *Check a result*."""

from collections.abc import Iterator

from core.catalog import LINKS
from core.units import GB, format_rate, whole_percent
from pages.ui.home.understood.judged import converted
from pages.ui.home.understood.question import Read

LEAST, MOST = 0.7, 1.05
"""What a link gives of its rate per direction: below it is slow, above it another link."""
MOST_LINKS = 4
ASKED = "on 2 nodes of 8x H100"
"""A machine as the question box reads it."""


def answers(read: Read) -> tuple[str, ...]:
    """A sentence or two for each rate of a question that names no machine; nothing where one is named."""
    return () if read.machines else tuple(_answer(text) for text in dict.fromkeys(read.rates))


def _answer(text: str) -> str:
    rate = converted(text)
    if rate.bytes_per_s is None:
        return f"{text}: bandwidths are read in GB/s or Gb/s."
    written = f"{text} ({rate.bytes_per_s / GB:g} GB/s)" if rate.in_bits else text
    near = "; ".join(_near(rate.bytes_per_s)) or "no link of the catalog"
    return f"{written} per direction: {near}. To judge it, name system and GPUs: {text} {ASKED}."


def _near(bytes_per_s: float) -> Iterator[str]:
    """Links of which the rate is a usual share, the closest first; those of one rate stand together."""
    by_rate: dict[float, list[str]] = {}
    for link in LINKS.values():
        stated = link.one_way_bytes_per_s
        if stated and LEAST <= bytes_per_s / stated <= MOST:
            by_rate.setdefault(stated, []).append(link.name)
    for stated in sorted(by_rate, key=lambda value: abs(bytes_per_s / value - 1))[:MOST_LINKS]:
        first, *more = by_rate[stated]
        others = f" and {len(more)} more" if more else ""
        yield f"{first}{others} ({whole_percent(bytes_per_s / stated)} of {format_rate(stated)})"
