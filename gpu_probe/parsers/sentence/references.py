"""Rates that a text gives as a yardstick: of the asker's other machines, or of this one before a change."""

import re
from collections.abc import Iterator

from core.units import GB
from gpu_probe.parsers.sentence.machine import gpu_in, names_nodes
from gpu_probe.parsers.sentence.rate import Rate, is_of_others, rates_with_passages

CHANGED = re.compile(
    r"(?i)\b(?P<verb>(?:drop|fell|fall|went|go|decreased?|degrad|reduc|slow|declin|regress|chang|improv|increased?"
    r"|ris|rose)\w{0,5})(?P<words>(?: \w+){0,4}?) from (?:~|about |around |over |some )?"
    r"(?P<old>\d{1,5}(?:\.\d{1,3})?) ?(?P<unit>[GM]B/s|GBps)?,? (?:down |up )?to "
    r"(?:~|about |around |only |just |merely )?"
    r"(?P<new>\d{1,5}(?:\.\d{1,3})?) ?(?P<last>[GM]B/s|GBps)(?![\w/])"
)
"""``dropped from 380 to 230 GB/s``."""
_SAME_KIND = (
    r"(?:nodes?|pairs?|machines?|servers?|hosts?|clusters?|systems?|GPUs|VMs?|containers?|setups?|boxes)"
)
_REFERENCE = re.compile(
    rf"(?i)\b(?:bare[ -]?metal|(?:(?:an|the |our |my |all )?other|second|another|healthy|good|working"
    rf"|identical|remaining|unaffected) (?:\w+ )?{_SAME_KIND}"
    r"|before(?! (?:that|disabling|enabling|setting|fix))|previous(?:ly)?|formerly"
    r"|used to (?:be|get|reach|see|have|run)|last (?:week|month|year)"
    r"|old(?:er)? (?:driver|version|kernel|image|release|nccl|rccl|firmware)"
    r"|outside (?:of )?the (?:VM|container)|native(?:ly)?|directly on the host)\b"
)
_OF_OTHERS = re.compile(
    r"(?i)\b(?:theor\w*|ideal\w*|spec\w*|datasheet|expect\w*|should|blog|paper|nvidia says|docs?|H2D|D2H"
    r"|memcpy|nvbandwidth|p2p\w*|HBM|iperf\d?|ib_\w+|perftest|disk|storage|NVMe)\b"
)


def restated(line: str) -> str:
    """A change ``from A to B`` as B, with A as what it was formerly."""
    return CHANGED.sub(_restated, line)


def _restated(match: re.Match[str]) -> str:
    unit = match["unit"] or match["last"]
    words = f"{match['verb']}{match['words']} to {match['new']} {match['last']}"
    return f"{words}; formerly {match['old']} {unit}"


def references(text: str) -> Iterator[tuple[float, str]]:
    """Rates (GB/s) that other machines of the asker reach, or this one did, with the words that say so."""
    gpu = gpu_in(text)
    for rate in rates_with_passages(text):
        clause = _own_clause(rate)
        said = _REFERENCE.search(clause)
        if said is None or rate.bytes_per_s <= 0 or rate.in_bits or _OF_OTHERS.search(clause):
            continue
        if is_of_others(clause):
            continue
        named = gpu_in(clause)
        if not names_nodes(clause) and (not named or named == gpu):
            yield rate.bytes_per_s / GB, " ".join(said.group().split()).lower()


def _own_clause(rate: Rate) -> str:
    """The clause of a rate; what stands between brackets is one of its own."""
    sentence, place = rate.passages.sentence, rate.passages.place
    opened = sentence.rfind("(", 0, place)
    if opened >= 0 and ")" not in sentence[opened:place]:
        return sentence[opened:].split(")")[0]
    return re.sub(r"\([^()]*\)", " ", rate.passages.clause)
