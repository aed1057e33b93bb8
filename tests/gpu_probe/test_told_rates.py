"""Rates that pastes tell beside collectives: DeepEP, tests of the network, lists of copies, averages, changes."""

import json

import pytest

from core.verdict import judge_runs
from core.verdict.recognition import system_of_file
from gpu_probe.__main__ import main
from gpu_probe.parsers import read
from gpu_probe.parsers.problem import ParseError
from tests.each import table

DISPATCH = (
    "[tuning] Best dispatch (FP8): SMs 24, NVL chunk 8, RDMA chunk 32: 41.5 GB/s (RDMA), 135.7 GB/s (NVL)"
)
TUNED = "[tuning] SMs 24, NVL chunk 32, RDMA chunk 28: 24.19 GB/s (RDMA), 79.12 GB/s (NVL)"
H800 = "2 nodes of 8x H800, 8x 400G InfiniBand each"
HDR = "Two hosts over HDR InfiniBand, 200 Gb/s."
UCX_ROWS = (
    "|    Stage     | # iterations | 50.0%ile | average | overall |  average |  overall |  average  |  overall  |",
    "+--------------+--------------+----------+---------+---------+----------+----------+-----------+-----------+",
    "[thread 0]               209      0.360  4951.277  4951.277    12925.96   12925.96         202         202",
    "[thread 0]               753      0.370  5683.977  5406.239    11259.72   11838.17         176         185",
)
NIXL_ROWS = (
    "Block Size (B)      Batch Size     B/W (GB/Sec)   Avg Lat. (us)  Avg Prep (us)",
    "------------------------------------------------------------------------------",
    "4096                1              0.027182       602.8          492.5",
    "67108864            1              22.960000      2922.8         852.0",
)
PEERS = (
    "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)",
    "   D\\D     0      1      2",
    "     0 835.56  25.92  25.85",
    "     1  26.28 902.14  25.92",
    "     2  25.83  25.87 901.10",
)
MSCCLPP = (
    "# all_reduce on 8x A100",
    "#                                        in-place                       out-of-place",
    "#       size         count     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong",
    "#        (B)    (elements)     (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)",
    "  1073741824     268435456     8142  131.88  230.79      0",
)


def judged(lines):
    """Verdicts and best causes of the runs that a paste tells."""
    runs = read("paste.log", "\n".join(lines).encode())
    verdicts = judge_runs(runs, system_of_file(runs).system)
    return [(str(item.status), item.causes[0].reason.code if item.causes else "") for item in verdicts]


