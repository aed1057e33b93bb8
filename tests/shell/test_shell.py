"""The shell: every command answers people and programs, and its JSON keys are the contract."""

import json
import re
from pathlib import Path

import pytest

from core.shell.main import main
from tests.shell.commands import answer, ask

JOB = Path(__file__).with_name("job.json")
"""Two ranks of H100 with two gradient buckets in a step."""
QUESTIONS = {
    "systems": [],
    "hierarchy": ["--size", "80GB"],
    "collective": ["--ranks", "8", "--size", "1GiB"],
    "tp": ["--tokens", "8", "--tp", "4"],
    "gradient-sync": ["--params", "7e9", "--backward-s", "0.5"],
    "train": ["--gpus", "64", "--tp", "4", "--pp", "4", "--global-batch", "128"],
    "capacity": ["--params", "1.8e12", "--format", "nvfp4"],
    "compare-systems": ["--systems", "gb200-nvl72,dgx-h200", "--tpot-ms", "20"],
    "strategy": ["--gpus", "16", "--global-batch", "128", "--model", "llama-3.1-8b", "--rates", "spec"],
    "expect": ["--collective", "all_reduce", "--from-size", "1MiB", "--to-size", "4MiB"],
    "plan": ["--domains", "2", "--runs", "1"],
    "job": [str(JOB), "--system", "dgx-h100", "--to", "dgx-b200"],
}


@pytest.mark.parametrize("command", QUESTIONS)
def test_every_command_speaks_to_people_and_to_programs(capsys, command):
    """A page of text by default, strict JSON with --json."""
    status, out, err = ask(capsys, command, *QUESTIONS[command])

    assert (status, err) == (0, "")
    assert len(out.splitlines()) >= 3
    assert answer(capsys, command, *QUESTIONS[command])


def test_the_keys_of_collective_are_the_contract(capsys):
    """People script against these names."""
    reply = answer(capsys, "collective", "--ranks", "16", "--domains", "2", "--size", "64MiB")

    assert set(reply) == {
        *("system", "collective", "ranks", "domains", "size_bytes", "rates", "implementation", "launch"),
        *("algorithm", "protocol", "time_s", "low_s", "high_s", "launch_s", "latency_s", "transfer_s"),
        *("reduction_s", "wire_bytes", "algbw_bytes_per_s", "busbw_bytes_per_s", "binding", "runner_up"),
        *("flips", "basis", "warnings", "sources", "model_version"),
    }
    assert set(reply["runner_up"]) == {"algorithm", "protocol", "time_s"}
    assert all(set(crossover) == {"input", "value", "to"} for crossover in reply["flips"])
    assert reply["domains"] == 2
    parts = ("launch_s", "latency_s", "transfer_s", "reduction_s")
    assert reply["time_s"] == pytest.approx(sum(reply[name] for name in parts))


def test_the_keys_of_hierarchy_are_the_contract(capsys):
    """Each level says its rate, direction, latency, time, ratio, half size and source."""
    reply = answer(capsys, "hierarchy", "--size", "80GB", "--system", "dgx-a100")
    names = {"level", "link", "bytes_per_s", "direction", "latency_s", "time_s"}

    assert all(
        names | {"ratio_to_previous", "half_size_bytes", "source"} <= set(row) for row in reply["levels"]
    )


def test_the_keys_of_train_are_the_contract(capsys):
    """Step, band, rate, MFU, exposed time by kind, bubble, memory."""
    reply = answer(capsys, "train", *QUESTIONS["train"])

    assert {
        *("step_s", "low_s", "high_s", "tokens_per_s_per_gpu", "mfu", "compute_s", "exposed_s", "bubble_s"),
        *("memory_bytes_per_gpu", "fits", "binding", "warnings"),
    } <= set(reply)
    assert set(reply["exposed_s"]) == {"tp", "dp", "pp", "cp", "ep"}
    total = reply["compute_s"] + sum(reply["exposed_s"].values()) + reply["bubble_s"]
    assert reply["step_s"] == pytest.approx(total)
    assert reply["gpus"] == 64
    assert reply["dp"] == 4


def test_train_takes_operations_to_recompute_and_what_to_offload(capsys):
    """They come back in the answer, and the step has a part that waits for the host."""
    options = ("--recompute-modules", "mlp,layernorm", "--offload", "optimizer,activations=0.25")
    reply = answer(capsys, "train", *QUESTIONS["train"], *options)

    assert (reply["recompute"], reply["recompute_modules"]) == ("selective", ["layernorm", "mlp"])
    assert (reply["offload_optimizer"], reply["offload_activations"]) == (1, 0.25)
    assert reply["memory"]["host_bytes"] > 0
    total = reply["compute_s"] + sum(reply["exposed_s"].values()) + reply["bubble_s"] + reply["offload_s"]
    assert reply["offload_s"] > 0
    assert reply["step_s"] == pytest.approx(total)


