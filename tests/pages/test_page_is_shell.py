"""The same question has the same answer on the page and in the shell, software presets included."""

import json

import pytest

from core.shell.main import main
from core.units import format_time
from tests.pages.test_calculators import metric
from tests.shell.commands import ask

PRESETS = ("auto", "sglang", "nccl")


def asked(capsys, *options):
    """The shell's JSON."""
    capsys.readouterr()
    assert main([*options, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("software", PRESETS)
def test_a_decode_step(visit, capsys, software):
    """TPOT of the page as nobody has touched it is that of ``tp --software auto``."""
    reply = asked(capsys, "tp", "--software", software)

    assert metric(visit("tensor_parallel", software=software), "TPOT") == format_time(reply["step_s"])


def test_experts_within_a_group_in_blocks_of_fp8(visit, capsys):
    """EP8 within TP8, a checkpoint with a scale for each block, the older vLLM: one number on page and shell."""
    question = {"system": "dgx-h200", "model": "qwen3-235b-a22b", "tp": 8, "ep": 8, "weights": "fp8-block"}
    options = [part for name, value in question.items() for part in (f"--{name}", str(value))]
    reply = asked(capsys, "tp", *options, "--tokens", "32", "--context", "3000", "--software", "vllm-0.8")
    page = visit("tensor_parallel", **question, requests=32, context=3000, software="vllm-0.8")

    assert metric(page, "TPOT") == format_time(reply["step_s"])


@pytest.mark.parametrize("software", PRESETS)
def test_one_collective(visit, capsys, software):
    """One all-reduce of 1 MiB by the same library takes the same time."""
    reply = asked(capsys, "collective", "--size", "1MiB", "--software", software)

    assert metric(visit("collectives", size="1 MiB", software=software), "Time") == format_time(
        reply["time_s"]
    )


@pytest.mark.parametrize(
    ("software", "strategy"), [("auto", "zero1"), ("auto", "ddp"), ("fsdp", "fsdp"), ("deepspeed", "zero3")]
)
def test_a_training_step(visit, capsys, software, strategy):
    """The layout of the page takes the same time by the same framework and strategy."""
    degrees = ("--gpus", "64", "--tp", "4", "--pp", "4", "--vpp", "5", "--cp", "2", "--micro-batch", "1")
    reply = asked(capsys, "train", *degrees, "--software", software, "--strategy", strategy)
    chosen = {} if strategy == "zero1" else {"train_strategy": strategy}
    page = visit("training", software=software, **chosen)

    assert format_time(reply["step_s"]) in page.container(key="headline").markdown[0].value


@pytest.mark.parametrize("software", ["auto", "megatron"])
def test_gradient_synchronization(visit, capsys, software):
    """Communication and MFU of a step by the strategy, the bytes and the kernels of the same framework."""
    reply = asked(
        capsys,
        *("gradient-sync", "--model", "llama-3.1-70b", "--gpus", "64", "--domains", "8"),
        *("--tokens", "8192", "--software", software),
    )
    page = visit("gradient_sync", software=software)

    assert metric(page, "Communication") == format_time(reply["time_s"])
    assert metric(page, "MFU") == f"{100 * reply['mfu']:.3g} %"


def test_serving_layouts(visit, capsys, headline):
    """The best serving layout is the same, with the engine's own all-reduce."""
    reply = asked(
        capsys,
        *("strategy", "--goal", "latency", "--gpus", "8", "--sequences", "32", "--context", "4096"),
        *("--weights", "bf16", "--software", "auto"),
    )

    assert format_time(reply["best"]["token_s"]) in headline(visit("layouts", goal="latency", gpus=8))


def test_a_rack(visit, capsys, headline):
    """The most concurrent requests of the worked example are those of ``capacity``."""
    reply = asked(
        capsys,
        *("capacity", "--model", "deepseek-v3-r1", "--format", "fp8", "--context", "8192"),
        *("--sequences", "1024"),
    )

    assert f"{reply['max_sequences']:,}" in headline(visit("nvl72"))


def test_requests_that_layouts_hold(visit, capsys):
    """Too many requests for two GPUs under TensorRT-LLM are refused with the same limit."""
    asked = "--goal", "latency", "--gpus", "2", "--sequences", "256", "--context", "4096", "--weights", "bf16"
    _, _, refused = ask(capsys, "strategy", *asked, "--software", "trtllm")
    page = visit(
        "layouts", goal="latency", gpus=2, requests=256, tokens=4096, weights="bf16", software="trtllm"
    )
    limit = refused.partition("; ")[2].strip()

    assert limit.startswith("at most")
    assert any(limit in warning.value for warning in page.warning)
