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


_BOLD = ("\x02", "\x03")
"""Around words in bold: no Markdown, so that a name cannot hold it by chance."""


def plain(text: object) -> str:
    """The text with everything escaped that Markdown would take for formatting, a link or an image."""
    line = _MARKUP.sub(r"\\\1", " ".join(str(text).split()))
    return _LINKED.sub(JOINER, _BLOCK.sub(r"\1\\", line))


def strong(text: object) -> str:
    """Words that ``shown`` sets in bold."""
    return f"{_BOLD[0]}{text}{_BOLD[1]}"


def shown(text: object) -> str:
    """A sentence as Markdown: words of ``strong`` in bold, all else as it is written."""
    line = plain(text)
    for mark in _BOLD:
        line = line.replace(mark, "**")
    return line
