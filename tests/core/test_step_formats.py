"""Weight formats of a step: a narrower one is never slower where the arithmetic is the same."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core import catalog
from core.calculators.capacity import Scenario as Layout
from core.calculators.capacity import capacity
from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.calculator import answer
from core.calculators.tensor_parallel.compute import compute
from core.calculators.tensor_parallel.formats import (
    dense_weights,
    expert_formats,
    gemm_formats,
    projection_weights,
    widths,
)
from core.calculators.tensor_parallel.terms import weight_bytes
from core.kernels.engine_libraries import step_libraries
from core.kernels.formats import format_on
from core.kernels.routed import of_engine
from core.workload import Attention
from core.workload.transformer.work import decode_batch, step_work
from tests.each import table

SYSTEMS = ("dgx-a100", "dgx-h100", "dgx-b200", "mi300x-x8")
SHAPES = (
    ("llama-3.1-70b", 8, 1),
    ("deepseek-v3-r1", 1, 8),
    ("gpt-oss-120b", 1, 8),
    ("qwen3-235b-a22b", 8, 1),
)
STEPS = (("decode", 1, 4096), ("decode", 64, 4096), ("prefill", 8192, 8192))
CHAINS = (("bf16", "w8a16", "w4a16", "int4"), ("bf16", "fp8", "nvfp4"), ("bf16", "int8"))
"""From wide to narrow: computed in BF16; in what the GPU has of FP8 and FP4; in INT8."""


def seconds(scenario, name, phase, tokens, context):
    """A step with weights in a format."""
    scenario = replace(scenario, weights=catalog.precision(name), phase=phase)
    at = compute(scenario, np.array([float(tokens)]), np.array([float(context)]), scenario.tp)
    return float(at.total_s[0])


def other_experts(scenario, name):
    """Whether routed experts of a format run in kernels for 4-bit weights alone, or in INT8, which nobody timed."""
    formats = expert_formats(scenario.system.gpu, catalog.precision(name), scenario.model)
    return scenario.model.moe and formats[0] in ("int4-weight-only", "int8")


@table("system", SYSTEMS)
@table(("model", "tp", "ep"), SHAPES)
def test_a_narrower_format_is_never_slower(system, model, tp, ep):
    """
    Decode steps of 1 and 64 sequences and a long prompt, dense and MoE: 2 % at most.

    MLA is compared with BF16 alone, 5 % at most: its checkpoints in NVFP4 keep projections that those in FP8
    narrow, and FP8 by blocks is no quicker than BF16 in long prompts on Hopper. Left out are experts with
    4-bit weights alone or in INT8, and narrow experts on MI300X: such kernels may be slower than BF16's.
    """
    scenario = Scenario(catalog.system(system), catalog.model(model), launch="graph", tp=tp, ep=ep)
    if scenario.model.moe and system == "mi300x-x8":
        return
    for step in STEPS:
        for names in CHAINS:
            chain = [name for name in names if not other_experts(scenario, name)]
            times = {name: seconds(scenario, name, *step) for name in chain}
            mla = scenario.model.attention is Attention.MLA
            pairs = ((chain[0], name) for name in chain) if mla else pairwise(chain)
            most = 1.05 if mla else 1.02
            assert all(times[b] <= most * times[a] for a, b in pairs), (step, times)


def test_experts_run_in_the_arithmetic_that_the_answer_names():
    """NVFP4 on H100 is computed in FP8, experts too: a long prompt takes as long as in FP8, not three times."""
    scenario = Scenario(catalog.system("dgx-h100"), catalog.model("qwen3-235b-a22b"), tp=1, ep=8)
    eight, four = (seconds(scenario, name, "prefill", 8192, 8192) for name in ("fp8", "nvfp4"))

    assert 0.9 * eight < four <= eight


def test_an_answer_says_whose_routed_mlps_it_runs():
    """The engine decides, TensorRT-LLM where none is named, whoever does the all-reduce; dense models have none."""
    moe = Scenario(catalog.system("dgx-a100"), model=catalog.model("qwen3-235b-a22b"), engine="vllm")
    for scenario, name in ((moe, "vLLM"), (replace(moe, engine=None), "TensorRT-LLM, as no engine is named")):
        for library in ("nccl", "vllm-custom", "sglang-custom"):
            lines = answer(replace(scenario, implementation=library), with_crossovers=False).assumptions
            assert f"routed MLPs by the kernels of {name}" in lines
    dense = replace(moe, model=catalog.model("llama-3.1-70b"))
    assert not any("kernels of" in line for line in answer(dense, with_crossovers=False).assumptions)


def test_an_engine_runs_the_libraries_that_it_starts():
    """GPT-OSS in vLLM runs in Marlin on Hopper, though Triton was timed quicker; on Blackwell in its quickest."""
    hopper, blackwell = catalog.GPUS["h100-sxm"], catalog.GPUS["b200-sxm"]
    assert list(step_libraries(hopper, "mxfp4-weight-only", "vllm")) == ["vllm:marlin"]
    assert "vllm:triton" in step_libraries(hopper, "mxfp4-weight-only", "sglang")
    assert len(of_engine(step_libraries(blackwell, "mxfp4-weight-only", "vllm"), "vllm")) > 1

    prompt = Scenario(catalog.system("dgx-h100"), catalog.model("gpt-oss-120b"), tp=2, engine="vllm")
    own, other = (
        seconds(replace(prompt, engine=name), "mxfp4", "prefill", 8192, 2048) for name in ("vllm", "trtllm")
    )
    assert own > 1.2 * other


def test_fp8_experts_may_run_in_block_scaled_kernels():
    """FP8 with a scale a channel takes no longer than with one a block, in the engines whose kernels run both."""
    moe = Scenario(catalog.system("dgx-h100"), catalog.model("llama-4-maverick"), tp=8, ep=8, launch="graph")
    for name in ("vllm", "sglang"):
        for step in STEPS:
            channel, block = (
                seconds(replace(moe, engine=name), kind, *step) for kind in ("fp8", "fp8-block")
            )
            assert channel <= 1.02 * block, (name, step)


def test_the_all_reduce_leaves_compute_alone():
    """With an engine named, another library's all-reduce moves communication and no kernel of a step."""
    moe = Scenario(catalog.system("dgx-h100"), model=catalog.model("qwen3-235b-a22b"), tp=4, engine="vllm")
    own, plain, other = (
        answer(replace(moe, **changed), with_crossovers=False).per_step
        for changed in ({"implementation": "vllm-custom"}, {}, {"engine": "sglang"})
    )

    assert own.compute_s == plain.compute_s != other.compute_s
    assert own.comm.time_s != plain.comm.time_s == other.comm.time_s


