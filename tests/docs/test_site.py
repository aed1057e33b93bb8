"""The site as the image builds it: from the files it is given, with the packages it has, offline and whole."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pages.ui.shared.chapters import CHAPTERS
from pages.ui.shared.navigation import HOME, SECTIONS
from tools.docs.links import faults

ROOT = Path(__file__).resolve().parents[2]
STAGE = Path(__file__).with_name("image_stage.py")


def context(folder):
    """What .dockerignore lets into the image's build, in a folder."""
    lines = (ROOT / ".dockerignore").read_text().split()
    assert lines[0] == "*"
    for name in (line[1:] for line in lines if line.startswith("!")):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, path, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, path)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site: the command of the Dockerfile's stage, with the files and the packages of that stage."""
    before, stage = (ROOT / "Dockerfile").read_text().split(" AS docs\n")
    stage = stage.split("\nFROM ")[0]
    assert before.endswith("FROM packages"), "tools/trim.sh takes pip away: the site is built before it"
    module = re.search(r"^RUN /opt/venv/bin/python -m (tools\.\w+)$", stage, re.MULTILINE)[1]
    assert "\nCOPY . /src\n" in stage
    folder = tmp_path_factory.mktemp("src")
    context(folder)
    done = subprocess.run(
        [sys.executable, STAGE, ROOT / "requirements", module],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "build" / "site"


def test_the_image_can_build_its_documentation(site):
    """The stage's command builds the site from what .dockerignore lets in, with the packages of its locks alone."""
    assert (site / "index.html").is_file()
    assert (site / "notebooks" / "ask.html").is_file()
    assert (site / "adr" / "0001-units.html").is_file()


def test_every_page_leads_to_a_chapter_that_exists(site):
    """Each page's chapter is a file of the site, and its anchor a heading in it."""
    names = {"", *(page.name for pages in SECTIONS.values() for page in pages)} - {HOME.name}

    assert set(CHAPTERS) == names
    for file, _ in CHAPTERS.values():
        name, _, anchor = file.partition("#")
        text = (site / name).read_text(encoding="utf-8")
        assert not anchor or f'id="{anchor}"' in text, file


def test_the_references_hold_what_the_code_has(site):
    """Options of the shell, routes of HTTP and functions of Python stand in the reference."""
    shell, http, python = (
        (site / "reference" / f"{name}.html").read_text() for name in ("shell", "http", "python")
    )

    assert "--oversubscription" in shell
    assert "--anonymous" in shell
    assert "/api/v1/runs" in http
    assert 'id="core.calculators.training.answer"' in python


def test_dead_links_and_foreign_hosts_are_found(tmp_path):
    """A link to nowhere, an anchor that is not there, a script and a font of another host are each a fault."""
    (tmp_path / "style.css").write_text("@font-face { src: url(https://fonts.example/a.woff2) }")
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">fine</a><a href="b.html#nowhere">dead</a><a href="c.html">dead</a>'
        '<a href="https://example.org">fine</a><script src="https://example.org/a.js"></script>'
    )
    (tmp_path / "b.html").write_text('<h1 id="there">B</h1>')

    assert [line.split()[-1] for line in faults(tmp_path)] == [
        "https://example.org/a.js",
        "there",
        "there",
        "url(https://fonts.example/a.woff2",
    ]


def test_the_notebook_runs(monkeypatch):
    """Every cell of the notebook runs in order, and the last chart has a line for each of three systems."""
    notebook = json.loads((ROOT / "docs" / "notebooks" / "ask.ipynb").read_text())
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "ask.ipynb", "exec"), names)  # noqa: S102 - the notebook's own code

    spec = names["chart"].to_dict()
    rows = next(iter(spec["datasets"].values()))
    assert {row["system"] for row in rows} == {"DGX A100", "DGX H100", "DGX B200"}
    assert all(0 < row["low"] <= row["busbw"] <= row["high"] for row in rows)