@table(
    ("lines", "verdicts"),
    [
        ((H800, TUNED, DISPATCH), [("fine", "")]),
        ((H800, DISPATCH.replace("41.5", "4.5")), [("low", "fewer_nics")]),
        ((H800, DISPATCH.replace("41.5", "141.5")), [("impossible", "")]),
        (("8x H20, one node", "[tuning] Best combine: SMs 24, NVL chunk 3: 332.57 GB/s (NVL)"), [("fine", "")]),
        (("8x H20, one node", "[tuning] Best combine: SMs 24, NVL chunk 3: 132.57 GB/s (NVL)"), [("low", "few_channels")]),
        ((H800, "[rank 1] Dispatch + combine bandwidth: 42.24 GB/s, avg_t=521.97 us, min_t=517.44 us, max_t=527.33 us"), [("fine", "")]),
        (("DeepEP on 4 nodes of 8x H200, 400 Gb/s InfiniBand: internode dispatch reaches 21 GB/s.",), [("low", "oversubscribed")]),
        ((HDR, "ib_write_bw reaches 196 Gb/s."), [("fine", "")]),
        ((HDR, "ib_write_bw reaches 96 Gb/s between GPU buffers with --use_cuda."), [("low", "pcie_path")]),
        ((HDR, "iperf3 with one stream shows 31 Gbits/sec."), [("low", "few_queues")]),
        ((HDR, "ib_write_bw reaches 390 Gb/s."), [("unknown", "")]),
        (("One H100 node. The bandwidths between host and device 0, 1 and 2 are 14.2, 57.1 and 56.7 GB/s.",), [("low", "pcie_path")]),
        (("2x A100 PCIe", "P2P test: 24.1 GB/s / 31.5 GB/s PCIe 4.0 x16 theoretical"), [("fine", "")]),
        (("Tesla K80 in a PCIe 3.0 x16 slot, bandwidthTest host to device: 11.9 GB/s",), [("fine", "")]),
        (MSCCLPP, [("fine", "")]),
        ((HDR, "| Send memory:  cuda |", *UCX_ROWS), [("low", "pcie_path")]),
        ((HDR, *NIXL_ROWS), [("fine", "")]),
        ((HDR.replace("200", "100").replace("HDR", "EDR"), *NIXL_ROWS), [("unknown", "")]),
        (("Inter-node transfers on a ConnectX6 200Gbit: I get around ~24000MB/s using host memory.",), [("fine", "")]),
        (("all_reduce on 4 nodes of 8xH100, 8x400Gb RoCE each: busbw 320GB with rings",), [("fine", "")]),
        (("2 A100 80GB SXM joined by NVLink, nixlbench VRAM<->VRAM shows only 0.4 GB/s",), [("low", "staged_copies")]),
        (("RDMA between two hosts with mlx5 NICs reaches only 0.3 GB/s.",), [("low", "oversubscribed")]),
        (("H100 SXM, nixlbench VRAM to DRAM shows 52 GB/s.",), [("fine", "")]),
        (("nixlbench VRAM to VRAM between two nodes of H200 with CX7 400G: 45 GB/s",), [("fine", "")]),
        (("2x RTX 3090: all_reduce busbw is 6 GB/s.",), [("fine", "")]),
        (("2x RTX 3090 with an NVLink bridge: all_reduce busbw is 6 GB/s.",), [("low", "staged_copies")]),
        (("2x RTX 3090 without NVLink: all_reduce busbw is 6 GB/s.",), [("fine", "")]),
        (("2x A40: all_reduce busbw is 42 GB/s.",), [("fine", "")]),
        (("8x MI210: rccl-tests all_reduce busbw is 18 GB/s.",), [("fine", "")]),
        (("8x MI100 in two hives: all_reduce busbw is 6 GB/s.",), [("low", "staged_copies")]),
        (("4x MI210 without a bridge: all_reduce busbw is 22 GB/s.",), [("fine", "")]),
        (("4x MI210 with an Infinity Fabric bridge: all_reduce busbw is 70 GB/s.",), [("fine", "")]),
        (("RTX 3090 on a PCIe 3.0 x16 board, bandwidthTest host to device: 12.1 GB/s",), [("fine", "")]),
        (("GB200: the copies from host to device run at 201 GB/s.",), [("fine", "")]),
        (("GB200: the copies from host to device run at 90 GB/s.",), [("low", "pcie_path")]),
        (("DeepEP, low latency, EP8 on 8x H800: dispatch 98 GB/s, combine 127 GB/s.",), [("fine", "")]),
        (("Two nodes over EDR InfiniBand, 100 Gb/s.", "osu_bibw reaches 22 GB/s."), [("fine", "")]),
        (("3x RTX 3090", *PEERS), [("fine", "")]),
        (("2x RTX 3090, P2P disabled: copies between the GPUs run at 11 GB/s.",), [("fine", "")]),
        (("8x H100: all_reduce 1 MB message gives busbw 40 GB/s.",), [("fine", "")]),
        (("2 nodes with 4x A100 each and 200G InfiniBand: all_reduce busbw is 23 GB/s.",), [("fine", "")]),
    ],
)  # fmt: skip
def test_rates_beside_collectives(lines, verdicts):
    """Verdict and first cause of each run that a paste tells."""
    assert judged(lines) == verdicts


def test_above_a_limit_of_its_own():
    """A rate far above the one that the same text calls theoretical is none of that link."""
    with pytest.raises(ParseError):
        read("paste.log", b"4 H100. ucx_perftest P2P shows 900 GB/s, the theoretical bandwidth is 318 GB/s.")


def test_rows_without_sense():
    """Figures of a hostile table make no run."""
    row = "[thread 0]  9  0.3  1.0  1.0  1e300  1e300  1e-300  1e-300"
    with pytest.raises(ParseError):
        read("paste.log", "\n".join((UCX_ROWS[0], row, "[thread 0]  9  0.3  1  1  9  9  0  0")).encode())


def test_a_transfer_within_a_host():
    """A test over the loopback says nothing of a port."""
    with pytest.raises(ParseError):
        read("paste.log", "\n".join(("Accepted connection from 127.0.0.1:53210", *UCX_ROWS)).encode())


