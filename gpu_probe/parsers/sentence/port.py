"""The port of a NIC as prose names it: ``HDR InfiniBand``, ``a ConnectX-7 of 400 Gb/s``."""

import re
from dataclasses import dataclass

from gpu_probe.parsers.sentence.adapters import GENERATIONS, NOT_MEMORY, OLD_RATES, RATES, UNIT

_RATE = re.compile(
    rf"(?<![\w.])(\d{{3}}) ?(?:{UNIT}|g(?= (?i:NICs?|HCAs?|switch|links?|ports?|network|Ethernet)))"
    rf"(?![\w/]){NOT_MEMORY}"
)
_PEAK = re.compile(
    r"(?i)\b(?:NICs?|HCAs?|ports?|adapters?|bonds?)\b[^.;\n\d]{0,40}"
    r"\b(?:peak|maximum|max|line rate|capacity|rated)\b[^.;\n\d]{0,24}"
    r"(?P<bytes>\d{2,3}(?:\.\d)?) ?(?-i:GB/s|GBps)"
)
"""``a NIC with a peak bandwidth of 50 GB/s``."""
_GENERATION = re.compile(r"\b(QDR|FDR|EDR|HDR|NDR|XDR)(\d{3})?\b")
_PORT_WORD = re.compile(
    r"(?i)\b(?:NICs?|HCAs?|ports?|links?|adapters?|network cards?|ConnectX(?:-?\d)?|CX-?\d|IB|InfiniBand"
    r"|RoCE\w{0,3}|Ethernet|Slingshot|Mellanox|BlueField|DACs?|QSFP\w{0,4}|cables?|line rate)\b|\d ?GbE\b"
)
_MEASURED = re.compile(
    r"(?i)\b(?:measur\w{1,6}|g[eo]t(?:s|ting)?|only|reach\w{0,3}|"
    r"achieve[ds]?|achieving|saw|sees?|seeing|shows?)\b"
    r"[^\d]{0,24}$"
)
_BOND = re.compile(
    r"(?i)\bbond(?:s|ed|ing)?\b|\bLAG\b|\bLACP\b|\bdual[ -]port\b|\b(?:two|both|2) (?:\d{3} ?G\w* )?ports\b"
)
_BONDED = 2
_SLOW = re.compile(
    r"(?i)(?<![\w.])(1|10|25|40|50) ?(?:GbE|(?:Gb|Gbps|Gb/s|Gbit/s|Gig|G)"
    r" ?(?:Ethernet|network|NICs?|links?|ports?))\b"
)
"""Ethernet below the rates of the catalog."""
_BOARD = re.compile(r"(?i)\b([DH]GX)[ -]?(1|2|[AHB][123]00)\b")
_END = re.compile(r"[.!?;](?=\s|$)|\n")
_NEAR = 40
"""Letters between a rate and the word that makes it a port's."""


@dataclass(frozen=True, slots=True)
class Port:
    """Gb/s of a port, and its generation of InfiniBand where the text names that."""

    gbit_per_s: int
    generation: str = ""


def port_of(text: str) -> Port | None:
    """The port that a text names, by its generation before its rate; None for several or none."""
    generations = {
        Port(int(match.group(2) or GENERATIONS[match.group(1)]), match.group(1))
        for match in _GENERATION.finditer(text)
    }
    rates = {Port(int(match.group(1))) for match in _RATE.finditer(text) if _is_port(text, match)}
    rates |= {Port(round(8 * float(match["bytes"]))) for match in _PEAK.finditer(text)}
    known = (*RATES, *OLD_RATES) if generations else RATES
    ports = {port for port in generations or rates if port.gbit_per_s in known}
    if len(ports) > 1:
        return _of_a_bond(ports) if _BOND.search(text) else None
    return next(iter(ports), None)


def slow_port(text: str) -> int:
    """Gb/s of the one port below 100 that a text names; 0 without."""
    rates = {int(match.group(1)) for match in _SLOW.finditer(text)}
    return rates.pop() if len(rates) == 1 else 0


def board_of(text: str) -> str:
    """The one board of GPUs with NICs of its own that a text names, as ``dgxa100``; empty without."""
    boards = {(match[1] + match[2]).lower() for match in _BOARD.finditer(text)}
    return boards.pop() if len(boards) == 1 else ""


def _of_a_bond(ports: set[Port]) -> Port | None:
    """The bond of two ports, where a text tells the rate of one and of both; None of other rates."""
    one, *more = sorted(ports, key=lambda port: port.gbit_per_s)
    return more[0] if len(more) == 1 and more[0].gbit_per_s == _BONDED * one.gbit_per_s else None


def _is_port(text: str, match: re.Match[str]) -> bool:
    """Whether a rate is told of a port, and not as a measured one."""
    start, end = match.span()
    before = _END.split(text[max(0, start - _NEAR) : start])[-1]
    after = _END.split(text[end : end + _NEAR])[0]
    return bool(_PORT_WORD.search(before + match.group() + after)) and not _MEASURED.search(before)
