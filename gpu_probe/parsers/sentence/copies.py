"""Copies between two GPUs, or with the host, told in a sentence: ``GPU0-GPU1 = 742 GB/s, bidirectional``."""

import re
from dataclasses import dataclass

from core.measurement import Matrix, Run
from core.units import GB
from gpu_probe.parsers.sentence.kept_data import is_of_kept_data
from gpu_probe.parsers.sentence.machine import gpu_in
from gpu_probe.parsers.sentence.passages import Passages, around
from gpu_probe.parsers.sentence.rate import VERB, Rate, all_rates, is_note

_PAIR = re.compile(
    r"(?i)\bbetween (?:the |my |our |each |any |those |a )?(?:two|2|both|pairs? of|neighbou?ring)? ?"
    r"(?:[\w-]+ ){0,2}(?:GPUs?|cards)\b|\bGPU ?\d ?(?:-|<?-+>|to|and|<>|\u2192) ?GPU ?\d"
    r"|\bp2p\w*|\bpeer[ -]to[ -]peer\b|\bsend/?[ _-]?recv\w*"
    r"|\b(?:over|via|through|across) (?:the )?NV-?Link\b|\bVRAM ?(?:<?-+>|to|and|<>) ?VRAM\b"
)
_VRAM = re.compile(r"\bVRAM\b")
_NETWORK = re.compile(
    r"(?i)\b(?:RDMA|NICs?|HCAs?|InfiniBand|IB|RoCE\w{0,3}|EFA|CX-?\d|ConnectX\S{0,3}|GPU ?Direct\S{0,8}"
    r"|TCPXO?|(?:inter|cross|two|2|multi)-?node|(?:two|2|between) (?:nodes|hosts|machines|servers))\b"
    r"|(?-i:\b\d{2,3} ?G(?:b\S{0,4}|bps)\b)"
)
"""Words by which memory of two GPUs may be that of two machines."""
_LOCAL = re.compile(
    r"(?i)\blocal (?:memory )?cop(?:y|ies)\b|\b(?:same|single|one) (?:node|host|machine|server)\b"
    r"|\b127\.0\.0\.1\b|\blocalhost\b"
)
_BETWEEN_NODES = re.compile(
    r"(?i)\b(?:inter|cross)-?nodes?\b|\bbetween (?:(?:the|two|2|both) )?(?:[\w-]+ ){0,2}"
    r"(?:nodes|hosts|machines|servers)\b"
)
_STAGED = re.compile(
    r"(?i)\b(?:P2P|peer(?: access)?)[ =:]{1,3}(?:is |was )?(?:disabled|off)\b|\bwithout P2P\b"
)
_HOST = re.compile(
    r"(?i)\b(?:host[ -]to[ -]device|device[ -]to[ -]host|H2D|D2H|bandwidthTest)\b"
    r"|\bVRAM ?(?:<?-+>|to) ?DRAM\b|\bDRAM ?(?:<?-+>|to) ?VRAM\b"
    r"|\b(?:CPU|host|system)(?: memory| RAM)? ?(?:<?-+>|to) ?(?:the )?(?:GPU|device)s?\b"
    r"|\b(?:GPU|device) ?(?:<?-+>|to) ?(?:the )?(?:CPU|host|system)(?: memory| RAM)?\b"
    r"|\b(?:pageable|paged|pinned|page-locked)\b[^.\n]{0,20}\b(?:memory|buffers?|copy|copies|transfers?|allocs?)\b"
    r"|\bcudaMemcpy(?:Async)?\b|\bpin_memory\b"
)
_BETWEEN_HOST = re.compile(r"(?i)\bbetween (?:the )?(?:host|CPU) and (?:the )?(?:device|GPU)s?\b")
_GPU_NUMBER = re.compile(r"(?i)\b(?:GPU|device) ?#?(\d{1,2})\b(?! ?[x×])")
_TWO = 2
_SLOT = re.compile(r"(?i)\bPCI-?e ?(?:Gen ?)?([345])(?:\.0)?(?: ?x ?16)?\b(?! ?x ?[1248]\b)")
_NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,3})?")
_TO_HOST = re.compile(
    r"(?i)\b(?:(?:device|GPU)[ -](?:to|->)[ -](?:the )?(?:host|CPU|system)|D2H)\b|\bVRAM ?(?:-+>|to) ?DRAM\b"
)
_ANY_SLOT = "card on PCIe 3.0"
"""Stands for a card that nothing names, where a copy is slower than four lanes of that generation carry."""
_ANY_SLOT_BYTES_PER_S = 2.5 * GB
_ITSELF = re.compile(r"(?i)\bGPU ?(\d) ?(?:-|<?-+>|to|and|<>) ?GPU ?\1\b[^\n\d]{0,12}$")
_BOTH = re.compile(r"(?i)\bbi-?dir\w*|\bboth (?:ways|directions)\b|\bduplex\b")
_ONE = re.compile(r"(?i)\buni-?dir\w*|\bone[ -](?:way|direction)\b|\bsingle direction\b|\bper direction\b")
_RATED = re.compile(
    r"(?i)\b(?:total|nominal|rated|aggregated?|line rate|fabric|memory)\b[^,;]{0,30}$"
    r"|\bPCI-?e ?(?:Gen ?)?[3-6](?:\.0)?(?: ?x ?\d{1,2})?[ :=(]{1,3}$"
    r"|\b(?:has|have)\b[^,;]{0,12}$|\bwith (?:an? |its )?peaks? (?:\w+ )?$"
)
"""What a link is said to have, not what was measured."""
_RAN = re.compile(
    r"(?i)\b(?:avg|average)\b|\bp2p\w*Test\b|\bnvbandwidth\b|\bbandwidthTest\b"
    r"|\b(?:my|our|instead of|cop(?:y|ies))\b|=\s*$|:\s*$"
)
"""Beside the verbs of measuring: a tool, one's own machine, a value behind its name."""
_WAYS = ("both_ways", "one_way")
_NEXT = re.compile(r"[,;]|\band\b|\d")
_UNIT = re.compile(r"^\S+ ?[KMGT]i?B(?:/s(?:ec)?|ps)")
_OF_MEMORY = re.compile(r"(?i)^ of (?:\w+ )?(?:memory|DRAM|RAM|HBM\d?\w?|DDR\d)\b")
_LIST = re.compile(
    r"(?<![\w.])((?:\d{1,4}(?:\.\d{1,3})?, ?){1,15}\d{1,4}(?:\.\d{1,3})?,? (?:and|&) \d{1,4}(?:\.\d{1,3})?"
    r"|\d{1,4}\.\d{1,3}(?:[,/] ?\d{1,4}\.\d{1,3}){1,15}) ?(GB/s)(?![\w/])"
)
"""``14.2, 57.1, 56.7 and 57.1 GB/s``: a rate of each GPU."""
_LIMIT = re.compile(r"(?i)\btheoretical\b[^.;\n\d]{0,30}(\d{2,5}(?:\.\d{1,3})?) ?GB/s")
_LINK = re.compile(
    r"(?i)\b(?:spec\w*|datasheet|theoretical|nominal|rated)\b[^.;\n]{0,60}?\bNV-?Link\b[^.;\n\d]{0,30}"
    r"(\d{2,4}(?:\.\d)?) ?GB/s"
)
"""What a document gives to the NVLink of a pair, which may be some of a GPU's links."""
_OLD_SLOT = re.compile(r"(?i)\bPCI-?e ?(?:Gen ?([12])(?!\d)|([12])\.[01])(?: ?x ?(16|8|4))?\b")
_OLD_LANE_BYTES_PER_S = {"1": 0.25 * GB, "2": 0.5 * GB}
"""One lane of PCIe before the generations of the catalog (8b/10b: 2.5 and 5 GT/s)."""
_LANES = re.compile(
    r"(?i)\b(?:PCI-?e|gen) ?(?:gen ?)?[3-6]?(?:\.0)?[ @]{0,2}x ?([1248])\b"
    r"|(?<!\d)\bx([1248]) (?:slots?|links?|mode|lanes?|electrical|risers?)\b"
)
"""Lanes of a slot, where they are fewer than a card has."""
_ABOVE_LIMIT = 2.1
"""Times a rate that the text calls theoretical, both directions counted: more is no copy over that link."""
_PROGRAMS_MOST = 3
"""Rates of one copy by several programs, or before and after a change."""
_REPEAT = 0.8
"""Of the fastest copy of a row: a program's own copies lose so much to its bookkeeping."""
_SMALL = re.compile(r"(?<![\w.])\d{1,4}(?:\.\d{1,2})? ?(?:[kK]i?B|[kK] bytes)\b(?! ?/ ?s)")
"""The size of a copy that its start takes longer than the link."""
_BEFORE = 60
_LINES_MOST = 30
"""More than these are a document, whose words need not be of one another."""


