"""Documents as the site reads them: names of documents become links, notebooks become pages."""

import json
import re
from pathlib import Path

_DOCUMENT = re.compile(r"`(?:docs/)?(?P<path>(?:adr/)?[A-Za-z0-9-]+\.md)`")
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def linked(document: Path, root: Path) -> str:
    """The document with every ``docs/NAME.md`` in code type as a link, fenced blocks left alone."""
    up = "../" * (len(document.relative_to(root).parts) - 1)

    def link(match: re.Match[str]) -> str:
        path = match["path"]
        here = (root / path).is_file() and root / path != document
        return f"[{path.rsplit('/', 1)[-1].removesuffix('.md')}]({up}{path})" if here else match[0]

    parts = _FENCE.split(document.read_text(encoding="utf-8"))
    return "".join(part if part.startswith("```") else _DOCUMENT.sub(link, part) for part in parts)


def plain(document: Path) -> str:
    """A document of the repository's root, its links into docs/ made the site's."""
    return document.read_text(encoding="utf-8").replace("](docs/", "](")


def notebook(path: Path) -> str:
    """A notebook as a page: its texts, its code, and where to get it."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    parts = []
    for cell in cells:
        text = "".join(cell["source"]).strip()
        parts.append(text if cell["cell_type"] == "markdown" else f"```py\n{text}\n```")
    return "\n\n".join([*parts, f"{{download}}`Download this notebook <{path.name}>`."]) + "\n"
