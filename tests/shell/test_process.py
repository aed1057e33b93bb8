"""The shell as a process: a question, a closed pipe, and a Python without numpy."""

import json
import os
import subprocess
import sys

from tests.shell.commands import ROOT, run


def test_the_module_runs_from_a_shell():
    """A question in, JSON out, nothing on stderr."""
    done = run("collective", "--ranks", "8", "--size", "1MiB", "--json", text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["ranks"] == 8


def test_a_python_without_numpy_gets_one_line():
    """The system's own Python is told where the one with numpy is, without a traceback."""
    done = subprocess.run(
        [sys.executable, "-S", "-m", "core", "systems"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
    )

    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert ".venv/bin/python" in done.stderr


def test_a_closed_pipe_is_no_error():
    """`python -m core systems | head -1` says nothing about a broken pipe."""
    done = subprocess.run(  # noqa: S602
        f"{sys.executable} -m core systems --json | head -1",
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert done.stderr == ""
