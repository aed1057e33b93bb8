"""A reader who types what a document says, in a folder with the examples, and notes what is printed."""

import importlib
import io
import os
import re
import shlex
import shutil
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from tests.docs.blocks import blocks, shortened, steps

ROOT = Path(__file__).resolve().parents[2]
SERVER = "http://127.0.0.1:8501"
"""The server's address in documents; a server of the test answers in its place."""
PROGRAMS = {"core": "core.shell.main", "gpu_probe": "gpu_probe.__main__"}
TOOLS = {"cat", "head", "ls"}


def documents():
    """Every document with something to run, by its path from the root."""
    paths = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    runs = [
        path
        for path in paths
        if any(block.kind in {"console", "python"} for block in blocks(path.read_text()))
    ]
    return [str(path.relative_to(ROOT)) for path in runs]


class Reader:
    """Runs one document from top to bottom."""

    def __init__(self, folder, server):
        self.folder = Path(folder)
        self.server = server
        self.status = 0
        self.names = {"__name__": "__main__"}
        shutil.copytree(ROOT / "docs" / "examples", self.folder / "docs" / "examples")

    def read(self, text):
        """The document with the output of today, and a pair of shown and printed for each step."""
        pairs, parts, place = [], [], 0
        printed = None
        for block in blocks(text):
            body = block.body
            if block.kind == "console":
                assert printed in (None, ""), f"what Python printed is not shown: {printed!r}"
                body = self._console(block.body, pairs)
            elif block.kind == "python":
                assert printed in (None, ""), f"what Python printed is not shown: {printed!r}"
                printed = self.python(block.body)
            elif block.kind == "text" and printed:
                body = shortened(printed, block.body)
                pairs.append(("python", block.body, body))
                printed = None
            parts += [text[place : block.start], body]
            place = block.end
        assert printed in (None, ""), f"what Python printed is not shown: {printed!r}"
        return "".join([*parts, text[place:]]), pairs

    def _console(self, body, pairs):
        now = ""
        for step in steps(body):
            if self.status and step.command != "echo $?":
                message = f"exit status {self.status} before {step.command!r} is not shown: add `echo $?`"
                raise AssertionError(message)
            printed = shortened(self.shell(step.command), step.shown)
            pairs.append((step.command, step.shown, printed))
            now += f"$ {step.command}\n{printed}"
        assert not self.status, f"exit status {self.status} is not shown"
        return now

    def shell(self, command):
        """What a command prints, errors too; ``echo $?`` shows the status of the one before."""
        if command == "echo $?":
            status, self.status = self.status, 0
            return f"{status}\n"
        words = shlex.split(re.sub(r"\\\n", " ", command).replace(SERVER, self.server))
        if words[:2] == ["python", "-m"] and words[2] in PROGRAMS:
            printed = self._program(PROGRAMS[words[2]], words[3:])
        else:
            assert words[0] in TOOLS, f"{words[0]}: no program that a console block may run"
            done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)
            printed, self.status = done.stdout + done.stderr, done.returncode
        return printed.replace(self.server, SERVER)

    def _program(self, module, arguments):
        main = importlib.import_module(module).main
        with _inside(self.folder), io.StringIO() as printed:
            with redirect_stdout(printed), redirect_stderr(printed):
                try:
                    self.status = main(arguments)
                except SystemExit as stop:
                    self.status = int(stop.code or 0)
            return printed.getvalue()

    def python(self, code):
        """What a Python block prints; names live on in the document's later blocks."""
        with _inside(self.folder), io.StringIO() as printed:
            with redirect_stdout(printed):
                exec(compile(code.replace(SERVER, self.server), "document", "exec"), self.names)  # noqa: S102 - the document's own code
            return printed.getvalue()


class _inside:  # noqa: N801 - reads as a with statement
    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.before = Path.cwd()
        os.chdir(self.folder)

    def __exit__(self, *_):
        os.chdir(self.before)