def test_train_refuses_layers_that_nothing_repeats(capsys):
    """Layers belong to full recomputation, operations to selective: one line and exit 2 elsewhere."""
    for options in (("--recompute-num-layers", "2"), ("--recompute", "full", "--recompute-modules", "mlp")):
        status, _, err = ask(capsys, "train", *QUESTIONS["train"], *options)
        assert (status, len(err.splitlines())) == (2, 1)
        assert "goes with recompute" in err


def test_overrides_ask_a_worked_case(capsys):
    """70 billion BF16 gradients, 8 GPUs, 450 GB/s one way without latency: 0.5444 s and 245 GB."""
    reply = answer(
        capsys,
        "gradient-sync",
        *("--params", "70e9", "--system", "dgx-h100", "--ranks", "8", "--rates", "spec"),
        *("--algorithm", "ring", "--latency-us", "0", "--rate-gbps-one-way", "450"),
    )

    assert reply["time_s"] == pytest.approx(0.5444444444444444)
    assert reply["wire_bytes"] == pytest.approx(245e9)
    assert reply["busbw_bytes_per_s"] == pytest.approx(450e9)


def test_gradient_sync_says_what_it_costs_and_when_it_pays_back(capsys):
    """Dollars of the exposed share, months until an upgrade is earned, the all-reduce by algorithm."""
    reply = answer(
        capsys,
        "gradient-sync",
        *("--params", "7e9", "--domains", "8", "--backward-s", "0.2"),
        *("--usd-per-gpu-hour", "3", "--upgrade-usd", "1e5"),
    )

    assert reply["usd_per_day"] == pytest.approx(reply["exposed_s"] / reply["step_s"] * 64 * 72)
    assert reply["payback_months"] == pytest.approx(1e5 / reply["usd_per_month"])
    assert {"ring", "tree"} <= {way["algorithm"] for way in reply["algorithms"]}
    assert all(isinstance(source, str) for source in reply["sources"])


def test_latency_counts_by_step_or_by_operation(capsys):
    """A byte around a ring of eight costs 14 steps, or one operation."""
    common = ("collective", "--ranks", "8", "--size", "1", "--rates", "spec", "--algorithm", "ring")
    common = (*common, "--latency-us", "1", "--rate-gbps-one-way", "450")

    assert answer(capsys, *common)["time_s"] == pytest.approx(14.00000388888889e-6)
    once = answer(capsys, *common, "--latency-per", "operation")
    assert once["time_s"] == pytest.approx(1.00000388888889e-6)


def test_a_single_rank_has_no_bus_bandwidth(capsys):
    """Undefined is null."""
    reply = answer(capsys, "collective", "--ranks", "1", "--size", "1GiB")

    assert reply["time_s"] == 0
    assert reply["busbw_bytes_per_s"] is None


def test_a_model_may_be_an_id_a_config_or_a_shape(capsys, tmp_path):
    """Three ways to name the same transformer give the same answer."""
    shape = {"layers": 80, "hidden": 8192, "heads": 64, "kv-heads": 8, "ffn": 28672, "vocab": 128256}
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps(
            {
                "model_type": "llama",
                "num_hidden_layers": 80,
                "hidden_size": 8192,
                "num_attention_heads": 64,
                "num_key_value_heads": 8,
                "intermediate_size": 28672,
                "vocab_size": 128256,
            }
        )
    )
    options = [part for name, value in shape.items() for part in (f"--{name}", str(value))]

    named = answer(capsys, "tp", "--model", "llama-3.1-70b")["step_s"]
    read = answer(capsys, "tp", "--model", str(config))["step_s"]
    spelled = answer(capsys, "tp", *options)["step_s"]

    assert named == pytest.approx(read, rel=1e-6)
    assert named == pytest.approx(spelled, rel=1e-6)


def test_a_system_file_is_a_machine_of_ones_own(capsys, tmp_path):
    """What `systems --json` prints as system_file can be read back, changed or not."""
    listed = answer(capsys, "systems")["systems"]
    h100 = next(item for item in listed if item["id"] == "dgx-h100")
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(h100["system_file"]))
    question = ("collective", "--ranks", "8", "--size", "1GiB", "--rates", "spec")

    mine = answer(capsys, *question, "--system-file", str(path))
    theirs = answer(capsys, *question, "--system", "dgx-h100")

    assert mine["time_s"] == pytest.approx(theirs["time_s"])


def test_an_acceptance_sheet_orders_its_columns(capsys, tmp_path):
    """Floor, expected and ceiling rise in that order, and each row says how to measure it."""
    sheet = tmp_path / "sheet.csv"

    status, out, _ = ask(capsys, "expect", "--ranks", "8", "-o", str(sheet))
    rows = sheet.read_text().splitlines()

    assert status == 0
    assert str(len(rows) - 1) in out
    assert ask(capsys, "expect", "--ranks", "8", "-o", "-") == (0, sheet.read_bytes().decode(), "")
    header = rows[0].split(",")
    for row in rows[1:]:
        cells = dict(zip(header, row.split(","), strict=True))
        assert float(cells["floor_busbw_GBps"]) <= float(cells["expected_busbw_GBps"])
        assert float(cells["expected_busbw_GBps"]) <= float(cells["ceiling_busbw_GBps"])
        assert "_perf -b 8 -e" in cells["command"]


