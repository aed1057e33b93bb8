"""Whatever an upload holds: a job or one clear line, and no more memory than a trace needs."""

import gzip
import io
import json
import os
import pickle
import time
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.traces import unpacking
from core.traces.job_json import job_to_json
from tests.core.traces.test_formats import DUMP, LINE, NSYS, SPOKEN
from tests.core.traces.written import called, cpu, kernel, read, trace

RECORD = {"coll": "AllReduce", "coll_msg_size_bytes": 8, "coll_exec_time_us": 2}
GOOD = {
    "trace": trace(cpu("ProfilerStep#1", 0, 500), kernel("gemm", 90, 20), called(1, 100, 50)),
    "dump": pickle.dumps(DUMP, 2),
    "log": (SPOKEN + LINE.format("AllReduce", "1f", 1024, 6)).encode(),
    "record": json.dumps({"header": {"id": "1", "rank": 0, "n_ranks": 2}, "coll_perf": RECORD}).encode(),
    "summary": NSYS["the window's CSV"].encode(),
    "report": b"Collective name,dtype,In msg nelems,Group size,count\nallreduce,Float,100,8,3\n",
    "nodes": b'{"workload_graph": [{"Id": 1, "Name": "ncclKernel_AllReduce", "NodeType": 7, "runtime": 5}]}',
}
GOOD["node by node"] = (
    b'{"id": "1", "type": "COMM_COLL_NODE", "attr": [{"name": "comm_type", "int64Val": "0"}]}' * 2
)
GOOD["rows"] = b'[{"Total Time (ns)": 5, "Instances": 1, "Name": "ncclDevKernel_Reduce"}]'
GOOD["records"] = b"[" + GOOD["record"] + b"," + GOOD["record"] + b"]"
GOOD["job"] = json.dumps(job_to_json(read(GOOD["trace"]))).encode()
WORDS = st.sampled_from(
    [
        b'"',
        b"{",
        b"}",
        b"[",
        b"]",
        b"},{",
        b"null",
        b"-1",
        b"1e999",
        b"NaN",
        b"9" * 40,
        b"\x00",
        b"\xff",
        b'"ts": "x"',
        b":",
    ]
)
EXAMPLES = int(os.environ.get("WIRESPEED_FUZZ", "25"))


def whole(data):
    """Read; what came out can be kept, and what did not says why in one line."""
    reason, job = "", None
    try:
        job = read(data)
    except InputError as refused:
        reason = str(refused)
    if job is None:
        assert reason
        assert "\n" not in reason
    else:
        json.dumps(job_to_json(job), allow_nan=False)


@pytest.mark.parametrize("kind", GOOD)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_a_damaged_file(kind, data):
    """Bytes changed, cut or put in between: read or refused in one line."""
    good = GOOD[kind]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(good)))
        length = data.draw(st.sampled_from([0, 1, 3, 10, len(good)]))
        good = good[:place] + data.draw(WORDS | st.binary(max_size=6)) + good[place + length :]

    whole(good)


@pytest.mark.parametrize("kind", GOOD)
def test_an_undamaged_file(kind):
    """What is damaged above is a good file: otherwise nothing would be shown."""
    job = read(GOOD[kind])

    assert sum(len(entry.collectives) for entry in job.ranks) + len(job.summary) > 0


@pytest.mark.parametrize("field", ["profiling_name", "pg_id", "state", "time_created_ns", "p2p_seq_id"])
def test_a_number_too_long_to_write(field):
    """A pickle holds whole numbers of any length, and Python refuses to write those past 4300 digits."""
    huge = 10**5000
    entries = [entry | {field: huge} for entry in DUMP["entries"]]

    whole(pickle.dumps(DUMP | {"entries": entries, "nccl_version": huge, "rank": huge}, 2))


@pytest.mark.parametrize(
    ("part", "values", "reason"),
    [
        ("collectives", {"duration_s": [-1.0]}, "duration_s: a negative time"),
        ("collectives", {"exposed_s": [-1.0]}, "exposed_s: a negative time"),
        ("steps", {"end_s": None}, "a step without a start and an end"),
        ("steps", {"start_s": 1e8}, "a step without a start and an end"),
    ],
)
def test_a_job_file_with_times_that_cannot_be(part, values, reason):
    """A call of negative length or a step without an end is refused where it is read."""
    job = json.loads(GOOD["job"])
    (job["ranks"][0][part][0] if part == "steps" else job["ranks"][0][part]).update(values)

    with pytest.raises(InputError, match=reason):
        read(json.dumps(job).encode())


@given(data=st.binary(max_size=300))
def test_noise(data):
    """Bytes of no meaning."""
    whole(data)


