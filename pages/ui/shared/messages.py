"""Text from outside, such as the name of a file or GPU, shown as it is and never as Markdown."""

import re

_MARKUP = re.compile(r"([\\`*\[\]<$~&]|(?<!\w)_|_(?!\w)|:(?=[a-zA-Z]))")
_BLOCK = re.compile(r"^(?=[#>+=-])|^(\d+)(?=[.)]\s)")
"""Where a line would begin a heading, a quotation or a list."""

_LINKED = re.compile(
    r"(?<=http)(?=s?://)|(?<=www)(?=\.)|(?<=\w@)(?=\w)|(?<=:)(?=[a-z][\w/+-]*:)", re.IGNORECASE
)
"""Where a bare address or the name of an icon is broken, which Markdown would turn into a link or the icon."""
JOINER = "\u2060"


_ARGUMENT = re.compile(r"([a-z][a-z_]*)(?=: )")
ARGUMENTS = {
    "tp": "TP",
    "pp": "PP",
    "ep": "EP",
    "dp": "DP",
    "cp": "CP",
    "vpp": "Virtual pipeline stages",
    "gpus": "GPUs",
    "ranks": "GPUs",
    "sequences": "Concurrent requests",
    "seq": "Sequence length",
    "params": "Parameters",
    "active_params": "Active parameters",
    "tokens": "Batched tokens",
    "hbm_bytes": "Memory per GPU",
    "reserve_bytes": "Runtime reserve per GPU",
    "target_s": "TPOT target",
    "usd_per_gpu_hour": "GPU-hour price",
    "nics_per_domain": "NICs per domain",
    "in_network_reduction": "In-network reduction",
    "scale_up_bytes_per_s": "Scale-up rate",
    "one_way_bytes_per_s": "Unidirectional rate",
    "size_bytes": "Message size",
    "size": "Message size",
    "recompute_modules": "Recomputed operations",
    "recompute_layers": "Recomputed layers of a stage",
}
"""Names of arguments in core, as the pages call their inputs; others lose their underscores."""


_BOLD = ("\x02", "\x03")
"""Around words in bold: no Markdown, so that a name cannot hold it by chance."""


def plain(text: object) -> str:
    """The text with everything escaped that Markdown would take for formatting, a link or an image."""
    line = _MARKUP.sub(r"\\\1", " ".join(str(text).split()))
    return _LINKED.sub(JOINER, _BLOCK.sub(r"\1\\", line))


def refusal(problem: object) -> str:
    """Why an input is refused, with the argument it begins with as the pages call it; ``plain`` escapes it."""
    text = str(problem)
    match = _ARGUMENT.match(text)
    if match is None:
        return text
    name = ARGUMENTS.get(match[1]) or match[1].replace("_", " ").capitalize()
    return f"{name}{text[match.end() :]}"


def told(problem: object) -> str:
    """What is refused, without the argument it begins with, where the sentence names its subject already; ``plain`` escapes it."""
    text = str(problem)
    match = _ARGUMENT.match(text)
    return text if match is None else text[match.end() :].removeprefix(": ")


def strong(text: object) -> str:
    """Words that ``shown`` sets in bold."""
    return f"{_BOLD[0]}{text}{_BOLD[1]}"


def shown(text: object) -> str:
    """A sentence as Markdown: words of ``strong`` in bold, all else as it is written."""
    line = plain(text)
    for mark in _BOLD:
        line = line.replace(mark, "**")
    return line
