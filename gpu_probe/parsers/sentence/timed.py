"""Message sizes in prose, and the time that it tells of one: ``all-reduce of 1 GiB takes 11 ms``."""

import re
from itertools import islice

from core.units import GIB, KIB, MIB, MS, US
from gpu_probe.parsers.limits import RATES_MOST
from gpu_probe.parsers.names import collectives_named
from gpu_probe.parsers.sentence.passages import around
from gpu_probe.parsers.sentence.rate import NICS, Rate, is_claimed

_SIZE = re.compile(
    r"(?i)\b(?:at|of|size:?|messages?|for|with) (?:size:? )?(\d{1,4})(?: ?(KiB|MiB|GiB|KB|MB|GB)"
    r"|([KMG]))(?![\w/])"
    r"(?! ?(?:of )?(?:memory|HBM|VRAM|RAM|NICs?|IB|RoCE|Ethernet|links?|each|cards?))"
)
_SIZE_BEFORE = re.compile(
    r"(?i)(?<![\w.-])(\d{1,4}) ?(KiB|MiB|GiB|KB|MB|GB)[ -](?:messages?|buffers?|tensors?|payloads?)\b"
)
"""``1 MB messages``."""
_UNITS = {"k": KIB, "m": MIB, "g": GIB}
_SIZE_MOST_BYTES = int(64 * GIB)
_TIME = re.compile(r"(?<![\w.,])(\d{1,6}(?:\.\d{1,3})?) ?(us|µs|μs|ms)(?![\w/])")
_TAKES = re.compile(r"(?i)(?:\b(?:takes?|took|taking|in|latency|time|duration)\b[^.,;\d]{0,20}|[:=] ?)$")

_NOT_RUN = re.compile(r"(?i)\b(?:expect|should|would|could|theor|ideal|estimat|predict|simulat|assume|if\b)")


def sizes_of(text: str) -> set[int]:
    """Message sizes in bytes."""
    text = NICS.sub("", text)
    said = {
        int(int(match.group(1)) * _UNITS[(match.group(2) or match.group(3))[0].lower()])
        for match in _SIZE.finditer(text)
    }
    before = _SIZE_BEFORE.finditer(text)
    said |= {int(int(match.group(1)) * _UNITS[match.group(2)[0].lower()]) for match in before}
    return {size for size in said if 0 < size <= _SIZE_MOST_BYTES}


def timed(text: str) -> list[Rate]:
    """The rates of all-reduces of which a sentence tells the size and the time."""
    rates: dict[float, Rate] = {}
    for match in islice(_TIME.finditer(text), RATES_MOST):
        passages = around(text, match.start(), match.end())
        sizes = sizes_of(passages.sentence)
        named = collectives_named(passages.sentence)
        before = passages.sentence[: passages.place]
        took = _TAKES.search(before) is not None and _NOT_RUN.search(before) is None
        if not took or named != {"all_reduce"} or len(sizes) != 1 or float(match[1]) <= 0:
            continue
        if not is_claimed(match, passages, is_named=True):
            seconds = float(match[1]) * (MS if match[2] == "ms" else US)
            rate = next(iter(sizes)) / seconds
            rates.setdefault(rate, Rate(rate, is_algorithm=True, passages=passages))
    return list(rates.values())
