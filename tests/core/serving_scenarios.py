"""Scenarios that the tests of serving share: a dense model on a node, a sparse one on a rack, a hybrid."""

from core.calculators.serving import (
    Engine,
    Lengths,
)
from core.calculators.tensor_parallel import Scenario
from core.catalog import model, precision, system

FP8 = precision("fp8")
NODE = Scenario(
    system("dgx-h100"),
    model("llama-3.1-70b"),
    tokens=64,
    context=2300,
    tp=4,
    weights=FP8,
    kv=FP8,
    implementation="vllm-custom",
    engine="vllm",
    launch="graph",
)
RACK = Scenario(
    system("gb200-nvl72"),
    model("deepseek-v3-r1"),
    tokens=128,
    tp=1,
    ep=32,
    weights=FP8,
    kv=FP8,
    launch="graph",
)
HYBRID = Scenario(
    system("dgx-h100"), model("qwen3-next-80b-a3b"), tokens=64, context=2300, tp=2, launch="graph"
)
MIXED = Engine(prefill_chunk=2048)
LENGTHS = Lengths(input_tokens=2048, output_tokens=256)
