"""A measurement told in a sentence: what is taken from it, and what is no measurement."""

import pytest

from core.measurement.bus_factor import bus_factor
from core.verdict import judge_runs
from core.verdict.recognition import system_of_file
from gpu_probe.parsers import read
from gpu_probe.parsers.problem import ParseError
from gpu_probe.parsers.sentence import spoken
from tests.each import table
from tests.gpu_probe.formats import nccl_tests, text


def told(sentence):
    """The run of a sentence, its bus bandwidth in GB/s, the system that it names, and the verdict."""
    (run,) = read("log", sentence.encode())
    system = system_of_file([run]).system
    (verdict,) = judge_runs([run], system)
    factor = 2 * (run.ranks - 1) / run.ranks
    return run, factor * run.samples[0].size_bytes / run.samples[0].time_s / 1e9, system, verdict


@pytest.mark.parametrize(
    ("sentence", "ranks", "busbw", "system", "status"),
    [
        ("I get only 5 GB/s busbw on 2 nodes x 8 A100 with 4x200G", 16, 5, ("dgx-a100", "ib-hdr", 4), "low"),
        ("all_reduce on two servers, each 8x H100 and 8x400G RoCE: busbw 120 GB/s", 16, 120, ("dgx-h100", "roce-400", 8), "low"),
        ("NCCL all-reduce over 4 RTX 4090 reaches 3.1 GB/s at 512 MB", 4, 3.1, ("rtx-4090-x4", None, 0), "low"),
        ("2 nodes of 8 A100, 4x200Gb: the theoretical busbw is 100 GB/s, ours is: 92 GB/s", 16, 92, ("dgx-a100", "ib-hdr", 4), "fine"),
        ("nccl-tests all_reduce, algbw 250 GB/s on 8 H100", 8, 437.5, ("dgx-h100", "ib-ndr", 8), "fine"),
        ("nccl-tests on 2 nodes with 8 A100 each and 8x200G: busbw 80 Gb/s", 16, 10, ("dgx-a100", "ib-hdr", 8), "low"),
    ],
)  # fmt: skip
def test_a_sentence_is_judged(sentence, ranks, busbw, system, status):
    """Rate with its convention and unit, ranks, NICs: as stated; what was expected is not taken for measured."""
    run, rate, machine, verdict = told(sentence)

    assert run.ranks == ranks
    assert rate == pytest.approx(busbw)
    assert (machine.id, machine.network, machine.nics_per_domain) == system
    assert str(verdict.status) == status
    assert any("taken from a sentence" in warning for warning in verdict.warnings)


