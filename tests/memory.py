"""The memory that a process holds or held, as Linux tells it in /proc."""

from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="memory is read from /proc")


def resident_mb(process_id):
    """Megabytes that a process holds now."""
    return _figure(process_id, "VmRSS")


def peak_mb(process_id="self"):
    """
    The most megabytes that a process has held.

    Not getrusage's ru_maxrss: a program that is started inherits the peak of the process that started it.
    """
    return _figure(process_id, "VmHWM")


def _figure(process_id, name):
    for line in Path(f"/proc/{process_id}/status").read_text().splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0]) * 1024 / 1e6
    return 0.0
