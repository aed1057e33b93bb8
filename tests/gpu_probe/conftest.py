"""What the tests of the probe share: a way to start it, and one probing of four processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
QUIET = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


def probe(*words, cwd, timeout=300):
    """Run a command of the probe as a shell does."""
    return subprocess.run(
        [sys.executable, "-m", "gpu_probe", *map(str, words)],
        cwd=cwd,
        env=QUIET,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


@pytest.fixture(scope="session")
def four(tmp_path_factory):
    """One quick probing of four processes over gloo, for all tests that look at it."""
    folder = tmp_path_factory.mktemp("four")
    process = probe("run", "--quick", "--ranks", 4, "-o", "run.json", cwd=folder)
    assert process.returncode == 0, process.stderr
    return folder / "run.json", process
