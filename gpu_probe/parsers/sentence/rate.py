"""The rate that a text calls measured; none where another thing may be meant."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from core.units import GB, GIB, MB, MIB
from gpu_probe.parsers.limits import RATES_MOST
from gpu_probe.parsers.sentence.machine import MODEL
from gpu_probe.parsers.sentence.passages import Passages, around

NICS = re.compile(r"(?i)\b(\d{1,2}) ?(?:x|×|\*) ?(\d{2,3}) ?(?:GbE|Gbps|Gb/s|Gbit/s|Gb|G)(?![\w/])")
"""NICs of a node: 4x200G."""
SUBJECT = re.compile(
    r"(?i)\b(?:bus[ _]?bw|bus ?bandwidth|alg(?:o|orithm)?[ _]?bw|[nr]ccl|all[\s_-]?(?:reduce|gather"
    r"|to[\s_-]?all)"
    r"|reduce[\s_-]?scatter)(?![a-z])"
)
_COLLECTIVE = re.compile(r"(?i)\ball[\s_-]?(?:reduce|gather|to[\s_-]?all)")
_RATE = re.compile(
    r"(?i)(?<![\w.,])(?<![\s:=(]-)(\d{1,6}(?:\.\d{1,6})?)\+? ?"
    r"(GB/s(?:ec)?|GBps|GBytes?/s(?:ec)?|Gb/s(?:ec)?|Gbps|Gbits?/s(?:ec)?|MB/s(?:ec)?|MBytes?/s(?:ec)?"
    r"|Mb/s(?:ec)?|Mbps|Mbits?/s(?:ec)?|GiB/s(?:ec)?|MiB/s|MBps|TB/s|Tb/s|Tbps)(?![\w/])"
)
_OUT_OF = re.compile(
    r"(?i)(?: ?/ ?| out of (?:the )?)\d{1,5}(?:\.\d{1,3})? ?[GT]B/s[^,;()\n]{0,40}?"
    r"\b(?:theoretical|peak|max(?:imum)?|ideal|nominal|line rate)\b"
)
"""``54 GB/s / 63 GB/s theoretical``: what a rate is compared with."""
_CONVENTION = re.compile(
    r"(?i)\b(?:(bus[ _]?bw|bus ?(?:bandwidth|b/w))|alg(?:o|orithm)?[ _]?(?:bw|bandwidth))(?![a-z])"
)
VERB = re.compile(
    r"(?i)\b(?:get|gets|got|getting|see|sees|saw|seeing|measur(?:e|es|ed|ing)|reach(?:es|ed|ing)?"
    r"|achieve[sd]?|achieving"
    r"|obtain(?:s|ed|ing)?|observe[sd]?|observing|shows?|showing|reports?|gives?|giving|yields?"
    r"|tops? out|capped|stuck"
    r"|hits?|hitting|average[sd]?|delivers?|ours|mine|only|bandwidth|performance|throughput"
    r"|bus[ _]?bw|alg(?:o)?[ _]?bw)\b"
)
_PERSON = re.compile(
    r"(?i)\b(?:I|we)(?: am|'m| are|'re| have|'ve)?(?: \w+){0,2}? (?:get|got|getting|see|saw|seen|seeing"
    r"|measured?|reach|reached"
    r"|achieved?|obtain(?:ed)?|observed?)\b|\b(?:ours|mine)\b(?: it| we)? (?:only )?(?:gets?|shows?|gives?)\b"
    r"|^\s*(?:only )?(?:getting|seeing|got|measured)\b"
)
DEVICE = (
    r"HBM\w*|NV-?Links?|NVSwitch|PCI-?e|PCI|NICs?|HCAs?|links?|lanes?|InfiniBand|IB|RoCE|Ethernet"
    r"|EFA|fabric|network"
    r"|interconnect|ports?|switch|memory|RAM|DRAM|DDR\d|CPU"
)
_OTHER = re.compile(
    rf"(?i)\b(?:{DEVICE}|reads?|reading|writes?|writing|download\w*|upload\w*|datasets?"
    rf"|data ?loader|disks?|storage"
    r"|NVMe|SSD|NFS|lustre|S3|checkpoint\w*|copy|copies|copying|copied|scp|rsync|iperf\d?|memcpy"
    r"|cudaMemcpy\w*|H2D|D2H"
    r"|D2D|host[ -]to[ -]device|device[ -]to[ -]\w+|p2p\w*|peer[ -]to[ -]peer|nvbandwidth|ib_\w+"
    r"|perftest|loading"
    r"|load|model|weights|tokenis\w+|tokeniz\w+|per (?:node|link|direction|NIC|port|lane)|bi-?directional\w*"
    r"|uni-?directional\w*|aggregated?|total|combined|each way|both (?:ways|directions))\b"
)
_EXPECTED = re.compile(
    r"(?i)\b(?:expect\w*|theor\w*|ideal\w*|should\w*|would|could|may|might|spec(?:s|ification)?"
    r"|peaks?|max(?:imum)?|minimum|at least|must|threshold|line rate"
    r"|target\w*|goal|want\w*|need\w*|hop(?:e|ing)|suppos\w+|advertise[sd]?|quote[sd]?|claim\w*"
    r"|promise[sd]?|docs?|documentation"
    r"|document\w*|blog\w*|papers?|whitepaper|datasheet|website|guide|readme|others?|another"
    r"|someone|people|colleague\w*"
    r"|previous\w*|before|used to|earlier|formerly|last (?:week|month|year)|how (?:do|can|to)|can i"
    r"|comput\w+|calculate[sd]?|calculation|estimat\w+"
    r"|predict\w*|simulat\w+|models?|upper|limit\w*|bound|requires?|reference|baseline|typical\w*"
    r"|usual\w*|normally"
    r"|if|assume[sd]?|assuming|capable|capacity|up to|example|instead of"
    r"|rather than|out of|vs|versus|compared|than|from"
    r"|half of|fraction of|percent of|nvidia (?:says|reports|states|gets)|had"
    r"|(?:stay|remain|keep)(?:s|ed|ing)? (?:below|under))\b"
    r"|(?<=\d)% of|(?<!-)[<>≥≤]=?\s*$"
)
_CLAIMED = re.compile(
    r"(?i)\b(?:claim\w*|officials?|datasheet|whitepaper|according to|theor\w*"
    r"|spec(?:s|ification)? (?:says?|is)|(?:release notes?|changelog)|published|advertised"
    r"|(?:the|this|that|an?|their|nvidia|amd) (?:papers?|blogs?|article|post|talk|slides?|docs?|documentation"
    r"|guide|readme|reference|release)"
    r"|(?:their|his|her|your|someone else'?s|other people'?s|others'|another \w+'s)(?: own)?"
    r" (?:\w+ )?(?:clusters?|nodes?|machines?|systems?|servers?|setups?|box|results?|numbers?|logs?"
    r"|tables?))\b"
    r"|\b(?:nvidia|amd|dell|supermicro|lambda|coreweave|vendor|friend|colleague|coworker|customer)['\u2019]s\b"
)
"""Words that give a rate to somebody else wherever they stand before it in its clause."""
_IMAGINED = re.compile(
    r"(?i)\b(?:for example|for instance|e\.g|simulat(?:ed|ions?|or)|emulated|hypothetical\w*|shall"
    r"|(?:can|could|will|would)\b[^.?!]{0,120}? ever (?:be|reach|get|hit|show|give)"
    r"|feature request|(?:warn|alert|notify|fail)(?:s|ed|ing)?(?: me| us)? (?:when|if))\b"
)
"""Words that make a sentence's rates those of an example, a simulation, a requirement or a wish."""
_FROM_TO = re.compile(
    r"(?i)\bfrom (?!the (?:docs?|spec|paper|blog))[a-z][a-z \d]{0,24}? to\b(?= (?:the )?[a-z])"
)
"""The ends of a transfer."""
_ASIDE = re.compile(r"\([^()]*\)")
_MOST = re.compile(r"(?i)\b(?:max(?:imum|es out|ed out|ing out)?|peak(?:s|ed|ing)?)\b")
_BEHIND_NAME = re.compile(r"(?:[:=]|->|→) ?[~≈]?$")
"""``all_reduce over 16 nodes: 330 GB/s``: the value behind what was run."""
_NEGATED = re.compile(
    r"(?i)\b(?:not|never|can ?not|unable|fail\w*|nothing"
    rf"|no(?! (?:{DEVICE}|bridges?|P2P|peer)\b))\b|n['\u2019]t\b"
)
_AT_MOST = re.compile(
    r"(?i)(?:\b(?:not|never|can ?not|unable|no)\b|n['\u2019]t\b)[^,;]{0,25}?\b(?:(?:more|better"
    r"|higher|faster) than|above|beyond|past)\b"
)
_OVER = re.compile(rf"(?i)\b(?:over|via|through|across) (?:the )?(?:{DEVICE})\b(?=[^,;]{{0,30}}\b\w+)")
_RANGE = re.compile(r"(?i)\d\s?(?:GB/s )?(?:-|\u2013|~|to|and|/|or|\.\.+)\s?$")
_GAP = re.compile(r"(?i)[,;\n]|\b(?:and|but|while|where|vs|versus|instead|with|than|compared)\b|\d ?[GM]b")
_BEFORE = re.compile(r"(?i)[,;]\s|\b(?:but|now|while)\b|\d ?[GMT]B/s")
_BEHIND = re.compile(
    r"(?i)[,;.?!]|\b(?:and|but|while|where|which|when|with|vs|versus|instead|rather|than|compared|out of"
    r"|on|across|over|from|is|after)\b|\d ?[GMT]b"
)
_CHANGED_BY = re.compile(
    r"(?i)(?:\b(?:los(?:e|es|t|ing)|gain(?:s|ed)?|vari(?:es|ance|ations?)|deviat\w+|std(?: ?dev)?|stdev"
    r"|jitter|spread|differ\w*|delta|gap|fluctuat\w+|within|by)\b[^,;:\d]{0,16}|±|\+/?-)\s*$"
)
_CHANGE = re.compile(
    r"(?i)\s*(?:(?:bus|alg)[ _]?(?:bw|bandwidth) )?(?:lower|less|higher|more|faster|slower|better|worse|below"
    r"|above|short|differences?|variance|variations?|deviation|jitter|spread|loss|drop|gain|improvement)\b"
)
"""Words around an amount by which a rate changes, or varies: it is no rate."""
UNCLEAR = -1.0
"""In place of a rate that may mean two values."""
_NOTE_MOST = 120
_STATES = re.compile(
    r"(?i)\b(?:is|are|was|were|has|have|can|could|should|would|will|may|need\w*|supports?|offers?)\b"
)
_NEAR, _BESIDE, _NEAR_BEHIND = 40, 25, 30


