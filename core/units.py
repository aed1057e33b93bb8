"""Unit constants and the conversions done at the edges; inside, everything is SI."""

import math
import re

KB = 1e3
MB = 1e6
GB = 1e9
TB = 1e12
KIB = 1024.0
MIB = 1024.0**2
GIB = 1024.0**3
TIB = 1024.0**4

US = 1e-6
MS = 1e-3
MINUTE_S = 60.0
HOUR_S = 3600.0
DAY_S = 24 * HOUR_S
YEAR_S = 365.25 * DAY_S

GIGABIT_BYTES = 1e9 / 8
BILLION = 1e9
TERA = 1e12


def converted(value: float | None, unit: float) -> float | None:
    """A number in a unit, such as GB or US, in SI; None stays None."""
    return None if value is None else value * unit


_SIZE_UNITS = {
    "": 1.0,
    "b": 1.0,
    "kb": KB,
    "mb": MB,
    "gb": GB,
    "tb": TB,
    "kib": KIB,
    "mib": MIB,
    "gib": GIB,
    "tib": TIB,
}
_SIZE = re.compile(
    r"\s*([0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?|[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,3}))?\s*([A-Za-z]*)\s*"
)


def parse_size(text: str) -> int:
    """
    Whole bytes from a text such as ``16MiB``, ``1.5 GB`` or ``4096``.

    Decimal units (KB, MB, GB, TB) count in 1000, binary ones (KiB ... TiB) in 1024; a bare
    number is bytes. Commas may set thousands apart, as in ``1,000``. Case does not matter.

    Raises:
        ValueError: The text is no such size; the message says what is allowed.
    """
    match = _SIZE.fullmatch(text)
    unit = match.group(3).lower() if match else ""
    if match is None or unit not in _SIZE_UNITS:
        message = (
            f"size {text!r}: a number of bytes, or a number with B, KB, MB, GB, TB, KiB, MiB, GiB or TiB"
        )
        raise ValueError(message)
    value = float(f"{match.group(1).replace(',', '')}e{match.group(2) or 0}") * _SIZE_UNITS[unit]
    if not math.isfinite(value) or value > 1e18:  # noqa: PLR2004 (an exabyte is no message)
        message = f"size {text!r}: at most 1e18 bytes"
        raise ValueError(message)
    return round(value)


THREE_DIGITS = 999.5
"""From here on a number has four digits in front."""

OVERFULL = 1000
"""Times what it holds: nobody reads that in GB."""

LEAST_SHARE = 0.001
"""Below it a share is as good as none."""


_BINARY = (("TiB", TIB), ("GiB", GIB), ("MiB", MIB), ("KiB", KIB))
_LARGE = (("EB", 1e18), ("PB", 1e15))
_DECIMAL = (("TB", TB), ("GB", GB), ("MB", MB), ("kB", KB))


def format_size(size_bytes: float) -> str:
    """A size in the units in which three digits say it exactly, such as 16 MiB or 64 MB; else a message's."""
    for name, unit in (*_BINARY, *_DECIMAL):
        count = size_bytes / unit
        if 1 <= count < THREE_DIGITS and count == float(f"{count:.3g}"):
            return f"{count:.3g} {name}"
    return format_message(size_bytes)


def format_message(size_bytes: float) -> str:
    """Size of a message in B, KiB, MiB, GiB or TiB, to three significant digits."""
    return _scaled(size_bytes, _BINARY)


def format_memory(size_bytes: float) -> str:
    """Size of something kept in memory in B, kB, MB, GB or TB, to three significant digits."""
    return _scaled(size_bytes, _DECIMAL)


def format_fill(used_bytes: float, available_bytes: float) -> str:
    """How full a memory is in whole GB, as ``78 of 80 GB``; far more than it holds in larger units."""
    if used_bytes >= OVERFULL * available_bytes:
        return f"{_scaled(used_bytes, (*_LARGE, *_DECIMAL))} of {available_bytes / GB:,.0f} GB"
    return f"{used_bytes / GB:,.0f} of {available_bytes / GB:,.0f} GB"


def _scaled(value: float, units: tuple[tuple[str, float], ...]) -> str:
    above = ("", math.inf)
    for name, unit in units:
        if value >= unit:
            said, scale = above if round(value / unit) * unit >= above[1] else (name, unit)
            return f"{format_number(value / scale)} {said}"
        above = name, unit
    return f"{format_number(value)} B"


def format_number(value: float) -> str:
    """A number to three significant digits, or whole with its thousands apart."""
    return f"{value:,.0f}" if abs(value) >= THREE_DIGITS else f"{value:.3g}"


def whole_percent(share: float) -> str:
    """A share in whole percent."""
    return f"{100 * share:.0f} %"


def format_share(share: float) -> str:
    """A share in percent to three significant digits; one that is not zero but below 0.1 % says so."""
    if 0 < share < LEAST_SHARE:
        return f"below {100 * LEAST_SHARE:g} %"
    return f"{format_number(100 * share)} %"


LONG: tuple[tuple[str, float, float], ...] = (
    ("years", YEAR_S, 1),
    ("days", DAY_S, 2),
    ("h", HOUR_S, 2),
    ("min", MINUTE_S, 2),
)
"""Units above the second, and from how many of each on a duration is told in it."""


def format_time(time_s: float) -> str:
    """A short text for a duration: µs to s, from two of them on min, h and days, then years."""
    for name, unit, least in LONG:
        if time_s >= least * unit:
            number = format_number(time_s / unit)
            return f"{number} {singular(name) if number == '1' else name}"
    for name, unit in (("s", 1.0), ("ms", MS), ("µs", US)):
        if time_s >= unit:
            return f"{format_number(time_s / unit)} {name}"
    return "0 s" if time_s == 0 else f"{time_s / US:.3g} µs"


def singular(name: str) -> str:
    """The name of one such unit of ``LONG``: year, day; those that are abbreviated stay."""
    return name.removesuffix("s")


def counted(count: int, noun: str) -> str:
    """A count and what is counted: ``1 sample``, ``2,048 samples``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def format_rate(bytes_per_s: float) -> str:
    """A short text for a bandwidth in GB/s with three significant digits, or TB/s from 1 TB/s on."""
    if bytes_per_s >= THREE_DIGITS * GB:
        return f"{format_number(bytes_per_s / TB)} TB/s"
    return f"{format_number(bytes_per_s / GB)} GB/s"


def significant(value: float, digits: int = 3) -> float:
    """The value rounded to so many significant digits; zero, infinity and NaN as they are."""
    if value == 0 or not math.isfinite(value):
        return value
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))
