"""GPU, nodes and GPUs of a node as a sentence names them; nothing where it may mean two things."""

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from gpu_probe.parsers.sentence.passages import Passages

_BASES = (
    r"(?-i:L40S?|L4|L20|T4)|GB[23]00|GB10|GH200|[ABHV][128]00|B300|A800|H800|H20|P100|MI[23]\d\d[XA]?|MI100"
    r"|RTX ?(?:PRO )?\d{4}D?|GTX ?1[06][5678]0(?: ?Ti)?|A[2456]000"
    r"|A[45]500|A10G?|A16|A[34]0|K[48]0|M[46]0|P40|[345]0[789]0"
)
_FORM = r"(?:[ -]?(?:PCIe|NVL|SXM\d?)\b)?"
_MEMORY = r"(?:[ -]?\(?\d{2,3} ?G(?:i?B)?\b\)?)?(?: ?HBM\d\w?)?"
_NAME = rf"(?:{_BASES})s?(?![^\W_x])"
MODEL = re.compile(
    rf"(?i)(?:(?<![^\W_x])|(?<=\b\d)(?=[a-z])|(?<=\b\d\d)(?=[a-z])|(?<=[x×*]\d)(?=[a-z]))(?<!\.)({_BASES})s?(?![^\W_x])({_FORM})({_MEMORY})({_FORM})"
)
"""A GPU's name with its form and memory, also behind the x of ``8xH100``."""
_WORDS = {
    "one": 1,
    "single": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "six": 6,
    "eight": 8,
    "sixteen": 16,
    "pair of": 2,
}
_NUMBER = rf"(?<![\w.,-])(\d{{1,4}}|{'|'.join(_WORDS)})"
_TIMES = r"[x×*]"
_NODE_MOST, _USUAL = 16, 8
_LARGE_BOARD = re.compile(r"(?i)\b[DH]GX-2\b")
"""Sixteen GPUs behind one set of switches."""
_MAKER = r"(?:(?:nvidia|amd|geforce|tesla|instinct|rtx)[ -])*"
_GPU = rf"{_MAKER}(?:{_NAME}|GPUs?\b)"
_KIND = (
    rf"(?:(?:dgx|hgx|identical|bare[ -]metal|aws|azure|gcp|NVL\d{{2,3}}|{_GPU}{_FORM}{_MEMORY}{_FORM})[ -])"
)
_HOSTS = r"(?:nodes|servers|machines|hosts|boxes|instances|VMs)\b"
_HOST = r"(?:node|server|machine|host|box|instance|VM)\b"
_INSTANCE = (
    r"(?:(?:p\d\w{0,3}(?:-\w{2,5})?|g[4-6]\w{0,2})\.(?:\d+xlarge|metal)|(?:Standard_)?ND\d{2}\w{2,20}_v\d|a\d-\w{2,6}gpu-8g"
    r"|BM\.GPU(?:\.\w{2,8}(?:-v\d)?|\d)\.8)\b"
)
"""Instance types of clouds, each a node of eight GPUs."""
_GRID = re.compile(rf"(?i){_NUMBER} ?{_TIMES} ?\(?(\d{{1,2}})(?: ?{_TIMES})?[ -]?{_GPU}")
_NODES = re.compile(
    rf"(?i){_NUMBER} ?(?:{_TIMES} ?)?[ -]?(?:(?:(\d{{1,2}})(?:-| ?{_TIMES} ?){_GPU}[ -]){_KIND}*|{_KIND}*)"
    rf"(?:{_HOSTS}|{_INSTANCE}(?: {_HOSTS})?)"
)
_FEW_NODES = re.compile(rf"(?i){_NUMBER}[ -]{_HOST}|{_NUMBER} ?(?:{_TIMES} ?)?(?:dgx|hgx)[ -]?{_NAME}")
_LARGE_NODE = re.compile(rf"(?i){_NUMBER} ?(?:{_TIMES} ?)?[ -]?{_GPU}{_FORM}{_MEMORY}{_FORM}[ -]{_HOST}")
_SAME_SIZE = re.compile(rf"(?i){_NUMBER}(?:-| ?{_TIMES} ?){_GPU}{_FORM}{_MEMORY}{_FORM}[ -]{_HOSTS}")
_GPUS = re.compile(
    rf"(?i)(\btotal of "
    rf"|\ball )?{_NUMBER} ?{_TIMES}?[ -]?{_GPU}{_FORM}{_MEMORY}{_FORM}(?:[ -]?(?:GPUs?|cards?)\b)?"
)
_TOO_MANY = re.compile(rf"(?i)(?<![\w.,-])\d{{5,}} ?{_TIMES}?[ -]?{_GPU}")
"""More GPUs than any cluster has: no machine is told."""
_TIMES_BEHIND = re.compile(
    rf"(?i)(?<![^\W_x]){_NAME}{_FORM}{_MEMORY}{_FORM} ?{_TIMES} ?(\d{{1,2}})(?![\w.]| ?{_TIMES})"
)
_INSTANCES_BEHIND = re.compile(rf"(?i)\b{_INSTANCE} ?{_TIMES} ?(\d{{1,3}})(?![\w.])")
_WHOLE_INSTANCE = re.compile(rf"(?i){_USUAL}(?:-| ?{_TIMES} ?){_GPU}{_FORM}{_MEMORY}{_FORM}[ -]{_INSTANCE}")
"""``8x H100 p5.48xlarge``: the GPUs of one."""
_PAIR_BEHIND = re.compile(r"(?i)\b(?:dgx|hgx)[ -]?\w+ pair\b")
_ON_NODES = re.compile(r"[\s(,]{0,3}(?:on|in|over|across|with)?\s{0,20}nodes\b")
_RANKS = re.compile(rf"(?i){_NUMBER} (?:ranks|processes|procs)\b|\bnranks[ =]+(\d{{1,4}})")
_ITERATIONS = re.compile(r"(?<=_perf)(?P<before>(?: [^\n]*?)?) -n \d{1,7}(?!\S)")
"""Iterations of a test, not processes of its launcher."""
_LAUNCHED = re.compile(r"(?:^|\s)(?:-np?|--ntasks|-g)[ =](\d{1,4})\b")
_EACH = re.compile(r"(?i)\s*[(,]?\s*(?:in |on )?(?:each|per|every|/ ?(?:node|server|host|machine))\b")
_EACH_BEFORE = re.compile(
    r"(?i)(?:each|per[ -]node:?|nodes?\)? ?[x×*]|(?:nodes?|servers?|machines?|hosts?) (?:of|with"
    r"|having))[ a-z]{0,12}$"
)
_BOARD = re.compile(rf"(?i){_USUAL}(?: ?{_TIMES}|[ -])")
_BEHIND_NODES = re.compile(r"\bnodes[\s,(:]*$")
"""``2 nodes, 8x H100``: a board of eight in each; eight GPUs that are four a node are not written so."""
_TOTAL = re.compile(
    r"(?i)\s*[(,]?\s*(?:in total|total|altogether|overall|over|across|spread|spanning|between)\b"
)
_SEVERAL = re.compile(rf"(?i)\b(?:multi|inter|cross)[ -]?node|\b{_HOSTS}")
_PART = re.compile(
    rf"(?i){_NUMBER}(?: (?:GPUs?|cards?))? (?:out )?of (?:the |an? |my |our |these )?{_NUMBER}[ x×-]"
)
"""Some GPUs of a larger machine."""
_SPARK = re.compile(r"(?i)\bDGX[ -]?Sparks?\b")
_ONE_EACH = re.compile(rf"(?i){_NUMBER}[ -]?(?:{_TIMES} ?)?(?:{_MAKER}DGX[ -]?Sparks?|{_MAKER}GB10s?)\b")
"""Machines of one GPU each."""
_ONE_GPU = "GB10"
_RACK = re.compile(r"(?i)\bNVL(\d{2,3})\b")
"""A rack with so many GPUs in one domain."""
_CARDS = re.compile(
    r"(?i)PCIe|NVL|L40S?|L4|L20|T4|RTX|A[2456]000|A[45]500|A10G?$|A16|A[34]0$|K[48]0|M[46]0|P40|[345]0[789]0|P100|GB[23]00|GB10"
    r"|GH200|MI100|MI210"
)


