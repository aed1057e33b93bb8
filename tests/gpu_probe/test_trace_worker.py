"""Traces read in a process of its own: it tells how far it is, can be stopped, and ends at its limits."""

import gzip
import io
import json
import os
import subprocess
import threading
import time
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from gpu_probe.parsers import trace_worker
from gpu_probe.parsers.trace_worker import SMALL_BYTES, read_traces
from tools.big_trace import write

MB = 1_000_000


class StoppedError(Exception):
    """Somebody pressed Stop."""


@pytest.fixture(scope="module")
def big():
    """A trace of 30 MB: half a second of reading, and a second until the process has ended."""
    file = io.StringIO()
    write(30 * MB, file)
    return file.getvalue().encode()


def workers():
    """Processes that read traces now, by the number of their process."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                command, parent = (entry / "cmdline").read_bytes(), (entry / "stat").read_text()
            except OSError:
                continue
            starter = int(parent.rpartition(")")[2].split()[1])
            if b"trace_worker" in command and starter == os.getpid():
                found.add(entry.name)
    return found


def test_reading_tells_how_far_it_is(big):
    """Shares rise within the file, some times a second, and the job is whole."""
    shares = []
    job = read_traces([("big.json", big)], progress=shares.append)

    assert len(job.ranks[0].collectives) > 500
    assert shares
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1


def test_stop_ends_the_process(big):
    """What the listener raises comes through, and nothing reads on."""

    def stop(_share):
        raise StoppedError

    with pytest.raises(StoppedError):
        read_traces([("big.json", big)], progress=stop)
    assert workers() == set()


def test_a_limit_of_time_and_one_of_memory_end_it(big):
    """One line, and nothing reads on."""
    with pytest.raises(InputError, match="reading took more"):
        read_traces([(str(rank), big) for rank in range(4)], seconds=0.2)
    with pytest.raises(InputError, match="more memory or time than allowed"):
        read_traces([("big.json", big)], megabytes=20)
    assert workers() == set()


def test_a_process_that_is_still_at_it_when_its_time_is_over_is_ended(big, monkeypatch):
    """The reason is the time, also where the reader wakes before the timer has done its work."""
    kill, reader, reader_goes_on = subprocess.Popen.kill, threading.current_thread(), threading.Event()

    def kill_and_wait_for_the_reader(process):
        kill(process)
        if threading.current_thread() is reader:
            reader_goes_on.set()
        else:
            reader_goes_on.wait(10)

    monkeypatch.setattr(subprocess.Popen, "kill", kill_and_wait_for_the_reader)
    monkeypatch.setattr(trace_worker, "START_S", 0.0)

    with pytest.raises(InputError, match=r"^reading took more than 0\.1 s$"):
        read_traces([("big.json", big)], seconds=0.1)
    assert workers() == set()


def test_half_a_job_is_a_limit_reached(big, tmp_path, monkeypatch):
    """A process that is ended while it writes its job is no broken file, and no crash."""
    script = tmp_path / "python"
    script.write_text('#!/bin/sh\ncat > /dev/null; printf \'job\\n{"wirespeed_job": 1, "ra\'\n')
    script.chmod(0o700)
    monkeypatch.setattr(trace_worker.sys, "executable", str(script))

    with pytest.raises(InputError, match="more memory or time than allowed"):
        read_traces([("big.json", big)])


def nested(data):
    """A zip in a zip of a gzip."""
    for name in ("inner.json.gz", "middle.zip"):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, gzip.compress(data) if name.endswith("gz") else data)
        data = packed.getvalue()
    return data


HOSTILE = {
    "a gzip of blanks": lambda size: gzip.compress(b'{"traceEvents": [' + b" " * (6 * size)),
    "nested packing": lambda size: nested(b'{"traceEvents": [' + b" " * size),
    "one number": lambda size: b'{"traceEvents": [{"ts": ' + b"9" * size,
    "one string": lambda size: b'{"traceEvents": [{"name": "' + b"n" * size,
    "brackets": lambda size: b'{"traceEvents": [' + b"[" * size,
    "objects": lambda size: b'{"schema": "1.0", "nodes": [' + b'{"a":' * (size // 5),
    "a job of numbers": lambda size: b'{"wirespeed_job": 1, "ranks": [' + b"1," * (size // 2),
    "empty events": lambda size: b'{"traceEvents": [' + b"{}," * (size // 3) + b"{}]}",
    "a pickle of marks": lambda size: b"\x80\x02" + b"(" * size,
    "a pickle of one long name": lambda size: b"\x80\x02c" + b"a" * size,
    "NCCL lines of one word": lambda size: b"h:1:1 [0] NCCL INFO " + b"AllReduce: " * (size // 11),
    "commas": lambda size: b"Time,Total Time,Instances,Name\n" + b"," * size,
}


def refused_or_empty(data):
    """The file is read within its limits to nothing, or refused in one line; seconds that it took."""
    began, reason, calls = time.monotonic(), "", 0
    try:
        job = read_traces([("hostile", data)], seconds=60)
        calls = sum(len(rank.collectives) for rank in job.ranks)
    except InputError as problem:
        reason = str(problem)
    assert calls == 0
    assert "\n" not in reason
    assert "Traceback" not in reason
    return time.monotonic() - began


@pytest.mark.parametrize("kind", ["a gzip of blanks", "nested packing", "a pickle of marks"])
def test_a_hostile_file_is_refused_at_once(kind):
    """A megabyte, packed to little or not at all: one line, long before the limit of time."""
    data = HOSTILE[kind](MB)

    assert refused_or_empty(data) < 60


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
def test_fifty_megabytes_made_to_hurt(kind):
    """One line within the limits of time and memory, whatever the bytes are."""
    data = HOSTILE[kind](50 * MB)

    assert refused_or_empty(data) < 75
    assert workers() == set()


def test_a_small_file_is_read_here():
    """No process is started for a few events, and how far it is needs no telling."""
    data = json.dumps({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "gemm", "ts": 1, "dur": 2}]})
    shares = []

    assert len(data) < SMALL_BYTES
    assert read_traces([("small.json", data.encode())], progress=shares.append).format == "kineto"
    assert shares == []
