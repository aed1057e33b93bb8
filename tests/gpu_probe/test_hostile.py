"""Large files made to hurt: seconds and 200 MB at most, each in a process of its own; 50 MB in `make soak`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SIZE = 50_000_000 if os.environ.get("WIRESPEED_EXAMPLES") == "soak" else 5_000_000
SECONDS = 30
"""Of processor time. Alone 50 MB take two to six; the bound leaves room for a machine busy with other tests."""
MEGABYTES = 200

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
    "half rows": rf'"{HEADER}" + "1048576        262144     float     sum      -1\n" * 90',
    "open quotes": r'("-x NCCL_A=\x27" * 20 + "\n")',
    "escapes": r'"\x1b[0;" * 30 + "\n"',
    "no peer": r'"[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]\nDevice=0 CANNOT Access Peer Device=1            \n"',
    "devices": r'"#  Rank 17 Group  0 Pid  36600 on host device  0 [0x07] NVIDIA A100-SXM4\n"',
    "rules": r'"GPU0 GPU1\n" + "-: " * 1000 + "x\n"',
    "no figures": rf'"{HEADER}" + "1048576 262144 float sum -1 nan nan nan N/A nan nan nan N/A\n" * 90',
    "topology": r'"        GPU0    GPU1    CPU Affinity                 \nGPU0 X NV12                      \n"',
}
WORK = """
import sys, time, resource
from gpu_probe.parsers import ParseError, read
piece = ({piece}).encode()
data = (piece * ({size} // len(piece) + 1))[:{size}]
del piece
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
try:
    word = f"{{len(read('hostile', data))}} runs"
except ParseError as error:
    word = str(error)
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, word)
"""


@pytest.mark.parametrize("piece", CASES.values(), ids=CASES)
def test_hostile_megabytes(piece):
    """No such file costs more than seconds and 200 MB beyond itself, and none raises."""
    done = subprocess.run(
        [sys.executable, "-c", WORK.format(piece=piece, size=SIZE)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seconds, kilobytes, word = done.stdout.split(" ", 2)

    assert float(seconds) < SECONDS
    assert int(kilobytes) < MEGABYTES * 1000
    assert word.strip()


@pytest.mark.parametrize(
    "report",
    [
        '{"nvbandwidth":{"testcases":[' + "[]," * 5_000_000 + "[]]}}",
        '{"results":"' + "\\" * 15_000_000,
        '{"results":["\U0001f600' + "a" * 15_000_000 + '"]}',
        "[" * 15_000_000,
        '{"a":' * 3_000_000,
        '{"results":[' + '{"size":1,"type":"float","in_place":{"time":1}},' * 300_000,
        '{"format_version":1,"runs":[{"file":"a","format":"topo-m","samples":['
        + '{"size_bytes":1,"time_s":1.5},' * 400_000,
    ],
    ids=["lists", "escapes", "wide text", "brackets", "objects", "results", "samples"],
)
def test_fifteen_megabytes_of_json(report, tmp_path):
    """JSON is bounded before it becomes objects."""
    path = tmp_path / "report.json"
    path.write_text(report, encoding="utf-8")
    work = WORK.replace(
        "piece = ({piece}).encode()\ndata = (piece * ({size} // len(piece) + 1))[:{size}]\ndel piece",
        "data = open({path!r}, 'rb').read()",
    )
    done = subprocess.run(
        [sys.executable, "-c", work.format(path=str(path))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seconds, kilobytes, word = done.stdout.split(" ", 2)

    assert float(seconds) < SECONDS
    assert int(kilobytes) < MEGABYTES * 1000
    assert json.dumps(word)
