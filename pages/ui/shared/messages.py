"""Text from outside, such as the name of a file or GPU, shown as it is and never as Markdown."""

import re

_MARKUP = re.compile(r"([\\`*\[\]<$~]|(?<!\w)_|_(?!\w))")


_LINKED = re.compile(
    r"(?<=http)(?=s?://)|(?<=www)(?=\.)|(?<=\w@)(?=\w)|(?<=:)(?=[a-z][\w/+-]*:)", re.IGNORECASE
)
"""Where a bare address or the name of an icon is broken, which Markdown would turn into a link or the icon."""
JOINER = "\u2060"


def plain(text: object) -> str:
    """The text with everything escaped that Markdown would take for formatting, a link or an image."""
    return _LINKED.sub(JOINER, _MARKUP.sub(r"\\\1", " ".join(str(text).split())))
