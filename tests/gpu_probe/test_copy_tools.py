"""Copy tests of single machines: rocm-bandwidth-test, TransferBench, bandwidthTest, and forms of nvbandwidth."""

import pytest

from core.catalog import SYSTEMS
from core.verdict import Status, judge_run
from core.verdict.recognition import system_of
from gpu_probe.parsers import ParseError, read
from tests.gpu_probe.formats import (
    cuda_bandwidth,
    nccl_tests,
    nvbandwidth_text,
    only,
    rocm_bandwidth,
    text,
    transferbench,
)

GB = 1e9


def named(run):
    """The matrices of a run by their names."""
    return {matrix.name: matrix for matrix in run.matrices}


def test_rocm_bandwidth_test_by_kind_of_copy():
    """Its one table of CPUs and GPUs is read as copies between GPUs, to devices and to the host."""
    run = only(rocm_bandwidth())
    tables = named(run)
    between = tables["unidirectional copy peak bandwidth"]
    to_device = tables["host_to_device_memcpy unidirectional copy peak bandwidth"]

    assert (run.format, run.tool_version) == ("rocm-bandwidth-test", "2.6.0")
    assert [(gpu.name, gpu.count) for gpu in run.machine.gpus] == [("AMD Instinct MI300X", 3)]
    assert (between.rows, between.values[0]) == (("2", "3", "4"), (1600 * GB, 48.5 * GB, 48.5 * GB))
    assert (to_device.rows, to_device.values[0]) == (("0", "1"), (55 * GB, 55 * GB, 41 * GB))
    assert tables["bidirectional copy peak bandwidth"].direction == "both_ways"
    assert between.peer_access is True
    assert judge_run(run, system_of(run).system).status is Status.FINE


def test_rocm_bandwidth_test_without_access():
    """GPUs that cannot reach each other are said so."""
    run = only(rocm_bandwidth(cannot={(2, 3), (3, 2)}))
    assert run.matrices[0].peer_access is False
    assert [notice.code for notice in run.warnings] == ["staged_copies"]


def test_rocm_bandwidth_test_of_one_pair():
    """One pair at several sizes gives a sample for each, from the host to a GPU."""
    run = only(
        [
            "          RocmBandwidthTest Version: 2.6.0",
            "================    Unidirectional Benchmark Result    ================",
            "================ Src Device Id: 0 Src Device Type: Cpu ================",
            "================ Dst Device Id: 4 Dst Device Type: Gpu ================",
            "Data Size      Avg Time(us)   Avg BW(GB/s)   Min Time(us)   Peak BW(GB/s)",
            "1 KB           5.400          0.190          5.280          0.194",
            "512 MB         9709.000       55.296         9700.100       55.347",
        ]
    )
    assert [(s.operation, s.size_bytes, s.time_s) for s in run.samples] == [
        ("host_to_device_pinned", 1024, pytest.approx(5.4e-6)),
        ("host_to_device_pinned", 512 << 20, pytest.approx(9709e-6)),
    ]


@pytest.mark.parametrize("frame", ["", "\u2502"])
def test_transferbench_between_all_devices(frame):
    """Both of its tables are read, of three lines a GPU the one that adds both directions."""
    run = only(transferbench(frame=frame))
    tables = named(run)

    assert tables["unidirectional copy peak bandwidth"].values[1] == (48.5 * GB, 1600 * GB, 48.5 * GB)
    assert tables["bidirectional copy peak bandwidth"].values[0] == (None, 91 * GB, 91 * GB)
    assert tables["device_to_host_memcpy unidirectional copy peak bandwidth"].values == ((54 * GB,) * 3,)
    assert judge_run(run, SYSTEMS["mi300x-x8"]).status is Status.FINE


@pytest.mark.parametrize(("unit", "csv"), [("GB", False), ("MB", False), ("GB", True), ("MB", True)])
def test_bandwidth_test_of_the_cuda_samples(unit, csv):
    """Its MB are 2^20 bytes; a copy within the device is printed as read and written."""
    run = only(cuda_bandwidth(unit, csv=csv))
    rates = [sample.size_bytes / sample.time_s / GB for sample in run.samples]

    assert [sample.operation for sample in run.samples] == [
        "host_to_device_pinned",
        "device_to_host_pinned",
        "hbm_copy",
    ]
    assert rates == pytest.approx([26.8, 26.3, 450.0], rel=1e-3)


