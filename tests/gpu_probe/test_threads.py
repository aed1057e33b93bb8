"""Public threads that ask whether a number is right, and what is read of the words around their tables."""

import pytest

from core.verdict.recognition import system_of_file
from gpu_probe.parsers import read
from gpu_probe.parsers.problem import ParseError
from tests.each import table
from tests.gpu_probe.thread_logs import ROUNDS, log_of, missed

KNOWN = {"nccl-371, 2.7.8", "nccl-1272, 2.20.5"} | {
    *(
        "rcuda-k40",
        "nccl-1856",
        "nixl-791",
        "legacy-rocm-build-3496",
        "nccl-464",
        "nccl-209",
        "3FS-53",
        "nccl-tests-106, output",
        "nccl-1272, output",
        "nccl-319, tree, output",
        "nccl-307, output",
        "nccl-1303, output",
        "msccl-48, output",
        "rccl-929, output",
        "nccl-tests-93, one container",
        "nccl-489",
        "nodewright-packages-111, ACS",
        "nccl-1316, 2.19, 8 nodes",
    ),
}
"""Threads whose answer the code misses: right for such machines, or nothing is known of them."""
RESULTS = (
    "nccl-tests all_reduce on 2 nodes with 8x H100 each",
    "",
    "| Setup | Nodes | busbw (GB/s) | expected |",
    "|---|---|---|---|",
)
CURVE = (
    "2-node MI300X cluster, all_reduce",
    "size\ttype\tbusbw\talgo",
    "(B)\t\t(GB/s)\t",
    "1048576\tfloat\t9.5\tRING",
    "268435456\tfloat\t310.4\tRING",
)


def test_threads_are_judged_as_their_answers():
    """Verdict of every thread, and a cause of those that know one, but for the misses named here."""
    wrong = {thread.id for threads in ROUNDS for thread in missed(threads)}

    assert wrong == KNOWN


@table(
    ("lines", "told"),
    [
        ((*RESULTS, "| plain | 2 | 380.5 | 400 |"), [("all_reduce", 16, 2, [(8 << 30, 380.5)])]),
        ((*RESULTS, "| a | 1 | 470 | 480 |", "| b | 2 | ~360.1 | 400 |"), [("all_reduce", 8, 1, [(8 << 30, 470.0)]), ("all_reduce", 16, 2, [(8 << 30, 360.1)])]),
        (CURVE, [("all_reduce", 16, 2, [(1 << 20, 9.5), (256 << 20, 310.4)])]),
        (("2 nodes of 8x H100, all_gather", "size,algbw,busbw", "1073741824,400.0,375.0"), [("all_gather", 16, 2, [(1 << 30, 375.0)])]),
        (("3x DGX Spark, all_reduce", "Message size: 2 MB", "Bus bandwidth: 7.5 GB/s"), [("all_reduce", 3, 3, [(2 << 20, 7.5)])]),
        (("2 nodes, 8x H100 each", "mpirun -np 2 -N 1 all_reduce_perf -b 8 -e 8G -g 8", "The max busbw is only 14GB/s"), [("all_reduce", 16, 2, [(8 << 30, 14.0)])]),
        (("8x H100, all_reduce", "| Metric | Value |", "|---|---|", "| NVLink bandwidth | 900 GB/s |", "| busbw | 478 GB/s |"), [("all_reduce", 8, 1, [(8 << 30, 478.0)])]),
        (("8x A100 in one node", "| Step | GB/s |", "|---|---|", "| Load checkpoint | 12 |", "| All-reduce | 230 |"), [("all_reduce", 8, 1, [(8 << 30, 230.0)])]),
        ((*RESULTS, "| measured | 2 | 380.5 | |", "| Required | 2 | 390 | |", "| theoretical | 2 | 400 | |"), [("all_reduce", 16, 2, [(8 << 30, 380.5)])]),
        (("NCCL all-reduce uses NVLink", "| System | NVLink GB/s | PCIe GB/s |", "|---|---|---|", "| DGX A100 | 600 | 64 |"), []),
        (("all_reduce", "| GPUs | Memory bandwidth | Interconnect bandwidth |", "|---|---|---|", "| 8x A100 | 2039 GB/s | 600 GB/s |"), []),
        (("all_reduce_perf", "| System | busbw (GB/s) |", "|---|---|", "| 8x A100 | 230 |", "| 8x H100 | 475 |"), [("all_reduce", 8, 1, [(8 << 30, 230.0)]), ("all_reduce", 8, 1, [(8 << 30, 475.0)])]),
        (("Our 8x A100 node reaches 231 GB/s busbw in all_reduce, the 8x H100 node only 300 GB/s.",), [("all_reduce", 8, 1, [(8 << 30, 231.0)]), ("all_reduce", 8, 1, [(8 << 30, 300.0)])]),
        (("Can all_reduce on 8x A100 ever be 300 GB/s busbw?",), []),
        ((*RESULTS[:2], "| Setup | theoretical GB/s |", "|---|---|", "| busbw | 392 |"), []),
    ],
)  # fmt: skip
def test_results_in_words(lines, told):
    """Tables between bars, named columns, values under names: runs with ranks, nodes, sizes and busbw."""
    try:
        runs = read("paste.log", "\n".join(lines).encode())
    except ParseError:
        runs = []

    assert [_seen(run) for run in runs] == told


