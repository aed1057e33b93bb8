"""Facts typed from reading the captured logs: runs, ranks and samples of every file."""

from pathlib import Path

import pytest

from gpu_probe.parsers import ParseError, read
from tests.each import table

LOGS = Path(__file__).parents[3] / "shared/data/logs"
TEXT, JSON, TOPO = "nccl-tests-text", "nvbandwidth-json", "topo-m"
P2P, NVBW, COPIES = "p2p-bandwidth-latency-test", "nvbandwidth-text", "cuda-bandwidth-test"

pytestmark = pytest.mark.skipif(not LOGS.is_dir(), reason="the captured logs are not beside this checkout")

# file -> (format, collective, ranks, samples) of each run
NCCL = {
    "SUSPECT_azure_skill_example.md": [(TEXT, "all_reduce", None, 6)],
    "nccl_alps_gh200_n4.out": [(TEXT, "all_reduce", 4, 60)],
    "nccl_alps_gh200_n64.out": [(TEXT, "all_reduce", 64, 60)],
    "nccl_alps_gh200_n8_rows_only.txt": [(TEXT, None, None, 60)],
    "nccl_aws_readme_slurm.txt": [(TEXT, None, None, 58)],
    "nccl_deepops_dgxa100_2node_old_error_col.txt": [(TEXT, None, None, 60)],
    "nccl_deepops_roce_k8s.txt": [(TEXT, None, None, 58)],
    "nccl_dgx_spark_gb10_2node_excerpt.txt": [(TEXT, "all_reduce", 2, 8)],
    "nccl_gcp_a3high_allgather_NA_wrong.txt": [(TEXT, None, None, 20)],
    "nccl_gcp_a3mega_allgather.txt": [(TEXT, None, None, 62)],
    "nccl_gcp_a3ultra_allgather.txt": [(TEXT, None, None, 48)],
    "nccl_h20_16gpu_nvlstree_old_error_col_excerpt.txt": [(TEXT, None, None, 16)],
    "nccl_johngrabner_1gpu.txt": [(TEXT, "all_reduce", 1, 50)],
    "nccl_odissei_2nodes_all_gather_mpi.log": [(TEXT, "all_gather", 8, 62)],
    "nccl_odissei_2nodes_all_reduce_mpi.log": [(TEXT, "all_reduce", 8, 62)],
    "nccl_odissei_2nodes_all_reduce_stresstest.log": [(TEXT, "all_reduce", 8, 62)],
    "nccl_odissei_2nodes_reduce_scatter_mpi.log": [(TEXT, "reduce_scatter", 8, 62)],
    "nccl_p5_2node_nccl-test-output-v2.20.3-1.log": [(TEXT, None, 16, 64)],
    "nccl_p5_2node_nccl-test-output-v2.22.3-1-with-tuner.log": [(TEXT, None, 16, 64)],
    "nccl_p5_2node_nccl-test-output-v2.22.3-1.log": [(TEXT, None, 16, 64)],
    "nccl_panlichen_4090_2card_para_all_gather.txt": [(TEXT, None, 2, 1)] * 27,
    "nccl_panlichen_4090_2card_para_all_reduce.txt": [(TEXT, None, 2, 1)] * 27,
    "nccl_panlichen_4090_2card_para_back_all_reduce.txt": [(TEXT, None, 2, 1)] * 27,
    "nccl_panlichen_4090_8card_lc_all_gather.txt": [(TEXT, None, 8, 1)] * 27,
    "nccl_panlichen_4090_8card_lc_all_reduce.txt": [(TEXT, None, 8, 1)] * 27,
    "nccl_panlichen_4090_8card_para_all_gather.txt": [(TEXT, None, 8, 1)] * 27,
    "nccl_panlichen_4090_8card_para_all_reduce.txt": [(TEXT, None, 8, 1)] * 27,
    "nccl_panlichen_4090_8card_para_bak_all_reduce.txt": [(TEXT, None, 8, 1)] * 5,
    "nccl_panlichen_mpi_res_4hosts_all_reduce.txt": [(TEXT, None, 32, 1)] * 25,
    "nccl_v100_p3dn_efa_2019_noise.txt": [(TEXT, "all_reduce", 16, 42)],
    "nccl_xxrjun_c00_pairwise_nccl_N2_G1_cnode2-001_cnode2-002.log": [
        (TEXT, "all_to_all", 2, 20),
        (TEXT, "send_recv", 2, 20),
    ],
    "nccl_xxrjun_c00_pairwise_nccl_N2_G4_cnode2-001_cnode2-002.log": [
        (TEXT, "all_to_all", 8, 20),
        (TEXT, "send_recv", 8, 20),
    ],
    "nccl_xxrjun_c01_multi-node_nccl_N10_G1.log": [
        (TEXT, name, 10, 20)
        for name in ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_recv")
    ],
    "nccl_xxrjun_c01_pairwise_nccl_N2_G1_cnode3-002_cnode3-003.log": [
        (TEXT, "all_to_all", 2, 6),
        (TEXT, "send_recv", 2, 6),
    ],
    "nccl_xxrjun_c01_pairwise_nccl_N2_G2_cnode3-002_cnode3-003.log": [
        (TEXT, "all_to_all", 4, 6),
        (TEXT, "send_recv", 4, 6),
    ],
    "nccl_xxrjun_c01_smoke_nccl_smoke_N2_G1_cnode3-002_cnode3-003.log": [
        (TEXT, "all_reduce", 2, 10),
        (TEXT, "send_recv", 2, 10),
    ],
    "rccl_mi350x_rdma_doc.txt": [("rccl-tests-text", None, 8, 62)],
} | {
    f"nccl_alcf_{site}_{name}.dat": [(TEXT, None, ranks, 58)]
    for site, ranks in (
        ("polaris_N128", 512),
        ("polaris_N2", 8),
        ("polaris_N8", 32),
        ("sirius_N2", 8),
        ("sophia_N2", 16),
    )
    for name in ("all_gather", "all_reduce", "all_to_all")
}

