"""Commands of the shell, asked in this process or in one of their own."""

import json
import subprocess
import sys
from pathlib import Path

from core.shell.main import main

ROOT = Path(__file__).resolve().parents[2]


def ask(capsys, *arguments):
    """Exit status, stdout and stderr of one command, in this process."""
    try:
        status = main(arguments)
    except SystemExit as left:
        status = int(left.code or 0)
    said = capsys.readouterr()
    return status, said.out, said.err


def answer(capsys, *arguments):
    """The JSON of a command that must succeed; NaN and infinity are no JSON."""
    status, out, err = ask(capsys, *arguments, "--json")
    assert (status, err) == (0, "")

    def never(name):
        raise AssertionError(name)

    return json.loads(out, parse_constant=never)


def run(*arguments, **options):
    """One command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "core", *arguments],
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=120,
        **options,
    )