@dataclass(frozen=True, slots=True)
class Rate:
    """A measured rate in bytes/s: its convention, where it stands, whether in bits, whether words name it."""

    bytes_per_s: float
    is_algorithm: bool
    passages: Passages
    in_bits: bool = False
    is_named: bool = True


def measured(text: str) -> list[Rate]:
    """
    The rates that the text calls measured, without repetitions; two conventions are two rates.

    A rate counts beside the word busbw or algbw, or near a word of measuring in a sentence on the
    collective; never where its clause gives it to a link, a disk, a copy, or an expectation.
    """
    plain = MODEL.sub(_blank, NICS.sub(_blank, text))
    rates: dict[tuple[float, bool], Rate] = {}
    matches = [match for match in rates_in(plain) if float(match.group(1)) > 0]
    conventions = _conventions(plain, matches)
    for match in matches:
        around_it = around(plain, match.start(), match.end())
        convention = conventions.get(match.start())
        if is_claimed(match, around_it, is_named=convention is not None):
            continue
        if convention is None:
            of_run = match.group(2)[1] != "b" or _is_of_run(around_it)
            if not of_run or not _is_subject(match, around_it):
                continue
            convention = "alg" in around_it.sentence.lower() and not re.search(
                r"(?i)\bbus", around_it.sentence
            )
        value = _bytes_per_s(match)
        if _ends_range(plain, match):
            value = UNCLEAR
        passages, in_bits = around(text, match.start(), match.end()), match.group(2)[1] == "b"
        is_named = match.start() in conventions or convention
        rates.setdefault((value, convention), Rate(value, convention, passages, in_bits, is_named))
    return list(rates.values())


