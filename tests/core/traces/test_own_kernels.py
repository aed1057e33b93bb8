"""Kernels of engines and libraries beside NCCL's, groups of calls in one kernel, and other newer forms."""

import json
import pickle

import pytest

from core.traces.names import is_collective_kernel, kernel_operation
from tests.core.traces.test_formats import DUMP, ENTRY
from tests.core.traces.written import called, calls, cpu, kernel, launch, read, trace

KERNELS = {
    "void (anonymous namespace)::one_shot_all_reduce_kernel<c10::BFloat16, 4, 8>(x)": "all_reduce",
    "void (anonymous namespace)::two_shot_all_reduce_kernel_inplace<float, 16, 8>(x)": "all_reduce",
    "void at::native::(anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(x)": "all_reduce",
    "multimem_one_shot_all_reduce_kernel<float>(x)": "all_reduce",
    "multimem_all_gather_kernel<16>(x)": "all_gather",
    "void vllm::cross_device_reduce_1stage<nv_bfloat16, 8>(x)": "all_reduce",
    "void sglang::cross_device_reduce_2stage<half, 4>(x)": "all_reduce",
    "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<x>(y)": "all_reduce",
    "tensorrt_llm::kernels::twoShotAllReduceKernel<__nv_bfloat16, 8>(x)": "all_reduce",
    "userbuffers_fp16_sum_inplace_gpu_mc<4>(x)": "all_reduce",
    "userbuffers_fp16_sum_inplace_gpu_mc_rs<4>(x)": "reduce_scatter",
    "userbuffers_fp16_sum_inplace_gpu_mc_ag<4>(x)": "all_gather",
    "void userbuffers_fp16_sum_inplace_gpu_rr<8>(x)": "all_reduce",
    "void userbuffers_fp16_sum_inplace_gpu_rr_rs_oop<8>(x)": "reduce_scatter",
    "void userbuffers_fp16_sum_inplace_gpu_mc_rs_oop<8>(x)": "reduce_scatter",
    "void userbuffers_fp16_sum_inplace_gpu_rr_rs_oop_fp8<8, __nv_fp8_e4m3>(x)": "reduce_scatter",
    "void userbuffers_fp16_sum_inplace_gpu_rr_rs_oop_stride<8>(x)": "reduce_scatter",
    "kuserbuffers_pushsend(x)": "send_recv",
    "void deep_ep::internode_ll::dispatch<true, 3, 10, 7168>(x)": "moe_dispatch",
    "void deep_ep::intranode::cached_notify_combine<8>(x)": "moe_combine",
    "void hybrid_ep::combine_kernel<x>(y)": "moe_combine",
    "void pplx::all_to_all::dispatchKernel<x>(y)": "moe_dispatch",
    "mori::moe::EpDispatchInterNodeV1Kernel<__hip_bfloat16>(x)": "moe_dispatch",
    "void nvshmemi_alltoall_on_stream_kernel<unsigned char>(x)": "all_to_all",
    "nvshmem_barrier_all_kernel()": "barrier",
    "ncclSymDevKernel_AllReduce_AGxLLMC_R_Sum_bf16(ncclSymDevArgs)": "all_reduce",
    "ncclSymkDevKernel_ReduceScatter_LDMC_sum_bf16(ncclSymkDevWorkArgs4K)": "reduce_scatter",
    "ncclSymkDevKernel_AllGather_STMC(x)": "all_gather",
    "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)": "unknown",
    "rcclGenericKernel<512, false>(x)": "unknown",
}
COMPUTE = (
    "void at::native::(anonymous namespace)::vectorized_gather_kernel<16, long>(x)",
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(x)",
    "void deep_ep::layout::get_dispatch_layout<256, 32, 8>(x)",
    "void vllm::moe_align_block_size_kernel<int>(x)",
    "triton_poi_fused_all_reduce_0",
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<x>(y)",
    "split_with_sizes_copy_out_contiguous_no_cast_kernel",
)


def test_kernels_that_move_data_between_ranks():
    """Symmetric memory, engines' own all-reduces, NVSHMEM, exchanges of experts, NCCL's newest: each by name."""
    assert {name: kernel_operation(name) for name in KERNELS} == KERNELS
    assert [name for name in KERNELS if not is_collective_kernel(name)] == []
    assert [name for name in COMPUTE if is_collective_kernel(name)] == []


GROUP = {"Process Group Name": "0", "Process Group Ranks": "[2, 3]", "Group size": 2, "dtype": "BFloat16"}


def told(name, inputs, outputs, **more):
    """Arguments of a collective's kernel."""
    sizes = {"Collective name": name, "In msg nelems": inputs, "Out msg nelems": outputs}
    return GROUP | sizes | more


