"""What the tests of the probe share: a way to start it, and one probing of each kind."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.once import once

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


def build(path):
    """The single file, built from the sources as `make probe` builds it."""
    subprocess.run(
        [sys.executable, "tools/build_probe.py", "-o", path], cwd=ROOT, check=True, capture_output=True
    )


@pytest.fixture(scope="session")
def single(tmp_path_factory):
    """The probe as one file."""
    return once(tmp_path_factory, "probe", lambda folder: build(folder / "wirespeed-probe.pyz")) / (
        "wirespeed-probe.pyz"
    )


@dataclass(frozen=True)
class Probing:
    """
    A finished probing.

    Attributes:
        path: The run file.
        stderr: What stood on the terminal.
    """

    path: Path
    stderr: str


def probing(factory, name, command, file, env=QUIET):
    """A probing that all tests of a run look at, in whichever process they are."""

    def measure(folder):
        done = subprocess.run(
            command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        (folder / "stderr").write_text(done.stderr)

    folder = once(factory, name, measure)
    return Probing(folder / file, (folder / "stderr").read_text())


@pytest.fixture(scope="session")
def four(tmp_path_factory, single):
    """Four processes of the single file over gloo, without the project in reach; NCCL and a secret are set."""
    env = {name: value for name, value in QUIET.items() if name != "PYTHONPATH"}
    env |= {"NCCL_ALGO": "ring", "WIRESPEED_SECRET": "hush"}
    command = [sys.executable, single, "run", "--quick", "--ranks", "4", "-o", "run.json"]
    return probing(tmp_path_factory, "four", command, "run.json", env)


@pytest.fixture(scope="session")
def alone(tmp_path_factory):
    """One process of the module, which names its file itself."""
    command = [sys.executable, "-m", "gpu_probe", "run", "--quick"]
    return probing(tmp_path_factory, "alone", command, "wirespeed-run.json")
