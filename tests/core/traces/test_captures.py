"""Captures of real jobs against their truth: counts, operations and bytes exactly, times within 0.1 %."""

import json
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from core.traces.detect import read_job
from core.traces.job_json import job_from_json, job_to_json
from core.traces.totals import totals
from tests.each import table

TRACES = Path(__file__).parents[4] / "shared/data/traces"
pytestmark = pytest.mark.skipif(
    not TRACES.is_dir(), reason="the captured traces are not beside this checkout"
)
TRUTH = json.loads((TRACES / "expected.json").read_text()) if TRACES.is_dir() else {}
KINETO = [key for key in TRUTH if "/kineto/" in key and key.endswith(".gz")]
RECORDER = "flight_recorder/megatron_tp2pp4ep4_gpu_error_1st"


@cache
def job(pattern):
    """The job of the captures that match."""
    paths = sorted(TRACES.glob(pattern))
    streams = [(path.name, path.open("rb")) for path in paths]
    try:
        return read_job(streams)
    finally:
        for _, stream in streams:
            stream.close()


def by(calls, column, value):
    """Sums of a column by the values of another."""
    sums = Counter()
    for key, entry in zip(getattr(calls, column), getattr(calls, value).tolist(), strict=True):
        sums[key] += max(entry, 0)
    return dict(sums)


@table("key", KINETO)
def test_a_profilers_trace_tells_its_collectives(key):
    """Counts and bytes are the truth's, the three times within 0.1 %."""
    truth = TRUTH[key]
    read = job(key.removeprefix("open/"))
    parts = [totals(trace) for trace in read.ranks]
    times = [sum(part.sum_s for part in parts), sum(part.union_s for part in parts)]
    times += [sum(part.exposed_s for part in parts), sum(part.exposed_beside_copies_s for part in parts)]
    beside = sum(part["exposed_if_memcpy_also_hides_us"] for part in truth["per_device"].values())
    expected = [truth["comm_time_sum_us"], truth["comm_union_us"], truth["exposed_us"], beside]

    assert sum(part.calls for part in parts) == truth["comm_kernels"]
    assert [time * 1e6 for time in times] == pytest.approx(expected, rel=1e-3)
    assert [trace.rank for trace in read.ranks] == [truth["rank"]]
    assert (read.world_size, read.device_name) == (truth["world_size"], truth["gpu"])
    assert sum(trace.kernels for trace in read.ranks) == truth["gpu_kernels"]
    assert [step.name for step in read.ranks[0].steps] == truth["profiler_steps_cpu"]


@table("key", KINETO)
def test_the_launching_range_names_the_operation(key):
    """Every kernel with a launch bears the operation of the range that launched it, whatever its own name."""
    named = Counter()
    for launched, count in TRUTH[key]["kernel_name_vs_launching_cpu_range"].items():
        operation = launched.split(" <- ")[1].removeprefix("nccl:")
        named["unknown" if operation == "no launch event" else operation] += count

    assert Counter(job(key.removeprefix("open/")).ranks[0].collectives.operation) == named


@pytest.mark.parametrize("key", [key for key in KINETO if TRUTH[key]["by_collective_name_arg"]])
def test_arguments_tell_bytes_exactly(key):
    """Bytes in and out by operation are those of the kernels' arguments."""
    truth = TRUTH[key]["by_collective_name_arg"].values()
    calls = job(key.removeprefix("open/")).ranks[0].collectives

    assert sum(by(calls, "operation", "bytes_in").values()) == sum(part["in_bytes"] for part in truth)
    assert sum(by(calls, "operation", "bytes_out").values()) == sum(part["out_bytes"] for part in truth)
    assert sum(calls.bytes_source.equals("argument")) == sum(part["count"] for part in truth)


def test_all_ranks_of_a_job_line_up():
    """With all eight ranks the shortest of each call adds up to the truth's wire time, the longest to its waiting."""
    read = job("kineto/v100_dlrm_ws8/*")
    durations = np.array([trace.collectives.duration_s for trace in read.ranks])
    truth = TRUTH["open/kineto/v100_dlrm_ws8/"]

    assert [trace.rank for trace in read.ranks] == list(range(8))
    assert durations.min(axis=0).sum() * 1e6 == pytest.approx(
        truth["sum_over_calls_of_min_duration_across_ranks_us"]
    )
    assert durations.max(axis=0).sum() * 1e6 == pytest.approx(
        truth["sum_over_calls_of_max_duration_across_ranks_us"]
    )