@table(
    ("lines", "nics"),
    [
        (("8x H100 per node, 4x 200G RoCE", "| Test | Result |", "|---|---|", "| all_reduce, 2 nodes | 92 GB/s |"), ["4 200 RoCE"]),
        ((*RESULTS, "| 4x 200G RoCE NICs | 2 | 92 | 100 |", "| 8x 400G InfiniBand NICs | 2 | 380 | 400 |"), ["4 200 RoCE", "8 400 IB"]),
        ((*RESULTS, "| plain | 2 | 92 | 100 |"), []),
    ],
)  # fmt: skip
def test_nics_of_a_table_of_results(lines, nics):
    """What a row, or the words beside a table, state of the NICs counts for its runs of several nodes."""
    runs = read("paste.log", "\n".join(lines).encode())

    assert [item.value for run in runs for item in run.observations if item.kind == "nics_stated"] == nics


@table(
    ("lines", "kinds"),
    [
        (("Inside a virtual machine with VFIO, 2 nodes",), {("stated", "virtual machine")}),
        (("ACS is enabled on the PCIe switches of both nodes",), {("stated", "ACS on")}),
        (("Could ACS be enabled here?",), set()),
        (("ACS is not enabled",), set()),
        (("ACS has not been disabled",), {("stated", "ACS on")}),
        (("8x H100 in each of 2 nodes, ACS: enabled",), {("stated", "ACS on"), ("nodes", "2")}),
        (("ib_write_bw gives 392 Gb/s on each port",), {("perftest_stated", "392")}),
        (("mpirun -np 16 \\", "  -H node0:8,node1:8 ./all_reduce_perf -b 8 -e 1G -g 1"), {("nodes", "2")}),
        (("srun -N 2 --ntasks-per-node=8 ./all_reduce_perf -b 8 -e 1G -g 1",), {("nodes", "2")}),
        (("mpirun -np 8 ./all_reduce_perf -b 8 -e 1G -g 1",), set()),
    ],
)  # fmt: skip
def test_words_beside_a_table(lines, kinds):
    """Words and the command beside a table without a list of devices are evidence of its run."""
    table_lines = (
        "#       size         count      type   redop    root     time   algbw   busbw #wrong",
        "  1073741824     268435456     float     sum      -1    10000  107.37  201.33      0",
    )
    (run,) = read("paste.log", "\n".join([*lines, *table_lines]).encode())

    assert {
        (item.kind, item.value)
        for item in run.observations
        if item.kind in {"stated", "perftest_stated", "nodes"}
    } == kinds


@table(
    ("id", "nics", "gpus"),
    [("nccl-595", 2, 4), ("nccl-1801", 4, 4), ("aicad-nccl-1", 2, 1), ("nccl-tests-100", 4, 8)],
)  # fmt: skip
def test_nodes_as_the_lines_show_them(id, nics, gpus):  # noqa: A002
    """NICs by the columns of topo -m and by words, hosts of a rack whose channels go over NICs, DGX Spark."""
    thread = next(item for threads in ROUNDS for item in threads if item.id == id)
    match = system_of_file(read("paste.log", log_of(thread).encode()))

    assert (match.system.nics_per_domain, match.system.domain_gpus) == (nics, gpus)


def _seen(run):
    nodes = next((int(item.value) for item in run.observations if item.kind == "nodes"), 1)
    factor = {"all_reduce": 2, "all_gather": 1}[run.collective] * (run.ranks - 1) / run.ranks
    return (
        run.collective,
        run.ranks,
        nodes,
        [
            (sample.size_bytes, pytest.approx(factor * sample.size_bytes / sample.time_s / 1e9, rel=1e-6))
            for sample in run.samples
        ],
    )