@table(
    ("sentence", "busbw", "gpu", "nodes", "ranks"),
    [
        ("H100 has 900 GB/s NVLink according to the sheet. With NCCL I measure 480 GB/s busbw on 8 GPUs", 480, "H100", 1, 8),
        ("H100 has 900 GB/s NVLink and with all_reduce I measure 480 GB/s busbw", 480, "H100", 1, 8),
        ("8 H100 in one box, PCIe at 64 GB/s. busbw is 470 GB/s", 470, "H100", 1, 8),
        ("all_reduce with 16 A100 GPUs over 2 nodes: busbw 90 GB/s", 90, "A100", 2, 16),
        ("two 8-GPU H100 nodes, busbw 40 GB/s", 40, "H100", 2, 16),
        ("2x8 A100, NCCL all_reduce busbw of 45 GB/s", 45, "A100", 2, 16),
        ("NCCL on 4 x A100 PCIe I only get 11 GB/s", 11, "A100 PCIe", 1, 4),
        ("2 x H100 NVL, all_reduce busbw 120 GB/s", 120, "H100 NVL", 1, 2),
        ("8xH100 all_reduce busbw 470 GB/s", 470, "H100", 1, 8),
        ("p4d.24xlarge pair, 2 nodes: all_reduce busbw 9 GB/s", 9, "", 2, 16),
        ("Hi all, we have two DGX A100 and all_reduce_perf only shows 24 GB/s bus bandwidth. Any idea?", 24, "A100", 2, 16),
        ("I'm running nccl-tests on 4 nodes (8xA100 each). Bus bandwidth is about 90 GB/s.", 90, "A100", 4, 32),
        ("On 4x RTX 3090 I see 4 GB/s busbw with all_reduce_perf", 4, "RTX 3090", 1, 4),
        ("We expected 370 GB/s busbw on 4 nodes of 8 H100 but got 180 GB/s", 180, "H100", 4, 32),
        ("busbw 180 GB/s instead of 370 GB/s on 4 nodes x 8 H100", 180, "H100", 4, 32),
        ("8 H100s: algbw 270 GB/s, busbw 472 GB/s", 472, "H100", 1, 8),
        ("all_gather busbw is 330 GB/s on a DGX H100", 330, "H100", 1, 8),
        ("ib_write_bw shows 390 Gb/s, but nccl busbw is just 20 GB/s between 2 nodes with 8 H100 each", 20, "H100", 2, 16),
        ("We can't get more than 40 GB/s busbw on 2 nodes, 8 H100 per node", 40, "H100", 2, 16),
        ("Before the upgrade we had 380 GB/s busbw on 8 H100, now 200 GB/s", 200, "H100", 1, 8),
        ("nccl all_reduce on 8 H100 nodes: busbw 300 GB/s", 300, "H100", 8, 64),
        ("8 A100 GPUs across 2 nodes, busbw 20 GB/s", 20, "A100", 2, 8),
        ("2 nodes 8xH100, all_reduce busbw 180 GB/s at 8 GiB", 180, "H100", 2, 16),
        ("On 4 nodes (8x A100) all_reduce busbw is 80 GB/s", 80, "A100", 4, 32),
        ("2 nodes, 8x H100 in total: all-reduce busbw 180 GB/s", 180, "H100", 2, 8),
        ("64 H100 on 8 nodes: all_reduce busbw 350 GB/s", 350, "H100", 8, 64),
        ("2 nodes, 16 GPUs (A100), busbw = 23.5 GB/s at 1 GB", 23.5, "A100", 2, 16),
        ("I get 12 GB/s with 2x4090 all_reduce", 12, "4090", 1, 2),
        ("all_reduce bus bw: 830 GB/s on 8x B200", 830, "B200", 1, 8),
        ("RCCL all_reduce on 8 MI300X reaches 310 GB/s busbw", 310, "MI300X", 1, 8),
        ("RCCL: 8x MI300X busbw=310GB/s", 310, "MI300X", 1, 8),
        ("two p5.48xlarge, all_reduce busbw 360 GB/s", 360, "", 2, 16),
        ("eight H100 SXM5 GPUs: 475 GB/s busbw", 475, "H100 SXM5", 1, 8),
        ("Is 300 GB/s busbw on 8 H100 normal?", 300, "H100", 1, 8),
        ("NCCL over NVLink on 8 A100: I get 230 GB/s", 230, "A100", 1, 8),
        ("2 nodes * 8 * H800, all2all busbw 40 GB/s", 40, "H800", 2, 16),
        ("alltoall on 4 nodes with 8 H100 each: 45 GB/s busbw at 1 GB; all_reduce is fine", 45, "H100", 4, 32),
        ("We run NCCL on p4d.24xlarge, 2 nodes, and get 9 GB/s busbw", 9, "", 2, 16),
        ("Two H100 servers with 8 GPUs each; NCCL_DEBUG shows NET/IB. busbw: 48 GB/s", 48, "H100", 2, 16),
        ("- 4 x A100-PCIE-40GB\n- no NVLink\n- all_reduce busbw 9 GB/s", 9, "A100 PCIe", 1, 4),
        ("With NCCL_P2P_DISABLE=1 busbw falls to 8 GB/s on 4 RTX 3090", 8, "RTX 3090", 1, 4),
        ("32 GPUs (4 nodes, H100), all_reduce algbw 95 GB/s", 184.1, "H100", 4, 32),
        ("H200 x 8, all_reduce_perf Avg bus bandwidth of 478 GB/s", 478, "H200", 1, 8),
        ("A100 x8 busbw 230 GB/s", 230, "A100", 1, 8),
        ("4*A100 40G, busbw only 12GB/s", 12, "A100", 1, 4),
        ("I get 230 GB/s busbw on A100 (8 GPUs) but my colleague gets 240 GB/s", 230, "A100", 1, 8),
        ("L40S x4: NCCL all_reduce 22 GB/s busbw", 22, "L40S", 1, 4),
        ("Each node has 8 H100 and 8 NICs; on 16 nodes all_reduce reaches 340 GB/s busbw", 340, "H100", 16, 128),
        ("2 nodes, each with 4 A100, busbw 22 GB/s", 22, "A100", 2, 8),
        ("1 node with 8 A100 GPUs, busbw: 229.88 GB/s at 4G", 229.9, "A100", 1, 8),
        ("H100x8 algbw=273GB/s busbw=478GB/s", 478, "H100", 1, 8),
        ("2 H100 nodes -> 388 GB/s busbw", 388, "H100", 2, 16),
        ("A100 x4 busbw 230 GB/s", 230, "A100", 1, 4),
        ("./all_reduce_perf -b 8 -e 8G -f 2 -g 8 on 8 A100s I see busbw 230 GB/s", 230, "A100", 1, 8),
        ("16 ranks on 2 nodes of A100, busbw 20 GB/s", 20, "A100", 2, 16),
        ("12 nodes, 8 H100 per node, reduce-scatter busbw 330 GB/s", 330, "H100", 12, 96),
        ("The NVLink test shows 40 GB/s per link; nccl all_reduce_perf 8 GPUs H100 busbw 475 GB/s", 475, "H100", 1, 8),
        ("busbw 0.5GB/s on 2 nodes with 1 A100 each", 0.5, "A100", 2, 2),
        ("two nodes with one H100 each, all_reduce busbw 12 GB/s", 12, "H100", 2, 2),
        ("The maximum busbw I see is 470 GB/s on 8 H100", 470, "H100", 1, 8),
        ("8x RTX 5090.\n8 GPU max performance: busbw 28 GB/s", 28, "RTX 5090", 1, 8),
        ("NCCL all reduce on four A100 PCIe cards (no bridge) gives about 11 GB/s bus bandwidth", 11, "A100 PCIe", 1, 4),
        ("4x A100 PCIe with no NVLink: busbw 11 GB/s", 11, "A100 PCIe", 1, 4),
        ("2 × (8 × A100-SXM4-80GB), all_reduce busbw: 3.9 GB/s", 3.9, "A100 SXM4", 2, 16),
        ("In our acceptance test 8x H100 reach 320 GB/s busbw", 320, "H100", 1, 8),
        ("Something must be wrong, 8x H100 give 320 GB/s busbw", 320, "H100", 1, 8),
        ("8x H100: algbw is about 250GB/s. But NV officials claim that all reduce can reach 450GB/s", 437.5, "H100", 1, 8),
    ],
)  # fmt: skip
def test_what_a_sentence_states(sentence, busbw, gpu, nodes, ranks):
    """The rate beside busbw or a word of measuring, and the machine that stands nearest to it."""
    (run,) = read("log", sentence.encode())
    sample = run.samples[0]
    stated = [item.value for item in run.observations if item.kind == "nodes"]

    assert bus_factor(run.collective, run.ranks) * sample.size_bytes / sample.time_s / 1e9 == pytest.approx(
        busbw, rel=1e-3
    )
    assert ([item.name for item in run.machine.gpus], stated or ["1"], run.ranks) == (
        [gpu] if gpu else [],
        [str(nodes)],
        ranks,
    )


