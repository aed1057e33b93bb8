"""Copies between two GPUs, or with the host, told in a sentence: ``GPU0-GPU1 = 742 GB/s, bidirectional``."""

import re
from dataclasses import dataclass

from core.measurement import Matrix
from gpu_probe.parsers.sentence.passages import Passages
from gpu_probe.parsers.sentence.rate import VERB, Rate, all_rates

_PAIR = re.compile(
    r"(?i)\bbetween (?:the |my |our |each |any |those |a )?(?:two|2|both|pairs? of|neighbou?ring)? ?"
    r"(?:[\w-]+ ){0,2}(?:GPUs?|cards)\b|\bGPU ?\d ?(?:-|<?-+>|to|and|<>|\u2192) ?GPU ?\d"
    r"|\bp2p\w*|\bpeer[ -]to[ -]peer\b|\bsend/?[ _-]?recv\w*"
)
_HOST = re.compile(r"(?i)\b(?:host[ -]to[ -]device|device[ -]to[ -]host|H2D|D2H|bandwidthTest)\b")
_TO_HOST = re.compile(r"(?i)\b(?:device[ -]to[ -]host|D2H)\b")
_ITSELF = re.compile(r"(?i)\bGPU ?(\d) ?(?:-|<?-+>|to|and|<>) ?GPU ?\1\b[^\n\d]{0,12}$")
_BOTH = re.compile(r"(?i)\bbi-?dir\w*|\bboth (?:ways|directions)\b|\bduplex\b")
_ONE = re.compile(r"(?i)\buni-?dir\w*|\bone[ -](?:way|direction)\b|\bsingle direction\b|\bper direction\b")
_RATED = re.compile(
    r"(?i)\b(?:total|nominal|rated|aggregated?|line rate|fabric|memory)\b[^,;]{0,30}$"
    r"|\b(?:has|have)\b[^,;]{0,12}$"
)
"""What a link is said to have, not what was measured."""
_RAN = re.compile(r"(?i)\bp2p\w*Test\b|\bnvbandwidth\b|\b(?:my|our|instead of|cop(?:y|ies))\b|=\s*$|:\s*$")
"""Beside the verbs of measuring: a tool, one's own machine, a value behind its name."""
_WAYS = ("both_ways", "one_way")
_NEXT = re.compile(r"[,;]|\band\b|\d")
_UNIT = re.compile(r"^\S+ ?[KMGT]i?B(?:/s(?:ec)?|ps)")
_OF_MEMORY = re.compile(r"(?i)^ of (?:\w+ )?(?:memory|DRAM|RAM|HBM\d?\w?|DDR\d)\b")
_BEFORE = 60
_LINES_MOST = 20
"""More than these are a document, whose words need not be of one another."""


@dataclass(frozen=True, slots=True)
class ToldCopy:
    """A copy's rate (bytes/s), as a matrix that a tool would print, and where it stands in the text."""

    matrix: Matrix
    told: str
    passages: Passages


def copies_of(text: str) -> tuple[ToldCopy, ...]:
    """
    The one rate of a copy that a text tells, or one of each direction.

    None where it tells several of a direction, or of something else. Where no direction is named
    the rate is taken as unidirectional, and it is said so.
    """
    if text.count("\n") > _LINES_MOST:
        return ()
    told = {
        rate.bytes_per_s: rate
        for rate in all_rates(text)
        if not any(
            pattern.search(rate.passages.sentence[: rate.passages.place][-_BEFORE:])
            for pattern in (_ITSELF, _RATED)
        )
    }
    rates = list(told.values())
    if not rates or min(told) <= 0 or not any(map(_is_measured, rates)):
        return ()
    directions = _ways(rates)
    copies = [_copy(rate, way) for rate, way in zip(rates, directions, strict=True)] if directions else []
    found = tuple(copy for copy in copies if copy is not None)
    return found if len(found) == len(rates) else ()


def _ways(rates: list[Rate]) -> list[str]:
    """The direction of each rate, empty for one that names none; no list where they are not clear."""
    if len(rates) == 1:
        said = rates[0].passages.nearest(_directions)
        return [next(iter(said), "")] if len(said) < len(_WAYS) else []
    behind = [_directions(_NEXT.split(_behind(rate), maxsplit=1)[0]) for rate in rates]
    ways = [next(iter(said)) for said in behind if len(said) == 1]
    return ways if len(ways) == len(rates) == len(set(ways)) else []


def _copy(rate: Rate, way: str) -> ToldCopy | None:
    ends = _ends(rate.passages.clause) or _ends(rate.passages.sentence)
    if len(ends) != 1:
        return None
    said, way = "" if way else ", taken as unidirectional", way or "one_way"
    value = rate.bytes_per_s
    if "host" in ends:
        return _to_or_from_host(value, way, said, rate.passages)
    name = f"{'Bi' if way == 'both_ways' else 'Uni'}directional P2P bandwidth"
    matrix = Matrix(name, "bandwidth", way, None, ("0", "1"), ("0", "1"), ((None, value), (value, None)))
    return ToldCopy(matrix, f"copies between two GPUs{said}", rate.passages)


def _behind(rate: Rate) -> str:
    return _UNIT.sub("", rate.passages.sentence[rate.passages.place :], count=1)


def _is_measured(rate: Rate) -> bool:
    """Whether its sentence tells of a copy that ran, not of what a link or memory has."""
    before = rate.passages.sentence[: rate.passages.place]
    behind = _behind(rate)
    told = VERB.search(rate.passages.sentence) or _RAN.search(before) or _RAN.search(behind)
    return bool(told) and _OF_MEMORY.search(behind) is None


def _to_or_from_host(value: float, way: str, said: str, passages: Passages) -> ToldCopy | None:
    if way == "both_ways":
        return None
    to_host = _TO_HOST.search(passages.clause) or _TO_HOST.search(passages.sentence)
    name = "device_to_host_memcpy" if to_host else "host_to_device_memcpy"
    matrix = Matrix(name, "bandwidth", way, None, ("0",), ("0",), ((value,),))
    return ToldCopy(matrix, f"copies {'to' if to_host else 'from'} the host{said}", passages)


def _ends(part: str) -> set[str]:
    """``host`` or ``pair``, as far as a passage tells between what the copy runs."""
    return {"host"} if _HOST.search(part) else {"pair"} if _PAIR.search(part) else set()


def _directions(part: str) -> set[str]:
    both, one = _BOTH.search(part), _ONE.search(part)
    return {way for way, found in (("both_ways", both), ("one_way", one)) if found}
