"""What stands around, between and instead of figures: listings, records, absent halves, several hosts."""

import json

import pytest

from gpu_probe.parsers import ParseError, read

HEADER = (
    "#       size         count      type   redop    root     time   algbw   busbw #wrong"
    "     time   algbw   busbw #wrong\n"
)
RANKS = "".join(
    f"#  Rank {i:2d} Group  0 Pid  37300 on node1 device  {i} [0000:{i + 5:02x}:00] NVIDIA H100 80GB HBM3\n"
    for i in range(8)
)
ROWS = (
    "     1048576        262144     float     sum      -1"
    "    27.76   37.77   66.10      0    27.49   38.14   66.75      0\n"
    "     2097152        524288     float     sum      -1"
    "    40.66   51.58   90.26      0    40.36   51.96   90.93      0\n"
    "     4194304       1048576     float     sum      -1"
    "    53.24   78.78  137.87      0    52.85   79.36  138.88      0\n"
)
LOG = (
    "$ ./build/all_reduce_perf -b 1M -e 4M -g 8\n"
    "# nThread 1 nGpus 8 minBytes 1048576 maxBytes 4194304 step: 2(factor) warmup iters: 5 iters: 20\n"
    "#\n# Using devices\n" + RANKS + "\n" + HEADER + ROWS + "# Out of bounds values : 0 OK\n"
)
TOPOLOGY = "        GPU0    GPU1    CPU Affinity\nGPU0     X      NV4     0-5\nGPU1    NV4      X      0-5\n"


def _by_text(form):
    """Lines counted where they hold something, as nl does."""
    number, out = 0, []
    for line in LOG.splitlines():
        number += bool(line.strip())
        out.append(form.format(number, line) if line.strip() else "")
    return "\n".join(out) + "\n"


@pytest.mark.parametrize(
    "listing",
    [
        "".join(f"{i:6d}\t{line}\n" for i, line in enumerate(LOG.splitlines(), 1)),
        "".join(f"{i}:{line}\n" for i, line in enumerate(LOG.splitlines(), 120)),
        "".join(f"{i:4d} | {line}\n" for i, line in enumerate(LOG.splitlines(), 1)),
        _by_text("{:6d}\t{}"),
    ],
    ids=["cat -n", "grep -n", "bars", "nl"],
)
def test_line_numbers_are_no_data(listing):
    """A listing with line numbers gives the rows of the log that it lists."""
    assert [run.samples for run in read("a", listing.encode())] == [
        run.samples for run in read("a", LOG.encode())
    ]


@pytest.mark.parametrize("key", ["log", "message", "MESSAGE"])
def test_records_of_a_collector(key):
    """One JSON record a line is read as the lines in it, the last one cut short or not."""
    records = "".join(json.dumps({key: f"{line}\n", "stream": "stdout"}) + "\n" for line in LOG.splitlines())
    (run,) = read("a", (records + '{"log": "    8388608   20971').encode())
    assert (run.collective, run.ranks, len(run.samples)) == ("all_reduce", 8, 6)


def test_lines_ended_by_carriage_returns():
    """A log whose lines end with a carriage return alone is a log of many lines."""
    (run,) = read("a", LOG.replace("\n", "\r").encode())
    assert len(run.samples) == 6


@pytest.mark.parametrize("word", ["N/A", "nan", "inf", "-"])
def test_a_half_without_figures_leaves_the_other(word):
    """Where the tool prints words for one placement, the other placement of that row stays."""
    log = LOG.replace("27.49   38.14   66.75      0", "  ".join([word] * 3 + ["N/A"]))
    (run,) = read("a", log.encode())
    assert [(s.size_bytes, s.placement) for s in run.samples][:2] == [
        (1048576, "out-of-place"),
        (2097152, "out-of-place"),
    ]
    assert not [notice for notice in run.warnings if notice.code == "row_incomplete"]


def test_rows_that_are_no_figures_say_why():
    """A table whose rows hold words is refused by naming its rows, not as a failed run."""
    with pytest.raises(ParseError, match="words for figures"):
        read("a", LOG.replace(ROWS, ROWS.replace(".", ";")).encode())


def test_decimal_commas_are_read():
    """A page that was translated has the same figures with commas."""
    assert read("a", LOG.replace(ROWS, ROWS.replace(".", ",")).encode()) == read("a", LOG.encode())


@pytest.mark.parametrize("word", ["<inactive>", "Degraded", "N/A", "Sleep"])
def test_a_link_that_carries_nothing_ends_no_listing(word):
    """Whatever word stands for a dead link, the links after it are still read."""
    links = "".join(f"\t Link {i}: 26.562 GB/s\n" for i in range(18))
    text = "GPU 0: NVIDIA H100 (UUID: GPU-1)\n" + links.replace("Link 3: 26.562 GB/s", f"Link 3: {word}")
    (run,) = read("a", text.encode())
    assert sum(cell is not None for cell in run.matrices[0].values[0]) == 17


def test_topology_as_a_markdown_table():
    """Bars between the cells of a matrix are no cells."""
    (run,) = read("a", b"| | GPU0 | GPU1 |\n|---|---|---|\n| GPU0 | X | NV18 |\n| GPU1 | NV18 | X |\n")
    assert run.matrices[0].values == (("X", "NV18"), ("NV18", "X"))


def test_topology_of_some_gpus():
    """A matrix that begins with another GPU than the first is one."""
    (run,) = read("a", TOPOLOGY.replace("GPU1", "GPU5").replace("GPU0", "GPU4").encode())
    assert run.matrices[0].rows == ("GPU4", "GPU5")


def test_topologies_of_two_hosts_line_by_line():
    """Two hosts' matrices shuffled by a parallel shell give one whole matrix, and it is said so."""
    text = "".join(f"node{host}: {line}\n" for line in TOPOLOGY.splitlines() for host in (7, 8))
    (run,) = read("a", text.encode())
    assert run.matrices[0].values == (("X", "NV4"), ("NV4", "X"))
    assert [notice.code for notice in run.warnings] == ["hosts_interleaved"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nvbandwidth Version: v0.2\n\nWaiving device_to_device_memcpy_write_ce.\n", "waived"),
        ("Unable to retrieve NVLink information as all links are inActive\n", "inactive"),
        ("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", "no driver"),
        ("[CUDA Bandwidth Test] - Starting...\n 32000000\t\t24.3\n", "bandwidthTest without a figure"),
        ("TransferBench v1.67.00\n[Common]\nTest 1:\n", "TransferBench p2p"),
        ("          RocmBandwidthTest Version: 2.6.0\n", "rocm-bandwidth-test without a table"),
        ("$ ./nvbandwidth | grep SUM\nSUM host_to_device_memcpy_ce 802.86\n", "nvbandwidth's sums"),
        ("# OSU MPI Allreduce Latency Test v7.2\n4   12.4\n", "a test of MPI, which is not read"),
        ("       GPU0         GPU1\nGPU0   0            15\nGPU1   15           0\n", "rocm-smi"),
    ],
)
def test_other_tools_are_named(text, reason):
    """A file of another tool, or of one that had nothing to measure, is told what it is."""
    with pytest.raises(ParseError, match=reason):
        read("a", text.encode())
