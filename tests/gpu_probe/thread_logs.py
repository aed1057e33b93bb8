"""
Threads as logs, judged as ``check`` judges them: ``python -m tests.gpu_probe.thread_logs [-v] [--bare]`` prints the score.

Bare, a paste is its tables and its command alone, without NCCL's lines, words or other tools.
"""

import contextlib
import io
import json
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from core.measurement.bus_factor import bus_factor
from gpu_probe.__main__ import main
from tests.figures import (
    threads_2026_11,
    threads_2026_11_eighth,
    threads_2026_11_fifth,
    threads_2026_11_fourth,
    threads_2026_11_halves,
    threads_2026_11_ninth,
    threads_2026_11_outputs,
    threads_2026_11_second,
    threads_2026_11_seventh,
    threads_2026_11_sixth,
    threads_2026_11_tenth,
    threads_2026_11_third,
    threads_2026_11_whole,
)

ROUNDS = (
    threads_2026_11.THREADS,
    threads_2026_11_second.THREADS,
    threads_2026_11_third.THREADS,
    threads_2026_11_fourth.THREADS,
    threads_2026_11_fifth.THREADS,
    threads_2026_11_sixth.THREADS,
    threads_2026_11_seventh.THREADS,
    threads_2026_11_eighth.THREADS,
    threads_2026_11_ninth.THREADS,
    threads_2026_11_tenth.THREADS,
    threads_2026_11_whole.THREADS,
    threads_2026_11_outputs.THREADS,
    threads_2026_11_halves.THREADS,
)
_WORST = ("wrong", "impossible", "low", "unknown", "high", "fine")
_OPEN = "cannot be known without"
"""In the answer to a paste that leaves open what would be needed, with the test that tells."""
_NAMES = {"all_to_all": "alltoall", "send_recv": "sendrecv"}
_COMMAND = re.compile(r"_perf\b|\b(?:mpirun|srun|torchrun)\b")
_OF_NCCL = re.compile(r"NCCL (?:INFO|WARN)")
_HEAD = (
    "#                                                              out-of-place                       in-place",
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong",
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)",
)


def bare(thread):
    """The thread's tables with the command that ran, nothing else."""

    def commands(lines):
        return tuple(line for line in lines if _COMMAND.search(line) and not _OF_NCCL.search(line))

    tables = tuple(replace(table, lines=commands(table.lines)) for table in thread.tables)
    return replace(thread, lines=commands(thread.lines), tables=tables)


def low_with_cause(threads):
    """Those with a table that are low and know why."""
    return [thread for thread in threads if thread.tables and thread.causes and "low" in thread.verdicts]


def log_of(thread):
    """The paste: its prose and lines, then each execution as nccl-tests prints it."""
    lines = list(thread.lines)
    for table in thread.tables:
        lines += [*table.lines, *_execution(thread, table)]
    return "\n".join(thread.prefix + line if thread.prefix else line for line in lines) + "\n"


def _execution(thread, table):
    nodes = table.nodes or thread.nodes
    ranks = nodes * thread.local
    name = _NAMES.get(table.collective, table.collective)
    lines = [f"# Collective test starting: {name}_perf"]
    if thread.gpu:
        lines += [
            "# nThread 1 nGpus 1 minBytes 8 maxBytes 8589934592 step: 2(factor)",
            "#",
            "# Using devices",
        ]
        lines += [
            f"#  Rank {rank:2d} Group  0 Pid {4000 + rank:6d} on {f'node{rank // thread.local}':>10} "
            f"device {rank % thread.local:2d} [0x{16 + rank % thread.local:02x}] {thread.gpu}"
            for rank in range(ranks)
        ]
    return [*lines, "#", *_HEAD, *(_row(size, rate, table.collective, ranks) for size, rate in table.rows)]


def _row(size, rate, collective, ranks):
    algbw = rate / bus_factor(collective, ranks)
    half = f"{size / algbw / 1e3:8.1f} {algbw:7.2f} {rate:7.2f}      0"
    return f"{size:12d} {size // 4:13d}     float     sum      -1 {half} {half}"


def judged(thread, folder):
    """The worst verdict of its runs, and the codes of reason and causes of the runs that have it."""
    path = Path(folder) / "paste.log"
    path.write_text(log_of(thread))
    printed, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        main(["check", "--json", str(path), *thread.options])
    try:
        reports = json.loads(printed.getvalue())
    except ValueError:
        reports = []
    verdicts = [report["verdict"] for report in reports]
    worst = next((word for word in _WORST if word in verdicts), None)
    if worst is None and _OPEN in said.getvalue():
        worst = "unknown"
    codes = [
        [report["reason"], *(cause["reason"] for cause in report["causes"])]
        for report in reports
        if report["verdict"] == worst
    ]
    told = [report["headline"] for report in reports if report["verdict"] == worst]
    return worst, codes[0] if codes else [], (told or said.getvalue().splitlines() or [""])[0]


def outcomes(threads):
    """Of each thread: whether its verdict is right, which of the codes told is a cause of it, and the headline."""
    with tempfile.TemporaryDirectory() as folder:
        for thread in threads:
            verdict, codes, told = judged(thread, folder)
            right = verdict in thread.verdicts
            named = [code in thread.causes for code in codes] if right else []
            yield thread, right, named, f"{verdict} of {thread.verdicts}, {codes} of {thread.causes}", told


def missed(threads):
    """Those with a false verdict, or without a cause that the thread knows."""
    return [
        thread
        for thread, right, named, *_ in outcomes(threads)
        if not right or (thread.causes and not any(named))
    ]


def score(threads, *, verbose=False):
    """How many verdicts are right, how many causes are listed and named first, of how many with a cause."""
    right = listed = first = asked = 0
    for thread, good, named, found, told in outcomes(threads):
        right += good
        asked += bool(thread.causes)
        listed += any(named)
        first += named[:1] == [True]
        if verbose:
            cause = "" if not thread.causes else ", cause listed" if any(named) else ", CAUSE MISSED"
            print(f"{'right' if good else 'WRONG'}{cause} {thread.id}: {found}\n      {told[:220]}")
    return right, listed, first, asked


if __name__ == "__main__":
    if "--bare" in sys.argv:
        known = [bare(thread) for threads in ROUNDS for thread in low_with_cause(threads)]
        right, listed, first, asked = score(known, verbose="-v" in sys.argv)
        print(f"tables and commands alone: low {right}, cause listed {listed} and first {first} of {asked}")
        sys.exit()
    for number, threads in enumerate(ROUNDS, 1):
        right, listed, first, asked = score(threads, verbose="-v" in sys.argv)
        print(
            f"round {number}: verdict right {right} of {len(threads)}, "
            f"cause listed {listed} and first {first} of {asked}"
        )
