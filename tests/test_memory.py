"""The memory figures that other tests go by."""

import subprocess
import sys
from pathlib import Path

from tests.memory import needs_proc, peak_mb

ROOT = Path(__file__).parents[1]
CHILD = "from tests.memory import peak_mb; print(peak_mb())"


@needs_proc
def test_a_peak_is_the_process_s_own():
    """A program started by a process that once held 300 MB more says its own peak, not its starter's."""
    held = b"1" * 300_000_000
    del held
    told = subprocess.run([sys.executable, "-c", CHILD], cwd=ROOT, capture_output=True, text=True, check=True)

    assert 0 < float(told.stdout) < 200 < peak_mb()