def zipped(*contents):
    """A zip of these files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, content in enumerate(contents):
            # without the time of the clock: processes that share the tests name them alike
            archive.writestr(zipfile.ZipInfo(f"rank{number}.json"), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


@pytest.mark.parametrize("pack", [gzip.compress, zipped, lambda data: zipped(gzip.compress(data))])
def test_a_file_that_unfolds_without_end(monkeypatch, pack):
    """Ten megabytes of blanks in ten kilobytes are no trace, however they are packed."""
    monkeypatch.setattr(unpacking, "RATIO_FREE_BYTES", 1_000_000)

    with pytest.raises(InputError, match=r"unfolds to more than 300 times"):
        read(pack(b'{"traceEvents": [' + b" " * 10_000_000))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (gzip.compress(GOOD["trace"], mtime=0)[:-30], "broken or cut short"),
        (gzip.compress(b"x", mtime=0)[:5] + b"\xff" * 50, "broken or cut short"),
        (zipped(GOOD["trace"])[:-40], "not a zip"),
        (zipped(), "a zip of 0 files"),
        (b"hello", "no trace of a known kind"),
        (b'{"traceEvents": [' + b'{"a":' * 200_000, "cut short"),
        (b'{"schema": "1.0", "nodes": ' + b"[" * 200_000, "nested too deep|not JSON"),
        (b'{"schemaVersion": 1, "a": "' + b"x" * 5_000_000, "no traceEvents"),
        (b'{"traceEvents": [{"cat": "kernel", "name": "nccl_Kernel", "ts": x}]}', "an event is not JSON"),
        (trace(kernel("gemm", 1e400, 5)), "an event without a time"),
    ],
)
def test_files_that_are_refused(data, reason):
    """Each says why in one line."""
    with pytest.raises(InputError, match=reason):
        read(data)


def test_spans_are_what_counting_says():
    """Union, difference and cover of random spans are those of a count on a fine grid."""
    from core.traces.spans import covered_s, merged, without

    chance = np.random.default_rng(7)
    for _ in range(30):
        first, second = chance.integers(0, 40, (2, 12)), chance.integers(0, 40, (2, 9))
        ours, theirs = merged(first.min(0), first.max(0)), merged(second.min(0), second.max(0))
        grid = np.arange(40) + 0.5
        on = ((grid[:, None] > first.min(0)) & (grid[:, None] < first.max(0))).any(1)
        beside = ((grid[:, None] > second.min(0)) & (grid[:, None] < second.max(0))).any(1)

        assert (ours.total_s, without(ours, theirs).total_s) == (on.sum(), (on & ~beside).sum())
        assert covered_s(ours.start_s, ours.end_s, theirs).sum() == (on & beside).sum()


HURTFUL = {
    "speakers": "h:1:1 [0] NCCL INFO comm 0x1 " * 400,
    "a long word": "h:1:1 [0] NCCL INFO x\n" + "a" * 1_000_000,
    "braces": '{"traceEvents": [{"cat": "kernel"' + "}, {" * 200_000,
    "blanks": '{"traceEvents": [{"ts": 1}' + ("}" + " " * 1000) * 1000,
    "ends": '{"traceEvents": [{"ts": 1' + "}]," * 200_000,
    "names": '{"traceEvents": [{"cat": "kernel", "ts": 1, "name": "' + "nccl" * 200_000 + '"}]}',
    "quotes": "Time,Total Time,Instances,Name\n" + '"' * 200_001,
    "dashes": " Time (%)  Total Time (ns)  Instances  Name\n" + "- " * 100_000 + "\n" + "x" * 100_000,
}


@pytest.mark.parametrize("kind", HURTFUL)
def test_a_file_made_to_hurt(kind):
    """A megabyte that a careless search would take minutes over is read or refused in seconds."""
    began = time.process_time()
    whole(HURTFUL[kind].encode())

    assert time.process_time() - began < 5


HUGE = {
    "elements of all ranks": (
        SPOKEN + LINE.format("AllGather", "1", "9" * 18, 7).replace("nranks=4", "nranks=9999999")
    ).encode(),
    "elements of a type": json.dumps(
        {
            "schema": "1.1.1-chakra.0.0.4",
            "nodes": [
                {
                    "id": 2,
                    "name": "nccl:all_reduce",
                    "attrs": [
                        {"name": "in_msg_nelems", "value": 2**62},
                        {"name": "out_msg_nelems", "value": 2**62},
                        {"name": "dtype", "value": "Float"},
                    ],
                }
            ],
        }
    ).encode(),
    "ranks by a stride": json.dumps(
        {
            "schema": "1.1.1-chakra.0.0.4",
            "nodes": [
                {
                    "id": 2,
                    "name": "nccl:send 0->7",
                    "attrs": [
                        {"name": "pg_name", "value": "0"},
                        {"name": "pg_size", "value": 9},
                        {"name": "global_rank_start", "value": 2**62},
                        {"name": "global_rank_stride", "value": 2**62},
                    ],
                }
            ],
        }
    ).encode(),
}


@pytest.mark.parametrize("what", HUGE)
def test_numbers_of_more_than_64_bits(what):
    """Sizes and ranks that no machine has are unknown, and the call stays."""
    (rank,) = read(HUGE[what]).ranks

    assert len(rank.collectives) == 1
    assert max(rank.collectives.bytes_out[0], rank.collectives.peer[0]) == -1
