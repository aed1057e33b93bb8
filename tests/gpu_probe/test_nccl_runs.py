"""Runs of a file of nccl-tests: where one ends, what belongs to it, and old tables."""

import pytest

from gpu_probe.parsers import ParseError, read
from tests.gpu_probe.formats import SIZES, nccl_tests, rank_lines, text


def test_a_run_without_rows_says_why():
    """A table without rows is a clear line with the tool's own reason."""
    failed = [*nccl_tests(sizes=(8,), footer=False)[:-1], "node1: Test NCCL failure common.cu:484 'timeout'"]

    with pytest.raises(ParseError, match=r"no rows: Test NCCL failure common\.cu:484 'timeout'"):
        read("log", text(failed))


def test_utf16_of_a_windows_shell():
    """PowerShell redirects as UTF-16."""
    (run,) = read("log", text(nccl_tests()).decode().encode("utf-16"))

    assert len(run.samples) == 2 * len(SIZES)


@pytest.mark.parametrize("named", [True, False])
def test_settings_belong_to_the_run_after_them(named):
    """What is set between two runs is the second one's setting, not the first one's."""
    one = [*nccl_tests(named=named), ""]
    lines = [f"NCCL_NVLS_ENABLE={value} ./all_reduce_perf -b 8" for value in (1, 0)]
    runs = read("log", text([lines[0], *one, lines[1], *one]))

    assert [run.machine.env["NCCL_NVLS_ENABLE"] for run in runs] == ["1", "0"]


@pytest.mark.parametrize("root", ["", "      -1"])
def test_an_old_all_to_all_leaves_its_reduction_blank(root):
    """The header has a reduction, its rows have none; size 0 comes first and in place nothing is checked."""
    heading = "#       size         count      type   redop" + ("    root" if root else "")
    figures = "     time   algbw   busbw  error"
    rows = [
        f"           0             0     float        {root}    46.07    0.00    0.00  0e+00    46.06    0.00    0.00    N/A",
        f"     1048576        131072     float        {root}    583.4    1.80    0.90  0e+00    569.9    1.84    0.92    N/A",
    ]
    (run,) = read("log", text([*rank_lines(2), heading + figures * 2, *rows]))

    assert [(sample.size_bytes, sample.time_s) for sample in run.samples] == [
        (0, pytest.approx(46.07e-6)),
        (0, pytest.approx(46.06e-6)),
        (1048576, pytest.approx(583.4e-6)),
        (1048576, pytest.approx(569.9e-6)),
    ]
    assert {sample.wrong for sample in run.samples if sample.placement == "in-place"} == {None}
