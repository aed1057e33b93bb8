"""Rates of pairs of hosts as people list them, ``n3,n7  49.3``: one host that is slow with every partner."""

import re
from collections import defaultdict
from collections.abc import Iterable

from core.units import GB

_PAIR = re.compile(
    r"[-*\s]{0,6}(?P<one>[A-Za-z][\w.-]{1,60}?)\s?(?:,|<-+>|-+>|/|&|\s(?:and|to|-)\s|\s)\s?"
    r"(?P<other>[A-Za-z][\w.-]{1,60})"
    r"\s{0,20}[:=|]?\s{1,20}(?P<rate>\d{1,4}(?:\.\d{1,3})?)(?: ?GB/s)?\s{0,8}(?:#.{0,80})?"
)
_IN_WORDS = re.compile(
    r"(?i)\b(?:between|nodes?|hosts?|servers?|machines?|pair)(?: (?:nodes?|hosts?|servers?|machines?))? "
    r"(?P<one>[\w.-]{1,30}) ?(?:\+|&|and|<-+>|-+>|to) ?(?:(?:node|host|server|machine) )?"
    r"(?P<other>[\w.-]{1,30})"
    r"(?: ?[(:=]| (?:is|was|gets|reaches|shows)(?: only)?) ?[~≈]?(?P<rate>\d{1,4}(?:\.\d{1,3})?) ?GB/s"
)
"""``between nodes 1 + 2 (25 GB/s)``."""
_PAIRS_LEAST, _SLOW_SHARE = 3, 0.8


def weak_host(lines: Iterable[str]) -> str:
    """The host that is slow in all its pairs where pairs without it are not, in words; empty without one."""
    pairs = [match for line in lines if (match := _PAIR.fullmatch(line)) and _names_hosts(match)]
    if len(pairs) < _PAIRS_LEAST:
        return ""
    best = max(float(match["rate"]) for match in pairs)
    slow_of: dict[str, list[bool]] = defaultdict(list)
    for match in pairs:
        slow = float(match["rate"]) < _SLOW_SHARE * best
        slow_of[match["one"]].append(slow)
        slow_of[match["other"]].append(slow)
    weak = [name for name, slow in slow_of.items() if all(slow) and len(slow) > 1]
    others = [match for match in pairs if not {match["one"], match["other"]} & set(weak)]
    sound = all(float(match["rate"]) >= _SLOW_SHARE * best for match in others)
    if len(weak) != 1 or not others or not sound:
        return ""
    count = len(slow_of[weak[0]])
    return f"{weak[0]} is slow in {count} of its {count} pairs here"


def pairs_in_words(text: str) -> list[tuple[str, float]]:
    """Pairs of hosts and the rate (bytes/s) that a sentence gives each; none of fewer than two pairs."""
    pairs = {
        f"{match['one']} and {match['other']}": float(match["rate"]) * GB
        for match in _IN_WORDS.finditer(text)
        if any(letter.isdigit() for letter in match["one"] + match["other"])
    }
    return list(pairs.items()) if len(pairs) > 1 and min(pairs.values()) > 0 else []


def _names_hosts(match: re.Match[str]) -> bool:
    """Whether both names carry a number, as those of hosts do; other words are a sentence."""
    return all(any(letter.isdigit() for letter in match[name]) for name in ("one", "other"))