# file -> (format, matrices as rows x columns) of each run
MATRICES = {
    "doc_nvbandwidth_README.md": [(NVBW, [(8, 8)]), (NVBW, [(1, 8)]), (NVBW, [(1, 8)])],
    "doc_rtx6kpro_asus.md": [(TOPO, [(8, 8)]), (P2P, [(8, 8)])],
    "doc_rtx6kpro_pcie.md": [(P2P, [(6, 6)] * 2), (P2P, [(6, 6)]), (P2P, [(2, 8)])],
    "doc_stelline_asus-esc8000a-e12.md": [(TOPO, [(8, 8)]), *[(COPIES, [])] * 4, (P2P, [(4, 4)] * 8)],
    "nvbandwidth_4x5090_v0.8.json": [(JSON, [(1, 4)] * 18)],
    "nvbandwidth_gh200_v0.6_FIXTURE_EDITED.log": [(NVBW, [(2, 3), (1, 2), *[(1, 1)] * 13])],
    "nvlink_s_a100_8gpu.txt": [("nvlink-s", [(8, 12)])],
    "nvlink_s_good_azure.txt": [("nvlink-s", [(1, 12)])],
    "p2p_p100_p2p.txt": [(P2P, [(4, 4)] * 11)],
    "p2p_power9_and_power8_v100_commented_excerpt.txt": [(P2P, [(4, 4)] * 2), (P2P, [(4, 4)] * 2)],
    "p2p_stas00_a100_partial.txt": [(P2P, [(8, 8)])],
    "p2p_stas00_x4_partial.txt": [(P2P, [(4, 4)])],
    "topo_2xrtx_nv3_bridge_issue557.txt": [(TOPO, [(2, 2)])],
    "topo_8xh800_nv8_issue933.txt": [(TOPO, [(5, 17)])],
    "topo_dgx2_16xv100_nv6_truncated_nccltests78.txt": [(TOPO, [(5, 26)])],
    "topo_h100_nv18_9nic_tabs_truncated_issue1453.txt": [(TOPO, [(9, 17)])],
    "topo_ma595_1.txt": [(TOPO, [(4, 4)])],
    "topo_rtx6k_asus_1.txt": [(TOPO, [(8, 8)])],
    "topo_rtx6k_wrx90_mchp_1.txt": [(TOPO, [(8, 8)])],
    "topo_rtx6kpro_topology_1.txt": [(TOPO, [(4, 4)])],
    "topo_rtx6kpro_topology_3.txt": [(TOPO, [(8, 8)])],
    "topo_stas00_debug_1.txt": [(TOPO, [(8, 8)])],
    "topo_stas00_debug_2.txt": [(TOPO, [(2, 2)])],
    "topo_stas00_network_1.txt": [(TOPO, [(2, 2)])],
    "topo_stas00_network_2.txt": [(TOPO, [(2, 2)])],
    "topo_stas00_network_3.txt": [(TOPO, [(8, 8)])],
    "topo_stas00_perf_1.txt": [(TOPO, [(8, 8)])],
    "topo_stelline_asus_1.txt": [(TOPO, [(8, 8)])],
    "topo_v100_homelab.txt": [(TOPO, [(3, 3)])],
}