def test_an_execution_trace_and_the_profiler_tell_the_same_bytes():
    """The tensors of the execution trace and the profiler's recorded shapes agree call by call."""
    read, profiled = job("pytorch_et/*"), job("kineto/v100_dlrm_ws8/*")
    truth = TRUTH["open/pytorch_et/dlrm_ws8_rank0.json.gz"]

    assert by(read.ranks[0].collectives, "kernel", "bytes_in") == truth["input_bytes_by_nccl_node"]
    assert len(read.ranks) == 8
    for trace, beside in zip(read.ranks, profiled.ranks, strict=True):
        assert sorted(trace.collectives.bytes_in) == sorted(beside.collectives.bytes_in)


def test_a_flight_recorder_tells_every_call():
    """Operations and bytes of all sixteen dumps are the truth's, and groups go by name, not by pg_id."""
    read = job(f"{RECORDER}/_dump_*")
    truth = TRUTH[f"open/{RECORDER}/"]

    for trace in read.ranks:
        expected = truth[f"_dump_{trace.rank}"]
        calls = trace.collectives
        names = [name.split(" ")[0] for name in calls.kernel]
        sums = Counter()
        for name, size in zip(names, calls.bytes_in.tolist(), strict=True):
            sums[name] += size
        assert (Counter(names), sums) == (expected["by_op"], expected["input_bytes_by_op"])
        assert set(calls.state) == {"scheduled"}
    assert len(read.ranks) == 16
    first = read.ranks[0].collectives
    assert read.groups[first.group[2]].description == "TENSOR_MODEL_PARALLEL_GROUP"
    assert (first.peer[0], first.sequence[0]) == (12, 11981)


def test_other_tools_tell_what_they_hold():
    """NCCL's log, Chakra, the Inspector, nsys and TraceLens give the truth's counts, bytes and times."""
    log = TRUTH["open/nccl_debug_log/megatron_tp2_a100_rank3_excerpt.log"]
    logged = job("nccl_debug_log/*").ranks[0]
    chakra = job("chakra/*").ranks[0].collectives
    inspected = job("nccl_inspector/nvidia*")
    invented = job("nccl_inspector/SYN*")
    summary = job("nsys/*")
    report = job("tracelens_report/*sync*").summary

    assert (logged.rank, Counter(logged.collectives.operation)) == (3, {"all_reduce": 72, "broadcast": 5})
    assert sum(logged.collectives.bytes_in) == sum(log["call_bytes_count_times_dtype"].values())
    assert Counter(chakra.operation) == {"all_reduce": 5, "broadcast": 2}
    assert [trace.collectives.bytes_in[0] for trace in inspected.ranks] == [17179869184, 8 * 2147483648]
    assert sum(len(trace.collectives) for trace in invented.ranks) == 6
    assert invented.notes == ("1 line is no record of NCCL Inspector and was left out.",)
    assert sum(row.total_s for row in summary.summary if row.count > 8) == pytest.approx(85.964)
    assert summary.summary_kernels_s == pytest.approx(212.526338643)
    assert (report[0].bytes_in, report[0].count, report[0].total_s) == (
        213_913_600,
        318,
        pytest.approx(1.921317, rel=1e-6),
    )
    assert report[0].bytes_out / report[0].mean_s * 7 / 8 == pytest.approx(
        report[0].bus_bytes_per_s, rel=2e-3
    )


@pytest.mark.parametrize(
    "pattern", [f"{RECORDER}/_dump_*", "kineto/mi300x_resnet*", "tracelens_report/*long*"]
)
def test_a_job_survives_its_file(pattern):
    """What is written as JSON and read again is the same job."""
    written = json.dumps(job_to_json(job(pattern)), allow_nan=False)

    assert json.dumps(job_to_json(job_from_json(json.loads(written)))) == written
