"""A campaign ends when it is told to, with all that it started."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CAMPAIGN = """
import sys
from pathlib import Path
from tools import soak
from tools.soak import Piece
words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", sys.argv.pop())
soak.PLACE = Path(sys.argv.pop())
soak.pieces = lambda: {"first": Piece(words, {}), "second": Piece(words, {})}
sys.exit(soak.main())
"""
LONG = """
import subprocess, sys, time
from pathlib import Path
import pytest

PLACE = Path(__file__).parent

@pytest.fixture
def server():
    yield
    (PLACE / "torn-down").touch()

def test_it(server):
    forgotten = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    (PLACE / "begun").write_text(str(forgotten.pid))
    (PLACE / "begun").rename(PLACE / "child")
    time.sleep(600)
"""
WAIT_S = 120


def _until(reached):
    end = time.monotonic() + WAIT_S
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.05)


def _is_gone(pid):
    """Whether a process has ended; one that nobody waits for has, too."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


def _ignore_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_campaign_in_the_background_ends_at_a_signal_with_its_children(tmp_path, number):
    """Fixtures take down what they started, what they forgot is ended too, no other piece begins, nothing passed."""
    (tmp_path / "test_long.py").write_text(LONG)
    campaign = subprocess.Popen(
        [sys.executable, "-c", CAMPAIGN, str(tmp_path / "place"), str(tmp_path / "test_long.py")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=_ignore_interrupts,  # noqa: PLW1509 - there are no threads
    )
    try:
        _until((tmp_path / "child").exists)
        child = int((tmp_path / "child").read_text())
        campaign.send_signal(number)
        said, _ = campaign.communicate(timeout=WAIT_S)
    finally:
        campaign.kill()

    assert (campaign.returncode, said) == (130, f"soak: ended by {number.name}; what has passed is kept\n")
    assert (tmp_path / "torn-down").exists()
    _until(lambda: _is_gone(child))
    assert [path.name for path in (tmp_path / "place").rglob("*.*")] == ["first.txt"]