def test_an_instance_type_names_the_machine():
    """GPU and network of a cloud's instance are known by its name."""
    _, rate, machine, _ = told("p4d.24xlarge pair, 2 nodes: all_reduce busbw 9 GB/s")

    assert (rate, machine.gpus, machine.network) == (pytest.approx(9), 16, "efa-400")


@table(
    "sentence",
    [
        "Where is the documentation? 5 GB/s would be nice.",
        "NCCL on 8 H100 should give 450 GB/s",
        "busbw 46 GB/s, is that fine?",
        "copying a file to 8 H100 nodes takes 3 GB/s",
        "[rank0] init nccl backend on NVIDIA A100-SXM4-80GB\nDownloading shards: 100% 4.5G/4.5G [00:03, 1.3 GB/s]",
        "8x H100 with NVLink 450 GB/s per direction. What busbw may I expect?",
        "8 A100: all_reduce busbw 200 GB/s on one node but 5 GB/s on 2 nodes",
        "Single node gives 230 GB/s busbw, two nodes only 10 GB/s busbw (8x A100 each).",
        "Why is my NCCL all-reduce so slow? 8x H100 80GB HBM3, only 40 GB/s.",
        "Disk reads 3.2 GB/s on my 8 A100 server, and NCCL works",
        "We can't reach 400 GB/s busbw on 8 H100",
        "The docs say nccl-tests get 480 GB/s busbw on 8 H100",
        "busbw is 180-200 GB/s on 8 A100",
        "Multi-node all_reduce on A100s gives busbw 20 GB/s",
        "8 GPUs on 2 nodes, A100, busbw 20 GB/s",
        "2 nodes, 8x RTX 4090, all-reduce busbw 8 GB/s",
        "An A100 node and an H100 node, busbw 20 GB/s",
        "busbw 900 gb/s on 8 b200",
        "If I get 300 GB/s busbw on 8 H100 is something broken?",
        "Each H100 has 18 NVLinks with 25 GB/s each. nccl performance on 8 GPUs is good",
        "training throughput on 8 A100 with nccl: dataloader gets 2.1 GB/s",
        "Checkpoint saved at 2.2 GB/s, nccl all_reduce on 8 A100 took 30 ms",
        "My 8-GPU H100 node: 2 GPUs give 360 GB/s busbw",
        "By its datasheet the maximum busbw is 470 GB/s on 8 H100",
        "P2P between two H100 gives 370 GB/s and 740 GB/s",
        "Between two A100 NVLink has a total of 600 GB/s",
        "p2p of an A100\n" + "a line of a document\n" * 30 + "one link runs at 25 GB/s between GPUs",
        "Our A100 and p2p.\nOne link runs at 25 GB/s.",
        "p2p between the GPUs of our RTX 4090 should reach 25 GB/s",
        "nvbandwidth says 24 GB/s on the RTX 4090",
        "nccl-tests scale algbw by 2*(n-1)/n. For example 8 H100 with algbw 100 GB/s give busbw 175 GB/s.",
        "Simulated with ASTRA-sim: all-reduce on 2 nodes of 8 H100 reached 210 GB/s busbw.",
        "Acceptance: all_reduce_perf on 16 nodes of 8 H100 shall reach a busbw of at least 350 GB/s at 8 GB.",
        "Minimum busbw for 8 H100: 450 GB/s (all_reduce).",
        "Peer-to-peer transfers between GPUs on the H100 use NVLink at 900 GB/s.",
        "PCIe Gen4 x16 host-to-device transfers are 32 GB/s on the A100 PCIe.",
        "H2D on A100 PCIe takes 64 GB/s of host memory bandwidth.",
        "Without SHARP we see 190 GB/s, with SHARP 330 GB/s busbw, 4 nodes x 8 H100",
        "8 x L40S, two nodes, busbw 20 GB/s",
        "nccl-tests 16 ranks on A100, busbw 90 GB/s",
        "H100 to B200 upgrade: on 8 B200 busbw is 820 GB/s",
        "mpirun -np 16 all_reduce_perf -g 1 on A100: busbw 20 GB/s",
        "./all_reduce_perf -b 8 -e 8G -f 2 -g 4 on A100s, busbw 230 GB/s",
        "busbw is zero point five GB/s on 8 A100",
        "busbw 1,234 GB/s on 8 H100",
        "I measured 200 GB/s busbw with 4 of 8 H100",
        "all_reduce with 4 GPUs of an 8x A100 server: busbw 230 GB/s",
    ],
)  # fmt: skip
def test_a_sentence_without_a_measurement_is_none(sentence):
    """A rate needs what was measured, on which and how many GPUs, and that it was measured."""
    with pytest.raises(ParseError, match="no measurement"):
        read("log", sentence.encode())


