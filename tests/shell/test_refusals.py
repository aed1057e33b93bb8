"""A bad value in the shell is one line that names it, and exit 2."""

import pytest

from tests.shell.commands import ask


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ((), "collective, predict"),
        (("nonsense",), "'collective'"),
        (("collective", "--system", "dgx-h900"), "dgx-h100"),
        (("collective", "--collective", "gossip"), "all_reduce"),
        (("collective", "--ranks", "0"), "at least 1"),
        (("collective", "--ranks", "nine"), "whole number"),
        (("collective", "--ranks", "9"), "at most 8"),
        (("collective", "--size", "1XB"), "KiB"),
        (("collective", "--size", "-5"), "--size"),
        (("collective", "--size", "1e400"), "at most 1e18"),
        (("collective", "--size", "-1GiB"), "KiB"),
        (("collective", "--rate-gbps-one-way", "-inf"), "above 0"),
        (("tp", "--model", ""), "the Catalog page lists all"),
        (("collective", "--size", "1e-999GiB", "--ranks", "1" + 400 * "0"), "whole number"),
        (("collective", "--nics-per-domain", "1000000000"), "100000"),
        (("collective", "--network", "string-and-cans"), "the Catalog page lists all"),
        (("collective", "--nics-per-domain", "0"), "at least 1"),
        (("collective", "--oversubscription", "0.5"), "at least 1"),
        (("collective", "--rates", "wishful"), "calibrated"),
        (("collective", "--latency-us", "nan"), "finite"),
        (("collective", "--latency-per", "day"), "operation"),
        (("collective", "--rate-gbps-one-way", "0"), "above 0"),
        (("collective", "--algorithm", "magic"), "ring"),
        (("collective", "--implementation", "gloo"), "nccl"),
        (("collective", "--system-file", "missing.json"), "missing.json"),
        (("collective", "--sise", "1GB"), "--sise"),
        (("tp", "--tp", "72", "--system", "gb200-nvl72"), "64"),
        (("tp", "--model", "gpt-9"), "gpt-oss-120b"),
        (("tp", "--layers", "4"), "--hidden"),
        (("tp", "--weights", "fp3"), "bf16"),
        (("tp", "--overlap", "2"), "at most 1"),
        (("tp", "--mfu", "0"), "at most 1.1"),
        (("tp", "--bogus"), "--help"),
        (("gradient-sync",), "--params"),
        (("gradient-sync", "--params", "7e9", "--strategy", "zero9"), "zero3"),
        (("gradient-sync", "--params", "7e9", "--accumulation", "0"), "at least 1"),
        (("gradient-sync", "--params", "inf"), "finite"),
        (("train", "--gpus", "10", "--tp", "8"), "multiple"),
        (("train", "--tp", "3"), "1, 2, 4, 8"),
        (("train", "--recompute-modules", "attention"), "core_attn"),
        (("train", "--recompute-modules", "mlp", "--recompute", "full"), "selective"),
        (("train", "--recompute-num-layers", "4"), "full"),
        (("train", "--offload", "weights"), "activations, optimizer"),
        (("train", "--global-batch", "7", "--gpus", "64", "--tp", "8"), "global_batch"),
        (("capacity", "--params", "1e12", "--usable", "0"), "usable"),
        (("capacity", "--params", "1e12", "--format", "fp2"), "nvfp4"),
        (("capacity",), "params"),
        (("capacity", "--params", "1e12", "--gpus", "73"), "72"),
        (("strategy", "--goal", "fame"), "throughput"),
        (("strategy", "--model", "llama-3.1-405b", "--gpus", "8"), "no layout"),
        (("expect", "--from-size", "2GiB", "--to-size", "1GiB"), "--from-size"),
        (("predict", "missing.csv"), "missing.csv"),
    ],
)
def test_a_bad_value_is_one_line_and_exit_2(capsys, arguments, names):
    """The line names what is wrong and what is allowed; nothing goes to stdout."""
    status, out, err = ask(capsys, *arguments)

    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    assert names in err
    assert "Traceback" not in err