@dataclass(frozen=True, slots=True)
class Stated:
    """The machine of a sentence: GPU's name (empty where only an instance type tells it), nodes, ranks."""

    gpu: str
    nodes: int
    ranks: int


def machine_of(passages: Passages, *, has_instance: bool) -> Stated | None:
    """The machine nearest to a rate; None where the text leaves open which, or how many GPUs."""
    gpus = _gpu(passages)
    if len(gpus) > 1 or not (gpus or has_instance) or _PART.search(passages.text):
        return None
    gpu = next(iter(gpus), "")
    if gpu == _ONE_GPU:
        return _of_one_each(passages)
    nodes = passages.nearest(_nodes)
    if len(nodes) > 1 or (not nodes and _SEVERAL.search(passages.text)) or _TOO_MANY.search(passages.text):
        return None
    count = next(iter(nodes), 0) or _boards(passages, gpu)
    ranks = {
        each if total else each * count for each, total in passages.nearest(lambda text: _counts(text, count))
    }
    if not ranks and not _CARDS.search(gpu):
        ranks = {_board(passages.text) * count}
    told = next(iter(ranks), 0)
    rack = _RACK.search(passages.text) if gpu.startswith("GB") else None
    most = count * (int(rack.group(1)) if rack else _NODE_MOST if nodes else _board(passages.text))
    launched = math.prod(
        int(number) for number in _LAUNCHED.findall(_ITERATIONS.sub(r"\g<before>", passages.text))
    )
    if len(ranks) != 1 or not 1 < told <= most or told % count or launched not in (1, told):
        return None
    return Stated(gpu, count, told)


