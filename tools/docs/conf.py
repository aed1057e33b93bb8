"""Sphinx's settings; tools/docs/__main__.py calls it with every warning an error."""

import re
from typing import Any

from core.version import VERSION

project = "Wirespeed"
author = "Wirespeed"
copyright = "Apache-2.0"  # noqa: A001 - the name that Sphinx reads
release = VERSION
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = f"Wirespeed {VERSION}"
html_favicon = "../../pages/ui/assets/favicon.png"
html_copy_source = False
html_show_sourcelink = False
html_theme_options: dict[str, Any] = {"top_of_page_buttons": [], "footer_icons": []}
smartquotes = False  # two hyphens are an option
# Headings are link targets down to the third level, as GitHub makes them.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
toc_object_entries = False  # the sidebar lists sections; members are found by search and index
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_attr_annotations = False
pygments_style = "default"
pygments_dark_style = "github-dark"

_LITERAL = re.compile(r"(``.+?``)")
_NAMES = re.compile(r"^ *\w+(, \w+)+:")
_MARKUP = re.compile(r"[|*]|(?<=\w)_(?!\w)")


def _escape(_app: Any, kind: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """
    Docstrings are plain text with ``literals``: other signs of reStructuredText stand for themselves.

    Several names explained at once lose their blanks, after which Sphinx would take the first for a type.
    """
    if kind == "property" and lines:
        lines[0] = lines[0].replace(": ", " - ", 1)  # napoleon would take what stands before for a type
    lines[:] = [_NAMES.sub(lambda match: match[0].replace(", ", ","), line) for line in lines]
    lines[:] = [
        "".join(
            part if part.startswith("``") else _MARKUP.sub(r"\\\g<0>", part) for part in _LITERAL.split(line)
        )
        for line in lines
    ]


def setup(app: Any) -> None:
    """Read docstrings as they are written here, before napoleon does."""
    app.connect("autodoc-process-docstring", _escape, priority=400)