def test_mxfp4_experts_run_in_their_own_kernels():
    """On H100 they are widened to BF16, so that a prompt takes longer than in FP8."""
    scenario = Scenario(catalog.system("dgx-h100"), catalog.model("gpt-oss-120b"), tp=1, ep=8)

    assert seconds(scenario, "mxfp4", *STEPS[2]) > seconds(scenario, "fp8", *STEPS[2])


@pytest.mark.parametrize(("name", "size"), [("gpt-oss-20b", 13.761e9), ("gpt-oss-120b", 65.249e9)])
def test_mxfp4_weights_take_what_their_checkpoint_takes(name, size):
    """The sizes that the two checkpoints state; with 4.25 bits a weight throughout the 20B had 11.1 GB."""
    shape, mxfp4 = catalog.model(name), catalog.precision("mxfp4")
    scenario = Scenario(catalog.system("dgx-h100"), shape, tp=1, weights=mxfp4)
    copy = capacity(Layout(scenario.system, shape, weights=mxfp4, tp=1, ep=1, gpus=1))

    assert weight_bytes(shape, scenario, 1) == pytest.approx(size, rel=0.002)
    assert copy.weights_bytes == pytest.approx(size, rel=0.002)
    assert copy.weights_bytes_per_gpu == pytest.approx(size, rel=0.002)


def test_mxfp4_checkpoints_keep_their_dense_weights_in_bf16():
    """GPT-OSS stores experts alone in MXFP4; a dense model given in MXFP4 has all of it so."""
    mxfp4, bf16 = catalog.precision("mxfp4"), catalog.precision("bf16")

    assert dense_weights(catalog.model("gpt-oss-20b"), mxfp4) is bf16
    assert dense_weights(catalog.model("llama-3.1-70b"), mxfp4) is mxfp4


