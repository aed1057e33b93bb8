"""Serving answers on the pages: which degree, latency target, cost, links of this machine, badges."""

from core.calculators.layouts import serving_link_value
from core.calculators.serving import Engine, engine_service
from core.calculators.tensor_parallel import Objective, Scenario, answer
from core.catalog import model, system
from core.units import MS, format_time

PLAIN = {"implementation": "nccl", "launch": "stream"}
"""NCCL in a stream, which the calculators take where nobody names an engine."""
SERVING, PCIE = {"tab": "Serving: TTFT, TPOT, cost, largest batch"}, {"tab": "What if PCIe?"}
"""Tabs of the page Tensor parallelism."""


def table(app, column):
    """The table that has this column."""
    return next(table.value for table in app.dataframe if column in table.value)


def text(app):
    """All text of a page."""
    return " ".join(element.value for element in (*app.markdown, *app.caption))


def badges(app):
    """The words of the badges."""
    return " ".join(part.value for part in app.markdown if "-badge[" in part.value)


def test_tp4_or_tp8_stands_in_the_headline(visit, headline):
    """The verdict of the calculator is part of the answer in large letters."""
    verdict = answer(Scenario(system("dgx-h100"), model("llama-3.1-70b"))).verdict

    assert verdict.text in headline(visit("tensor_parallel", **PLAIN))


def test_a_latency_target_and_a_price_reach_figures_and_table(visit, headline):
    """The largest batch within the target is in the headline; cost per million tokens in figures and table."""
    asked = {"tpot_ms": 20.0, "serving_usd": 3.0, "prompt": 1000}
    app = visit("tensor_parallel", software="nccl", **SERVING, **asked)
    metrics = {metric.label: metric.value for metric in app.metric}
    rows = table(app, "largest batch").set_index("degree")

    assert "Largest batch within a TPOT of 20 ms: 80 concurrent requests" in headline(app)
    assert metrics["$ per M tokens"] == rows.loc["TP8", "$ per M tokens"] == "$3.12"
    assert rows.loc["TP8", "limit"] == "latency target"


def test_the_engine_bounds_the_largest_batch_and_adds_its_time(visit):
    """Requests at most, reserve, host time, hits and drafts reach figures and table, under names of their own."""
    asked = {"max_sequences": 16, "host_step_us": 5000.0, "prefix_hit": 0.5, "prompt": 1000}
    app = visit("tensor_parallel", software="nccl", **SERVING, **asked)
    metrics = {metric.label: metric.value for metric in app.metric}
    row = table(app, "largest batch").set_index("degree").loc["TP8"]
    scenario, runs = (
        Scenario(system("dgx-h100"), model("llama-3.1-70b")),
        Engine(max_sequences=16, host_step_s=5 * MS, prefix_hit=0.5),
    )
    figures = engine_service(scenario, runs, Objective(input_tokens=1000))

    assert metrics["Largest batch"] == row["largest batch"] == "16"
    assert row["limit"] == "max sequences"
    assert metrics["TPOT with engine"] == row["TPOT with engine"] == format_time(figures.engine_tpot_s)
    assert metrics["TTFT with engine"] == row["TTFT with engine"] == format_time(figures.engine_ttft_s)


def test_without_a_price_no_cost_is_shown(visit):
    """Nobody's price is assumed."""
    app = visit("tensor_parallel", **SERVING)

    assert "$ per M tokens" not in table(app, "largest batch")
    assert "$ per M tokens" not in {metric.label for metric in app.metric}


def test_a_prefill_step_is_drawn_without_a_batch(visit):
    """In prefill the table has TTFT and throughput, and no largest batch."""
    app = visit("tensor_parallel", phase="prefill", tokens=2048, **SERVING)

    assert not app.exception
    assert "largest batch" not in table(app, "TTFT")


def test_what_if_pcie_is_answered_for_this_machine(visit):
    """The page prices its own GPUs over PCIe alone, and says whether the link is needed."""
    value = serving_link_value(Scenario(system("dgx-h100"), model("llama-3.1-70b")))
    app = visit("tensor_parallel", **PLAIN, **PCIE)

    assert "so the link is needed" in text(app)
    assert list(table(app, "speed-up over PCIe")["speed-up over PCIe"]) == [f"{value.gain:.2f}×", "1.00×"]


def test_four_rtx_4090_learn_what_nvlink_would_be_worth(visit):
    """A card without NVLink is told what any link could give it."""
    words = text(visit("tensor_parallel", system="rtx-4090-x4", model="llama-3.1-8b", tp=4, **PLAIN, **PCIE))

    assert "4 x RTX 4090: communication over PCIe takes" in words
    assert "this GPU has none" in words


def test_a_badge_says_what_answered(visit):
    """A latency typed over calibrated rates is no calibration; without it the badge is."""
    assert "calibrated rates" in badges(visit("tensor_parallel"))
    assert "calibrated rates" not in badges(visit("tensor_parallel", latency_us=2.0))
