"""Serving questions in the shell: which degree, TTFT, cost, latency target, links, systems compared."""

import pytest

from core.calculators.tensor_parallel import Objective, Scenario, service
from core.catalog import gpu, model, system
from core.catalog.calibrations.serving_level import level_span
from core.shell import call
from core.units import MS, format_time
from tests.shell.commands import answer, ask


def test_tp4_or_tp8_has_a_verdict(capsys):
    """The sentence stands in text and JSON, and its degrees are those of the table."""
    shown = answer(capsys, "tp")
    degrees = {row["tp"]: row for row in shown["degrees"]}
    verdict = shown["verdict"]
    _, out, _ = ask(capsys, "tp")

    assert verdict["text"] in out
    assert verdict["latency_tp"] == shown["best_latency_tp"] == 8
    assert verdict["throughput_tp"] == shown["best_throughput_tp"] == 4
    ratio = degrees[verdict["rival_tp"]]["step_s"] / degrees[8]["step_s"]
    assert verdict["speedup"] == pytest.approx(ratio)


def test_a_latency_target_and_a_price_are_answered(capsys):
    """Shell and Python give the same largest batch, TTFT and cost."""
    plain = ("--software", "nccl")
    options = ("--tpot-ms", "20", "--usd-per-gpu-hour", "3", "--input-tokens", "1000", *plain)
    serving = answer(capsys, "tp", *options)["serving"]
    objective = Objective(input_tokens=1000, tpot_s=20 * MS, usd_per_gpu_hour=3.0)
    figures = service(Scenario(system("dgx-h100"), model("llama-3.1-70b")), objective)
    _, out, _ = ask(capsys, "tp", *options)

    assert serving["ttft_s"] == pytest.approx(figures.ttft_s)
    assert serving["usd_per_million_tokens"] == pytest.approx(figures.usd_per_million_tokens)
    assert serving["largest"]["batch"] == figures.largest.batch
    assert f"{figures.largest.batch} concurrent requests within 20 ms" in out


def test_the_engine_has_one_answer_everywhere(capsys):
    """Largest batch, TPOT and TTFT with the engine agree with its throughput, its host time and its prefix cache."""
    options = ("--max-sequences", "16", "--reserve-gb", "20", "--host-step-us", "5000", "--prefix-hit", "0.5",
               "--tpot-ms", "40", "--input-tokens", "2048", "--output-tokens", "256")  # fmt: skip
    shown = answer(capsys, "tp", *options)
    serving, text = shown["serving"], ask(capsys, "tp", *options)[1]

    assert serving["largest"]["requests"] == shown["within_target"]["sequences"] == 16
    assert serving["largest"]["limit"] == shown["within_target"]["limit"] == "max sequences"
    assert serving["engine_tpot_s"] == pytest.approx(serving["tpot_s"] + 5 * MS)
    assert serving["engine_ttft_s"] == pytest.approx(shown["prefix_cache"]["ttft_s"])
    assert "of the GPUs alone" in text
    assert answer(capsys, "tp", "--draft-tokens", "2")["speculative"]["tpot_s"] == pytest.approx(
        answer(capsys, "tp", "--draft-tokens", "2")["serving"]["engine_tpot_s"]
    )


def test_layouts_have_the_memory_that_a_step_has(capsys):
    """Llama 70B in BF16 under TensorRT-LLM leaves two H100 a cache of as many requests in `strategy` as in `tp`."""
    load = "--software", "trtllm", "--context", "4096", "--weights", "bf16"
    largest = answer(capsys, "tp", "--tp", "2", *load)["serving"]["largest"]["batch"]
    _, _, refused = ask(capsys, "strategy", "--goal", "latency", "--gpus", "2", "--sequences", "256", *load)

    assert f"at most {largest} do" in refused


def test_a_reserve_leaves_room_for_fewer_requests(capsys):
    """Memory that the engine keeps is no room for caches; without an engine the largest batch is as it was."""
    nobody = ("--software", "nccl")
    plain, reserved = (
        answer(capsys, "tp", *nobody, *options)["serving"] for options in ((), ("--reserve-gb", "20"))
    )

    assert reserved["largest"]["batch"] < plain["largest"]["batch"] == 324
    assert plain["engine_tpot_s"] is None


