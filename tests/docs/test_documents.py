"""Documents hold: what they tell to type runs, and prints what they show."""

import re
import shlex

import pytest

from gpu_probe.__main__ import parser
from pages.http.ask.openapi import document
from tests.docs.blocks import blocks
from tests.docs.reader import ROOT, Reader, documents
from tests.docs.server import serving

EVERY = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
ELSEWHERE = {
    "mpirun",
    "make",
    "docker",
    "torchrun",
    "srun",
    "curl",
    "python",
    "python3",
    "scontrol",
    "PORT=8502",
}
"""Programs of an ``sh`` block: they need a GPU node, a container engine or a server."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server to push runs to."""
    with serving(tmp_path_factory.mktemp("store")) as address:
        yield address


@pytest.mark.parametrize("name", documents())
def test_a_document_shows_what_its_commands_print(name, tmp_path, monkeypatch, server):
    """Each command and each Python block of a document runs and prints what stands below it."""
    monkeypatch.setenv("COLUMNS", "100")
    _, pairs = Reader(tmp_path, server).read((ROOT / name).read_text(encoding="utf-8"))

    for command, shown, printed in pairs:
        assert (command, printed) == (command, shown), "python -m tests.docs writes the output of today"


def test_no_command_stands_outside_a_block_that_runs():
    """Our own commands stand in console blocks, where their output is compared, or in a sentence."""
    stray = []
    for path in EVERY:
        text = path.read_text(encoding="utf-8")
        for block in blocks(text):
            if block.kind != "console":
                stray += [
                    (path.name, line)
                    for line in re.findall(r"^\$? *python3? -m core.*", block.body, re.MULTILINE)
                ]
            text = text.replace(block.body, "")
        stray += [(path.name, line) for line in re.findall(r"^ {4,}\$? *python3? -m .*", text, re.MULTILINE)]

    assert stray == []


def typed():
    """Every command line of the ``sh`` blocks, with its document."""
    for path in EVERY:
        for block in blocks(path.read_text(encoding="utf-8")):
            if block.kind == "sh":
                joined = block.body.replace("\\\n", " ")
                yield from ((path.name, line) for line in joined.splitlines() if line and line[0] != "#")


def test_what_needs_another_machine_names_what_exists():
    """Commands that cannot run here call a target of the Makefile, a route of the server or options of the probe."""
    paths = {path.replace("{number}", "1") for path in document()["paths"]}
    for name, line in typed():
        words = shlex.split(line, comments=True)
        words = words[1:] if "=" in words[0] else words
        assert words[0] in ELSEWHERE, (name, line)
        if words[0] == "make":
            assert words[1] in TARGETS, (name, line)
        if words[0] == "curl":
            address = next(word for word in words if word.startswith("http"))
            assert re.sub(r"^https?://[^/]+|\?.*", "", address) in paths, (name, line)
        if any(word.endswith("wirespeed-probe.pyz") for word in words):
            rest = words[
                next(i for i, word in enumerate(words) if word.endswith("wirespeed-probe.pyz")) + 1 :
            ]
            parser(rest[:1]).parse_args(rest)