def test_a_copy_in_the_cache_is_no_impossible_one():
    """32 MB within a GPU stay in its cache: more than its memory carries is neither impossible nor a measure."""
    run = only(cuda_bandwidth(rates=(26.8, 26.3, 4366.8)))
    slow = only(cuda_bandwidth(rates=(6.3, 6.5, 4366.8)))

    assert judge_run(run, system_of(run).system).status is Status.FINE
    verdict = judge_run(slow, system_of(slow).system)
    assert (verdict.status, verdict.causes[0].reason.code) == (Status.LOW, "pcie_path")


def test_versions_of_cuda_by_reading_and_code():
    """From version 0.10 on nvbandwidth prints ``13.3 (13030)`` where it printed ``12080``."""
    log = [
        line.replace("CUDA Runtime Version: 12080", "CUDA Runtime Version: 13.3 (13030)")
        for line in nvbandwidth_text()
    ]
    assert only(log).machine.cuda == "13.3"
    assert only(nvbandwidth_text()).machine.cuda == "12.8"


def test_a_table_in_a_comment():
    """Rows behind a hash sign, as in a docstring, are rows; the last line names the collective."""
    log = [f"    #{line.lstrip('#')}" for line in nccl_tests(named=False)]
    run = only([*log, "    # Collective test concluded: all_reduce_perf"])
    assert (len(run.samples), run.collective) == (len(only(nccl_tests()).samples), "all_reduce")


def test_lines_in_code_marks():
    """Each line between marks of reStructuredText is freed of both."""
    log = [f":mark:`{line}`" if line else "" for line in nccl_tests()]
    (run,), (plain,) = read("log", text(log)), read("log", text(nccl_tests()))
    assert (run.samples, run.machine.gpus) == (plain.samples, plain.machine.gpus)


def osu(title, rows, *, command="", header="Avg Latency(us)"):
    """The output of an OSU micro-benchmark."""
    return [
        command,
        f"# OSU MPI-CUDA {title} Test v7.5",
        "# Datatype: MPI_CHAR.",
        f"# Size       {header}",
        *rows,
    ]


def test_osu_between_gpus():
    """A collective's size, time and spread; the ranks of the command line; MPI has no expectation."""
    rows = ["1048576             40.00             39.00             41.00        1000"]
    header = "Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations"
    run = only(
        osu(
            "Allreduce Latency",
            rows,
            command="$ srun -N2 --ntasks-per-node=4 osu_allreduce -d cuda",
            header=header,
        )
    )
    (sample,) = run.samples

    assert (run.format, run.collective, run.ranks, run.tool_version) == ("osu", "all_reduce", 8, "7.5")
    assert (sample.size_bytes, sample.time_s, sample.low_s) == (
        1 << 20,
        pytest.approx(40e-6),
        pytest.approx(39e-6),
    )
    verdict = judge_run(run, SYSTEMS["dgx-h100"])
    assert (verdict.status, verdict.reason.code) == (Status.UNKNOWN, "through_mpi")


def test_osu_counts_some_collectives_by_rank():
    """All-to-all counts the bytes for one rank, which only the number of ranks makes comparable."""
    rows = ["1024                   22.10              Pass"]
    run = only(
        osu("All-to-All Personalized Exchange Latency", rows, command="mpirun -np 8 ./osu_alltoall -d cuda")
    )
    assert (run.collective, run.samples[0].size_bytes) == ("all_to_all", 8192)
    with pytest.raises(ParseError, match="number of ranks"):
        read("log", text(osu("Allgather Latency", rows)))


@pytest.mark.parametrize(("title", "rate"), [("Bandwidth", 24e9), ("Bi-Directional Bandwidth", 12e9)])
def test_osu_bandwidth_of_a_pair(title, rate):
    """Its MB are 1e6 bytes; both directions count half each."""
    run = only(osu(title, ["4194304            24000.00"], header="Bandwidth (MB/s)"))
    sample = run.samples[0]
    assert (run.collective, run.ranks) == ("send_recv", 2)
    assert sample.size_bytes / sample.time_s == pytest.approx(rate)


def test_osu_of_host_memory_is_refused():
    """Buffers of the host say nothing of a GPU: the file is told what it is."""
    with pytest.raises(ParseError, match="a test of MPI"):
        read(
            "log",
            text(["# OSU MPI Allreduce Latency Test v7.2", "# Size       Avg Latency(us)", "4      12.4"]),
        )
