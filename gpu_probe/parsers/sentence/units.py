"""Units of rates as people spell them: ``400 MB / s``, ``84504 (Mb/s)``, a bandwidth of ``44GB``."""

import re

_SPACED = re.compile(
    r"(?<=\d)( ?[KMGT]i?(?:B|b|bits?|[Bb]ytes)) ?/ (s(?:ec)?)\b|(?<=\d)( ?[KMGT]i?[Bb]) /(s)\b"
)
"""A slash with blanks around it."""
_BRACKETED = re.compile(r"(?<=\d) ?\(([KMGT]i?[Bb](?:its?|ytes)?(?:/s(?:ec)?|ps))\)")
_NO_SECOND = re.compile(
    r"(?i)\b((?:bandwidth|throughput|transfer rate|(?:bus|alg)?bw)"
    r"(?: (?:is|was|of|as|reaches|reached|shows?|can (?:only )?reach))?"
    r"(?: (?:also|only|about|around|just|as))*[ :=]{1,3}[~≈]?)"
    r"(\d{1,4}(?:\.\d{1,3})?)\+? ?((?-i:[GM][Bb]))(?=[,;)]|\.?\s*$|\.\s|\s(?:and|but|while|on)\b)"
)
"""``the bandwidth is 44GB``, ``the busbw is only 20+GB``: a bandwidth is never an amount."""


_PLURAL = re.compile(r"(?<=\d)( ?[GM]B)s\b(?!/)")
"""``457GBs``: said of a rate, amounts have no plural."""
_CHINESE = {
    "达不到": "does not reach",
    "不到": "less than",
    "不足": "less than",
    "低于": "less than",
    "应该": "should",
    "应当": "should",
    "目标": "target",
    "期望": "expected",
    "官方": "official",
    "文档": "documentation",
    "标称": "nominal",
    "规格": "spec",
    "磁盘": "disk",
    "硬盘": "disk",
    "存储": "storage",
    "带宽": "bandwidth",
    "吞吐": "throughput",
    "网卡": "NIC",
    "单机": "one node",
    "双机": "two nodes",
    "节点": "nodes",
    "单向": "unidirectional",
    "双向": "bidirectional",
    "达到": "reaches",
    "只有": "only",
    "仅": "only",
    "总": "total",
    "理论": "theoretical",
    "预期": "expected",
    "测试": "test",
    "单张": "one",
    "单": "single",
    "的": "",
}
"""Words of the field as Chinese threads write them, in English."""
_IDEOGRAPH = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+")


def _in_english(match: re.Match[str]) -> str:
    text = match.group()
    for word, english in _CHINESE.items():
        text = text.replace(word, f" {english} ")
    stops = text.replace("\u3002", ". ").replace("\uff0c", ", ").replace("\uff1a", ": ")
    return f" {stops} "


def spelled(line: str) -> str:
    """A line whose rates have their units behind them, without blanks, brackets or a missing ``/s``."""
    if not any(letter.isdigit() for letter in line):
        return line
    if _IDEOGRAPH.search(line):
        line = re.sub(r" {2,}", " ", _IDEOGRAPH.sub(_in_english, line)).strip()
    line = _PLURAL.sub(r"\1/s", line)
    line = _SPACED.sub(lambda match: f"{match[1] or match[3]}/{match[2] or match[4]}", line)
    return _NO_SECOND.sub(r"\1\2 \3/s", _BRACKETED.sub(r" \1", line))
