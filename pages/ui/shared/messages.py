"""Words from outside, such as a file's or a GPU's name, shown as they are and never as Markdown."""

import re

_MEANT = re.compile(r"([\\`*\[\]<$~]|(?<!\w)_|_(?!\w))")


def plain(text):
    """The text with everything escaped that Markdown would take for formatting, a link or an image."""
    return _MEANT.sub(r"\\\1", " ".join(str(text).split()))
