"""Text from outside, such as the name of a file or GPU, shown as it is and never as Markdown."""

import re

_MARKUP = re.compile(r"([\\`*\[\]<$~]|(?<!\w)_|_(?!\w))")


def plain(text: object) -> str:
    """The text with everything escaped that Markdown would take for formatting, a link or an image."""
    return _MARKUP.sub(r"\\\1", " ".join(str(text).split()))
