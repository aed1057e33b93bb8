"""Former versions of the program, out of git's history."""

import io
import subprocess
import tarfile

import pytest

from db.migrate import MIGRATIONS
from tests.server import ROOT

RELEASE = "release"
"""Stands for the program of the last release."""


def migration(number):
    """The file of a migration; the newest for None."""
    found = sorted(MIGRATIONS.glob("versions/0*.py"))
    return found[-1] if number is None else next(path for path in found if path.name.startswith(number))


def unpacked(folder, number=None):
    """The whole program in a folder: as it was just before a migration came, or at the last release."""
    try:
        if number == RELEASE:
            commit = git("log", "-1", "--format=%H", "--", "core/version.py").decode().strip()
        else:
            place = str(migration(number).relative_to(ROOT))
            commit = git("log", "--diff-filter=A", "--format=%H", "--", place).decode().split()[-1] + "^"
        packed = git("archive", commit)
    except (subprocess.CalledProcessError, IndexError):
        pytest.skip("the history of this checkout does not reach that version")
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def git(*words):
    """What git prints about this repository."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout
