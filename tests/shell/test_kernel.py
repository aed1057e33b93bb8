"""One kernel in the shell: what binds it, whose load a routed MLP is priced at, and attention's pairs and cache."""

import pytest

from core import catalog
from core.kernels.attention import decode_attention_s
from core.kernels.mla import mla_prefill_s
from tests.shell.commands import answer, ask


def test_a_tiny_product_is_bound_by_its_launch(capsys):
    """One number by one number is kernel launch; 4,096 in each direction is compute."""
    tiny = answer(capsys, "kernel", "gemm", "--m", "1", "--n", "1", "--k", "1")

    assert tiny["binding"] == "kernel launch"
    assert answer(capsys, "kernel", "gemm")["binding"] == "compute"


def test_a_routed_mlp_names_its_load(capsys):
    """Random routing prices the mean load of a GPU, a power law the busiest; the rate is by the mean's FLOPs."""
    _, random, _ = ask(capsys, "kernel", "moe", "--ep", "8")
    _, skewed, _ = ask(capsys, "kernel", "moe", "--ep", "8", "--routing", "power-law-1.2")

    assert "on one of 8 GPUs at their mean load" in random
    assert "on the busiest of 8 GPUs" in skewed
    assert "rate, by the mean GPU's FLOPs" in random


@pytest.mark.parametrize(("kind", "lacking"), [("gemm", "fp8-block"), ("moe", "int4-weight-only")])
def test_an_engine_without_measured_kernels_is_named(kind, lacking, capsys):
    """Nobody measured vLLM's GEMMs in FP8 by blocks, or TensorRT-LLM's experts of 4 bits: others' kernels answer."""
    engine = {"gemm": "vllm", "moe": "trtllm"}[kind]
    _, text, _ = ask(capsys, "kernel", kind, "--format", lacking, "--engine", engine)

    assert f"none of {engine} in {lacking} were measured" in text
    assert (
        answer(capsys, "kernel", kind, "--format", lacking, "--engine", engine)["engine_not_measured"]
        == engine
    )
    for options in (("--format", "bf16", "--engine", engine), ("--format", lacking)):
        assert answer(capsys, "kernel", kind, *options)["engine_not_measured"] is None


def test_attention_of_a_decode_step_reads_its_cache(capsys):
    """64 sequences of 4,096 tokens hold keys and values of 8 heads of 128 in BF16; a window reads its tokens alone."""
    step = answer(capsys, "kernel", "decode", "--engine", "vllm")
    modelled = decode_attention_s(catalog.gpu("h100-sxm"), "bf16", 64, 4096, 32, 8, 128, engine="vllm")

    assert step["time_s"] == float(modelled.time_s)
    assert step["cache_bytes"] == 64 * 4096 * 8 * 128 * 2 * 2
    assert step["memory_share"] == pytest.approx(step["cache_bytes"] / step["time_s"] / 3.35e12)
    assert answer(capsys, "kernel", "decode", "--window", "1024")["cache_bytes"] == step["cache_bytes"] / 4


def test_causal_attention_counts_each_pair_once(capsys):
    """A prompt of 3 tokens multiplies 6 pairs, after 5 cached ones 21, and under a window of 2 only 5."""
    pair = 4 * 32 * 128

    assert answer(capsys, "kernel", "prefill", "--length", "3")["flop"] == 6 * pair
    assert answer(capsys, "kernel", "prefill", "--length", "3", "--prefix", "5")["flop"] == 21 * pair
    assert answer(capsys, "kernel", "prefill", "--length", "3", "--window", "2")["flop"] == 5 * pair
    assert (
        answer(capsys, "kernel", "prefill", "--length", "3", "--prefix", "5", "--window", "2")["flop"]
        == 6 * pair
    )


def test_latent_attention_has_its_own_widths(capsys):
    """MLA unpacked: 192 wide keys and 128 wide values a head; its cache holds 576 values a token."""
    prompt = answer(capsys, "kernel", "mla-prefill")
    modelled = mla_prefill_s(catalog.gpu("h100-sxm"), "bf16", 1, 4096, 128)

    assert prompt["time_s"] == float(modelled.time_s)
    assert prompt["flop"] == 4096 * 4097 / 2 * 128 * 2 * (192 + 128)
    assert answer(capsys, "kernel", "mla-decode")["cache_bytes"] == 64 * 4096 * 576 * 2


def test_a_size_of_another_kernel_is_refused(capsys):
    """One line and status 2, as for a format that a cache does not have."""
    for arguments in (
        ("gemm", "--heads", "3"),
        ("decode", "--format", "nvfp4"),
        ("mla-decode", "--kv-heads", "8"),
    ):
        status, _, error = ask(capsys, "kernel", *arguments)
        assert status == 2
        assert error.count("\n") == 1
