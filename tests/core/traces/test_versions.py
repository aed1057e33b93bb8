"""One format in the forms that its versions and its users' tools write, each in a file written for it."""

import json
import pickle
from collections import Counter

import pytest

from core.errors import InputError
from tests.core.traces.test_formats import DUMP, ENTRY, LINE, NSYS, SPOKEN
from tests.core.traces.written import called, calls, kernel, read, trace
from tests.each import table

SUMMARY = [
    {
        "Time (%)": 60.0,
        "Total Time (ns)": 3000000,
        "Instances": 3,
        "Avg (ns)": 1000000.0,
        "Min (ns)": 900000,
        "Max (ns)": 1100000,
        "Name": "ncclDevKernel_AllGather_RING_LL(x)",
    },
    {"Time (%)": 40.0, "Total Time (ns)": 2000000, "Instances": 1, "Name": "gemm"},
]
COMMAS = NSYS["the window's CSV"]
SUMMARIES = {
    "JSON": json.dumps(SUMMARY).encode(),
    "tabs": COMMAS.replace(",", "\t").encode(),
    "semicolons": COMMAS.replace(",", ";").encode(),
    "PowerShell": COMMAS.encode("utf-16"),
    "microseconds": b"Time (%),Total Time (us),Instances,Avg (us),Min (us),Max (us),Name\n"
    b"60.0,3000,3,1000,900,1100,ncclDevKernel_AllGather_RING_LL(x)\n40.0,2000,1,1,1,1,gemm\n",
    "before 2021": b"Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name\n"
    b"60.0,3000000,3,1000000.0,900000,1100000,ncclDevKernel_AllGather_RING_LL(x)\n40.0,2000000,1,1,1,1,gemm\n",
    "by block": b"Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),GridXYZ,BlockXYZ,Name\n"
    b'60.0,3000000,3,1000000.0,900000,1100000,"  24    1    1"," 544    1    1",ncclDevKernel_AllGather_RING_LL(x)\n'
    b"40.0,2000000,1,1,1,1,1 1 1,1 1 1,gemm\n",
    "all GPU work": b"Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),Category,Operation\n"
    b"50.0,3000000,3,1000000.0,900000,1100000,CUDA_KERNEL,ncclDevKernel_AllGather_RING_LL(x)\n"
    b"30.0,2000000,1,1,1,1,CUDA_KERNEL,gemm\n20.0,1500000,9,1,1,1,MEMORY_OPER,[CUDA memset]\n",
}


@table("form", SUMMARIES)
def test_a_kernel_summary_in_any_form(form):
    """Options and versions of nsys change names, units and commas, not the three milliseconds."""
    job = read(SUMMARIES[form])
    row = job.summary[0]

    assert (row.operation, row.count, len(job.summary)) == ("all_gather", 3, 1)
    assert [row.total_s, row.mean_s, row.low_s, row.high_s] == pytest.approx([3e-3, 1e-3, 9e-4, 1.1e-3])
    assert job.summary_kernels_s == pytest.approx(5e-3)


def coll(rank, **more):
    """A record of the Inspector."""
    perf = {"coll": "AllReduce", "coll_sn": 9, "coll_msg_size_bytes": 64, "coll_exec_time_us": 5} | more
    header = {"id": "0x1", "comm_name": "DP Group 0", "rank": rank, "n_ranks": 2, "nnodes": 1}
    metadata = {"inspector_output_format_version": "v4.2", "hostname": "a", "pid": 7 + rank}
    return {"header": header, "metadata": metadata, "coll_perf": perf}


RECORDS = [coll(0), coll(1), {**coll(0), "coll_perf": {}, "dump_stats": {"coll": 0}}]


@pytest.mark.parametrize(
    "data",
    [
        "\n".join(map(json.dumps, RECORDS)),
        "\ufeff" + "\n".join(map(json.dumps, RECORDS)),
        "\n".join(json.dumps(record, indent=2) for record in RECORDS),
        json.dumps(RECORDS),
        json.dumps(RECORDS, indent=4),
    ],
)
def test_an_inspectors_records_however_laid_out(data):
    """One a line, over several lines or as a list; statistics of the dump are no broken line."""
    job = read(data.encode())

    assert [(entry.rank, entry.collectives.bytes_in.tolist()) for entry in job.ranks] == [
        (0, [64]),
        (1, [64]),
    ]
    assert (job.groups[0].description, job.notes) == ("DP Group 0", ())


OLD = {
    "pg_id": 5,
    "seq_id": 3,
    "profiling_name": "nccl:all_reduce",
    "time_created_us": 1_700_000_000_000_000,
    "input_sizes": [[16]],
    "state": "completed",
}


