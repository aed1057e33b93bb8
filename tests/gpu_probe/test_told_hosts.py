"""Rates between hosts and to the host as people tell them: units, pairs, programs, boards, questions without one."""

import pytest

from core.verdict import judge_runs
from core.verdict.machines import by_machine
from core.verdict.recognition import system_of_file
from gpu_probe.parsers import read
from gpu_probe.parsers.problem import ParseError
from gpu_probe.parsers.sentence.units import spelled
from tests.each import table

TABLE = ("| Test | Size | Bandwidth |", "|---|---|---|")
MATRIX = (
    "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)", "   D\\D     0      1", "     0 911.0  22.1", "     1  22.2 920.0",
    "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)", "   D\\D     0      1", "     0 912.0   9.9", "     1   9.8 921.0",
)  # fmt: skip
DUMP = (
    '<pci busid="0000:01:00.0" class="0x030000" link_speed="16.0 GT/s PCIe" link_width="16">',
    '<gpu dev="0" sm="89" rank="0" gdr="0"/>',
)
TRIED = "[tuning] SMs 16, NVL chunk 20, RDMA chunk {}: {} GB/s (RDMA), 141.14 GB/s (NVL)"


def judged(lines):
    """Verdict and reason of each run of a paste."""
    runs = read("paste.log", "\n".join(lines).encode())
    found = {}
    for places in by_machine(runs):
        same = [runs[place] for place in places]
        system = system_of_file(same).system
        assert system is not None
        found |= dict(zip(places, judge_runs(same, system), strict=True))
    return [(found[place].status.value, found[place].reason.code) for place in sorted(found)]


def refusal(text):
    """Why a paste is not judged."""
    with pytest.raises(ParseError) as caught:
        read("paste.log", text.encode())
    return str(caught.value)


@table(
    ("line", "meant"),
    [
        ("400.30 MB / s", "400.30 MB/s"),
        ("| 84504.8 (Mb/s) |", "| 84504.8 Mb/s |"),
        ("the busbw is only 20+GB.", "the busbw is only 20 GB/s."),
        ("the IB bandwidth is 44GB, as it should", "the IB bandwidth is 44 GB/s, as it should"),
        ("the bandwidth can only reach 6.9Gb, much less", "the bandwidth can only reach 6.9 Gb/s, much less"),
        ("a buffer of 44GB, copied", "a buffer of 44GB, copied"),
        ("457GBs from the host", "457GB/s from the host"),
        ("单张400Gbps网卡，带宽只有30GB/s", "one 400Gbps NIC , bandwidth only 30GB/s"),
        ("no figure / s here", "no figure / s here"),
    ],
)
def test_units_as_people_spell_them(line, meant):
    """Blanks, brackets, a missing /s and Chinese words of the field become what the readers know."""
    assert spelled(line) == meant


