"""Published serving runs, typed with their source: the calculators stay near what was measured."""

from dataclasses import replace

import numpy as np
import pytest

from core.calculators.tensor_parallel import Scenario, offline
from core.calculators.tensor_parallel.terms import terms
from core.catalog import model, precision, system
from tests.bench.serving import QWEN3_30B
from tests.bench.serving_latency import between_tokens, whole_answer_s


def cell(scenario):
    """The terms of a scenario's own cell."""
    return terms(
        scenario, np.array([float(scenario.tokens)]), np.array([float(scenario.cached)]), scenario.tp
    )


@pytest.mark.parametrize(
    ("name", "tokens", "with_ms", "without_ms"),
    [
        ("llama-3.1-70b", 2048, 94.227, 74.922),
        ("llama-3.1-70b", 16384, 744.115, 610.219),
        ("mixtral-8x22b", 8192, 230.652, 195.634),
    ],
)
def test_share_of_prefill_in_all_reduce(name, tokens, with_ms, without_ms):
    """TokenWeave (arXiv:2505.11329, artifact), 8x H100: share within 3 points, compute within 10 %."""
    at = cell(
        Scenario(
            model=model(name),
            system=system("dgx-h100"),
            phase="prefill",
            tokens=tokens,
            implementation="nvls-multimem",
        )
    )
    assert float(at.compute.total_s[0]) * 1e3 == pytest.approx(without_ms, rel=0.10)
    assert float(at.share[0]) == pytest.approx(1 - without_ms / with_ms, abs=0.03)


@pytest.mark.parametrize(
    ("machine", "lengths", "four", "eight"),
    [
        ("dgx-h100", (1000, 1000), 7430.99, 11451.16),
        ("dgx-h200", (2048, 2048), 7130.44, 11142.47),
    ],
)
def test_throughput_of_eight_over_four(machine, lengths, four, eight):
    """TensorRT-LLM performance overview (0.17), Llama 70B in FP8: TP8 over TP4 within 10 %."""
    asked = Scenario(
        model=model("llama-3.1-70b"),
        system=system(machine),
        weights=precision("fp8"),
        kv=precision("fp8"),
        launch="graph",
    )
    found = [offline(replace(asked, tp=tp), *lengths).output_tokens_per_s for tp in (4, 8)]
    assert found[1] / found[0] == pytest.approx(eight / four, rel=0.10)


@pytest.mark.parametrize(
    ("gpus", "lengths", "published"),
    [(1, (1000, 1000), 9910), (2, (2048, 2048), 10679), (4, (128, 2048), 35715), (8, (1000, 1000), 31785)],
)
def test_experts_over_pcie_with_attention_by_data(gpus, lengths, published):
    """TensorRT-LLM 1.0, Qwen3-30B in NVFP4 on RTX PRO 6000: enable_attention_dp, so TP1 and EP over all: 20 %."""
    asked = Scenario(
        model=QWEN3_30B,
        system=system("rtx-pro-6000-x8"),
        tp=1,
        ep=gpus,
        weights=precision("nvfp4"),
        kv=precision("fp8"),
        dispatch=precision("nvfp4"),
        launch="graph",
    )
    assert offline(asked, *lengths).output_tokens_per_s == pytest.approx(published, rel=0.20)


def test_batch_one_decode_scales_as_published():
    """gpt-fast (2023), Llama 2 70B on A100s without NVSwitch: TP8 over TP2 within 15 % (62.5 and 21.32 tokens/s)."""
    asked = Scenario(
        model=model("llama-2-70b"), system=system("dgx-a100"), tokens=1, context=105, launch="graph"
    )
    two, eight = (float(cell(replace(asked, tp=tp)).tokens_per_s[0]) for tp in (2, 8))
    assert eight / two == pytest.approx(62.5 / 21.32, rel=0.15)


def test_batch_one_decode_of_a_small_model_scales_as_published():
    """gpt-fast (2023), Llama 2 7B in BF16 on A100s: 104.9, 168.84, 254.02, 328.43 tokens/s at TP1 to TP8: 10 %."""
    seven = replace(
        model("llama-2-70b"), layers=32, dense_layers=32, hidden=4096, heads=32, kv_heads=32, ffn=11008
    )
    asked = Scenario(model=seven, system=system("dgx-a100"), tokens=1, context=105, launch="graph")
    for tp, rate in ((1, 104.9), (2, 168.84), (4, 254.02), (8, 328.43)):
        assert float(cell(replace(asked, tp=tp)).tokens_per_s[0]) == pytest.approx(rate, rel=0.10)


def test_routing_costs_less_in_a_graph():
    """A MoE step launched as one CUDA graph starts its routing kernels sooner; a dense step is the same."""
    for name, differs in (("mixtral-8x7b", True), ("llama-3.1-70b", False)):
        asked = Scenario(model=model(name), system=system("dgx-h100"), tokens=1)
        stream, graph = (cell(replace(asked, launch=one)).compute.total_s[0] for one in ("stream", "graph"))
        assert bool(graph < stream) == differs


def test_the_switch_adds_no_faster_for_fewer_gpus():
    """In-switch all-reduce moves (n + 1)/n of its bytes: TP4 takes longer a message than TP8, below the wire's bound."""
    asked = Scenario(
        model=model("llama-3.1-70b"),
        system=system("dgx-h100"),
        phase="prefill",
        tokens=16384,
        implementation="nvls-multimem",
    )
    four, eight = (cell(replace(asked, tp=tp)).exchange for tp in (4, 8))
    size = float(four.size_bytes[0])
    assert float(four.one_s[0]) > float(eight.one_s[0])
    assert float(four.transfer_s[0]) / four.messages > 1.25 * size / 450e9
    parts = four.launch_s + four.latency_s + four.transfer_s + four.reduction_s
    assert float(parts[0]) == pytest.approx(float(four.time_s[0]), rel=0.02)


@pytest.mark.parametrize(("running", "first_ms", "between_ms"), [(1, 406.77, 18.58), (25, None, 38.75)])
def test_latency_of_an_engine_never_fitted(running, first_ms, between_ms):
    """NVIDIA NIM 1.8 (docs.nvidia.com/nim/benchmarking), Llama 70B in FP8 on two H100: within 15 %."""
    first, between = between_tokens(running, 5000, 500)

    assert between * 1e3 == pytest.approx(between_ms, rel=0.15)
    if first_ms is not None:
        assert first * 1e3 == pytest.approx(first_ms, rel=0.15)


@pytest.mark.parametrize(("name", "tp", "ms"), [("llama3-70b", 4, 2077.5), ("llama3-8b", 1, 833.4)])
def test_latency_of_another_engine_never_fitted(name, tp, ms):
    """The nightly benchmark of vLLM on H200 (buildkite vllm/performance-benchmark 9515), BF16: within 15 %."""
    assert whole_answer_s(name, tp, 8, 32, 128) * 1e3 == pytest.approx(ms, rel=0.15)