@pytest.mark.parametrize(
    "write", [lambda value: pickle.dumps(value, 2), lambda value: json.dumps(value).encode()]
)
def test_a_flight_recorder_before_it_had_a_version(write):
    """Entries alone, without data types or names of groups: order and state, and no bytes made up."""
    job = read(write([OLD, OLD | {"seq_id": 4, "time_created_us": 1_700_000_000_000_100}]))
    found = job.ranks[0].collectives

    assert (list(found.operation), found.sequence.tolist()) == (["all_reduce"] * 2, [3, 4])
    assert (found.bytes_in.tolist(), found.launch_s.tolist()) == ([-1, -1], pytest.approx([0, 1e-4]))
    assert (job.groups[0].name, job.groups[0].ranks) == ("pg_id 5", None)


def test_a_flight_recorders_json_behind_a_mark():
    """A byte-order mark and blanks before the dump are no part of it."""
    entry = ENTRY | {"input_dtypes": ["Float4_e2m1fn_x2"]}
    found = calls(b"\xef\xbb\xbf\n" + json.dumps(DUMP | {"entries": [entry]}).encode())

    assert (list(found.operation), found.bytes_in.tolist()) == (["all_gather"], [8192])


def spoken(said, pid=7, device=2, before=""):
    """A line of NCCL's log."""
    return f"{before}host:{pid}:{pid + 1} [{device}] NCCL INFO {said}"


def test_plans_name_the_larger_side():
    """A TUNING line counts the gathered bytes; it finds its call by them, with or without a name."""
    lines = [
        spoken("AllGather: 128 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..3}"),
        spoken("   64 Bytes -> Algo 1 proto 0 time 9.5"),
        spoken(LINE.format("AllGather", "0", 8, 7)),
        spoken(LINE.format("AllReduce", "1", 16, 7)),
        spoken(LINE.format("AlltoAll", "2", 2, 7)),
        spoken(LINE.format("Gather", "3", 2, 7)),
    ]
    found = calls("\n".join(lines).encode())
    alone = calls("\n".join(lines[:2]).encode())

    assert list(found.kernel) == ["RING SIMPLE", "RING LL", "", ""]
    assert (found.bytes_in.tolist(), found.bytes_out.tolist()) == ([32, 64, 32, 8], [128, 64, 32, -1])
    assert (list(alone.operation), alone.bytes_out.tolist()) == (["all_gather", "unknown"], [128, -1])


@pytest.mark.parametrize(
    "before", ["[2025-03-10 10:00:00] ", "[1,0]<stdout>:", "[default0]:", "3: ", "{'lr': 1}\n"]
)
def test_what_launchers_put_before_a_line(before):
    """Times, ranks of mpirun, torchrun and srun, and a script's own print are passed over; no stream is one."""
    line = LINE.format("AllReduce", "1f", 1024, 6).replace("stream 0x9", "stream (nil)")
    found = calls(spoken(line, before=before).encode())

    assert (found.bytes_in.tolist(), found.sequence.tolist()) == ([2048], [31])


def test_one_process_drives_several_gpus():
    """Devices of one process are ranks of their own, each by its communicator."""
    lines = [
        spoken(said, device=device)
        for device in (0, 1)
        for said in (
            f"comm 0x5{device} rank {4 + device} nRanks 8 cudaDev {device} busId 1 - Init COMPLETE",
            LINE.format("AllReduce", "0", 4, 7).replace("comm 0x5", f"comm 0x5{device}"),
        )
    ]
    job = read("\n".join(lines).encode())

    assert [(entry.rank, entry.device, len(entry.collectives)) for entry in job.ranks] == [
        (4, 0, 1),
        (5, 1, 1),
    ]


def test_processes_of_several_hosts_that_tell_no_rank():
    """Every process says device 0: they are numbered, not taken for one rank."""
    job = read("\n".join(spoken(LINE.format("AllReduce", "0", 4, 7), pid, 0) for pid in (70, 90)).encode())

    assert [entry.rank for entry in job.ranks] == [0, 1]
    assert job.notes[-1].startswith("The log does not tell the ranks")


def attribute(name, **value):
    """A named value of Chakra's binary form."""
    return {"name": name, **value}


def test_a_chakra_trace_as_its_own_tool_prints_it():
    """One object a node with nothing between them, numbers as texts, the operation by number."""
    told = [
        {"attr": [attribute("schema", stringVal="1.1.1-chakra.0.0.4")]},
        {"id": "2", "name": "aten::mm", "type": "COMP_NODE", "attr": [attribute("is_cpu_op", boolVal=True)]},
        {
            "id": "4",
            "name": "ncclDevKernel_SendRecv(x)",
            "type": "COMM_COLL_NODE",
            "durationMicros": "12",
            "attr": [
                attribute("is_cpu_op", boolVal=False),
                attribute("comm_type", int64Val="6"),
                attribute("comm_size", int64Val="4096"),
                attribute("pg_name", stringVal="17"),
            ],
        },
        {
            "id": "5",
            "name": "COMM_SEND",
            "type": "COMM_SEND_NODE",
            "attr": [attribute("comm_size", int64Val="8"), attribute("comm_dst", int32Val=3)],
        },
    ]
    job = read("".join(json.dumps(node, indent=2) for node in told).encode(), names=["chakra.3.json"])
    found = job.ranks[0].collectives

    assert (job.ranks[0].rank, job.groups[0].name) == (3, "17")
    assert (list(found.operation), found.bytes_in.tolist()) == (["all_to_all"], [4096])
    assert found.duration_s.tolist() == pytest.approx([12e-6])