@dataclass(frozen=True, slots=True)
class ToldCopy:
    """A copy's rate (bytes/s), as a matrix that a tool would print, and where it stands in the text."""

    matrix: Matrix
    told: str
    passages: Passages


def fastest_of_rows(runs: list[tuple[str, Run]]) -> list[Run]:
    """
    The runs of a table's cells without copies that a program makes nearly as fast as the link's own test.

    Args:
        runs: Each with the name of its row; copies of one row and direction are of one link.
    """
    best: dict[tuple[str, str], float] = {}
    for row, run in runs:
        for name, rate in _single(run):
            best[row, name] = max(rate, best.get((row, name), 0.0))
    return [
        run
        for row, run in runs
        if not any(_REPEAT * best[row, name] <= rate < best[row, name] for name, rate in _single(run))
    ]


def _single(run: Run) -> list[tuple[str, float]]:
    """Name and rate of a run's copies with the host; none of others."""
    cells = [(matrix.name, matrix.values[0][0]) for matrix in run.matrices if "host" in matrix.name]
    return [(name, cell) for name, cell in cells if isinstance(cell, float)]


def names_copies(text: str) -> bool:
    """Whether a text speaks of copies between GPUs or with the host."""
    return any(pattern.search(text) is not None for pattern in (_PAIR, _HOST, _BETWEEN_HOST))


