"""Records of other tools, each trap in a file written for it."""

import io
import json
import pickle
import zipfile
from collections import Counter

import numpy as np
import pytest

from core.errors import InputError
from core.traces.job_json import job_from_json, job_to_json
from core.traces.pickled import unpickled
from tests.core.traces.written import called, calls, read, trace

ENTRY = {
    "record_id": 1,
    "pg_id": 5,
    "process_group": ("35", "TENSOR_MODEL_PARALLEL_GROUP"),
    "collective_seq_id": 7,
    "p2p_seq_id": 0,
    "profiling_name": "nccl:_all_gather_base",
    "time_created_ns": 1_758_610_505_592_849_034,
    "input_sizes": [[4096, 2]],
    "input_dtypes": ["Byte"],
    "output_sizes": [[8192, 2]],
    "output_dtypes": ["Byte"],
    "state": "scheduled",
    "time_discovered_started_ns": None,
    "is_p2p": False,
}
DUMP = {
    "version": "2.9",
    "pg_config": {"35": {"name": "35", "desc": "TENSOR_MODEL_PARALLEL_GROUP", "ranks": "[8, 9]"}},
    "pg_status": {
        "5": {"last_enqueued_collective": 7, "last_started_collective": -1, "last_completed_collective": 6}
    },
    "nccl_version": "2.27.3",
    "entries": [ENTRY, ENTRY | {"profiling_name": "nccl:send 0->1", "is_p2p": True, "p2p_seq_id": 3}],
}
RAN = []


class Hostile:
    """What runs a function where a pickle is loaded by the usual means."""

    def __reduce__(self):
        return RAN.append, ("run",)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_flight_recorder_of_any_protocol(protocol):
    """Groups go by name, sends count apart, one byte is fp8's size, and the state is kept."""
    job = read(pickle.dumps(DUMP, protocol), names=["_dump_9"])
    found = job.ranks[0].collectives

    assert (job.ranks[0].rank, job.software) == (9, ("NCCL 2.27.3",))
    assert list(found.operation) == ["all_gather", "send"]
    assert (found.bytes_in[0], found.bytes_out[0], found.dtype[0]) == (8192, 16384, "uint8")
    assert (found.sequence.tolist(), found.peer.tolist(), set(found.state)) == (
        [7, 3],
        [-1, 9],
        {"scheduled"},
    )
    assert (job.groups[0].ranks, job.ranks[0].progress[0].completed) == ((8, 9), 6)


def test_a_flight_recorder_written_as_json():
    """The same dump in the recorder's other form."""
    assert list(calls(json.dumps(DUMP).encode()).operation) == ["all_gather", "send"]


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_no_code_of_a_pickle_runs(protocol):
    """A pickle that names a function is refused in one line, and the function is not called."""
    hostile = pickle.dumps(DUMP | {"entries": [Hostile()]}, protocol)

    with pytest.raises(InputError, match="names code"):
        unpickled(hostile, "dump")
    assert RAN == []


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x02]r\xff\xff\xff\x7f.",
        b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f].",
        b"\x80\x02(e.",
        b"\x80\x02}K\x01a.",
        b"\x80\x02X\xff\xff\xff\x7fabc.",
        b"\x80\x02.",
        b"\x80\x02h\x05.",
    ],
)
def test_a_broken_pickle(data):
    """Far memory places, long frames, missing marks and texts past the end: one line or a value, at once."""
    with pytest.raises(InputError, match=r"broken pickle|no flight-recorder dump"):
        read(data)


def test_shapes_that_hold_each_other():
    """Lists that share lists unfold to more than memory holds; they are looked at only so far."""
    shape = [2]
    for _ in range(40):
        shape = [shape] * 1000

    assert calls(pickle.dumps(DUMP | {"entries": [ENTRY | {"input_sizes": [shape]}]})).bytes_in[0] == -1