@table(
    ("lines", "verdicts"),
    [
        (("The rate between nodes 1 + 2 (25 GB/s) and between nodes 1 + 3 (39 GB/s) differs over RDMA.",), [("low", "oversubscribed"), ("unknown", "port_untold")]),
        (("NDv4 with A100 40GB: ib_write_bw reaches only 30 Gbps.",), [("low", "oversubscribed")]),
        (("HDR ports of 200 Gb/s: ib_write_bw reaches only 30 Gbps.", "Pinned to the NIC's node ib_write_bw reaches 194 Gbps."), [("low", "few_queues"), ("fine", "as_expected")]),
        (("ib_write_bw 191 Gb/s, HDR",), [("fine", "as_expected")]),
        (("8x H100, all_reduce 470 GB/s",), [("fine", "nvls_above_wire")]),
        (("8x H100, all_reduce 47 GB/s",), [("low", "pcie_instead_of_nvlink")]),
        (("On a DGX1 this is what we see:", "## TCP", "400.30 MB / s", "## IB", "10.30 GB / s"), [("low", "few_queues"), ("fine", "as_expected")]),
        (("Two nodes, 400 Gb/s NDR ports, perftest:", *TABLE, "| `ib_write_bw` | 64 KB | **327 Gb/s** ← raw |", "| nixlbench UCX backend | 16 MB | **341 Gb/s = 42.6 GB/s** |", "| nixlbench UCX backend | 4 KB | 3.2 GB/s |"), [("fine", "as_expected"), ("fine", "as_expected"), ("low", "few_queues")]),
        (("100Gbps NICs, netperf and iperf3:", "| TOOL | AVG VALUE | 95% CONFIDENCE INTERVAL |", "|---|---|---|", "| netperf | 84504.846667 (Mb/s) | 79678.28-89331.40 (Mb/s) |", "| iperf3 | 6544.064512 (Mb/s) | 5633.84-7454.28 (Mb/s) |"), [("fine", "as_expected"), ("low", "few_queues")]),
        (("Each bonded NIC has a peak bandwidth of 50 GB/s.", "Mooncake over RDMA only achieved 23 GB/s."), [("low", "pcie_path")]),
        (("RDMA测试：单张400Gbps的RDMA网卡，吞吐达到42GB/s。",), [("fine", "as_expected")]),
        (("4 H100 servers on RoCE, the 4 H800 servers before:", "4 H100 servers", TRIED.format(4, 13.6)), [("low", "fewer_nics")]),
        (("2 nodes of 8x H800", TRIED.format(4, 25.68), TRIED.format(16, 43.24), TRIED.format(24, 43.04)), [("fine", "as_expected")]),
    ],
)  # fmt: skip
def test_rates_between_hosts(lines, verdicts):
    """Pairs are compared with each other; ports come from instances, boards, tables; programs from UCX up."""
    assert judged(lines) == verdicts


@table(
    ("lines", "verdicts"),
    [
        (("RTX 3090: copying 300MB of weights from CPU to GPU takes 50ms, only 6 GB/s.",), [("low", "pageable")]),
        (("My laptop: the memory is pageable, host to device throughput is roughly 0.7 GiB/s.",), [("low", "pageable")]),
        (("GTX1080TI: device to host pinned buffer only achieved 3.2 GB/s in CuPy.", "CUDA C achieved 11.5 GB/s."), [("low", "pcie_path")]),
        (("RTX 5080 on gen 5x16, host to device: I even got 457GBs.",), [("impossible", "faster_than_the_wire")]),
        (("L20: pinned copies, H2D benchmark", "| Direction | Raw | Program |", "|---|---|---|", "| Load (H2D) | 25.07 GB/s | 22.1 GB/s |"), [("fine", "as_expected")]),
        ((*DUMP, *MATRIX), [("low", "pcie_path")]),
        (("g4dn.metal, T4, host to device 12.1 GB/s",), [("fine", "as_expected")]),
        (("RTX 3090 in a PCIe 4.0 x8 slot: host to device reaches 13.1 GB/s.",), [("fine", "as_expected")]),
        (("RTX 3090 in a PCIe 4.0 x8 slot: host to device reaches 6.5 GB/s.",), [("low", "pcie_path")]),
        (("RTX 3090 in a PCIe 4.0 x16 slot: host to device reaches 13.1 GB/s.",), [("low", "pcie_path")]),
        (("4xH100, p2pBandwidthLatencyTest bidirectional: GPU0-GPU1 = 260.89 GB/s.", "The spec says GPU0-GPU1 NVLink bandwidth is 300 GB/s."), [("fine", "as_expected")]),
    ],
)  # fmt: skip
def test_copies_as_people_tell_them(lines, verdicts):
    """Copies with the host by programs, from pageable memory, in tables; pairs by the link that words give."""
    assert judged(lines) == verdicts