def all_rates(text: str) -> list[Rate]:
    """The rates of a text that its clauses do not give to an expectation; of whatever they are."""
    plain = _OUT_OF.sub(_blank, NICS.sub(_blank, text))
    found = []
    for match in rates_in(plain):
        passages = around(plain, match.start(), match.end())
        value = UNCLEAR if _ends_range(plain, match) else _bytes_per_s(match)
        if float(match.group(1)) > 0 and not is_claimed(match, passages, is_named=True):
            found.append(Rate(value, is_algorithm=False, passages=passages))
    return found


def rates_in(text: str) -> Iterator[re.Match[str]]:
    """Amounts with the unit of a rate, as many as a text of sentences may hold."""
    return islice(_RATE.finditer(text), RATES_MOST)


def has_more_rates(text: str) -> bool:
    """Whether a text holds more rates than are read."""
    return next(islice(_RATE.finditer(text), RATES_MOST, None), None) is not None


def _ends_range(text: str, rate: re.Match[str]) -> bool:
    """Whether a rate is the second one of ``300-330 GB/s``."""
    return _RANGE.search(text, max(0, rate.start() - _NEAR), rate.start()) is not None


def rates_with_passages(text: str) -> list[Rate]:
    """Every rate of a text where it stands, whatever its clauses say of it."""
    plain = MODEL.sub(_blank, NICS.sub(_blank, text))
    return [
        Rate(
            _bytes_per_s(match),
            is_algorithm=False,
            passages=around(text, match.start(), match.end()),
            in_bits="b" in match.group(2),
        )
        for match in rates_in(plain)
    ]


