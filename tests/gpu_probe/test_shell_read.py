"""``python -m gpu_probe read`` as a script sees it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.measurement.run_json import file_json
from gpu_probe.parsers import read
from tests.gpu_probe import formats as tools
from tests.gpu_probe.formats import text
from tests.gpu_probe.inside import probe

ROOT = Path(__file__).parents[2]


def probe_from_shell(*words, data=None):
    return subprocess.run(
        [sys.executable, "-m", "gpu_probe", *map(str, words)],
        cwd=ROOT,
        input=data,
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "nccl.log"
    path.write_bytes(text(tools.nccl_tests()))
    return path


def test_json_of_one_file(log):
    """One list with one run, all keys of the contract, exit 0, nothing on stderr."""
    process = probe_from_shell("read", log, "--json")
    (run,) = json.loads(process.stdout)

    assert (process.returncode, process.stderr) == (0, b"")
    assert list(run) == [
        "file",
        "format",
        "collective",
        "ranks",
        "machine",
        "samples",
        "matrices",
        "warnings",
    ]
    assert list(run["machine"]) == ["gpus", "hosts", "driver", "cuda", "nccl", "env"]
    assert run["file"] == str(log)


def test_a_name_that_acts_on_the_terminal_is_refused_in_one_line(log):
    """A line break and an escape in a file's name stand as escapes on stderr, and the file is not read."""
    process = probe("read", log.rename(log.with_name("a\n\x1b[2J.log")), "--json")

    assert (process.returncode, process.stdout.strip()) == (2, "[]")
    assert process.stderr.strip().isprintable()
    assert "without control characters" in process.stderr


def test_nothing_is_printed_where_nothing_was_read(tmp_path):
    """A missing file is one line on stderr and not a byte on stdout."""
    process = probe("read", tmp_path / "none.log")

    assert (process.returncode, process.stdout, process.stderr.count("\n")) == (2, "", 1)


def test_a_bare_python_is_told_what_check_needs(log):
    """Without numpy `check` names numpy and where to find it; it does not deny that it is there."""
    process = subprocess.run(
        [sys.executable, "-S", "-m", "gpu_probe", "check", log, "--system", "dgx-h100"],
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        capture_output=True,
        timeout=120,
        check=False,
    )

    assert (process.returncode, process.stderr.count(b"\n")) == (2, 1)
    assert b"needs numpy" in process.stderr
    assert b"not in this file" not in process.stderr


def test_several_files_of_which_some_are_bad(log, tmp_path):
    """The readable ones are printed, each bad one gets a line, and the exit is 2."""
    bad = tmp_path / "bad.log"
    bad.write_text("launch failed on node1: no port")
    process = probe("read", bad, log, tmp_path / "none.log", tmp_path, "--json")
    lines = process.stderr.splitlines()

    assert process.returncode == 2
    assert len(json.loads(process.stdout)) == 1
    assert len(lines) == 3
    assert "launch failed" in lines[0]
    assert "No such file" in lines[1]
    assert "directory" in lines[2]


def test_only_bad_files_print_an_empty_list(tmp_path):
    """Nothing readable is an empty list on stdout, so that a script can go on."""
    process = probe("read", tmp_path / "none", "--json")

    assert (process.returncode, json.loads(process.stdout)) == (2, [])


def test_standard_input_and_the_eye(log):
    """A dash reads from a pipe; without --json a person sees a table."""
    process = probe_from_shell("read", "-", data=log.read_bytes())
    shown = process.stdout.decode()

    assert process.returncode == 0
    assert "all_reduce, 8 ranks" in shown
    assert "1 GiB" in shown


def test_the_user_answers_what_the_log_leaves_open(tmp_path):
    """--collective and --ranks fill in what a table without header lines cannot say."""
    path = tmp_path / "rows.log"
    path.write_bytes(text(tools.new_table()))
    process = probe("read", path, "--json", "--collective", "all_reduce", "--ranks", 8)
    (run,) = json.loads(process.stdout)

    assert (run["collective"], run["ranks"], run["warnings"]) == ("all_reduce", 8, [])
    assert run["samples"][0]["busbw_GBps"] is not None


def test_a_run_file_with_matrices_is_shown(tmp_path):
    """Matrices are printed with their unit and direction."""
    path = tmp_path / "run.json"
    path.write_text(json.dumps(file_json(read("x", text([*tools.p2p(), *tools.topology()])))))
    process = probe("read", path)

    assert "GB/s, bidirectional, peer access yes" in process.stdout
    assert "NV12" in process.stdout


@pytest.mark.parametrize(
    "words", [[], ["read"], ["frob"], ["read", "--frob", "x"], ["read", "x", "--ranks", "two"]]
)
def test_a_wrong_command_is_one_line(words):
    """Exit 2 and one line on stderr, never a traceback."""
    process = probe(*words)

    assert process.returncode == 2
    assert len(process.stderr.splitlines()) == 1
