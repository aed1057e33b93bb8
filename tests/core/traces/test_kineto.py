"""The traps of profiler traces, each in a trace written for it."""

import json
from collections import Counter

import numpy as np
import pytest

from core.errors import InputError
from core.traces.kineto import event_array
from core.traces.totals import totals
from tests.core.traces.written import H100, called, calls, cpu, kernel, launch, read, trace
from tests.each import table

REDUCE = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
GEMM = "void at::native::gpu_kernel_impl<f()::{lambda(int)#1}, {lambda(int)#2}>(int)"
ARGUMENTS = {
    "Collective name": "_allgather_base",
    "In msg nelems": 1000,
    "Out msg nelems": 4000,
    "Group size": 4,
    "dtype": "BFloat16",
    "Process Group Name": "7",
    "Process Group Description": "TENSOR_MODEL_PARALLEL_GROUP",
    "Process Group Ranks": "[4, 5, 6, 7]",
}


def test_a_kernels_name_is_not_its_operation():
    """A Generic or SendRecv kernel is what the CPU range around its launch says."""
    read_calls = calls(
        trace(
            called(1, 100, 50, name="nccl:_reduce_scatter_base"),
            called(
                2, 200, 50, name="nccl:all_to_all", kernel_name="ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t"
            ),
            called(3, 300, 50, name="nccl:coalesced", kernel_name=REDUCE),
        )
    )

    assert list(read_calls.operation) == ["reduce_scatter", "all_to_all", "all_reduce"]
    assert list(read_calls.operation_source) == ["launching range", "launching range", "kernel name"]


@table(
    ("name", "operation"),
    [
        ("void deep_ep::internode::dispatch<true>(int4*)", "moe_dispatch"),
        ("void deep_ep::intranode::combine<8>(int4*)", "moe_combine"),
        ("void vllm::cross_device_reduce_2stage<half, 8>(RankData*)", "all_reduce"),
        ("multimem_all_reduce_kernel<c10::BFloat16>(void*)", "all_reduce"),
        ("ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(x)", "reduce_scatter"),
        ("ncclDevKernel_Reduce_Sum_bf16_RING_LL(x)", "reduce"),
        ("void vectorized_gather_kernel<16>(char*)", None),
        ("triton_poi_fused_all_reduce_3", None),
    ],
)
def test_kernels_without_nccl_in_their_name(name, operation):
    """Engines' own kernels are collectives too; a gather within one GPU is none."""
    assert list(calls(trace(kernel(name, 10, 5))).operation) == ([operation] if operation else [])


def test_the_cpu_side_is_not_counted():
    """Records on the CPU are more than the kernels: waits, groups of one, two for each call."""
    records = [cpu("record_param_comms", start, 5, category="cpu_op") for start in (80, 82, 90)]

    assert len(calls(trace(records, called(1, 100, 50)))) == 1


def test_arguments_tell_bytes_group_and_data_type():
    """Ranks come as a text, bytes as elements of a data type, and the device is not the rank."""
    job = read(trace(called(1, 100, 50, device=5, **ARGUMENTS), kernel(GEMM, 90, 5, device=5)))
    found, group = job.ranks[0].collectives, job.groups[0]

    assert (job.ranks[0].rank, job.ranks[0].device) == (3, 5)
    assert (found.bytes_in[0], found.bytes_out[0], found.dtype[0]) == (2000, 8000, "bfloat16")
    assert (group.name, group.ranks, group.size) == ("7", (4, 5, 6, 7), 4)
    assert group.description == "TENSOR_MODEL_PARALLEL_GROUP"


def test_shapes_tell_bytes_where_arguments_are_missing():
    """Before the profiler knew collectives it recorded shapes; what it did not record stays unknown."""
    shaped = cpu(
        "nccl:all_reduce", 85, 10, **{"Input Dims": [[128, 4], [10]], "Input type": ["float", "float"]}
    )
    found = calls(trace(shaped, launch(90, 1), kernel(REDUCE, 100, 50, correlation=1), called(2, 200, 5)))

    assert (found.bytes_in[0], found.bytes_out[0], found.bytes_source[0]) == (2088, 2088, "shapes")
    assert (found.bytes_in[1], found.bytes_source[1]) == (-1, "none")


def test_a_kernel_launched_before_the_window():
    """Without its launch, a kernel without a telling name is a collective of unknown operation."""
    job = read(trace(kernel("ncclDevKernel_Generic", 5, 9, correlation=77), called(1, 100, 50)))
    found = job.ranks[0].collectives

    assert list(found.operation) == ["unknown", "all_reduce"]
    assert np.isnan(found.launch_s[0])
    assert "1 of 2 collectives were launched outside the captured window" in job.ranks[0].notes[0]


def test_sum_union_and_exposed_differ():
    """Two streams overlap by 20 us, compute hides 30 us of the 80, and another GPU's kernels hide nothing."""
    job = read(
        trace(
            kernel(REDUCE, 100, 50, stream=20),
            kernel(REDUCE, 130, 50, stream=21),
            kernel(GEMM, 90, 40),
            kernel(GEMM, 100, 90, device=5),
        )
    )
    found = totals(job.ranks[0])

    assert len(job.ranks) == 1
    assert [time * 1e6 for time in (found.sum_s, found.union_s, found.exposed_s)] == pytest.approx(
        [100, 80, 50]
    )
    assert job.ranks[0].collectives.exposed_s * 1e6 == pytest.approx([20, 50])


