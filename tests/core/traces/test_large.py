"""A trace of 2 GB on one core: in under a minute of its time and half a gigabyte of memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.memory import needs_proc
from tools.big_trace import write

ROOT = Path(__file__).parents[3]
READ = """
import json, resource, sys
from core.traces.detect import read_job
from core.traces.totals import totals
from tests.memory import peak_mb
with open(sys.argv[1], "rb") as trace:
    job = read_job([("big.json", trace)])
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([totals(job.ranks[0]).calls, used.ru_utime + used.ru_stime, peak_mb()]))
"""


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("size_bytes", [2e9])
def test_a_trace_of_two_gigabytes(tmp_path, size_bytes):
    """Every collective counted, with bounded time and memory."""
    path = tmp_path / "big.json"
    with path.open("w", encoding="utf-8") as file:
        written = write(int(size_bytes), file)
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    path.unlink()
    calls, seconds, megabytes = json.loads(done.stdout)

    assert calls == written
    assert seconds < 60
    assert megabytes < 500
