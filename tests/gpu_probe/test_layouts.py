"""Columns and lines of older, newer and foreign builds of the tools."""

import pytest

from core.units import US
from gpu_probe.parsers import ParseError, read
from tests.each import table
from tests.gpu_probe.formats import nccl_tests, p2p, rank_lines

HEAD = "#       size         count      type   redop    root     time   algbw   busbw #wrong"
HALF = "    28.15   37.25   37.25      0"


def _one(text):
    (run,) = read("log", text.encode())
    return run


def _times(run):
    return [(s.size_bytes, s.placement, round(s.time_s / US, 3)) for s in run.samples]


def test_nccl_1():
    """The tests that came with NCCL 1 head the table `bytes N` and print milliseconds."""
    run = _one(
        "$ ./build/test/single/all_reduce_test 10000000\n"
        "# Using devices\n"
        "#   Device  0 ->  0 [0x0a] GeForce GTX TITAN X\n"
        "#   Device  1 ->  1 [0x09] GeForce GTX TITAN X\n"
        "\n"
        "#                                                 out-of-place                    in-place\n"
        "#      bytes             N    type      op     time  algbw  busbw      res     time  algbw  busbw      res\n"
        "    10000000      10000000    char     sum    1.628   6.14   6.14    0e+00    1.932   5.18   5.18    0e+00\n"
    )
    assert (run.collective, run.ranks, run.machine.gpus[0].count) == ("all_reduce", 2, 2)
    assert _times(run) == [(10_000_000, "out-of-place", 1628.0), (10_000_000, "in-place", 1932.0)]
    assert not run.warnings


def test_first_nccl_tests():
    """The first nccl-tests print milliseconds with three digits; their rounding is no mismatch."""
    run = _one(
        "# nThread 1 nGpus 2 minBytes 1 maxBytes 1048576 step: 2(factor) warmup iters: 5 iters: 20 validation: 0\n"
        "# NCCL Tests compiled with NCCL 2.4\n"
        "#   Rank  0 on       host device  0 [0x05] GeForce RTX 2080 Ti\n"
        "#   Rank  1 on       host device  1 [0x06] GeForce RTX 2080 Ti\n"
        "#      bytes             N    type      op  root    time  algbw  busbw      res     time  algbw  busbw      res\n"
        "       65536         16384   float     sum     0   0.009   6.90   6.90       N/A    0.009   7.00   7.00      N/A\n"
    )
    assert [time for _, _, time in _times(run)] == [9.0, 9.0]
    assert not [notice for notice in run.warnings if notice.code == "rate_mismatch"]


def test_times_of_single_iterations():
    """With `-I 1` each half has the fastest and slowest iteration, kept as the spread."""
    more = "  #bitdiff    i_min    i_max    i_p99    i_cv%"
    half = "    28.15   37.25   37.25       0         0    27.00    35.00    34.00     1.00"
    table = [
        "#            out-of-place (+ bitwise + per-iteration)          in-place (+ bitwise + per-iteration)",
        HEAD + more + "     time   algbw   busbw  #wrong" + more,
        "     1048576        262144     float     sum      -1" + half + half,
    ]
    run = _one("\n".join([*rank_lines(2), *table]))
    assert run.ranks == 2
    assert [(s.low_s, s.high_s, s.wrong) for s in run.samples] == [(27 * US, 35 * US, 0)] * 2


@pytest.mark.parametrize(
    ("columns", "cells"),
    [(" #iters", "     20"), ("    algo     proto   nchannels", "    RING     LL128          56")],
)
def test_columns_at_the_end(columns, cells):
    """Columns that some builds append, iterations or what NCCL chose, move nothing."""
    lines = [
        *rank_lines(2),
        HEAD + "     time   algbw   busbw #wrong" + columns,
        "     1048576        262144     float     sum      -1" + HALF + HALF + cells,
    ]
    assert _times(_one("\n".join(lines))) == [(1048576, p, 28.15) for p in ("out-of-place", "in-place")]


def test_gpus_without_a_name():
    """Older ROCm prints no name of its GPUs; the ranks count all the same."""
    lines = nccl_tests(ranks=2)
    nameless = [line.replace("NVIDIA H100 80GB HBM3", "") for line in lines]
    run = _one("\n".join(nameless))
    assert (run.ranks, run.machine.gpus, run.machine.hosts) == (2, (), ("node0",))


def test_list_of_ranks_without_what_stands_above():
    """An excerpt that begins with the list of ranks still tells how many there are."""
    lines = nccl_tests(ranks=8)
    first = next(i for i, line in enumerate(lines) if "Rank" in line)
    assert _one("\n".join(lines[first:])).ranks == 8


