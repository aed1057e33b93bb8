"""Fields of an issue template and of nvidia-smi's table in words: ``Nodes: 2`` is ``2 nodes``."""

import re
from collections import Counter

from gpu_probe.parsers.sentence.references import restated
from gpu_probe.parsers.sentence.units import spelled

_NOUN = r"nodes?|servers?|hosts?|machines?|gpus?"
_EACH = r"(?: ?(?:per|/) ?(?:node|server|host|machine))"
_FIELD = re.compile(
    r"(?i)(?<![\w/-])(?P<told>(?:number|no\.?|num|count) of |# ?(?:of )?|n_?)?"
    rf"(?P<noun>{_NOUN})(?P<each>{_EACH})?"
    r"(?P<count_word>[ _]?(?:count|number))?\s?[:=]\s?(?P<count>\d{1,4})(?![\w.:%]| ?[x×*]| ?GB| ?Gb)"
)
_PER_NODE = re.compile(r"(?i)(?<![\w.])(\d{1,2}) ?(?:/|per) ?(?:node|host|server)\b(?! ?=)")
"""``8 GPUs = 4/node x 2 nodes``: GPUs, where the line counts them."""
_NAMED = re.compile(r"(?i)\bgpus?\s?[:=]\s?(?=\d{1,3} ?[x×*])")
"""The name of a field that already reads as a sentence does."""
_EMPHASIS = re.compile(r"\*\*|__|^[-*•+] (?=\S)")
_COMMA = re.compile(r"(?<![\w.,])(\d{1,4}),(\d{1,2})(?=[* ]*(?:[GMT]i?B|[GMT]b)(?:/s|ps|it))")
"""A decimal comma before a unit of rate; three digits behind one are thousands."""
_SPREAD = re.compile(r"(?<=\d) ?(?:±|\+/-|\+-) ?\d{1,4}(?:\.\d{1,3})?(?= ?(?:[GMT]i?B|[GMT]b)(?:/s|ps|it))")
"""``478 ± 3 GB/s``: a mean and its spread."""
_BARE = re.compile(
    r"(?i)(?<!avg )(?<!average )(?<![\w.])(bus[ _]?(?:bw|bandwidth))"
    r"(?: ?[:=] ?| (?:is|was|reaches|reached|gets?|of)(?: (?:only|about|around|just))? "
    r"| (?=\d{2,4}(?:\.\d{1,3})? ?GB[ ,;.)]))"
    r"(\d{1,4}(?:\.\d{1,3})?)(?: ?GB)?"
    r"(?=[,;)]|\.?\s*$|\.\s|\s+(?:at|for|with|on|and|but|while)\b)"
)
"""A bus bandwidth without its unit, which the tests print in GB/s; an average over sizes is none."""
_LISTED = re.compile(
    r"\|\s{1,6}\d{1,2}\s{1,4}((?:NVIDIA|Tesla|GeForce|Quadro|AMD|[A-Z]{1,2}\d{2,4})\b[\w .-]{0,40}?)"
    r"\s{1,20}(?:On|Off|N/A)\s{1,8}\|"
)
"""A GPU's row in the table that nvidia-smi prints."""


def plain_words(line: str) -> str:
    """A line of prose without emphasis and decimal commas, its counts of nodes and GPUs as words."""
    line = _SPREAD.sub("", _COMMA.sub(r"\1.\2", _EMPHASIS.sub("", line)))
    line = restated(_BARE.sub(r"\1: \2 GB/s", spelled(line)))
    if "GPU" in line:
        line = _PER_NODE.sub(r"\1 GPUs per node", line)
    return _FIELD.sub(_counted, _NAMED.sub("", line)) if ":" in line or "=" in line else line


def _counted(match: re.Match[str]) -> str:
    count, noun = int(match["count"]), match["noun"].lower()
    is_gpu = noun.startswith("gpu")
    told = match["told"] or match["count_word"] or match["each"] or noun.endswith("s")
    if not count or (not told and count == 1):
        return match.group()
    words = ("GPUs" if count > 1 else "GPU") if is_gpu else ("nodes" if count > 1 else "node")
    return f"{count} {words}{' per node' if match['each'] else ''}"


def listed_gpu(line: str) -> str:
    """The GPU of a row of nvidia-smi's table; empty for another line."""
    match = _LISTED.match(line)
    return match.group(1).strip() if match else ""


def listed_words(names: list[str]) -> str:
    """The GPUs of nvidia-smi's tables in words; empty where they are of several kinds."""
    counts = Counter(names)
    return f"{len(names)}x {names[0]} per node" if len(counts) == 1 else ""
