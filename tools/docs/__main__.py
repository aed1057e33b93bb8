"""``python -m tools.docs``: build the site into build/site; any warning or dead link is an error."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from sphinx.cmd.build import build_main

from tools.docs import accuracy, http, python, shell, texts
from tools.docs.links import faults

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"
WORK = ROOT / "build" / "docs"
GENERATED = {
    "reference/shell.md": shell.reference,
    "reference/http.md": http.reference,
    "reference/python.md": python.reference,
    "reference/cost-model-accuracy.md": accuracy.reference,
}
REPOSITORY = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
"""Documents of the repository's root that the site shows, and their names there."""


def sources(root: Path, folder: Path) -> None:
    """Put together what Sphinx reads: docs/ as it is, the generated references, the notebooks as pages."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root / "docs", folder)
    for document in sorted(folder.rglob("*.md")):
        document.write_text(texts.linked(document, folder), encoding="utf-8")
    _write(folder, {name: reference() for name, reference in GENERATED.items()})
    _write(folder, {shown: texts.plain(root / name) for name, shown in REPOSITORY.items()})
    for notebook in sorted(folder.rglob("*.ipynb")):
        notebook.with_suffix(".md").write_text(texts.notebook(notebook), encoding="utf-8")


def _write(folder: Path, documents: Mapping[str, str]) -> None:
    for name, text in documents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def build(root: Path = ROOT, site: Path = SITE, work: Path = WORK) -> int:
    """Build the site from scratch; the exit status is 0 where Sphinx and the links are without fault."""
    source = work / "source"
    sources(root, source)
    shutil.rmtree(site, ignore_errors=True)
    options = ["-b", "html", "-c", str(Path(__file__).parent), "-d", str(work / "trees"), "-E", "-q"]
    status = build_main([*options, "-W", "--keep-going", str(source), str(site)])
    if status:
        return int(status)
    shutil.rmtree(site / "_sources", ignore_errors=True)
    dead = faults(site)
    for fault in dead:
        print(f"docs: {fault}", file=sys.stderr)
    pages = len(list(site.rglob("*.html")))
    print(f"docs: {pages} pages in {site.relative_to(root) if site.is_relative_to(root) else site}")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(build())