FIRST_NVBANDWIDTH = """\
nvbandwidth Version: v0.2
Built from Git version: 6cefdda

CUDA Runtime Version: 12030
CUDA Driver Version: 12030
Driver Version: 545.29.06

Device 0: NVIDIA GeForce RTX 4090
Device 1: NVIDIA GeForce RTX 4090

Running device_to_device_memcpy_read_ce.
memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)
          0         1
0      0.00     20.15
1     20.20      0.00

SUM device_to_device_memcpy_read_ce 40.35
"""


def test_nvbandwidth_before_bus_numbers():
    """Until 0.5 nvbandwidth printed no bus number behind a GPU's name."""
    (gpu,) = _one(FIRST_NVBANDWIDTH).machine.gpus
    assert (gpu.name, gpu.count) == ("NVIDIA GeForce RTX 4090", 2)


def test_nvbandwidth_matrix_alone():
    """A matrix pasted without the line `Running ...` is named by the sum below it."""
    text = FIRST_NVBANDWIDTH[FIRST_NVBANDWIDTH.index("memcpy CE") :]
    (matrix,) = _one(text).matrices
    assert (matrix.name, matrix.direction) == ("device_to_device_memcpy_read_ce", "one_way")


def test_nvbandwidth_over_nodes():
    """With MPI each process says its host and its GPU."""
    text = FIRST_NVBANDWIDTH.replace("Device 0:", "Process 0 (tray-0): device 0:")
    text = text.replace(
        "Device 1: NVIDIA GeForce RTX 4090", "Process 1 (tray-1): device 0: HGX GB200 (00000008:01:00)"
    )
    machine = _one(text).machine
    assert machine.hosts == ("tray-0", "tray-1")
    assert [gpu.name for gpu in machine.gpus] == ["NVIDIA GeForce RTX 4090", "HGX GB200"]


def test_nvlink_with_mig():
    """A partition listed below its GPU does not end the list of its links."""
    (matrix,) = _one(
        "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)\n"
        "  MIG 3g.20gb     Device  0: (UUID: MIG-1)\n"
        "\t Link 0: 25 GB/s\n"
        "\t Link 1: 25 GB/s\n"
    ).matrices
    assert matrix.values == ((25e9, 25e9),)


def test_two_topologies_by_command():
    """Each matrix bears the question of the command above it."""
    matrix = "$ nvidia-smi topo -p2p r\n        GPU0    GPU1\n GPU0   X       CNS\n GPU1   CNS     X\n"
    names = [run.matrices[0].name for run in read("log", (matrix + matrix.replace(" r\n", " w\n")).encode())]
    assert names == ["topo -p2p r", "topo -p2p w"]


FOREIGN = {
    "two tables side by side": f"{HEAD}  |  {HEAD}",
    "type column": "#       size         count     time   algbw   #wrong",
    "rocm-smi": "       GPU0         GPU1         \nGPU0   0            XGMI         \nGPU1   XGMI         0\n",
    "all NVLinks are inactive": (
        "GPU 0: NVIDIA H100 NVL (UUID: GPU-1)\n"
        "\t Unable to retrieve NVLink information as all links are inActive\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("words", "text"), FOREIGN.items(), ids=FOREIGN.keys())
def test_foreign(words, text):
    """What cannot be read says in one line what it is."""
    with pytest.raises(ParseError, match=words):
        read("log", text.encode())


def test_data_without_words_is_no_failed_run():
    """Three letters inside encoded data do not make a failed run of it."""
    with pytest.raises(ParseError, match="no measurement of a known tool"):
        read("log", b"A" * 40 + b"/ORTE/" + b"B" * 40 + b"\n")


def test_types_and_roots_of_one_run_stay_apart():
    """With `-d all` or `-r all` a size comes several times; what varies names the series, the rest does not."""
    row = "     1048576        262144     {}     sum       {}" + HALF + HALF
    lines = [*rank_lines(2), HEAD + "     time   algbw   busbw #wrong"]
    rows = [row.format(kind, root) for kind in ("float", " half") for root in (0, 1)]
    run = _one("\n".join([*lines, *rows]))

    assert [s.detail for s in run.samples[::2]] == [
        "float, root 0",
        "float, root 1",
        "half, root 0",
        "half, root 1",
    ]
    assert {s.detail for s in _one("\n".join([*lines, rows[0]])).samples} == {None}


@table("cut", range(1, 60))
def test_a_matrix_cut_within_a_figure(cut):
    """A file that ends within a matrix gives no figure that was not printed."""
    whole = "\n".join(p2p(4))
    at = whole.index("Unidirectional P2P=Enabled") + 120
    printed = {cell for matrix in _one(whole).matrices for row in matrix.values for cell in row}
    try:
        (run,) = read("log", whole[: at + cut].encode())
    except ParseError:
        return
    assert {cell for matrix in run.matrices for row in matrix.values for cell in row} <= printed | {None}
