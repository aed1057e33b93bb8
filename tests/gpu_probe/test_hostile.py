"""Large files made to hurt: seconds and megabytes at most, each in a process of its own; 50 MB in `make soak`."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOAK = os.environ.get("WIRESPEED_EXAMPLES") == "soak"
SIZE, TIMES, MEGABYTES = (50_000_000, 450, 200) if SOAK else (1_000_000, 50, 40)
"""
Of a file, and what it may cost: so many times a plain loop of three million steps in the same process (a tenth of
a second), and memory. 1 MB takes up to 15 times that, 50 MB up to 282; a bound in seconds fails on a busy machine.
"""
CAPPED = {"braces", "headers without end", "half rows"}
"""Files that reach a limit of the readers only with more of them."""
CAPPED_SIZE = max(SIZE, 5_000_000)

HEADER = (
    "#       size         count      type   redop    root     time   algbw   busbw #wrong"
    "     time   algbw   busbw #wrong\\n"
)
ROW = "1048576 262144 float sum -1 73.27 14.31 25.04 0 57.59 18.21 31.86 0"
CASES = {
    "newlines": r'"\n"',
    "one long line": r'"a"',
    "braces": r'"{"',
    "a million brackets": r'"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n"',
    "rows without end": rf'"{HEADER}" + "{ROW}\n" * 90',
    "headers without end": rf'"{HEADER}"',
    "noise": rf'"{HEADER}" + "a.b.c.d.e.f.g.h:1:1 [0] NCCL INFO nranks 8 NCCL_X=1 -x NCCL_Y=2\n" * 90',
    "commands": r'"mpirun all_reduce_perf all_reduce_perf all_gather_perf x\n"',
    "launchers": r'"mpirun " * 280 + "-H a,b:\n"',
    "half rows": rf'"{HEADER}" + "1048576        262144     float     sum      -1\n" * 90',
    "open quotes": r'("-x NCCL_A=\x27" * 20 + "\n")',
    "escapes": r'"\x1b[0;" * 30 + "\n"',
    "no peer": r'"[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]\nDevice=0 CANNOT Access Peer Device=1            \n"',
    "devices": r'"#  Rank 17 Group  0 Pid  36600 on host device  0 [0x07] NVIDIA A100-SXM4\n"',
    "rules": r'"GPU0 GPU1\n" + "-: " * 1000 + "x\n"',
    "no figures": rf'"{HEADER}" + "1048576 262144 float sum -1 nan nan nan N/A nan nan nan N/A\n" * 90',
    "rates": r'"1 GB/s a " * 44 + "\n"',
    "cells of rates": r'"| 8 MB | 300 GB/s " * 20 + "|\n"',
    "topology": r'"        GPU0    GPU1    CPU Affinity                 \nGPU0 X NV12                      \n"',
}
WORK = """
import json, os, resource, sys, time
from gpu_probe.parsers import ParseError, read

def loop():
    start, total = time.process_time(), 0
    for number in range(3_000_000):
        total += number
    return time.process_time() - start

unit = min(loop() for _ in range(3))

def measured(data):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    try:
        word = f"{len(read('hostile', data))} runs"
    except ParseError as error:
        word = str(error)
    return (time.process_time() - start) / unit, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, word

for name, source in json.load(sys.stdin).items():
    data = eval(source)
    child = os.fork()
    if child == 0:
        print(json.dumps([name, *measured(data)]), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""
"""Reads each file in a child of its own, which has not built it: what went into that counts for no reader."""


def cost(sources):
    """Plain loops, kilobytes and words that each file costs, by name; an expression gives the file's bytes."""
    done = subprocess.run(
        [sys.executable, "-c", WORK],
        cwd=ROOT,
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [name for name, *_ in lines] == list(sources), done.stderr
    return {name: figures for name, *figures in lines}


def test_hostile_megabytes():
    """No such file costs more than seconds and 40 MB beyond itself (of 50 MB: 200), and none raises."""
    sizes = {name: CAPPED_SIZE if name in CAPPED else SIZE for name in CASES}
    sources = {
        name: f"((piece := ({piece}).encode()) * ({sizes[name]} // len(piece) + 1))[:{sizes[name]}]"
        for name, piece in CASES.items()
    }
    for name, (times, kilobytes, word) in cost(sources).items():
        assert times < TIMES, name
        assert kilobytes < MEGABYTES * 1000, name
        assert word.strip(), name


REPORT_MEGABYTES = 200
REPORTS = {
    "lists": """'{"nvbandwidth":{"testcases":[' + "[]," * 5_000_000 + "[]]}}\"""",
    "escapes": r"""'{"results":"' + "\\" * 15_000_000""",
    "wide text": r"""'{"results":["\U0001f600' + "a" * 15_000_000 + '"]}'""",
    "brackets": """"[" * 15_000_000""",
    "objects": """'{"a":' * 3_000_000""",
    "results": """'{"results":[' + '{"size":1,"type":"float","in_place":{"time":1}},' * 300_000""",
    "samples": """'{"format_version":1,"runs":[{"file":"a","format":"topo-m","samples":['
        + '{"size_bytes":1,"time_s":1.5},' * 400_000""",
}
"""Expressions of reports in JSON."""


def test_fifteen_megabytes_of_json():
    """JSON is bounded before it becomes objects."""
    sources = {name: f"({report}).encode()" for name, report in REPORTS.items()}
    for name, (times, kilobytes, word) in cost(sources).items():
        assert times < TIMES, name
        assert kilobytes < REPORT_MEGABYTES * 1000, name
        assert word.strip(), name