def test_target_ms_is_another_name_of_tpot_ms(capsys):
    """Both spellings set one target."""
    assert answer(capsys, "tp", "--target-ms", "20") == answer(capsys, "tp", "--tpot-ms", "20")


def test_what_if_pcie_is_part_of_the_answer(capsys):
    """``tp`` and ``strategy`` price the same GPUs over PCIe alone."""
    links = answer(capsys, "tp")["link_value"]
    layouts = answer(capsys, "strategy", "--goal", "latency", "--system", "rtx-4090-x4", "--sequences", "16",
                     "--model", "llama-3.1-8b")  # fmt: skip

    assert [option["linked"] for option in links["options"]] == [True, False]
    assert links["verdict"] == "needed"
    assert layouts["link_value"]["available"] is False
    assert len(layouts["nvlink"]) == 5


def test_an_override_is_named_beside_the_rates_that_answered(capsys):
    """With a latency of one's own nothing says calibrated, and the override stands in the answer."""
    shown = answer(capsys, "tp", "--latency-us", "2")

    assert shown["rates"] == shown["basis"] == "spec"
    assert shown["overrides"] == {"latency_s": pytest.approx(2e-6)}
    assert answer(capsys, "tp")["overrides"] == {}


def test_hierarchy_without_latency_offloads_without_latency(capsys):
    """``--latency-us 0`` reaches the copy to host memory, and the answer names rates and override."""
    shown = answer(capsys, "hierarchy", "--size", "1GB", "--latency-us", "0")

    assert shown["rates"] == "spec"
    assert shown["overrides"] == {"latency_s": 0}
    assert all(copy["time_s"] == pytest.approx(1e9 / copy["bytes_per_s"]) for copy in shown["offload"])


def test_capacity_has_the_decode_step_at_its_load(capsys):
    """TPOT, cost and the largest load within a target stand beside the memory; parts alone have none."""
    options = ("--model", "deepseek-v3-r1", "--format", "fp8", "--sequences", "1024", "--tpot-ms", "20")
    shown = answer(capsys, "capacity", *options)

    assert shown["serving"]["tpot_s"] > shown["decode_floor_s"]
    assert shown["serving"]["largest"]["limit"] == "latency target"
    assert answer(capsys, "capacity", "--params", "1.8e12")["serving"] is None
    assert "at batch size 1" in ask(capsys, "capacity", *options)[1]


def test_capacity_uses_the_domains_that_are_stated(capsys):
    """Nine nodes are 72 GPUs without saying so twice."""
    shown = answer(capsys, "capacity", "--system", "dgx-h200", "--domains", "9", "--model", "deepseek-v3-r1",
                   "--format", "fp8")  # fmt: skip

    assert shown["gpus"] == 72
    assert "(9 domains of 8)" in shown["headline"]


def test_a_rack_against_nine_nodes(capsys):
    """Two systems, one load: requests that fit, step, cost and the price that breaks even."""
    rack, nodes = answer(capsys, "compare-systems", "--usd-per-gpu-hour", "8,-")["results"]

    assert (rack["gpus"], nodes["gpus"], nodes["domains"]) == (72, 72, 9)
    assert rack["usd_per_million_tokens"] > 0
    assert nodes["usd_per_million_tokens"] is None
    assert nodes["break_even_usd_per_gpu_hour"] == pytest.approx(8 * nodes["worth"])


def test_domains_of_a_compared_system_can_be_stated(capsys):
    """``ID:DOMAINS`` takes so many domains, whatever the other system has."""
    shown = answer(capsys, "compare-systems", "--systems", "gb200-nvl72,dgx-h200:4")

    assert [item["gpus"] for item in shown["results"]] == [72, 32]