@table(
    "text",
    [
        "Our H100 loader uses pinned memory buffers; the disk gives 1.8 GB/s and it is the bottleneck.",
        "Dataloader with pin_memory=True on RTX 3090 gets 1.2 GB/s of JPEG throughput.",
        "Weights from CPU to GPU on the H100 take 40 s, only 1.75 GB/s, because safetensors reads from NFS.",
        "Copying 4 KB blocks host to device on an A100 gives 0.8 GB/s.",
        "LMCache moves blocks of 16 KiB from GPU to CPU, only 2.1 GB/s on an H100.",
        "Our Ceph cluster with RDMA reaches 3.2 GB/s per client on 100 Gb/s NICs.",
        "NVMe-oF over RDMA gives 1.1 GB/s on a 100 Gb/s NIC.",
        "Mooncake transfer engine between two nodes: the SSD gives 3 GB/s on a 100 Gb/s NIC.",
    ],
)
def test_disks_loaders_and_small_copies_are_no_links(text):
    """What a disk or a loader gives, or a copy that is over before it runs, says nothing of a link."""
    assert "cannot be known without" in refusal(text)


@table(
    "text",
    [
        "8xH100 all_reduce 带宽目标 480 GB/s",
        "8xH100 all_reduce 带宽应该达到 480 GB/s",
        "8xH100 all_reduce 带宽不到 480 GB/s",
        "官方文档说 8xH100 all_reduce 带宽达到 480 GB/s",
        "8x H100 one node, to be accepted: all_reduce >= 470 GB/s",
    ],
)
def test_what_is_wanted_in_other_words_was_not_measured(text):
    """Targets, limits and what a document says get no verdict, in Chinese as in English."""
    assert "no measurement" in refusal(text)


@table(
    ("text", "verdicts"),
    [
        (
            "8xH100 单机 all_reduce 带宽只有 46 GB/s，低于官方的 480 GB/s。",
            [("low", "pcie_instead_of_nvlink")],
        ),
        ("Our storage hangs on a 100 Gb/s NIC: ib_write_bw gives 92 Gb/s.", [("fine", "as_expected")]),
        ("Host to device reaches 12.1 GB/s on the T4. The SSD reads 1.9 GB/s.", [("fine", "as_expected")]),
        (
            "RTX 3090 in PCIe 3.0 x1: bandwidthTest reaches 0.8 GB/s host to device.",
            [("fine", "as_expected")],
        ),
    ],
)
def test_links_beside_disks_and_of_one_lane(text, verdicts):
    """A test of a link is judged beside a disk or what is wanted, and by one lane where words say so."""
    assert judged((text,)) == verdicts


@table(
    ("text", "words"),
    [
        ("ib_read_bw is far less than it should be: ![picture](https://example.org/a.png)", "pictures and attached files"),
        ("Between two nodes with CX7 NICs the bandwidth drops to only half of the maximum.", "ib_write_bw"),
        ("all_reduce_perf -b 8 -e 1G\n# Avg bus bandwidth    : 92.3405", "an average over all sizes"),
    ],
)  # fmt: skip
def test_questions_without_a_rate_that_can_be_judged(text, words):
    """What lacks is said, with the test that tells."""
    said = refusal(text)

    assert words in said
    assert "cannot be known without" in said


def test_more_rates_than_are_read():
    """Where a text holds more rates than are read, its runs say so."""
    text = "8x H100 in one node: all_reduce busbw is 470 GB/s." + " A link has 25 GB/s." * 250
    runs = read("paste.log", "\n".join(text[i : i + 390] for i in range(0, len(text), 390)).encode())

    assert [notice.code for run in runs for notice in run.warnings] == ["from_prose", "prose_cut"]


@table(
    ("text", "words"),
    [
        ("nccom-test -r 32 allr\n size(B)  count(elems)  type  time(us)", "nccom-test of Trainium"),
        ("rank=0 | comm op: all_reduce | time (ms): 9.46 | msg size: 678.86 MB | busbw (Gbps): 112.9", "DeepSpeed's log"),
    ],
)  # fmt: skip
def test_tools_that_are_not_read(text, words):
    """A tool of other accelerators and a job's own log are refused by their names."""
    assert words in refusal(text)