def test_published_rates_repeat_a_table_of_gradients(capsys):
    """FP32 gradients of 70 B parameters, once over both directions of NVLink 4: 0.31 s as printed."""
    question = ("gradient-sync", "--params", "70e9", "--grad-bytes", "4")

    assert answer(capsys, *question, "--rates", "published")["payload_s"] == pytest.approx(280 / 900)
    assert answer(capsys, *question, "--rates", "spec")["payload_s"] is None


def test_the_formula_is_that_of_the_traffic(capsys):
    """Gradients kept whole are scattered once a step, and the formula says so."""
    question = ("gradient-sync", "--params", "7e9", "--strategy", "fsdp", "--accumulation", "4")
    each, once = answer(capsys, *question), answer(capsys, *question, "--whole-gradients")

    assert each["formula"].startswith(r"A\left(2")
    assert once["formula"] == r"A\,2\,\frac{n-1}{n}\,p+\frac{n-1}{n}\,g"


@pytest.mark.parametrize(("ranks", "domains"), [("16", 4), ("32", 4), ("6", 1)])
def test_domains_asked_for_take_part(capsys, ranks, domains):
    """Ranks that share the asked domains evenly sit in all of them; others fill them in order."""
    reply = answer(capsys, "collective", "--system", "dgx-h100", "--domains", "4", "--ranks", ranks)

    assert reply["domains"] == domains


def test_worked_cases_of_tensor_parallelism_can_be_asked_with_overrides(capsys):
    """17 MB a layer, 80 layers, 48 steps a second; a width and a depth of one's own for any model."""
    lines = answer(capsys, "tp", "--message-bytes", "17000000", "--layers", "80", "--hidden", "8192",
                  "--steps-per-s", "48", "--rates", "spec")["required"]  # fmt: skip
    assert lines["payload_bytes_per_s"] == pytest.approx(65.28e9)
    assert lines["wire_bytes_per_s"] == pytest.approx(228.48e9)
    assert lines["payload_share_of_link_both_ways"] == pytest.approx(0.0725333, rel=1e-6)
    assert lines["wire_share_of_link_one_way"] == pytest.approx(0.5077333, rel=1e-6)
    wire = ("--rates", "spec", "--algorithm", "ring", "--rate-gbps-one-way", "450", "--latency-us", "0")
    reply = answer(capsys, "tp", "--model", "llama-3.1-8b", "--layers", "60", "--hidden", "5120",
                   "--tokens", "1", *wire)  # fmt: skip
    assert reply["per_layer"]["message_s"] == pytest.approx(1.75 * 10240 / 450e9)
    assert reply["per_step"]["messages"] == 120


def test_worked_cases_of_capacity_can_be_asked_with_overrides(capsys):
    """Rates of link and memory, switch ports, the boundary of a stage and its bubble reach the JSON."""
    lines = answer(capsys, "capacity", "--model", "deepseek-v3-r1", "--pp", "4", "--micro-batches", "8",
                  "--rate-gbps-one-way", "450", "--hbm-gbps", "4000")  # fmt: skip
    assert lines["aggregate_both_ways_bytes_per_s"] == pytest.approx(64.8e12)
    assert lines["bisection_one_way_bytes_per_s"] == pytest.approx(16.2e12)
    assert lines["hbm_bytes_per_s"] == pytest.approx(72 * 4e12)
    assert lines["boundary"] == {"boundary_bytes": 14336, "exchange_bytes": 172032, "ratio": 12}
    assert (
        lines["switch"]["gpu_ports"] == 1296 == lines["switch"]["chips"] * lines["switch"]["ports_per_chip"]
    )
    assert lines["bubble_share"] == pytest.approx(3 / 11)
    alone = answer(capsys, "capacity", "--model", "deepseek-v3-r1", "--ep", "64")
    assert (alone["gpus"], alone["expert_slots"]["per_gpu"]) == (64, 4)


def test_crossovers_and_the_runner_up_are_told_in_a_readers_units(capsys):
    """Where the choice changes is a size, a number of GPUs or a rate, and ways carry their protocols."""
    main(("collective", "--ranks", "32", "--domains", "4", "--size", "64MiB"))
    lines = capsys.readouterr().out
    assert re.search(r"up to [\d.]+ [KM]iB: \w+/\w+", lines)
    assert re.search(r"at NIC [\d.]+ [GT]B/s per GPU: ", lines)
    assert re.search(r"runner-up +\w+/\w+, ", lines)
    assert "e+0" not in lines