@pytest.mark.parametrize(
    "options",
    [
        ("--systems", "dgx-h100"),
        ("--systems", "dgx-h100,nowhere"),
        ("--systems", "dgx-h100:x,dgx-h200"),
        ("--systems", ","),
        ("--usd-per-gpu-hour", "1,2,3"),
        ("--usd-per-gpu-hour", "-1"),
        ("--usd-per-gpu-hour", "dear"),
        ("--tpot-ms", "0"),
    ],
)
def test_an_impossible_comparison_is_one_line(capsys, options):
    """What cannot be compared is named in one line, exit 2."""
    status, out, err = ask(capsys, "compare-systems", *options)

    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_requests_that_divide_unevenly_are_not_counted_twice():
    """1,024 requests on 72 GPUs give 1,024 tokens a step, although the fullest GPU decodes fifteen of them."""
    question = {"system": "gb200-nvl72", "model": "deepseek-v3-r1", "context": 8192, "sequences": 1024}
    serving = call.answer("capacity", question)["serving"]

    assert serving["tokens_per_s_per_gpu"] == pytest.approx(1024 / 72 / serving["tpot_s"])


def test_an_engine_has_one_interval_everywhere(capsys):
    """Text and JSON give TTFT the interval of first tokens, and the engine's times that of its own runs."""
    options = "--software", "vllm", "--input-tokens", "1024", "--output-tokens", "256", "--tokens", "64"
    shown, text = answer(capsys, "tp", *options), ask(capsys, "tp", *options)[1]
    serving, step = shown["serving"], shown["chunked_prefill"]
    alone, steps = (level_span(gpu("h100-sxm"), other_engine=other) for other in (False, True))
    first = alone.of_first_token().of(serving["ttft_s"])

    assert (serving["ttft_low_s"], serving["ttft_high_s"]) == pytest.approx(first)
    assert serving["tpot_high_s"] == pytest.approx(alone.high * serving["tpot_s"])
    assert serving["engine_tpot_high_s"] == pytest.approx(steps.high * serving["engine_tpot_s"])
    assert step["decode_step_high_s"] == pytest.approx(steps.high * step["decode_step_s"])
    for name in ("ttft", "tpot", "engine_ttft", "engine_tpot"):
        low, high = (format_time(serving[f"{name}_{end}_s"]) for end in ("low", "high"))
        assert f"({low} to {high})" in text


RATE = ("--tp", "4", "--weights", "fp8", "--software", "vllm", "--request-rate", "4")
LENGTHS = ("--input-tokens", "2048", "--output-tokens", "256")


def test_a_request_rate_prints_medians_and_tails(capsys):
    """Load, tokens/s and requests at once in a line, then every latency with its four statistics."""
    _, out, _ = ask(capsys, "tp", *RATE, *LENGTHS, "--num-prompts", "200")
    shown = answer(capsys, "tp", *RATE, *LENGTHS, "--num-prompts", "200")["arrivals"]

    assert "4 requests/s arrive" in out
    for name in ("TTFT", "TPOT", "inter-token latency", "end-to-end latency"):
        assert f"\n{name}" in out
    assert format_time(shown["ttft"]["p99_s"]) in out
    assert shown["ttft"]["low"]["p99_s"] <= shown["ttft"]["p99_s"] <= shown["ttft"]["high"]["p99_s"]


@pytest.mark.parametrize(
    "options",
    [
        RATE,
        (*RATE, *LENGTHS, "--phase", "prefill", "--context", "2048"),
        (*RATE, *LENGTHS, "--compute-us", "100"),
        (*RATE, *LENGTHS, "--num-prompts", "5001"),
        (*LENGTHS, "--num-prompts", "10"),
        (*LENGTHS, "--dataset", "sharegpt"),
        (*RATE, *LENGTHS, "--system", "rtx-4090-x8", "--tp", "2"),
    ],
)
def test_a_rate_that_cannot_be_followed_is_one_line(capsys, options):
    """Without lengths, in prefill, with compute of one's own, too many prompts, no memory: said, never left out."""
    status, out, err = ask(capsys, "tp", *options)

    assert (status, out) == (2, "")
    assert "--request-rate" in err or "--num-prompts" in err
    assert err.count("\n") == 1
