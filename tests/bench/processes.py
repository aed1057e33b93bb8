"""Processor time and memory of a process with all that it started, as Linux counts them."""

import os
from pathlib import Path

PROC = Path("/proc")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
PARENT, USER, SYSTEM = 1, 11, 12


def family(process):
    """The process and its descendants."""
    parents = {}
    for folder in PROC.iterdir():
        if folder.name.isdecimal() and (stat := _stat(int(folder.name))):
            parents[int(folder.name)] = int(stat[PARENT])
    members = {process}
    while more := {child for child, parent in parents.items() if parent in members} - members:
        members |= more
    return members


def processor_s(processes):
    """Seconds of processor time of some processes together."""
    stats = [_stat(process) for process in processes]
    return sum(int(stat[USER]) + int(stat[SYSTEM]) for stat in stats if stat) / TICKS_PER_S


def resident_bytes(processes):
    """Memory of some processes together; what they share is counted for each."""
    total = 0
    for process in processes:
        try:
            total += int((PROC / str(process) / "statm").read_text().split()[1]) * PAGE_BYTES
        except (FileNotFoundError, ProcessLookupError):
            continue
    return total


def _stat(process):
    """What stands behind the name in ``/proc/PID/stat``; empty where the process has ended."""
    try:
        return (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