def link_stated(text: str) -> float:
    """Bytes/s that a text gives to NVLink between two of its GPUs, or to a slot of PCIe 1 or 2; 0 without."""
    stated = {float(match.group(1)) * GB for match in _LINK.finditer(text)}
    stated |= {
        _OLD_LANE_BYTES_PER_S[match.group(1) or match.group(2)] * int(match.group(3) or 16)
        for match in _OLD_SLOT.finditer(text)
    }
    return stated.pop() if len(stated) == 1 else 0.0


def lanes_stated(text: str) -> int:
    """Lanes of the slot of a card where a text states fewer than 16; 0 without, or of several slots."""
    lanes = {int(match.group(1) or match.group(2)) for match in _LANES.finditer(text)}
    return lanes.pop() if len(lanes) == 1 else 0


def slot_card(told: tuple[ToldCopy, ...], text: str) -> str:
    """The name of a card of which a text tells the slot alone, for copies with the host; else empty."""
    if not gpu_in(text) and _is_below_any_slot(told):
        return _ANY_SLOT
    slots = {match.group(1) for match in _SLOT.finditer(text)}
    of_host = all(copy.matrix.rows != copy.matrix.columns or len(copy.matrix.rows) == 1 for copy in told)
    return f"card on PCIe {slots.pop()}.0" if of_host and len(slots) == 1 else ""


def _is_below_any_slot(told: tuple[ToldCopy, ...]) -> bool:
    """Whether a copy with the host is low whatever the card and its slot."""
    cells = [copy.matrix.values[0][0] for copy in told if "host" in copy.matrix.name]
    slowest = min((cell for cell in cells if isinstance(cell, float)), default=float("inf"))
    return len(cells) == len(told) and slowest < _ANY_SLOT_BYTES_PER_S


def copies_of(text: str) -> tuple[ToldCopy, ...]:
    """
    The one rate of a copy that a text tells, or one of each direction.

    None where it tells several of a direction, or of something else. Where no direction is named
    the rate is taken as unidirectional, and it is said so.
    """
    of_two = _VRAM.search(text) and _NETWORK.search(text) and not _LOCAL.search(text)
    if text.count("\n") > _LINES_MOST or of_two:
        return ()
    if listed := _listed(text):
        return listed
    told = {
        rate.bytes_per_s: rate
        for rate in all_rates(text)
        if not is_of_kept_data(rate.passages.sentence)
        and not any(
            pattern.search(rate.passages.sentence[: rate.passages.place][-_BEFORE:])
            for pattern in (_ITSELF, _RATED)
        )
    }
    rates = list(told.values())
    limit = max((float(number) * GB for number in _LIMIT.findall(text)), default=float("inf"))
    if not rates or min(told) <= 0 or max(told) > _ABOVE_LIMIT * limit or not any(map(_is_measured, rates)):
        return ()
    directions = _ways(rates)
    copies = [_copy(rate, way) for rate, way in zip(rates, directions, strict=True)] if directions else []
    found = tuple(copy for copy in copies if copy is not None)
    return found if len(found) == len(rates) else ()