def _boards(passages: Passages, gpu: str) -> int:
    """How many boards hold the GPUs that a passage counts, where it counts no nodes."""
    counts = {number for number, _ in passages.nearest(lambda text: _counts(_RANKS.sub(_blank, text), 1))}
    number = next(iter(counts), 0) if len(counts) == 1 else 0
    board = _board(passages.text)
    whole = number > board and number % board == 0 and not _CARDS.search(gpu)
    return number // board if whole else 1


def _board(text: str) -> int:
    """How many GPUs a board holds."""
    return _NODE_MOST if _LARGE_BOARD.search(text) else _USUAL


def _of_one_each(passages: Passages) -> Stated | None:
    """The machine where each has one GPU: as many ranks as nodes."""
    counts = passages.nearest(_machines) or passages.nearest(_nodes)
    count = next(iter(counts), 0)
    launched = math.prod(
        int(number) for number in _LAUNCHED.findall(_ITERATIONS.sub(r"\g<before>", passages.text))
    )
    if len(counts) != 1 or count < 2 or launched not in (1, count):  # noqa: PLR2004
        return None
    return Stated(_ONE_GPU, count, count)


def _machines(text: str) -> set[int]:
    """Numbers of machines of one GPU that a passage names."""
    return {_number(match.group(1)) for match in _ONE_EACH.finditer(text)}


@lru_cache(maxsize=32)
def gpu_in(text: str) -> str:
    """The one GPU that a text names; empty where it names none, or several."""
    return gpu_of(Passages(text, text, text, 0)) or ""


def names_nodes(text: str) -> bool:
    """Whether a text says how many nodes there are."""
    return bool(_nodes(text))


def gpu_of(passages: Passages) -> str | None:
    """The one GPU that a text names; None for none or several."""
    gpus = _gpu(passages)
    return next(iter(gpus)) if len(gpus) == 1 else None


def _gpu(passages: Passages) -> set[str]:
    """The GPU: the name with its form where the text names both."""
    names = _names(passages.text)
    bases = {name.split(" ")[0] if not name.startswith("RTX") else name for name in names}
    if len(bases) == 1 and len(names) <= 2:  # noqa: PLR2004 (with and without its form)
        return {max(names, key=len)} if bases & names or len(names) == 1 else names
    return passages.nearest(_names)