def test_an_inspector_of_version_5():
    """Algorithm and protocol, point to point calls, and a rank that is that of the largest communicator."""
    meta = {"inspector_output_format_version": "v5.0", "hostname": "a", "pid": 1}
    coll = {"coll_sn": 4, "coll_msg_size_bytes": 100, "coll_exec_time_us": 20, "coll_algo": "RING"}
    began = {"kernel_events": [{"kernel_start_ts": 1_752_867_229_235_181}]}
    lines = [
        {"header": {"id": "0x1", "rank": 1, "n_ranks": 2}, "metadata": meta}
        | {"coll_perf": coll | {"coll": "AllGather", "coll_proto": "LL", "event_trace_ts": began}},
        {"header": {"id": "0x1", "rank": 1, "n_ranks": 2}, "metadata": meta}
        | {"coll_perf": coll | {"coll": "ReduceScatter"}},
        {"header": {"id": "0x2", "rank": 9, "n_ranks": 16}, "metadata": meta}
        | {"p2p_perf": {"p2p": "Send", "p2p_peer": 3, "p2p_msg_size_bytes": 8, "p2p_exec_time_us": 2}},
    ]
    job = read("\n".join(["warning", *map(json.dumps, lines)]).encode())
    found = job.ranks[0].collectives

    assert [entry.rank for entry in job.ranks] == [9]
    assert list(found.operation) == ["all_gather", "reduce_scatter", "send"]
    assert (found.bytes_in.tolist(), found.bytes_out.tolist()) == ([100, 200, 8], [200, 100, 8])
    assert (found.kernel[0], found.duration_s.tolist()) == ("RING LL", pytest.approx([2e-5, 2e-5, 2e-6]))
    assert job.origin_ns == 1_752_867_229_235_181_000


SPOKEN = "host:7:7 [2] NCCL INFO "
LINE = (
    "{}: opCount {} sendbuff 0x7 recvbuff 0x8 count {} datatype {} op 0 root 0 comm 0x5 [nranks=4] stream 0x9"
)


def test_nccls_own_log():
    """Hexadecimal counts, numbered data types, ranks cut into each other, plans without a communicator."""
    log = "\n".join(
        [
            SPOKEN + "ncclCommInitRank comm 0x5 rank 6 nranks 8 cudaDev 2 busId 1000 - Init START",
            SPOKEN + "AllReduce: 2048 Bytes -> Algo 1 proto 2 time 23.1",
            SPOKEN + LINE.format("AllReduce", "1f", 1024, 6),
            SPOKEN + "Trees [0] 1/" + SPOKEN + LINE.format("AllGather", "20", 8, 7),
            SPOKEN + LINE.format("ReduceScatter", "21", 8, 9),
        ]
    )
    job = read(log.encode())
    found = job.ranks[0].collectives

    assert (job.ranks[0].rank, job.ranks[0].device) == (6, 2)
    assert found.sequence.tolist() == [31, 32, 33]
    assert (found.bytes_in.tolist(), found.bytes_out.tolist()) == ([2048, 32, 64], [2048, 128, 16])
    assert list(found.kernel) == ["RING SIMPLE", "", ""]
    assert (list(found.dtype), job.groups[0].size) == (["float16", "float32", "bfloat16"], 4)
    assert np.isnan(found.duration_s).all()


def test_a_log_of_plans_alone():
    """TUNING lines without COLL lines are calls of their own; a log with neither says what to switch on."""
    plans = "\n".join(
        SPOKEN + f"AllReduce: {size} Bytes -> Algo RING proto LL128 time 1" for size in (64, 128)
    )

    assert calls(plans.encode()).bytes_in.tolist() == [64, 128]
    with pytest.raises(InputError, match="NCCL_DEBUG_SUBSYS"):
        read(b"h:1:1 [0] NCCL INFO Bootstrap : Using eth0\n")