@pytest.mark.parametrize(
    ("range_", "kernel_name", "arguments", "truth"),
    [
        (
            "nccl:all_gather_into_tensor_coalesced",
            "ncclDevKernel_AllGather_RING_LL(x)",
            told("allgather_into_tensor_coalesced", 10, 20),
            ("all_gather", 20, 40, -1),
        ),
        (
            "nccl:reduce_scatter_tensor_coalesced",
            "ncclDevKernel_Generic_4(x)",
            told("reduce_scatter_tensor_coalesced", 20, 10),
            ("reduce_scatter", 40, 20, -1),
        ),
        (
            "nccl:coalesced",
            "ncclDevKernel_SendRecv(x)",
            told("coalesced", 0, 0),
            ("send_recv", -1, -1, -1),
        ),
        (
            "nccl:send 0->1",
            "ncclDevKernel_SendRecv(x)",
            told("send", 8, 8, **{"Dst Rank": 3, "Seq": 4}),
            ("send", 16, 16, 3),
        ),
        (
            "nccl:recv 0<-1",
            "ncclDevKernel_SendRecv(x)",
            told("recv", 8, 8),
            ("recv", 16, 16, 3),
        ),
        (
            "nccl:all_to_all",
            "ncclDevKernel_SendRecv(x)",
            told("all_to_allv", 8, 6, **{"In split size": "[4, 4]", "Out split size": "[3, 3]"}),
            ("all_to_all", 16, 12, -1),
        ),
        (
            "nccl:all_reduce_barrier",
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)",
            told("all_reduce_barrier", 1, 1),
            ("barrier", 0, 0, -1),
        ),
    ],
)
def test_calls_that_share_a_kernel(range_, kernel_name, arguments, truth):
    """Coalesced calls, both ends of an exchange, uneven splits, a barrier; the size of a mere group is not zero."""
    found = calls(trace(called(1, 100, 50, name=range_, kernel_name=kernel_name, **arguments)))

    assert (found.operation[0], found.bytes_in[0], found.bytes_out[0], found.peer[0]) == truth


def test_two_groups_of_the_same_ranks():
    """They stay two, each by its name and description, as a mesh makes them."""
    config = [
        {"pg_name": str(index), "pg_desc": text, "pg_size": 2, "ranks": [0, 1]}
        for index, text in enumerate(("default_pg", "mesh_dp", "mesh_tp"))
    ]
    call_ = told("allreduce", 8, 8) | {"Process Group Ranks": "[0, 1]"}
    data = trace(
        called(1, 100, 50, **call_ | {"Process Group Name": "1"}),
        called(2, 200, 50, **call_ | {"Process Group Name": "2"}),
        told={"backend": "nccl", "rank": 0, "world_size": 2, "pg_config": config},
    )
    job = read(data)

    descriptions = [job.groups[number].description for number in job.ranks[0].collectives.group]
    assert descriptions == ["mesh_dp", "mesh_tp"]


def test_a_graph_of_kernels_and_annotations_on_the_device():
    """One launch for all of a graph's kernels; ranges that the profiler repeats on the device count for nothing."""
    graph = launch(20, 77) | {"name": "cudaGraphLaunch"}
    repeated = {
        "ph": "X",
        "cat": "gpu_user_annotation",
        "pid": 0,
        "tid": 20,
        "ts": 150,
        "dur": 40,
        "args": {},
    }
    data = trace(
        cpu("ProfilerStep#3", 0, 1000),
        graph,
        kernel("gemm", 100, 50, correlation=77, **{"graph node id": 1}),
        kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)", 150, 40, stream=20, correlation=77),
        kernel("void vllm::cross_device_reduce_1stage<x>(y)", 190, 10, correlation=77),
        repeated | {"name": "nccl:all_reduce"},
        repeated | {"name": "ProfilerStep#3"},
    )
    trace_of_rank = read(data).ranks[0]

    assert list(trace_of_rank.collectives.operation) == ["all_reduce"] * 2
    assert trace_of_rank.collectives.step.tolist() == [0, 0]
    assert trace_of_rank.collectives.exposed_s * 1e6 == pytest.approx([40, 10])
    assert (len(trace_of_rank.steps), trace_of_rank.kernels) == (1, 3)


@pytest.mark.parametrize("write", [pickle.dumps, lambda value: json.dumps(value).encode()])
def test_a_flight_recorder_of_point_to_point_calls(write):
    """Sends and receives of a batch, entries that are retired, groups keyed by number or text."""
    config = {"name": "35", "desc": "PP", "ranks": "[8, 9]"}
    to_itself = ENTRY | {"is_p2p": True, "p2p_seq_id": 3, "retired": True, "state": "completed"}
    entries = [
        to_itself | {"profiling_name": "nccl:send 0->1", "input_sizes": [[4]], "duration_ms": 1.5},
        to_itself | {"profiling_name": "nccl:recv 0<-1", "input_sizes": [[6]], "output_sizes": [[6]]},
        ENTRY | {"profiling_name": "nccl:coalesced", "input_sizes": [], "input_dtypes": []},
    ]
    job = read(write(DUMP | {"pg_config": {35: config}, "entries": entries}), names=["nccl_trace_rank_8"])
    found = job.ranks[0].collectives

    assert (list(found.operation), found.peer.tolist()) == (["send", "recv", "unknown"], [9, 9, -1])
    assert (found.bytes_in.tolist(), found.sequence.tolist()) == ([4, 6, -1], [3, 3, 7])
    assert (found.duration_s[0], job.groups[0].ranks) == (1.5e-3, (8, 9))