@table(
    ("lines", "verdict"),
    [
        (("Two VMs of 8x H100 with 4x 400G InfiniBand each: all_reduce busbw is 180 GB/s.", "Bare metal reaches 320 GB/s."), "low"),
        (("Two VMs of 8x H100 with 4x 400G InfiniBand each: all_reduce busbw is 180 GB/s.", "Bare metal reaches 190 GB/s."), "fine"),
        (("busbw dropped from 480 to 200 GB/s on 8 H100",), "low"),
        (("2 nodes of 8x H100 with 4x 400G InfiniBand each: all_reduce busbw dropped from 320 to 185 GB/s.",), "low"),
        (("2 nodes of 8x H100 with 4x 400G InfiniBand each: all_reduce busbw is 185 GB/s.", "The other GPUs of my A100 node copy at 320 GB/s."), "fine"),
        (("2 nodes of 8x H100 with 4x 400G InfiniBand each: all_reduce busbw is 185 GB/s.", "The documentation of another cluster says 320 GB/s."), "fine"),
    ],
)  # fmt: skip
def test_a_reference_of_the_asker(lines, verdict):
    """Another machine of the asker, or this one before, is a yardstick within the interval."""
    assert [status for status, _ in judged(lines)] == [verdict]


@table(
    ("lines", "busbw"),
    [
        (("2 nodes of 8x H100", "mpirun -np 2 -N 1 all_reduce_perf -b 1G -e 8G -f 2 -g 8", "# Avg bus bandwidth    : 362.198"), 362.198),
        (("2 nodes of 8x H100", "mpirun -np 2 -N 1 all_reduce_perf -b 8 -e 8G -f 2 -g 8", "# Avg bus bandwidth    : 62.198"), None),
        (("8x H100, all_reduce: busbw -5 GB/s",), None),
        (("2 nodes, each has 8 * A100", "mpirun -np 16 -npernode 8 all_reduce_perf -b 4G -n 100 -g 1", "busbw is 19.83 and no more"), 19.83),
    ],
)  # fmt: skip
def test_a_bus_bandwidth_without_its_table(lines, busbw):
    """The average of large sizes, a value without its unit; no negative one, and no average of all sizes."""
    try:
        (run,) = read("paste.log", "\n".join(lines).encode())
    except ParseError:
        assert busbw is None
        return
    (sample,) = run.samples
    rate = 2 * (run.ranks - 1) / run.ranks * sample.size_bytes / sample.time_s / 1e9
    assert rate == pytest.approx(busbw, rel=1e-6)


@table(
    "lines",
    [
        (("GDRCopy to a Tesla V100: the write bandwidth is 9224.36 MB/s.",)),
        (("The all_reduce of my cluster shows 12 GB/s.",)),
    ],
)  # fmt: skip
def test_what_stays_open_names_the_test_that_tells(lines):
    """A rate that cannot be judged: what lacks, and the one test that would tell."""
    with pytest.raises(ParseError, match=r"cannot be known without .*; the test that tells: "):
        read("paste.log", "\n".join(lines).encode())


@table(
    "lines",
    [
        ("| GPU | Host to device | P2P over NVLink |", "|---|---|---|", "| A100 | 32 GB/s | 600 GB/s |"),
        ("8x H100 with 8x 400 Gb/s InfiniBand", "| Link | Bandwidth |", "|---|---|", "| RDMA | 400 Gb/s |"),
        ("We copy checkpoints over RDMA at 3 GB/s to the NFS server, 8x A100 node with HDR.",),
        ("The DataLoader needs 5 GB/s host to device for 8x A100.",),
    ],
)  # fmt: skip
def test_what_links_are_said_to_have_is_not_judged(lines):
    """Data sheets, storage and needs are no measurements."""
    with pytest.raises(ParseError):
        read("paste.log", "\n".join(lines).encode())


@table(
    "lines",
    [
        ("4x MI250X, one node of 8 GCDs: all_reduce busbw is 100 GB/s.",),
        ("2x A30 with an NVLink bridge: all_reduce busbw is 80 GB/s.",),
    ],
)
def test_machines_that_the_catalog_holds_otherwise(lines):
    """No system is taken for them, so that none is low by a yardstick of another."""
    match = system_of_file(read("paste.log", "\n".join(lines).encode()))
    assert match.system is None, match.remark


def test_a_transfer_between_nodes_is_no_copy_between_gpus():
    """Its rate is that of NICs."""
    text = b"sendrecv_perf between two H100 nodes with one 400G NIC each: 48 GB/s"
    try:
        runs = read("paste.log", text)
    except ParseError:
        return
    assert not any(matrix.name.startswith("Unidirectional P2P") for run in runs for matrix in run.matrices)


