"""The long campaign: the fuzz tests with far more examples, other ones each time, run by make soak."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = 5000
FUZZ = "tests/gpu_probe/test_fuzz.py"
KINDS = ("spoiled_log", "spoiled_report", "any_bytes", "mended_text")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_long_campaign_finds_nothing(kind):
    """Five thousand damaged logs and reports of each tool raise nothing but ParseError."""
    count = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", FUZZ, "-k", kind, "-p", "no:cacheprovider"],
        cwd=ROOT,
        env=os.environ | {"WIRESPEED_FUZZ": str(EXAMPLES)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert count.returncode == 0, count.stdout[-4000:]
