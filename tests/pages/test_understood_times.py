"""Times in Home's question box: which of them is a TPOT target, and that no other is lost without a word."""

import pytest

from pages.ui.home.understood.link import link
from pages.ui.home.understood.question import read
from pages.ui.home.understood.unread import unread


@pytest.mark.parametrize(
    ("question", "target_ms", "lost"),
    [
        ("all-reduce of 64 MiB takes 5 ms on 8 H100, is that fine?", None, ("5 ms",)),
        ("all-reduce of 64 MiB within 5 ms on 8 H100", None, ("5 ms",)),
        ("train llama 70b on 512 H100, step 900 ms", None, ("900 ms",)),
        ("train llama 70b on 512 H100 within 900 ms", None, ("900 ms",)),
        ("llama 70b on 8 h200 within 1,200 ms", None, ("1,200",)),
        ("llama 70b on 8 h200 within 40 ms, step 60 ms", 40.0, ("60 ms",)),
        ("llama 70b on 8 h200 at most 12.5 ms", 12.5, ()),
        ("llama 70b on 8 h200, 40 ms per token", 40.0, ()),
        ("llama 70b on 8 h200, latency target of 40 ms", 40.0, ()),
        ("llama 70b on 8 h200, tpot 0 ms", None, ("tpot 0 ms",)),
        ("llama 70b on 8 h200, ttft 500 ms", None, ("ttft 500 ms",)),
        ("decode llama 70b on 8 h200, ttft 500 ms, tpot 20 ms", 20.0, ("ttft 500 ms",)),
        ("decode llama 70b on 8 h200, ttft under 500 ms", None, ("ttft under 500 ms",)),
        ("llama 70b on 8 h200, 500 ms ttft 20 ms tpot", 20.0, ("500 ms ttft",)),
        ("llama 70b on 8 h200, tpot 20 ms ttft 500 ms", 20.0, ("ttft 500 ms",)),
    ],
)
def test_only_a_time_that_is_called_a_target_is_one(question, target_ms, lost):
    """A limit of TPOT is a target, beside TTFT too; the time of anything else is repeated as not understood."""
    parts = read(question)

    assert (parts.target_ms, parts.unread) == (target_ms, lost)


def test_tpot_beside_ttft_is_about_decode():
    """Who states a TPOT asks about decode, whatever else is said of the prompt."""
    carried = link("tensor_parallel", read("llama 70b on 8 h200, ttft 500 ms, tpot 20 ms")).inputs

    assert carried["tpot_ms"] == "20"
    assert "phase" not in carried
    assert link("tensor_parallel", read("llama 70b on 8 h200, ttft")).inputs["phase"] == "prefill"


@pytest.mark.parametrize(
    ("question", "rate", "at_once"),
    [
        ("llama 70b at 4 requests/s", 4.0, None),
        ("llama 70b, 1,000 requests per second", 1000.0, None),
        ("llama 70b 2.5 qps, 64 requests", 2.5, 64),
        ("vllm bench_serving --request-rate 8", 8.0, None),
        ("llama 70b, 64 concurrent requests", None, 64),
        ("llama 70b at 0 requests/s", None, None),
    ],
)
def test_a_rate_of_requests_is_no_number_of_them(question, rate, at_once):
    """Requests that arrive in a second are told from requests at once, wherever the page holds both."""
    parts = read(question)

    assert (parts.request_rate, parts.requests) == (rate, at_once)


@pytest.mark.parametrize(
    ("question", "lengths", "lost"),
    [
        ("llama 70b isl 2048 osl 256", {"ISL": 2048, "OSL": 256}, ()),
        ("llama 70b ISL/OSL 1024/8k", {"ISL": 1024, "OSL": 8192}, ()),
        ("llama 70b, 1,024 input tokens and 512 output tokens", {"ISL": 1024, "OSL": 512}, ()),
        ("llama 70b isl=0, osl 1, osl 2", {"OSL": 1}, ("isl=0", "osl 2")),
        ("llama 70b, 8k context", {}, ()),
    ],
)
def test_lengths_of_a_benchmark_are_the_inputs_of_its_page(question, lengths, lost):
    """ISL and OSL open the throughput of such requests; a context length is none of them."""
    parts = read(question)
    inputs = link("tensor_parallel", parts).inputs

    assert (parts.lengths, parts.unread) == (lengths, lost)
    assert [inputs.get(key) for key in ("full_prompt", "full_output") if key in inputs] == [
        str(tokens) for tokens in lengths.values()
    ]
    assert ("tab" in inputs) == bool(lengths)


def test_a_rate_is_lost_where_no_page_has_one():
    """A comparison follows no arrivals: rate and lengths stand among what is in no link."""
    parts = read("h100 vs b200 for llama 70b at 5 requests/s, isl 128")

    assert unread(parts, [link("scenarios", parts)]) == ("5 requests/s", "ISL 128")
    assert unread(parts, [link("tensor_parallel", parts)]) == ()


def test_a_target_is_lost_where_no_page_has_one():
    """The link of the training page holds no TPOT: the target stands among what is in no link."""
    parts = read("llama 13b on 8 h200 at 40 ms tpot")
    training, serving = (link(page, parts) for page in ("training", "tensor_parallel"))

    assert unread(parts, [training]) == ("13b", "TPOT target 40 ms")
    assert unread(parts, [training, serving]) == ("13b",)