def test_checkpoints_of_mla_keep_projections_in_bf16_and_blocks_of_fp8():
    """DeepSeek-R1 in NVFP4 stores attention in BF16: 386 GB of weights; its FP8 has a scale for each block."""
    deepseek, dense = catalog.model("deepseek-v3-r1"), catalog.model("llama-3.1-70b")
    nvfp4, fp8, h200 = catalog.precision("nvfp4"), catalog.precision("fp8"), catalog.gpu("h200-sxm")
    scenario = Scenario(catalog.system("dgx-b200"), deepseek, tp=8, weights=nvfp4)

    assert projection_weights(deepseek, nvfp4) is catalog.precision("bf16")
    assert projection_weights(dense, nvfp4) is nvfp4
    assert gemm_formats(h200, fp8, deepseek) == expert_formats(h200, fp8, deepseek) == ("fp8-block",)
    assert gemm_formats(h200, fp8, dense) == ("fp8",)
    whole = capacity(Layout(scenario.system, deepseek, weights=nvfp4, tp=8)).weights_bytes
    assert whole == pytest.approx(671.03e9 * 0.5625 + 11.41e9 * (2 - 0.5625), rel=0.002)


def test_work_bound_by_memory_has_the_bytes_of_each_part():
    """GPT-OSS in MXFP4 reads BF16 projections: what binds a step agrees with the memory of its weights."""
    model, mxfp4 = catalog.model("gpt-oss-20b"), catalog.precision("mxfp4")
    scenario = Scenario(catalog.system("dgx-h100"), model, tp=1, weights=mxfp4, tokens=2048)
    work = step_work(model, decode_batch(2048.0, 1.0), tp=1, weight=widths(model, mxfp4), cache=2, value=2)
    head = 2 * 201088 * 2880 * 2

    assert float(work.weight_bytes) == pytest.approx(weight_bytes(model, scenario, 1) - head, rel=0.002)


def test_kernels_of_a_format_are_those_that_were_measured():
    """MXFP4 has weight-only kernels on Hopper, INT4 on Ampere; FP4 arithmetic may also run in FP8."""
    a100, h100, b200 = (catalog.gpu(name) for name in ("a100-sxm-80gb", "h100-sxm", "b200-sxm"))
    mxfp4, nvfp4, int4 = (catalog.precision(name) for name in ("mxfp4", "nvfp4", "w4a16"))

    assert expert_formats(h100, mxfp4) == ("mxfp4-weight-only",)
    assert expert_formats(a100, int4) == ("int4-weight-only",)
    assert expert_formats(b200, mxfp4) == ("mxfp4",)
    assert gemm_formats(h100, mxfp4) == ("bf16",)
    assert gemm_formats(b200, nvfp4) == ("nvfp4", "fp8")
    assert gemm_formats(h100, nvfp4) == ("fp8",)
    assert format_on(h100, "mxfp4")[0].routed == "mxfp4-weight-only"


@pytest.mark.parametrize("name", ["h100-sxm", "h100-pcie", "h100-nvl", "h200-sxm", "b200-sxm", "gb200"])
def test_int8_runs_at_the_rate_of_fp8(name):
    """Datasheets of Hopper and Blackwell print as many INT8 operations as FP8 ones."""
    gpu = catalog.gpu(name)

    assert gpu.int8_flop_per_s == gpu.fp8_flop_per_s


def test_blocks_of_fp8_run_in_their_own_kernels():
    """A scale for 128 x 128 weights: 8.002 bits, the GEMMs measured with blocks, at most slower than one scale."""
    h100, llama = catalog.system("dgx-h100"), catalog.model("llama-3.1-70b")
    blocks = catalog.precision("fp8-block")
    scenario = Scenario(h100, llama, tp=8, launch="graph")

    assert blocks.bytes_per_value * 8 == pytest.approx(8 + 32 / 128**2)
    assert gemm_formats(h100.gpu, blocks, llama) == ("fp8-block",)
    assert seconds(scenario, "fp8-block", *STEPS[2]) > seconds(scenario, "fp8", *STEPS[2])
