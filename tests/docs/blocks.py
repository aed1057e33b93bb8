"""Fenced blocks of a Markdown document: commands with the output shown, and Python with what it prints."""

import re
from dataclasses import dataclass

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<kind>[a-z{}-]*)[^\n]*\n(?P<body>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)
REST = "..."
"""A last line of shown output that stands for the lines left out."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language and its text, and where in the document the text lies."""

    kind: str
    body: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Step:
    """A command with the output that the document shows for it."""

    command: str
    shown: str


def blocks(text):
    """Every fenced block in order."""
    return [Block(match["kind"], match["body"], *match.span("body")) for match in FENCE.finditer(text)]


def steps(body):
    """The commands of a console block: lines after ``$``, continued by a backslash."""
    found, lines = [], body.splitlines(keepends=True)
    while lines:
        line = lines.pop(0)
        assert line.startswith("$ "), f"output before the first command: {line!r}"
        while line.endswith("\\\n"):
            line += lines.pop(0)
        shown = ""
        while lines and not lines[0].startswith("$ "):
            shown += lines.pop(0)
        found.append(Step(line[2:].rstrip("\n"), shown))
    return found


def shortened(output, shown):
    """The output as the document would show it: cut where it shows ``...``, without ends of lines."""
    lines = [line.rstrip() for line in output.splitlines()]
    kept = shown.splitlines()
    if kept and kept[-1] == REST and len(lines) >= len(kept):
        lines = [*lines[: len(kept) - 1], REST]
    return "".join(f"{line}\n" for line in lines)