def _conventions(text: str, rates: list[re.Match[str]]) -> dict[int, bool]:
    """Rates by their places that a word busbw or algbw stands beside; True: algbw."""
    said = {}
    for word in _CONVENTION.finditer(text):
        near = [(gap, -rate.start()) for rate in rates if (gap := _gap(text, word, rate)) is not None]
        if near:
            said[-min(near)[1]] = word.group(1) is None
    return said


def _gap(text: str, word: re.Match[str], rate: re.Match[str]) -> int | None:
    """Characters between a word and a rate; None where they are apart or something stands between."""
    first, last = (word, rate) if word.start() < rate.start() else (rate, word)
    gap = max(0, last.start() - first.end())
    if gap > _BESIDE:
        return None
    between = text[first.end() : last.start()]
    return gap if _GAP.search(between) is None and ". " not in between else None


def is_of_others(text: str) -> bool:
    """Whether a text gives its rates to a document, a vendor or somebody else."""
    return _CLAIMED.search(text) is not None


def is_claimed(rate: re.Match[str], passages: Passages, *, is_named: bool) -> bool:
    """Whether the words of its clause give a rate to something else than what was measured."""
    start, end = passages.place, passages.place + len(rate.group())
    ahead = _FROM_TO.sub(" ", _ASIDE.sub(" ", passages.sentence[:start]))
    before = _BEFORE.split(_AT_MOST.sub(" ", ahead))[-1][-_NEAR:]
    behind = _BEHIND.split(passages.sentence[end:])[0][:_NEAR_BEHIND]
    if is_named:
        before = _MOST.sub(" ", before)
    clause = _BEFORE.split(passages.sentence[:start])[-1]
    if _IMAGINED.search(ahead) or _CLAIMED.search(clause):
        return True
    if _EXPECTED.search(before) or _EXPECTED.search(behind):
        return True
    if _NEGATED.search(before) or _CHANGED_BY.search(ahead) or _CHANGE.match(passages.sentence[end:]):
        return True
    return not is_named and bool(_OTHER.search(_OVER.sub(" ", before)) or _OTHER.search(behind))


def _is_subject(rate: re.Match[str], passages: Passages) -> bool:
    """Whether a word of measuring stands near, in a sentence on the collective or of the one who ran it."""
    start, end = passages.place, passages.place + len(rate.group())
    near = passages.sentence[max(0, start - _NEAR) : end + _NEAR]
    if is_note(passages.text) and SUBJECT.search(passages.sentence[:start][-_NEAR:]) is not None:
        return True
    if SUBJECT.search(passages.sentence) is not None:
        named = _BEHIND_NAME.search(passages.sentence[:start].rstrip()) is not None
        return named or VERB.search(near) is not None
    return SUBJECT.search(passages.text) is not None and _PERSON.search(near) is not None


def is_note(text: str) -> bool:
    """Whether a text is one short line without a verb: ``all_reduce 470 GB/s, 8x H100``."""
    return "\n" not in text and len(text) <= _NOTE_MOST and _STATES.search(text) is None


def _is_of_run(passages: Passages) -> bool:
    """Whether somebody measured a rate in bits, which else is that of a network, in a collective."""
    before = passages.sentence[: passages.place][-_NEAR:]
    return _PERSON.search(before) is not None and _COLLECTIVE.search(passages.sentence) is not None


def _bytes_per_s(rate: re.Match[str]) -> float:
    """The rate; negative where its unit may mean bits or bytes, as gb/s does."""
    unit = rate.group(2)
    in_words = unit[1:4].lower() in ("bit", "byt")
    if unit.startswith(("gb", "mb", "tb")) and not in_words:
        return UNCLEAR
    binary = {"m": MIB, "g": GIB}.get(unit[0].lower(), GIB)
    scale = binary if unit[1] == "i" else {"m": MB, "g": GB, "t": 1000 * GB}[unit[0].lower()]
    in_bits = unit[1:4].lower() == "bit" if in_words else unit[1] == "b"
    return float(rate.group(1)) * (scale / 8 if in_bits else scale)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
