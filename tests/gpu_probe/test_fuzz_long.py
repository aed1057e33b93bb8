"""The long campaign: the fuzz tests with far more examples, run by make soak."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = 20_000


@pytest.mark.slow
def test_a_long_campaign_finds_nothing():
    """Twenty thousand damaged logs and reports of each kind raise nothing but ParseError."""
    count = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "tests/gpu_probe/test_fuzz.py", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env=os.environ | {"WIRESPEED_FUZZ": str(EXAMPLES)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert count.returncode == 0, count.stdout[-4000:]