@pytest.mark.parametrize("told", [{"comm_type": 7}, {"comm_type": "REDUCE_SCATTER"}])
def test_a_chakra_node_that_names_no_operation(told):
    """The schema's number or word for it stands in the node."""
    node = {"Id": 1, "Name": "COMM_NODE_X", "NodeType": 7, "is_cpu_op": False, "comm_size": 32} | told

    assert list(calls(json.dumps({"workload_graph": [node]}).encode()).operation) == ["reduce_scatter"]


def test_an_execution_trace_tells_its_groups():
    """Groups come from the list at the program's beginning, bytes from attributes where tensors are missing."""
    groups = json.dumps([{"pg_name": "3", "pg_desc": "DP_GROUP", "pg_size": 2, "ranks": [4, 6]}])
    counted = {"dtype": "BFloat16", "in_msg_nelems": 10, "out_msg_nelems": 20}
    attributes = [{"name": name, "value": value} for name, value in counted.items()]
    record = {"values": [[], 7, ["3", "DP_GROUP"], 0, "allgather"], "types": []}
    nodes = [
        {"id": 2, "name": "## process_group:init ##", "inputs": {"values": [groups], "types": ["String"]}},
        {"id": 4, "name": "record_param_comms", "inputs": record, "attrs": attributes},
        {"id": 5, "name": "nccl:_all_gather_base", "ctrl_deps": 4, "inputs": {"values": []}},
    ]
    job = read(json.dumps({"schema": "1.1.1-chakra.0.0.4", "nodes": nodes}).encode())
    found = job.ranks[0].collectives

    assert (job.groups[0].ranks, job.groups[0].description) == ((4, 6), "DP_GROUP")
    assert (found.bytes_in.tolist(), found.bytes_out.tolist(), found.dtype[0]) == ([20], [40], "bfloat16")


def test_a_profilers_trace_with_a_comma_too_many():
    """Tools that cut traces leave a comma behind the last event."""
    good = trace(called(1, 100, 50), indent=None)

    assert len(calls(good.replace(b"}}], ", b"}}, ], ").replace(b"}}]}", b"}},]}"))) == 1


def test_a_profilers_trace_names_the_peer():
    """Sends and receives of newer versions tell the other rank, and Intel's kernels bear oneCCL's names."""
    told = {"Collective name": "send", "In msg nelems": 4, "Out msg nelems": 4, "dtype": "Half"}
    found = calls(
        trace(
            called(1, 100, 50, name="nccl:send 0->1", **told, **{"Dst Rank": 6}),
            kernel("oneccl_allreduce_pcie", 200, 9),
        )
    )

    assert (found.peer.tolist(), list(found.operation)) == ([6, -1], ["send", "all_reduce"])


@pytest.mark.parametrize(
    ("magic", "hint"),
    [
        (b"SQLite format 3\0", "nsys stats"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"BZh9", "bzip2"),
        (b"7z\xbc\xaf", "7z"),
    ],
)
def test_a_file_that_holds_a_trace_in_another_packing(magic, hint):
    """The refusal says what to bring instead."""
    with pytest.raises(InputError, match=hint):
        read(magic + bytes(100))


def test_counts_of_a_report_without_group_sizes():
    """TraceLens's sheet by span of nodes has no column for them."""
    sheet = b"nodes_involved,node_span,Collective name,dtype,In msg nelems,comm_latency_mean,count\n1,intra,allreduce,Float,100,8,3\n"
    row = read(sheet).summary[0]

    assert Counter({row.operation: row.count}) == {"all_reduce": 3}
    assert (row.bytes_in, row.mean_s) == (400, pytest.approx(8e-6))


def test_a_plan_of_a_number_out_of_the_table():
    """An algorithm that NCCL does not number yet keeps its number, and a line of digits costs nothing."""
    lines = [spoken(f"AllReduce: 64 Bytes -> Algo {digits} proto 2 time 1") for digits in ("77", "9" * 30)]
    lines.append(spoken(f"AllReduce: {SPOKEN}{'9' * 5000} Bytes -> Algo 1 proto 2 time 1"))
    found = calls("\n".join(lines).encode())

    assert list(found.kernel) == ["77 SIMPLE", "9" * 30 + " SIMPLE"]