# file -> a piece of the line that says why it holds nothing
NOTHING = {
    "gpu_copy_bw_superbench.log": "SuperBench",
    "nccl_alcf_failed_0_polaris.dat": "launch failed",
    "nccl_alcf_failed_1_polaris.dat": "launch failed",
    "nccl_johngrabner_2gpu.txt": "no rows",
    "nccl_xxrjun_norows_0.log": "remote process exited",
    "nvbandwidth_failed_assert_excerpt.txt": "ASSERT",
    "nvidia_smi_8gpu.txt": "topo -m",
    "nvlink_s_a10_none.txt": "empty",
}


def content(name):
    return (LOGS / name).read_bytes()


def codes(run):
    return {notice.code for notice in run.warnings}


def test_every_log_is_spoken_of():
    """All captured logs are in one of the tables here, so none is forgotten."""
    there = {path.name for path in LOGS.iterdir()} - {"INDEX.md"}

    assert there == NCCL.keys() | MATRICES.keys() | NOTHING.keys()


@table("name", sorted(NCCL))
def test_runs_ranks_and_samples_of_a_log(name):
    """Each execution in a log of nccl-tests is one run with all its rows."""
    runs = read(name, content(name))

    assert [(run.format, run.collective, run.ranks, len(run.samples)) for run in runs] == NCCL[name]
    assert all(("collective_unknown" in codes(run)) == (run.collective is None) for run in runs)
    assert not any("rate_mismatch" in codes(run) for run in runs)


@table("name", sorted(MATRICES))
def test_matrices_of_a_log(name):
    """Each block of a matrix tool is claimed once, with all rows and columns that are there."""
    runs = read(name, content(name))
    found = [(run.format, [(len(m.rows), len(m.columns)) for m in run.matrices]) for run in runs]

    assert found == MATRICES[name]


@table("name", sorted(NOTHING))
def test_a_log_without_a_measurement_says_why(name):
    """A failed or foreign log gives one line that names the reason."""
    with pytest.raises(ParseError, match=NOTHING[name]) as caught:
        read(name, content(name))

    assert "\n" not in str(caught.value)


@table(
    ("name", "guess"),
    [
        ("nccl_p5_2node_nccl-test-output-v2.22.3-1.log", "all_reduce"),
        ("nccl_gcp_a3ultra_allgather.txt", "all_gather"),
        ("nccl_deepops_dgxa100_2node_old_error_col.txt", "all_reduce"),
        *[(name, name[:-4].split("_", 4)[4]) for name in NCCL if name.startswith("nccl_alcf_")],
    ],
)
def test_printed_rates_tell_the_collective(name, guess):
    """Where a log names no collective, ratio, reduction and unchecked columns still tell it."""
    (run,) = read(name, content(name))

    assert run.collective_guess == guess


