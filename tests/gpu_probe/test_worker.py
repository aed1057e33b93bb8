"""Reading uploads in a process of their own."""

import json
import sys
import threading

import pytest

from gpu_probe.parsers import ParseError, read, worker
from gpu_probe.parsers.worker import read_limited
from tests.gpu_probe import formats as tools
from tests.gpu_probe.formats import text

LOG = text(tools.nccl_tests())


def test_the_worker_reads_as_we_do():
    """Another process gives the same runs."""
    assert read_limited("log", LOG) == read("log", LOG)


def test_the_workers_reason_and_line_come_through():
    """Why a file could not be read crosses the process with its line."""
    lines = [*tools.nccl_tests(sizes=(8,), footer=False)[:-1], "node1: Test NCCL failure x.cu:1"]
    with pytest.raises(ParseError, match="no rows") as caught:
        read_limited("log", text(lines))

    assert caught.value.line == len(lines)


def test_a_memory_limit_is_kept():
    """Two million figures do not fit in ten megabytes."""
    values = [[1.5] * 1000] * 900
    names = [str(i) for i in range(1000)]
    matrix = {"name": "m", "kind": "bandwidth", "rows": names[:900], "columns": names, "values": values}
    data = json.dumps({"format_version": 1, "file": "a", "format": "topo-m", "matrices": [matrix]}).encode()

    assert len(read_limited("log", data)) == 1
    with pytest.raises(ParseError, match="memory"):
        read_limited("log", data, megabytes=10)


SLOW = b"mpirun all_reduce_perf all_gather_perf x\n" * 900_000
"""A log that takes seconds of processor time."""


def test_a_limit_of_processor_time_is_kept(monkeypatch):
    """A log that takes seconds is stopped at a fraction of one, also where a busy machine gives it little of each."""
    monkeypatch.setattr(worker, "START_S", 600.0)
    with pytest.raises(ParseError, match="more memory or time than allowed"):
        read_limited("log", SLOW, seconds=0.1)


def test_a_limit_on_the_clock_is_kept(monkeypatch):
    """A process that does not come to its limit of processor time is ended all the same."""
    monkeypatch.setattr(worker, "START_S", 0.0)
    with pytest.raises(ParseError, match=r"took more than 0\.1 s"):
        read_limited("log", SLOW, seconds=0.1)


def test_threads_may_read_at_once():
    """A web server reads several uploads at the same time."""
    found = []
    threads = [threading.Thread(target=lambda: found.append(len(read_limited("log", LOG)))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [1, 1, 1]


def test_the_worker_knows_no_secret(monkeypatch, tmp_path):
    """The process that reads an upload is started without the server's token and database address."""
    seen = tmp_path / "seen"
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nenv > "{seen}"\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setenv("WIRESPEED_API_TOKEN", "a-token")
    monkeypatch.setenv("WIRESPEED_DATABASE_URL", "postgresql://user:password@host/name")
    monkeypatch.setattr(sys, "executable", str(python))

    assert len(read_limited("log", LOG)) == 1
    assert "PATH=" in seen.read_text("utf-8")
    assert "WIRESPEED" not in seen.read_text("utf-8")


def test_readers_need_no_torch():
    """Importing the readers loads neither torch nor numpy."""
    import subprocess

    code = "import sys, gpu_probe.parsers, gpu_probe.parsers.report; print({'torch', 'numpy'} & set(sys.modules))"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert process.stdout.strip() == "set()"