def _listed(text: str) -> tuple[ToldCopy, ...]:
    """The copies with the host of several GPUs, whose rates a text lists; none of lists of other things."""
    lists = list(_LIST.finditer(text))
    if len(lists) != 1:
        return ()
    passages = around(text, lists[0].start(), lists[0].end())
    if not (_HOST.search(passages.sentence) or _BETWEEN_HOST.search(passages.sentence)):
        return ()
    values = tuple(float(number) * GB for number in _NUMBER.findall(lists[0].group(1)))
    to_host = _TO_HOST.search(passages.sentence)
    name = "device_to_host_memcpy" if to_host else "host_to_device_memcpy"
    columns = tuple(map(str, range(len(values))))
    matrix = Matrix(name, "bandwidth", "one_way", None, ("0",), columns, (values,))
    told = f"copies {'to' if to_host else 'from'} the host, of {len(values)} GPUs"
    return (ToldCopy(matrix, told, passages),) if min(values) > 0 else ()


def _ways(rates: list[Rate]) -> list[str]:
    """The direction of each rate, empty for one that names none; no list where they are not clear."""
    if len(rates) == 1:
        said = rates[0].passages.nearest(_directions)
        return [next(iter(said), "")] if len(said) < len(_WAYS) else []
    behind = [_directions(_NEXT.split(_behind(rate), maxsplit=1)[0]) for rate in rates]
    ways = [next(iter(said)) for said in behind if len(said) == 1]
    if len(ways) == len(rates) == len(set(ways)):
        return ways
    with_host = all(
        _ends(rate.passages.sentence) == {"host"} or not _PAIR.search(rate.passages.text) for rate in rates
    )
    return ["one_way"] * len(rates) if with_host and not any(behind) and len(rates) <= _PROGRAMS_MOST else []


def _copy(rate: Rate, way: str) -> ToldCopy | None:
    passages = rate.passages
    ends = _ends(passages.clause) or _ends(passages.sentence) or _ends(passages.text)
    if len(ends) != 1:
        return None
    said, way = "" if way else ", taken as unidirectional", way or "one_way"
    value = rate.bytes_per_s
    if "host" in ends:
        return _to_or_from_host(value, way, said, rate.passages)
    direct = "P2P=Disabled" if _STAGED.search(passages.sentence) else "P2P"
    name = f"{'Bi' if way == 'both_ways' else 'Uni'}directional {direct} bandwidth"
    matrix = _between(name, way, value, passages)
    return ToldCopy(matrix, f"copies between two GPUs{said}", rate.passages)


def _between(name: str, way: str, value: float, passages: Passages) -> Matrix:
    """The copy between the two GPUs that a passage numbers, the first two where it numbers none."""
    parts = (passages.clause, passages.sentence)
    numbers = next(
        (said for part in parts if len(said := {int(n) for n in _GPU_NUMBER.findall(part)}) > 1), set()
    )
    one, other = sorted(numbers) if len(numbers) == _TWO else (0, 1)
    names = tuple(map(str, range(other + 1)))
    pair = {(one, other), (other, one)}
    cells = tuple(
        tuple(value if (row, column) in pair else None for column in range(other + 1))
        for row in range(other + 1)
    )
    return Matrix(name, "bandwidth", way, None, names, names, cells)


def _behind(rate: Rate) -> str:
    return _UNIT.sub("", rate.passages.sentence[rate.passages.place :], count=1)


def _is_measured(rate: Rate) -> bool:
    """Whether its sentence tells of a copy that ran, not of what a link or memory has."""
    before = rate.passages.sentence[: rate.passages.place]
    behind = _behind(rate)
    note = is_note(rate.passages.text) and _HOST.search(before[-_BEFORE:]) is not None
    told = note or VERB.search(rate.passages.sentence) or _RAN.search(before) or _RAN.search(behind)
    small = _SMALL.search(rate.passages.sentence) is not None
    return bool(told) and not small and _OF_MEMORY.search(behind) is None


def _to_or_from_host(value: float, way: str, said: str, passages: Passages) -> ToldCopy | None:
    if way == "both_ways":
        return None
    to_host = _TO_HOST.search(passages.clause) or _TO_HOST.search(passages.sentence)
    name = "device_to_host_memcpy" if to_host else "host_to_device_memcpy"
    matrix = Matrix(name, "bandwidth", way, None, ("0",), ("0",), ((value,),))
    return ToldCopy(matrix, f"copies {'to' if to_host else 'from'} the host{said}", passages)


def _ends(part: str) -> set[str]:
    """``host`` or ``pair``, as far as a passage tells between what the copy runs."""
    host = _HOST.search(part) or _BETWEEN_HOST.search(part)
    pair = _PAIR.search(part) is not None and _BETWEEN_NODES.search(part) is None
    return {"host"} if host else {"pair"} if pair else set()


def _directions(part: str) -> set[str]:
    both, one = _BOTH.search(part), _ONE.search(part)
    return {way for way, found in (("both_ways", both), ("one_way", one)) if found}