def test_prose_beyond_the_limit_is_named():
    """What was not read is said, with its line, beside a run and in a refusal."""
    tale = ["These are words of a long tale about nothing that could be measured here."] * 400
    (run,) = read("paste.log", "\n".join(["8x H100 SXM, all_reduce busbw 478 GB/s.", *tale]).encode())
    assert [notice.line for notice in run.warnings if notice.code == "prose_cut"] == [201]
    with pytest.raises(ParseError, match="words from line 201 on are not read"):
        read("paste.log", "\n".join([*tale, "8x H100 SXM, all_reduce busbw 478 GB/s."]).encode())


@table(
    "line",
    [
        "The busbw of all_reduce on 8x H100 stays below 480 GB/s",
        "Feature request: warn when all_reduce on 8x H100 drops below 100 GB/s",
        "I want an alert if the busbw of all_reduce on 8x H100 is 100 GB/s",
        "all_reduce on 99999x H100 gives 300 GB/s busbw",
    ],
)
def test_bounds_wishes_and_impossible_counts_are_no_measurement(line):
    """What a rate stays below, what somebody wants told, and more GPUs than there are have no verdict."""
    with pytest.raises(ParseError):
        read("paste.log", line.encode())


@table(
    ("line", "status"),
    [
        ("bandwidthTest on a GTX 1080 Ti in a PCIe 2.0 x16 slot: host to device 6.0 GB/s", "fine"),
        ("bandwidthTest on a GTX 1080 Ti in a PCIe 2.0 x16 slot: host to device 2.9 GB/s", "low"),
        ("RTX 3090 on a PCIe 2.0 x8 board, host to device 3.1 GB/s pinned", "fine"),
        ("2 nodes with 1 GbE, iperf3 gives 112 MB/s", "fine"),
        ("2 nodes with 1 GbE, iperf3 gives 40 MB/s", "low"),
    ],
)
def test_old_slots_and_slow_ethernet(line, status, tmp_path, capsys):
    """Their rates are those that the words state."""
    path = tmp_path / "paste.log"
    path.write_text(line + "\n")
    main(["check", "--json", str(path)])

    assert [report["verdict"] for report in json.loads(capsys.readouterr().out)] == [status]


def test_gpu_memory_may_be_staged(tmp_path, capsys):
    """A slow test between NICs lists staging through host memory where its buffers are a GPU's, else not."""
    rows = "# OSU MPI-CUDA Bandwidth Test v7.2\n# Size      Bandwidth (MB/s)\n1048576  4031.50\n4194304  3840.19\n"
    path = tmp_path / "osu.log"
    path.write_text(rows)
    main(["check", "--json", str(path), "--system", "dgx-h100", "--domains", "2", "--network", "ib-hdr"])
    (of_gpu,) = json.loads(capsys.readouterr().out)
    path.write_text("ib_write_bw between two hosts over HDR InfiniBand gives 31 Gb/s\n")
    main(["check", "--json", str(path)])
    (of_host,) = json.loads(capsys.readouterr().out)

    assert "staged_gpu_memory" in [cause["reason"] for cause in of_gpu["causes"]]
    assert "staged_gpu_memory" not in [cause["reason"] for cause in of_host["causes"]]


@table(
    ("lines", "code"),
    [
        (("export NCCL_P2P_DISABLE=1", "8x H100 SXM all_reduce busbw 41 GB/s at 8 GB"), "peer_access_off"),
        (
            (
                "2 nodes x 8 A100, 8x HDR per node, all_reduce busbw 22 GB/s at 4 GB.",
                "mpirun -np 16 -x NCCL_IB_HCA=mlx5_0 all_reduce_perf -b 4G -e 4G",
            ),
            "fewer_nics",
        ),
    ],
)
def test_a_sentence_is_judged_with_the_settings_beside_it(lines, code):
    """What a shell sets beside words that tell a rate is the cause, as beside a table."""
    (run,) = read("paste", "\n".join(lines).encode())
    verdict = judge_runs([run], system_of_file([run]).system)[0]

    assert verdict.causes[0].reason.code == code
    assert "NCCL_" in verdict.causes[0].lines[0]


def test_settings_beside_several_rates_belong_to_none():
    """Each of two rates may have been measured with a setting or without it."""
    words = "export NCCL_P2P_DISABLE=1\nH100 SXM x8 all_reduce busbw 41 GB/s at 8 GB\nA100 SXM x8 all_reduce busbw 230 GB/s at 8 GB"

    assert all(not run.machine.env for run in read("paste", words.encode()))
