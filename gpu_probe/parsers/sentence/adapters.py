"""NICs of a node as a text names them: ``4x200G``, ``one HDR 200G IB card``, ``8 NDR NICs``."""

import re
from dataclasses import dataclass

from core.measurement import Observation

_COUNT = r"(?<![\w.,/-])(?P<count>\d{1,2}|an?|one|single|two|three|four|six|eight)"
_COUNTS = {"a": 1, "an": 1, "one": 1, "single": 1, "two": 2, "three": 3, "four": 4, "six": 6, "eight": 8}
GENERATIONS = {"QDR": 40, "FDR": 56, "EDR": 100, "HDR": 200, "NDR": 400, "XDR": 800}
"""Gb/s of four lanes of InfiniBand's generations."""
UNIT = r"(?-i:[Gg]b(?:[Ee]|ps|its?/s|its?|/s(?:ec)?)?|GBE|G)"
"""Bits, not bytes: a GB is memory or a disk."""
NOT_MEMORY = r"(?! ?(?:of )?(?:memory|HBM|VRAM|D?RAM|SSDs?|NVMe|disks?|swap)\b)"
_SPEED = rf"(?P<rate>\d{{2,3}}) ?{UNIT}(?![\w/]){NOT_MEMORY}"
_MAKER = (
    r"(?:(?:Mellanox|NVIDIA|Intel|Broadcom|ConnectX-?\d|CX-?\d|IB|InfiniBand|RoCE|Ethernet"
    r"|Slingshot(?:[ -]?11)?|network) ){0,3}"
)
_CARD = r"(?:NICs?|HCAs?|(?:IB |network |NIC |InfiniBand )?(?:cards?|adapters?|ports?)|ConnectX-?\d|CX-?\d)\b"
_MADE = r"(?:(?:Mellanox|ConnectX-?\d|CX-?\d|IB|InfiniBand|RoCE|EFA)[ ,(@]{1,3}){1,4}(?:at )?"
_GENERATION = r"(?P<generation>EDR|HDR|NDR|XDR)"
_FORMS = tuple(
    re.compile(rf"(?i){form}")
    for form in (
        rf"{_COUNT} ?(?:x|×|\*) ?{_MAKER}{_SPEED}",
        rf"\((?P<count>\d{{1,2}})\) {_SPEED}",
        rf"{_COUNT} (?:x )?{_MAKER}(?:{_GENERATION} )?{_MAKER}{_SPEED} ?{_MAKER}{_CARD}",
        rf"{_COUNT} (?:x )?{_MAKER}{_GENERATION}(?:\d{{3}})? {_MAKER}{_CARD}",
        rf"(?<!\()(?<!sec \(){_COUNT} ?(?:x|×|\*) ?{_MAKER}{_GENERATION}(?:\d{{3}})?(?![\w)])",
        rf"{_COUNT} {_MAKER}{_CARD}[^.;,\n]{{0,24}}?{_SPEED}",
        rf"{_COUNT} (?:x )?(?:NVIDIA )?{_MADE}{_SPEED}",
    )
)
_ETHERNET = re.compile(r"(?i)\broce|ethernet|\bintel\b|GbE\b")
_SLINGSHOT = re.compile(r"(?i)\bslingshot\b")
_NODE_MOST = 32
RATES = (100, 200, 400, 800)
"""Gb/s of NICs; other numbers before a G are memory."""
OLD_RATES = (40, 56)
"""Likewise where the generation is named."""


@dataclass(frozen=True, slots=True)
class Adapters:
    """NICs of a node: how many, Gb/s of each, ``IB``, ``RoCE`` or ``Slingshot``."""

    count: int
    gbit_per_s: int
    kind: str


def adapters_of(text: str) -> Adapters | None:
    """The NICs of a node that a text names; None where it names none, or several numbers of them."""
    said = {stated for form in _FORMS for match in form.finditer(text) if (stated := _stated(match))}
    if len(said) != 1:
        return None
    count, rate = said.pop()
    return Adapters(count, rate, kind_of(text))


def kind_of(text: str) -> str:
    """The kind of network that a text names, InfiniBand where it names none."""
    return "Slingshot" if _SLINGSHOT.search(text) else "RoCE" if _ETHERNET.search(text) else "IB"


def _stated(match: re.Match[str]) -> tuple[int, int] | None:
    parts = match.groupdict()
    word = parts["count"].lower()
    count = _COUNTS.get(word) or (int(word) if word.isdecimal() else 0)
    generation = (parts.get("generation") or "").upper()
    rate = int(parts.get("rate") or 0) or GENERATIONS.get(generation, 0)
    return (count, rate) if 0 < count <= _NODE_MOST and rate in RATES else None


def stated_adapters(text: str, line: int) -> tuple[Observation, ...]:
    """The NICs of a node that a text states, as an observation; none where it states none, or several."""
    stated = adapters_of(text)
    if stated is None:
        return ()
    value = f"{stated.count} {stated.gbit_per_s} {stated.kind}"
    return (Observation("nics_stated", value, "", line),)
