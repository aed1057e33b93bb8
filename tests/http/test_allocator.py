"""What the process holds once a large upload is answered."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.memory import needs_proc

ROOT = Path(__file__).parents[2]
LEFT = """
from pages.http.allocator import return_large_blocks
from tests.memory import resident_mb
if not return_large_blocks():
    raise SystemExit
body = bytearray(30_000_000)
del body
before = resident_mb("self")
behind = []
for _ in range(8):
    body = bytearray(b"1") * 20_000_000
    behind += [bytes(3000) for _ in range(100)]
    del body
    behind += [bytes(400_000) for _ in range(3)]
print(resident_mb("self") - before)
"""
"""Bodies of 20 MB one after the other, with some small things kept behind each of them."""


@needs_proc
def test_a_large_body_leaves_with_its_answer():
    """After eight bodies of 20 MB the process holds what lies beside them and none of them."""
    told = subprocess.run([sys.executable, "-c", LEFT], cwd=ROOT, capture_output=True, text=True, check=True)
    if not told.stdout:
        pytest.skip("the C library has no mallopt")

    assert float(told.stdout) < 18
