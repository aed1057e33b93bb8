"""Numbers that are fine as another metric, and cards of which nothing tells whether a bridge joins them."""

import pytest

from core.verdict import judge_runs
from core.verdict.recognition import system_of_file
from gpu_probe.parsers import read


def verdict_of(text):
    """The verdict on a sentence, on the system that it tells."""
    runs = read("told", text.encode())
    return judge_runs(runs, system_of_file(runs).system)[0]


@pytest.mark.parametrize(
    ("text", "status", "short"),
    [
        ("all_reduce_perf on 8x H100 SXM gives 262 GB/s", "low", "algbw told as busbw"),
        ("all_reduce_perf on 8x A100 SXM gives 135 GB/s", "low", "algbw told as busbw"),
        ("all_reduce algbw of 455 GB/s on 8x H100", "high", "busbw told as algbw"),
        (
            "all-reduce on 2 nodes of 8x H100 with 8x400G reaches 3700 GB/s",
            "impossible",
            "Gb/s told as GB/s",
        ),
        ("P2P copy between two H100 SXM GPUs reaches 760 GB/s", "impossible", "both directions told as one"),
        ("host to device copy on H100: 105 GB/s", "impossible", "both directions told as one"),
        (
            "P2P copy between two H100 SXM GPUs reaches 390 GB/s bidirectional",
            "low",
            "one direction told as both",
        ),
    ],
)
def test_a_number_that_is_fine_as_another_metric_says_which(text, status, short):
    """Among the causes stands the other metric, with the number that it then is."""
    verdict = verdict_of(text)
    (cause,) = [item for item in verdict.causes if item.reason.code in ("metric_misread", "unit_misread")]

    assert str(verdict.status) == status
    assert cause.reason.short == short
    assert cause.reason.text.startswith(f"as expected if it is {short}: then ")
    assert cause.weight <= 0.9


@pytest.mark.parametrize(
    "text",
    [
        "all_reduce_perf on 8x H100 SXM gives 262 GB/s busbw",
        "all_reduce_perf on 8x H100 SXM gives 150 GB/s",
        "all-reduce on 2 nodes of 8x H100 with 8x400G reaches 46 GB/s",
    ],
)
def test_a_metric_that_is_named_or_does_not_fit_is_no_cause(text):
    """Where words say busbw, or algbw would be slow too, the machine is slow."""
    verdict = verdict_of(text)

    assert str(verdict.status) == "low"
    assert "metric_misread" not in {cause.reason.code for cause in verdict.causes}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2x RTX 3090, all_reduce_perf busbw 11 GB/s", True),
        ("A100 PCIe pair, all_reduce busbw 19 GB/s on 2 A100 PCIe", True),
        ("2x RTX 4090, all_reduce_perf busbw 20 GB/s", False),
    ],
)
def test_two_cards_at_the_rate_of_their_slots_may_lack_a_bridge_or_use_none(text, said):
    """Fine without a bridge, low with one: the answer says so, and what tells."""
    verdict = verdict_of(text)

    assert str(verdict.status) == "fine"
    assert any("nvidia-smi topo -m shows NV#" in remark for remark in verdict.warnings) == said