def test_a_newer_execution_trace():
    """Values, shapes and types under one key, attributes as a list, the group among them."""
    named = {"pg_name": "0", "pg_desc": "default_pg", "pg_size": 2}
    attributes = [{"name": name, "type": "string", "value": value} for name, value in named.items()]
    tensor = {"values": [[1, 2, 0, 512, 2, "cuda:0"]], "shapes": [[512]], "types": ["Tensor(c10::BFloat16)"]}
    nodes = [
        {
            "id": 4,
            "name": "record_param_comms",
            "ctrl_deps": 1,
            "inputs": tensor,
            "outputs": tensor,
            "attrs": attributes,
        },
        {"id": 5, "name": "nccl:all_reduce", "ctrl_deps": 4, "inputs": tensor, "outputs": {}, "attrs": []},
    ]
    job = read(json.dumps({"schema": "1.1.1-chakra.0.0.4", "pid": 1, "nodes": nodes}).encode())
    found = job.ranks[0].collectives

    assert (list(found.operation), found.bytes_in.tolist(), list(found.dtype)) == (
        ["all_reduce"],
        [1024],
        ["bfloat16"],
    )
    assert (found.bytes_out.tolist(), job.groups[0].size) == ([1024], 2)


NSYS = {
    "nsys stats, CSV": "Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),Name\n"
    '60.0,3000000,3,1000000.0,900000,1100000,"ncclDevKernel_AllGather_RING_LL(x<1, 2>)"\n40.0,2000000,1,1,1,1,gemm\n',
    "nsys stats, table": " Time (%)  Total Time (ns)  Instances   Avg (ns)   Min (ns)  Max (ns)  Name\n"
    " --------  ---------------  ---------  ---------  ---------  --------  ------------------------------------\n"
    "     60.0        3,000,000          3  1000000.0     900000   1100000  ncclDevKernel_AllGather_RING_LL(x)\n"
    "     40.0        2,000,000          1          1          1         1  gemm\n",
    "several reports": " ** OS Runtime Summary (osrt_sum):\n\n Time (%)  Total Time (ns)  Num Calls  Name\n"
    " --------  ---------------  ---------  ----\n    100.0                9          1  poll\n\n"
    " ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):\n\n"
    " Time (%)  Total Time (ns)  Instances   Avg (ns)   Min (ns)  Max (ns)  Name\n"
    " --------  ---------------  ---------  ---------  ---------  --------  ------------------------------------\n"
    "     60.0        3,000,000          3  1000000.0     900000   1100000  ncclDevKernel_AllGather_RING_LL(x)\n"
    "     40.0        2,000,000          1          1          1         1  gemm\n\n"
    " ** CUDA GPU MemOps Summary (by Time) (cuda_gpu_mem_time_sum):\n\n"
    " Time (%)  Total Time (ns)      Count   Avg (ns)   Min (ns)  Max (ns)  Operation\n"
    " --------  ---------------  ---------  ---------  ---------  --------  ------------------------------------\n"
    "     60.0        3,000,000          3  1000000.0     900000   1100000  [CUDA memcpy Device-to-Host]\n",
    "the window's CSV": "Time,Total Time,Instances,Avg,Min,Max,Name\n"
    "0.00%,3.000 ms,3,1000.000 μs,900 µs,1.1 ms,ncclDevKernel_AllGather_RING_LL\n0.00%,2.000 ms,1,1 s,1 s,1 s,gemm\n",
}


@pytest.mark.parametrize("form", NSYS)
def test_kernel_summaries(form):
    """A unit in the column or in every cell: the same three milliseconds."""
    job = read(NSYS[form].encode())
    row = job.summary[0]

    assert (row.operation, row.count, len(job.summary)) == ("all_gather", 3, 1)
    assert [row.total_s, row.mean_s, row.low_s, row.high_s] == pytest.approx([3e-3, 1e-3, 9e-4, 1.1e-3])
    assert job.summary_kernels_s == pytest.approx(5e-3)