def test_the_gpu_runs_behind_the_steps():
    """A collective belongs to the step that issued it, though it runs when the CPU is a step further."""
    steps = [cpu("ProfilerStep#4", 0, 100), cpu("ProfilerStep#5", 100, 100)]
    on_gpu = cpu("ProfilerStep#4", 150, 5) | {"cat": "gpu_user_annotation"}
    late = [cpu("nccl:all_reduce", 40, 10), launch(45, 1), kernel(REDUCE, 150, 20, correlation=1)]
    before = [launch(20, 2), kernel(GEMM, 110, 30, correlation=2)]
    found = read(trace(steps, on_gpu, before, late)).ranks[0]

    assert found.collectives.step.tolist() == [0]
    assert [step.name for step in found.steps] == ["ProfilerStep#4", "ProfilerStep#5"]
    assert found.steps[0].device_end_s - found.steps[0].device_start_s == pytest.approx(60e-6)
    assert found.collectives.start_s[0] - found.collectives.producer_end_s[0] == pytest.approx(10e-6)


@pytest.mark.parametrize("indent", [None, 0, 4])
@pytest.mark.parametrize("chunk", [50, 10**6])
def test_any_layout_of_the_same_events(monkeypatch, indent, chunk):
    """Compact or indented, in pieces of any length, with keys after the events: the same collectives."""
    monkeypatch.setattr(event_array, "CHUNK_BYTES", chunk)
    events = [kernel(GEMM, 90, 5), *called(1, 100, 50, **ARGUMENTS), kernel(GEMM, 120, 5)]
    after = {"deviceProperties": H100, "displayTimeUnit": "ns", "baseTimeNanoseconds": 10**18}
    job = read(trace(events, indent=indent, devices=[], after=after | {"traceName": "x}], y"}))

    assert (len(job.ranks[0].collectives), job.ranks[0].kernels) == (1, 3)
    assert job.ranks[0].collectives.duration_s == pytest.approx([50e-6])
    assert (job.device_name, job.origin_ns) == ("NVIDIA H100", 10**18 + 85_000)


def test_a_bare_list_of_events_is_a_trace():
    """The other form of the format: no keys at all."""
    assert len(calls(json.dumps(called(1, 100, 50)).encode())) == 1


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.95])
def test_a_trace_cut_short_is_refused(cut):
    """Half a trace would be half a truth."""
    whole = trace(*(called(number, 100 * number, 50) for number in range(1, 9)))

    with pytest.raises(InputError, match=r"cut short|no traceEvents"):
        read(whole[: int(len(whole) * cut)])


def test_no_collective_is_an_answer():
    """One GPU alone: a job without collectives, not a refusal."""
    job = read(trace(kernel(GEMM, 10, 5), cpu("record_param_comms", 1, 5, category="cpu_op")))

    assert (len(job.ranks), len(job.ranks[0].collectives), job.ranks[0].kernels) == (1, 0, 1)
    assert read(trace()).ranks[0].kernels == 0


def test_ranks_share_a_clock():
    """Files of one job stand on one origin, each by its base time; their groups are numbered together."""
    tensor = ARGUMENTS | {"Process Group Ranks": "[0, 1]", "Process Group Name": "9"}
    job = read(
        *(
            trace(
                called(1, 100 + rank, 50, **(tensor if rank else ARGUMENTS)),
                told={"rank": rank, "world_size": 2},
                after={"baseTimeNanoseconds": 10**18 + rank * 1000_000},
            )
            for rank in (1, 0)
        )
    )

    assert [entry.rank for entry in job.ranks] == [0, 1]
    assert job.ranks[1].collectives.start_s[0] - job.ranks[0].collectives.start_s[0] == pytest.approx(1001e-6)
    assert [job.groups[entry.collectives.group[0]].name for entry in job.ranks] == ["7", "9"]


def test_gloo_hides_behind_operators():
    """Without a GPU the library's own thread communicates while operators compute."""
    operators = [cpu("aten::mm", 0, 100, category="cpu_op"), cpu("aten::mm", 300, 50, category="cpu_op")]
    issued = cpu("c10d::allreduce_", 100, 10, category="cpu_op", **{"Concrete Inputs": ["", "True", "-1"]})
    shapes = {"Input Dims": [[1000]], "Input type": ["float"]}
    told = {"backend": "gloo", "rank": 0, "world_size": 2}
    told |= {"pg_config": [{"pg_name": "0", "pg_desc": "default_pg", "pg_size": 2, "ranks": [0, 1]}]}
    ranges = [
        cpu("gloo:all_reduce", 250, 100, tid=99, **shapes),
        cpu("gloo:all_gather", 400, 10, tid=99, **shapes),
    ]
    job = read(trace(operators, issued, ranges, told=told, devices=[]))
    found = job.ranks[0].collectives

    assert Counter(found.operation) == {"all_reduce": 1, "all_gather": 1}
    assert (found.bytes_in.tolist(), found.bytes_out.tolist()) == ([4000, 4000], [4000, 8000])
    assert found.exposed_s * 1e6 == pytest.approx([50, 10])
    assert found.launch_s[0] * 1e6 == pytest.approx(100)
    assert (found.asynchronous.tolist(), job.groups[found.group[0]].size) == ([1, -1], 2)


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ((trace(called(1, 100, 50)), trace(called(1, 100, 50))), "two files are rank 3"),
        ((trace(called(1, 100, 50)), b'{"schema": "1.0.1", "nodes": [{"id": 1}]}'), "different kinds"),
    ],
)
def test_files_that_are_no_one_job(files, reason):
    """The same rank twice, or a trace beside an execution trace, is refused in one line."""
    with pytest.raises(InputError, match=reason):
        read(*files)


def test_a_reader_can_be_stopped():
    """What the progress raises ends the reading."""

    def stop(_size):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        read(trace(called(1, 100, 50)), progress=stop)
