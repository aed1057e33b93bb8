"""Capacity of hybrid, MLA, windowed and MoE models, each worked by hand from its published shape."""

import pytest

from core.calculators.capacity import Scenario, capacity
from core.catalog import model, precision, system

GB = 1e9
WORKED = [
    # model, system, layout and formats, context; bytes of KV cache of a request on a GPU, state, requests of a GPU
    pytest.param("qwen3-next-80b-a3b", "dgx-h100", {"tp": 8}, 262144,
                 12 * 2 * 256 * 2 * 262144, 36 * (32 * 128 * 128 * 4 + 8192 * 3 * 2) / 8, id="hybrid-gdn"),
    pytest.param("nemotron-h-47b", "dgx-h200", {"tp": 8}, 32768,
                 5 * 2 * 128 * 2 * 32768, 45 * (256 * 64 * 256 * 4 + 20480 * 3 * 2) / 8, id="hybrid-mamba"),
    pytest.param("granite-4.0-h-small", "dgx-h200", {"tp": 4}, 32768,
                 4 * 2 * 2 * 128 * 2 * 32768, 36 * (128 * 64 * 128 * 4 / 4 + (8192 / 4 + 2 * 128) * 3 * 2), id="hybrid-moe"),
    pytest.param("deepseek-v3-r1", "dgx-h200", {"tp": 8, "weights": "fp8", "kv": "fp8"}, 8192,
                 61 * 576 * 8192, 0, id="mla-fp8"),
    pytest.param("kimi-k2", "gb200-nvl72", {"weights": "nvfp4", "kv": "nvfp4"}, 32768,
                 61 * 576 * 4.5 / 8 * 32768, 0, id="mla-fp4-rack"),
    pytest.param("deepseek-v3.2", "dgx-h200", {"tp": 8, "weights": "fp8"}, 32768,
                 61 * (576 * 2 + 132) * 32768, 0, id="sparse-mla-index-keys"),
    pytest.param("llama-4-maverick", "dgx-h200", {"tp": 8, "weights": "fp8"}, 131072,
                 2 * 128 * 2 * (12 * 131072 + 36 * 8192), 0, id="chunked-attention"),
    pytest.param("gpt-oss-20b", "dgx-h200", {"tp": 8}, 32768,
                 2 * 64 * 2 * (12 * 32768 + 12 * 128), 0, id="window"),
    pytest.param("qwen3-235b-a22b", "dgx-b200", {"tp": 8, "weights": "nvfp4", "kv": "fp8"}, 32768,
                 94 * 2 * 128 * 32768, 0, id="fewer-kv-heads-than-gpus"),
    pytest.param("llama-3.1-70b", "dgx-b200", {"tp": 8, "weights": "nvfp4", "kv": "nvfp4"}, 32768,
                 80 * 2 * 128 * 4.5 / 8 * 32768, 0, id="fp4-kv"),
]  # fmt: skip
WEIGHTS = [
    # four of 288 slots, MLA in BF16, the rest in 4.5 bits: experts, attention, shared, dense, ends, router and norms
    pytest.param("deepseek-v3-r1", "gb200-nvl72", {"weights": "nvfp4"},
                 (58 * 4 * 3 * 7168 * 2048 + 58 * 3 * 7168 * 2048 + 3 * 3 * 7168 * 18432 + 2 * 129280 * 7168
                  + 58 * 256 * 7168) * 4.5 / 8 + 61 * 187.1e6 * 2, id="mla-bf16-in-nvfp4"),
    # eight of 128 experts and one KV head of eight GPUs; the embedding and the head are parted as well
    pytest.param("gpt-oss-120b", "dgx-h100", {"weights": "mxfp4", "tp": 1, "gpus": 1},
                 36 * 128 * 3 * 2880 * 2880 * 4.25 / 8 + 2 * (2 * 201088 * 2880 + 36 * 2880 * (2 * 4096 + 2 * 512)
                                                              + 36 * 128 * 2880), id="mxfp4-experts-alone"),
]  # fmt: skip


def asked(name, machine, options, **more):
    """The answer of such a layout; formats by their ids."""
    formats = {key: precision(options[key]) for key in ("weights", "kv") if key in options}
    return capacity(Scenario(system(machine), model(name), **options | formats | more))


@pytest.mark.parametrize(("name", "machine", "options", "context", "cache", "state"), WORKED)
def test_a_request_takes_what_its_shape_says(name, machine, options, context, cache, state):
    """KV cache by layers, heads, window and format, states by layers; as many requests as what is left holds."""
    answer = asked(name, machine, options, context=context)
    assert answer.kv_bytes_per_sequence_per_gpu == pytest.approx(cache, rel=1e-9)
    assert answer.state_bytes_per_sequence_per_gpu == pytest.approx(state, rel=1e-9)
    left = answer.scenario.limit_bytes - answer.weights_bytes_per_gpu
    assert answer.max_sequences == int(left // (cache + state)) * answer.scenario.replicas


@pytest.mark.parametrize(("name", "machine", "options", "weights"), WEIGHTS)
def test_weights_of_a_gpu_add_up(name, machine, options, weights):
    """Whole expert slots, what a checkpoint keeps in BF16, ends in the format of the rest."""
    assert asked(name, machine, options).weights_bytes_per_gpu == pytest.approx(weights, rel=3e-3)