def _names(text: str) -> set[str]:
    """GPUs by name, in the maker's spelling."""
    names = set()
    for match in MODEL.finditer(text):
        forms = {form.strip(" -") for form in (match.group(2), match.group(4)) if form.strip(" -")}
        form = next(iter(sorted(forms)), "").upper().replace("PCIE", "PCIe")
        base = re.sub(r"([RG]TX) ?(?=[\dP])", r"\1 ", match.group(1).upper())
        base = re.sub(r"(?<=\d) ?TI$", " Ti", base)
        names.add(f"{base} {form}".strip())
    return names | {_ONE_GPU} if _SPARK.search(text) else names


def _number(word: str) -> int:
    return _WORDS.get(word.lower()) or int(word)


def _nodes(text: str) -> set[int]:
    """Numbers of nodes that a passage names; ``8xH100 nodes`` are an unknown number of them."""
    said = {_number(match.group(1)) for match in _GRID.finditer(text)}
    rest = _GRID.sub(_blank, text)
    for match in _NODES.finditer(rest):
        is_size = _SAME_SIZE.match(match.group()) or _WHOLE_INSTANCE.match(match.group())
        if not (match.group(2) is None and is_size):
            said.add(_number(match.group(1)))
    said |= {int(match.group(1)) for match in _INSTANCES_BEHIND.finditer(rest)}
    said |= {2 for _ in _PAIR_BEHIND.finditer(rest)}
    rest = _LARGE_NODE.sub(_blank, _NODES.sub(_blank, rest))
    said |= {_number(match.group(1) or match.group(2)) for match in _FEW_NODES.finditer(rest)}
    return said - {0}


def _counts(text: str, nodes: int) -> set[tuple[int, bool]]:
    """Numbers of GPUs, each with whether it is of all nodes; (0, True) where it may be either."""
    said = {(int(match.group(2)), False) for match in _GRID.finditer(text)}
    rest = _GRID.sub(_blank, text)
    said |= {(int(match.group(2)), False) for match in _NODES.finditer(rest) if match.group(2)}
    said |= {(_number(match.group(1)), False) for match in _SAME_SIZE.finditer(_NODES.sub(_blank, rest))}
    sizes = {_number(match.group(1)) for match in _LARGE_NODE.finditer(rest)}
    said |= {(size, False) for size in sizes - {1}}
    for pattern in (_NODES, _SAME_SIZE, _LARGE_NODE, _FEW_NODES):
        rest = pattern.sub(_nodes_word, rest)
    said |= {(int(match.group(1)), False) for match in _TIMES_BEHIND.finditer(rest)}
    said |= {(_number(match.group(1) or match.group(2)), True) for match in _RANKS.finditer(rest)}
    for match in _GPUS.finditer(_TIMES_BEHIND.sub(_blank, rest)):
        number = _number(match.group(2))
        before, after = rest[: match.start()], rest[match.end() :]
        each = _EACH.match(after) or _EACH_BEFORE.search(before) or _on_a_board(match, before, after)
        if nodes == 1 or each:
            said.add((number, False))
        elif match.group(1) or _TOTAL.match(after) or number > _USUAL:
            said.add((number, True))
        else:
            said.add((0, True))
    return said


def _on_a_board(match: re.Match[str], before: str, after: str) -> bool:
    """Whether eight GPUs behind a number of nodes are those of each node's board."""
    if not _BOARD.match(match.group()) or _CARDS.search(match.group()) or _TOTAL.match(after):
        return False
    if _BEHIND_NODES.search(before):
        return True
    times = re.match(rf"(?i){_USUAL} ?{_TIMES}", match.group())
    return bool(times and re.search(r"\bnodes\b", before + after) and not _ON_NODES.match(after))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _nodes_word(match: re.Match[str]) -> str:
    """The words of a number of nodes as the bare word, for what stands behind them."""
    return "nodes".rjust(len(match.group()))
