"""The verdict in one line: its number, what was expected, the cause in a few words."""

import pytest

from core.measurement import GpuCount, Machine, Matrix, Run
from core.verdict import headline, judge_run
from core.verdict.ranks import with_domains
from tests.core.test_verdict import H100, SIZES, TWO, a_run, expected


def test_the_headline_holds_the_number_and_the_cause():
    """What one NIC of eight carries: the largest slow size with its busbw, the expected range and the cause."""
    slow = a_run(expected(with_domains(TWO, 2, 1), ranks=16), ranks=16, hosts=2)
    text = headline(judge_run(slow, TWO))

    assert text.startswith("83.6")
    assert " GB/s busbw at 1 GiB, expected 325-507 GB/s: low, because 1" in text
    assert "of 8 NICs; try NCCL_DEBUG=INFO" in text


@pytest.mark.parametrize(
    ("run", "text"),
    [
        (a_run(expected(H100)), "461 GB/s busbw at 1 GiB, expected 432-499 GB/s: fine"),
        (
            a_run(4 * expected(H100)),
            "115 GB/s busbw at 1 GiB, expected 432-499 GB/s: low, perhaps one slow GPU or link, or NCCL version",
        ),
        (
            a_run(expected(H100) / 4),
            "1.84 TB/s busbw at 1 GiB, at most 788 GB/s: impossible; faster than the link",
        ),
        (
            a_run(expected(H100), wrong={SIZES[3]: 17}),
            "wrong values in 1 of 10 samples, first at 256 KiB: wrong",
        ),
        (
            a_run([*(3 * expected(H100)[:5]), *expected(H100)[5:]]),
            "49.2 µs at 4 KiB, expected 13.4-29.3 µs: low, because latency-bound",
        ),
        (
            a_run(expected(H100), collective="hypercube"),
            "unknown: nothing in this nccl-tests-text output has an expectation on this system",
        ),
    ],
)
def test_every_verdict_has_its_headline(run, text):
    """Fine, low, impossible, wrong, latency-bound and not judged: each in one line with its number."""
    line = headline(judge_run(run, H100))

    assert line.split(";")[0] == text.split(";")[0]
    assert line.startswith(text) or "fine" in text


def test_the_headline_of_pairs_names_the_worst():
    """One slow pair of a matrix stands in the headline with its rate, its link's rate and its cause."""
    cells = [[None if i == j else 400e9 for j in range(8)] for i in range(8)]
    cells[0][3] = 12e9
    rows = tuple(str(i) for i in range(8))
    matrix = Matrix("copies", "bandwidth", "one_way", True, rows, rows, tuple(map(tuple, cells)))
    machine = Machine((GpuCount("NVIDIA H100", 8),))
    verdict = judge_run(Run("m", "nvbandwidth-text", None, None, machine, matrices=(matrix,)), H100)

    assert (
        headline(verdict).partition("; try")[0]
        == "12 GB/s of 450 GB/s, GPU0 to GPU3 (1 of 56 pairs): low, because one slow pair"
    )


def test_pairs_slow_by_no_known_cause_say_what_to_run():
    """All pairs at two fifths of NVLink point at nothing: the headline says so, and the command that tells."""
    names = tuple("01234567")
    cells = tuple(tuple(None if a == b else 180e9 for b in names) for a in names)
    matrix = Matrix("device_to_device_memcpy_read_ce", "bandwidth", "one_way", True, names, names, cells)
    verdict = judge_run(Run("log", "nvbandwidth-text", None, None, matrices=(matrix,)), H100)

    assert headline(verdict).startswith(
        "180 GB/s of 450 GB/s, GPU0 to GPU1 (56 of 56 pairs): low, no known cause; try nvidia-smi"
    )