def test_a_two_node_document_tells_sixteen_ranks():
    """Without a device list, 1.875 of all-reduce means 16 ranks."""
    (run,) = read("aws", content("nccl_aws_readme_slurm.txt"))

    assert run.ranks_guess == 16


def test_wrong_results_are_kept_and_flagged():
    """One size of the 64-rank GH200 log has 2752 and 1216 wrong values."""
    (run,) = read("n64", content("nccl_alps_gh200_n64.out"))
    bad = {(s.size_bytes, s.placement): s.wrong for s in run.samples if s.wrong}

    assert bad == {(67108864, "out-of-place"): 2752, (67108864, "in-place"): 1216}
    assert {"wrong_results", "out_of_bounds"} <= codes(run)


@table(
    ("name", "size_bytes", "place", "time_us"),
    [
        ("nccl_odissei_2nodes_all_reduce_mpi.log", 2097152, "out-of-place", 87.18),
        ("nccl_odissei_2nodes_all_reduce_stresstest.log", 2097152, "in-place", 84.09),
        ("nccl_p5_2node_nccl-test-output-v2.22.3-1.log", 17179869184, "out-of-place", 66023),
        ("nccl_deepops_dgxa100_2node_old_error_col.txt", 1073741824, "in-place", 10994),
        ("nccl_v100_p3dn_efa_2019_noise.txt", 8388608, "out-of-place", 4615.5),
        ("nccl_johngrabner_1gpu.txt", 134217728, "in-place", 0.40),
        ("rccl_mi350x_rdma_doc.txt", 67108864, "out-of-place", 1049.3),
        ("nccl_xxrjun_c01_multi-node_nccl_N10_G1.log", 33554400, "out-of-place", 721.94),
    ],
)
def test_times_are_those_of_the_log(name, size_bytes, place, time_us):
    """Rows torn apart, old columns, big numbers: the time is the printed one."""
    runs = read(name, content(name))
    times = [
        s.time_s * 1e6
        for run in runs
        for s in run.samples
        if s.size_bytes == size_bytes and s.placement == place
    ]

    assert any(time == pytest.approx(time_us) for time in times)


def test_machine_facts_of_a_cluster_log():
    """GPUs, hosts and versions come from the device list and NCCL's own lines."""
    (run,) = read("p5", content("nccl_p5_2node_nccl-test-output-v2.22.3-1.log"))

    assert [(gpu.name, gpu.count) for gpu in run.machine.gpus] == [("NVIDIA H100 80GB HBM3", 16)]
    assert run.machine.hosts == ("test-nccl-worker-0", "test-nccl-worker-1")
    assert (run.machine.nccl, run.machine.cuda) == ("2.22.3", "12.2")
    assert run.machine.env["NCCL_BUFFSIZE"] == "8388608"


def test_impossible_rates_of_an_invented_table_are_noticed():
    """A busbw below algbw is no all-reduce at any number of ranks."""
    (run,) = read("azure", content("SUSPECT_azure_skill_example.md"))

    assert "rates_inconsistent" in codes(run)


def test_staged_copies_are_told_from_peer_access():
    """The POWER8 matrix names pairs without peer access; the P100 one has it everywhere."""
    _, power8 = read("p", content("p2p_power9_and_power8_v100_commented_excerpt.txt"))
    (p100,) = read("p", content("p2p_p100_p2p.txt"))

    assert [m.peer_access for m in power8.matrices] == [False, False]
    assert "staged_copies" in codes(power8)
    assert {m.peer_access for m in p100.matrices if "P2P=Enabled" in m.name} == {True}
    assert {m.peer_access for m in p100.matrices if "P2P=Disabled" in m.name} == {False}


def test_units_of_matrices_are_si():
    """GB/s and microseconds of the print are bytes per second and seconds inside."""
    (run,) = read("p", content("p2p_p100_p2p.txt"))
    by_name = {m.name: m for m in run.matrices}

    assert by_name["Bidirectional P2P=Enabled Bandwidth"].values[0][1] == pytest.approx(25.04e9)
    assert by_name["P2P=Enabled Latency (P2P Writes) (CPU)"].values[2][0] == pytest.approx(2.64e-6)
