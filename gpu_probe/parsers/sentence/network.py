"""The network between nodes as prose states it: NICs with their number, or a port's rate alone."""

import re

from core.measurement import Observation
from gpu_probe.parsers.sentence.adapters import kind_of, stated_adapters
from gpu_probe.parsers.sentence.port import port_of

_SLOW = re.compile(r"(?i)(?<![\w.])(1|10|25|40|50) ?(?:GbE|(?:Gb|Gbps|Gb/s|Gbit/s|G) ?Ethernet)\b")
"""Ethernet below the rates of the catalog; other numbers before a G are memory."""
_MEASURED = re.compile(
    r"(?i)\b(?:bus|alg(?:o|orithm)?)[ _]?(?:bw|bandwidth)[ :=]{0,3}(?:(?:is|was|of|only|about) ){0,2}[~≈]?"
    r"\d{2,4}(?:\.\d{1,3})? ?G\w*(?:/s)?"
)
_OTHER_NETWORK = re.compile(
    r"(?i)[^,;.:\n]*\b(?:storage|management|mgmt|front-?end|north-south|BMC|NFS|uplinks?|internet)\b[^,;.:\n]*"
)
"""Clauses on a network that collectives do not use."""
_IBSTATUS = re.compile(r"(?im)^\s*rate:\s.*$")
"""A port as it is, not as it should be."""


def stated_network(text: str, line: int) -> tuple[Observation, ...]:
    """The NICs of a node that a text states; 0 of them where it states only the rate of a port."""
    return stated_adapters(text, line) or _unnumbered(_MEASURED.sub(" ", _IBSTATUS.sub("", text)), line)


def _unnumbered(text: str, line: int) -> tuple[Observation, ...]:
    text = _OTHER_NETWORK.sub(" ", text)
    port = port_of(text)
    slow = {int(match.group(1)) for match in _SLOW.finditer(text)} if port is None else set()
    rate = port.gbit_per_s if port is not None else slow.pop() if len(slow) == 1 else 0
    if not rate:
        return ()
    kind = "IB" if port is not None and port.generation else "RoCE" if slow else kind_of(text)
    return (Observation("nics_stated", f"0 {rate} {kind}", "", line),)