def test_a_table_says_more_than_the_prose_around_it():
    """Where a log holds the tool's own output, sentences beside it are not taken for measurements."""
    (run,) = read("log", text(["I get only 5 GB/s busbw on 2 nodes x 8 A100", *nccl_tests()]))

    assert len(run.samples) > 1
    assert not any(notice.code == "from_prose" for notice in run.warnings)


@table(
    ("sentence", "rate", "way", "status"),
    [
        ("p2pBandwidthLatencyTest on my two RTX 4090: 25 GB/s bidirectional", 25, "both_ways", "low"),
        ("Between two H20 GPUs the send/recv test shows at most 337 GB/s, the NVLink total bandwidth is 900 GB/s", 337, "one_way", "fine"),
        ("H100 80GB, bidirectional\nGPU0-GPU0 = 2959 GB/s\nGPU0-GPU1 = 742 GB/s", 742, "both_ways", "fine"),
        ("NVLink offers 160 GB/s between two H800 GPUs instead of 400 GB/s", 160, "one_way", "fine"),
        ("RTX 3090: bandwidthTest shows host to device 6.2 GB/s, why?", 6.2, "one_way", "low"),
        ("nvbandwidth on 8 H100 gives 55 GB/s host to device; nccl is fine", 55, "one_way", "fine"),
        ("My A100 copies 25.1 GB/s device-to-host", 25.1, "one_way", "fine"),
    ],
)  # fmt: skip
def test_copies_told_in_a_sentence(sentence, rate, way, status):
    """A copy between two GPUs or with the host that a sentence tells is judged as a matrix of it would be."""
    (run,) = read("log", sentence.encode())
    (matrix,) = run.matrices
    cells = {cell for row in matrix.values for cell in row if cell}

    assert (cells, matrix.direction) == ({rate * 1e9}, way)
    assert judge_runs([run], system_of_file([run]).system)[0].status.value == status


def test_words_beside_a_told_copy_are_evidence():
    """What a sentence says of ACS or the IOMMU counts for the copy that it tells."""
    (run,) = read("log", b"My two A6000 copy at 13 GB/s P2P. IOMMU is enabled.")
    (verdict,) = judge_runs([run], system_of_file([run]).system)

    assert ("stated", "IOMMU on") in {(item.kind, item.value) for item in run.observations}
    assert any("IOMMU on" in line for cause in verdict.causes for line in cause.lines)


def test_words_beside_many_tables_are_read_once(monkeypatch):
    """A log of every pair of nodes takes time by its tables, not by tables times words."""
    asked = []
    plain = spoken.remarks
    monkeypatch.setattr(spoken, "remarks", lambda words: asked.append(words) or plain(words))
    log = b"ACS is on in the switches of these nodes.\n" + text(nccl_tests(ranks=8)) * 12

    runs = read("pairs.log", log)

    assert len(runs) == 12
    assert len(asked) == 1