def test_a_zip_of_ranks():
    """Several ranks in one zip, what a file system leaves there passed over."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for rank in range(3):
            archive.writestr(f"job/rank{rank}.json", trace(called(1, 100, 50), told={"rank": rank}))
        archive.writestr("__MACOSX/job/._rank0.json", b"x")
        archive.writestr("job/readme.txt", b"how it was made")

    job = read(packed.getvalue())

    assert [entry.rank for entry in job.ranks] == [0, 1, 2]
    assert job.notes[-1] == "1 file is no trace and was left out."


def test_a_job_file_that_does_not_fit():
    """Columns of another length, codes without names and spans that end before they start are refused."""
    good = json.loads(json.dumps(job_to_json(read(trace(called(1, 100, 50))))))
    reasons = Counter()
    for column, value in {
        "start_s": [],
        "group": [7],
        "operation": {"names": ["all_reduce"], "codes": [3]},
        "dtype": {"names": [""], "codes": ["0"]},
        "launch_s": [1e300],
        "stream": [10**30],
    }.items():
        bad = json.loads(json.dumps(good))
        bad["ranks"][0]["collectives"][column] = value
        with pytest.raises(InputError) as refused:
            job_from_json(bad)
        reasons[str(refused.value)] += 1
    for key, value in {"compute": [[2.0], [1.0]], "streams": [1], "copies": [[None], [1.0]]}.items():
        with pytest.raises(InputError):
            job_from_json(good | {"ranks": [good["ranks"][0] | {key: value}]})

    assert len(reasons) == 6


def test_ranks_of_a_log_share_their_communicator():
    """Its address differs from process to process, its id does not."""
    lines = [
        f"host:{pid}:9 [{rank}] NCCL INFO {said}"
        for rank, pid in enumerate((70, 71))
        for said in (
            f"ncclCommInitRank comm 0x{pid} rank {rank} nranks 2 cudaDev {rank} commId 0xabc - Init COMPLETE",
            LINE.format("AllReduce", "0", 4, 7).replace("comm 0x5", f"comm 0x{pid}"),
        )
    ]
    job = read("\n".join(lines).encode())

    assert ([trace.rank for trace in job.ranks], [group.name for group in job.groups]) == ([0, 1], ["0xabc"])


def test_a_report_of_single_calls():
    """TraceLens's longest sheet: every call of every rank with its time."""
    head = "rank,Process Group Name,Process Group Ranks,Collective name,Group size,dtype,In msg nelems,Out msg nelems,ts,dur\n"
    sheet = head + "".join(f'{rank},0,"[0, 1]",allreduce,2,Float,5,5,{100 + rank},7.5\n' for rank in (1, 0))
    job = read(sheet.encode())

    assert [trace.rank for trace in job.ranks] == [0, 1]
    assert job.ranks[1].collectives.start_s * 1e6 == pytest.approx([1])
    assert (job.ranks[0].collectives.bytes_in.tolist(), job.groups[0].ranks) == ([20], (0, 1))


def test_an_execution_trace_without_a_backends_nodes():
    """Records that name a collective are the calls then; waits are none."""
    tensor = {"inputs": [[1, 2, 0, 512, 4, "cpu"], 3, "allreduce", []], "input_types": ["Tensor(float)"]}
    wait = {"inputs": [3, "wait", []], "input_types": []}
    nodes = [{"id": index, "name": "record_param_comms"} | part for index, part in enumerate((tensor, wait))]
    found = calls(json.dumps({"schema": "1.0.1", "nodes": nodes}).encode())

    assert (list(found.operation), found.bytes_in.tolist()) == (["all_reduce"], [2048])


def test_a_chakra_trace_that_tells_sizes():
    """Sends and collectives with the bytes and the peer that newer traces hold."""
    nodes = [
        {"Id": 1, "Name": "COMM_SEND", "NodeType": 5, "comm_size": 64, "comm_dst": 3, "is_cpu_op": False},
        {"Id": 2, "Name": "COMP", "NodeType": 4, "is_cpu_op": False},
        {"Id": 3, "Name": "ncclAllReduceRingLLKernel_sum_f32(ncclColl)", "NodeType": 7, "is_cpu_op": False},
    ]
    found = calls(json.dumps({"workload_graph": nodes}).encode())

    assert (list(found.operation), found.bytes_in.tolist()) == (["send", "all_reduce"], [64, -1])
    assert found.peer.tolist() == [3, -1]
