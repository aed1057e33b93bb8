"""Rows of nccl-tests pasted without their header."""

import pytest

from gpu_probe.parsers.nccl_headerless import columns_without_header
from tests.each import table
from tests.gpu_probe.formats import codes, only

NOW = "  1073741824     268435456     float     sum      -1   4100.0  261.89  458.31      0   4090.0  262.53  459.42      0"
OLDER = "  1073741824     268435456   float     sum   4100.0  261.89  458.31  2e-07   4090.0  262.53  459.42  2e-07"
GATHER = "  1073741824      33554432   float   4100.0  261.89  229.15  0e+00   4090.0  262.53  229.71  0e+00"
ONE = "  1073741824     268435456     float     sum      -1   4100.0  261.89  458.31      0"


@table(
    ("row", "times_us"),
    [(NOW, (4100, 4090)), (OLDER, (4100, 4090)), (GATHER, (4100, 4090)), (ONE, (4100,))],
)
def test_rows_without_a_header_are_a_table(row, times_us):
    """Each layout's row tells its columns itself: both placements, or the first alone."""
    run = only((row, row))

    assert [round(sample.time_s * 1e6) for sample in run.samples][: len(times_us)] == list(times_us)
    assert run.collective is None


def test_rows_of_a_command_are_of_its_collective():
    """A command line before the rows names the collective; the rates tell how many ranks there were."""
    run = only(("./build/all_reduce_perf -b 1G -e 8G -f 2 -g 8", NOW))

    assert run.collective == "all_reduce"
    assert run.ranks_or_guess == 8
    assert "ranks_unknown" in codes(run)


@pytest.mark.parametrize(
    "line",
    [
        NOW.replace("261.89", "300.00"),
        NOW.replace("268435456", "268435457"),
        NOW.replace("float", "train"),
        NOW + " 7",
        "1073741824 268435456 float sum -1",
        "",
    ],
)
def test_other_figures_are_no_row(line):
    """A line whose rate is not its size over its time, or of another shape, begins no table."""
    assert columns_without_header(line) is None


@pytest.mark.parametrize(
    "small",
    [
        "           8             2     float     sum      -1    15.20    0.00    0.00      0    15.10    0.00    0.00      0",
        "        4096          1024     float     sum      -1    15.85    0.26    0.45      0    15.65    0.26    0.46      0",
    ],
)
def test_a_sweep_without_a_header_keeps_its_small_messages(small):
    """A row whose rates have two digits, or none, is of the table as those of large messages are."""
    run = only((small, NOW))

    assert sorted({sample.size_bytes for sample in run.samples}) == [int(small.split()[0]), 1073741824]


def test_a_small_row_with_another_rate_is_no_row():
    """Where the size over the time rounds to another rate, figures are of something else."""
    assert columns_without_header("4096 1024 float sum -1 15.85 0.36 0.45 0") is None
