"""The page NVL72 capacity: domains of every size, the edge, experts and stages."""

import re

import pytest

from core.calculators.capacity import edge_steps
from core.catalog import system
from core.units import MIB, format_time
from tests.pages.charts import drawn

SIZES = "Domain sizes"
RACK = {
    "system": "gb200-nvl72",
    "model": "deepseek-v3-r1",
    "weights": "fp8",
    "requests": 1024,
    "context": 8192,
}


def table(app, column):
    """The table that has this column."""
    return next(table.value for table in app.dataframe if column in table.value)


def billions(text):
    """Parameters such as 405B or 12.1T, in billions."""
    return float(text[:-1]) * (1000 if text.endswith("T") else 1)


def page_text(app):
    """All text of a page."""
    return " ".join(element.value for element in (*app.markdown, *app.caption))


def test_the_usual_domains_are_rows(visit):
    """Domains of 8 to 576 stand beside each other with both conventions of their fabric."""
    shown = table(visit("nvl72", tab=SIZES), "bisection (TB/s)").set_index("GPUs")

    assert list(shown.index) == ["8", "36", "72 (here)", "144", "256", "576"]
    assert shown.loc["72 (here)", "aggregate (TB/s)"] == "129.6 | 64.8"
    assert shown.loc["72 (here)", "bisection (TB/s)"] == "64.8 | 32.4"


def test_any_other_domain_is_a_row(visit):
    """A size of the reader's joins the table, the bars and the edge."""
    sizes, edge = (visit("nvl72", other_domain=100, tab=tab) for tab in (SIZES, "Edge of the domain"))

    assert "100" in list(table(sizes, "bisection (TB/s)")["GPUs"])
    assert 100 in set(table(edge, "leaving domain")["GPUs"])


def test_nvfp4_counts_its_scales(visit):
    """Half the bits and a scale hold less than twice the parameters of FP8."""
    shown = table(visit("nvl72", tab=SIZES), "TPOT floor, batch 1")
    eight, four = (billions(shown[key][0]) for key in ("FP8", "NVFP4"))

    assert four == pytest.approx(eight * 8 / 4.5, rel=1e-2)


def test_the_edge_is_what_core_answers(visit):
    """The table of the edge holds the times of the library, and the Rubin rack is marked announced."""
    shown = table(visit("nvl72", tab="Edge of the domain"), "leaving domain")
    edge = edge_steps((system("gb200-nvl72"),), (144,), 64 * MIB)[0]
    mine = shown[(shown["GPUs"] == 144) & shown["system"].str.startswith("GB200")].iloc[0]

    assert mine["all-to-all"] == format_time(edge.all_to_all_s)
    assert mine["all-reduce"] == format_time(edge.all_reduce_s)
    assert mine["leaving domain"] == "50 %"
    assert any("announced" in name for name in shown["system"])
    assert {"DGX H100, InfiniBand NDR 4x", "DGX H100, InfiniBand XDR 4x"} <= set(shown["system"])


def test_nodes_of_eight_step_at_eight(visit):
    """On Hopper nodes the sentence is about 8 and 16 GPUs."""
    assert "From 8 to 16 GPUs" in page_text(visit("nvl72", tab="Edge of the domain", system="dgx-h100"))


def test_a_box_without_network_has_no_edge(visit):
    """Without a network nothing is said about crossing one."""
    app = visit("nvl72", tab="Edge of the domain", system="rtx-4090-x8", model="llama-3.1-8b")

    assert not app.exception
    assert "no group crosses its edge" in page_text(app)


def test_nonsense_for_the_size_is_explained(visit):
    """A size that is none is one line."""
    app = visit("nvl72", tab="Edge of the domain", edge_size="many")

    assert not app.exception
    assert any("size" in box.value for box in app.warning)


def test_experts_have_slots_and_an_exchange(visit):
    """256 experts over 72 GPUs are four slots each, 32 of them copies."""
    text = page_text(visit("nvl72", tab="Expert parallelism"))

    assert "4 slots per GPU, 288 in all, 32 of them redundant" in text
    assert "dispatch and combine take" in text


def test_a_stage_moves_less_than_an_exchange(visit):
    """A boundary sends 14 KiB a token, dispatch and combine of a layer up to twelve times that; the bubble is 1/9."""
    text = page_text(visit("nvl72", tab="Pipeline stages"))

    assert "14 KiB" in text
    assert "168 KiB" in text
    assert "11.1 %" in text


def test_a_dense_model_exchanges_nothing(visit):
    """Without experts the page says so and still compares stages."""
    experts, stages = (
        visit("nvl72", tab=tab, system="gb200-nvl72", model="llama-3.1-405b")
        for tab in ("Expert parallelism", "Pipeline stages")
    )

    assert any("No experts" in box.value for box in experts.info)
    assert "A pipeline boundary sends" in page_text(stages)


def test_more_sequences_shrink_what_is_free(visit):
    """The cache of more sequences is seen in every domain."""
    few, many = (visit("nvl72", tab=SIZES, **RACK | load) for load in ({}, {"requests": 16384}))

    assert list(table(few, "TPOT floor, batch 1")["free"]) != list(table(many, "TPOT floor, batch 1")["free"])


def test_bars_stand_for_every_domain(visit):
    """Each domain has its stacked bar against the limit."""
    chart = next(chart for chart in drawn(visit("nvl72")) if "fullest GPU" in chart.words)
    order = chart.spec["layer"][0]["encoding"]["y"]["sort"]

    assert order == ["8 GPUs", "36 GPUs", "72 GPUs (here)", "144 GPUs", "256 GPUs", "576 GPUs"]


def test_a_better_layout_is_named(visit):
    """Four KV heads over TP8 keep the cache twice: a narrower degree holds more, and the page says so."""
    app = visit("nvl72", system="gb200-nvl72", model="qwen3-235b-a22b", rack_tp=8, rack_gpus=72)

    assert any("TP4 with DP attention of 18 would hold" in box.value for box in app.info)


def test_nine_nodes_are_72_gpus(visit, headline):
    """Domains count: nine nodes of H200 hold the model, and the headline says how many GPUs of how many domains."""
    text = headline(visit("nvl72", **RACK | {"system": "dgx-h200", "domains": 9}))

    assert "fits 72 GPUs of DGX H200 (9 domains of 8)" in text


def test_a_rack_against_nine_nodes(visit):
    """The rack and the same number of H200 stand beside each other with a verdict and a break-even price."""
    app = visit("nvl72", **RACK, serving_usd=8.0)
    shown = table(app, "requests that fit")

    assert list(shown["system"]) == ["72 GPUs of GB200 NVL72", "72 GPUs of DGX H200 (9 domains of 8)"]
    assert "breaks even at" in page_text(app)


def test_a_system_that_serves_nothing_says_why_in_words(visit):
    """405B in BF16 fits no eight H100: the reason follows the system's name, without the argument of core."""
    captions = [box.value for box in visit("nvl72", model="llama-3.1-405b").caption]

    assert any(text.startswith("DGX H100: no layout of Llama 3.1 405B fits") for text in captions), captions


def test_the_decode_step_at_the_load_stands_beside_its_floor(visit):
    """The floor is labelled as that of one request; the step at 1,024 requests has a figure of its own."""
    labels = [metric.label for metric in visit("nvl72", **RACK).metric]

    assert {"TPOT at 1,024", "TPOT floor, batch 1"} <= set(labels)


def test_a_latency_target_limits_the_load(visit, headline):
    """With a target the headline names the largest number of requests within it."""
    assert "Largest batch within a TPOT of 20 ms" in headline(visit("nvl72", **RACK, tpot_ms=20.0))


def test_parameters_alone_have_nothing_to_compare(visit):
    """Without a shape the section says what it needs."""
    app = visit("nvl72", system="gb200-nvl72", model="yours")

    assert not app.exception
    assert any("model of known shape" in box.value for box in app.info)


def test_more_requests_than_anyone_has_are_refused(visit):
    """A quadrillion requests are a slip of the hand: explained, not 167,772,160,000 TB on a GPU."""
    app = visit("nvl72", requests=10**15)

    assert not app.exception
    assert any("Concurrent requests: " in box.value for box in app.warning)


@pytest.mark.parametrize("software", ["auto", "trtllm", "nccl"])
def test_a_layout_has_one_tpot_on_every_page(visit, software):
    """One group of eight GPUs serving one load has the TPOT of the tensor parallelism page, whatever communicates."""
    question = {"system": "dgx-h100", "model": "llama-3.1-70b", "requests": 32, "software": software}
    rack = visit("nvl72", **question, rack_tp=8)
    group = visit("tensor_parallel", **question, tp=8)
    tpot = next(item.value for item in rack.metric if item.label == "TPOT at 32")
    step = next(item.value for item in group.metric if item.label == "TPOT")

    assert tpot == step


def test_the_headline_has_the_step_and_the_verdict(visit, headline):
    """The TPOT at the load and what the rack is worth stand in the headline; without a price the table asks for one."""
    app = visit("nvl72", **RACK)
    text = headline(app)

    assert "**TPOT " in text
    assert "at 1,024 concurrent requests" in text
    assert "tokens/s per GPU, 1." in text
    assert "may cost up to" in text
    assert set(table(app, "$ per M tokens")["$ per M tokens"]) == {"type a price"}


def test_the_system_of_the_question_is_always_compared(visit, headline):
    """Of three systems the verdict names the one that was asked about, be it the slowest."""
    assert "DGX H100" in headline(visit("nvl72", system="dgx-h100")).partition("swap_horiz")[2]


def test_systems_are_compared_where_the_one_of_the_question_serves_nothing(visit, headline):
    """Llama 70B on eight RTX 4090: the headline says so and compares the two that do serve it."""
    text = headline(visit("nvl72", system="rtx-4090-x8", model="llama-3.1-70b", requests=64))
    verdict = text.partition("do not serve it.")[2]

    assert "8 GPUs of 8 x RTX 4090 do not serve it." in text
    assert "GB200 NVL72 make" in verdict
    assert "DGX H200" in verdict
    assert "Only" not in verdict


def test_a_sentence_speaks_of_one_load(visit, headline):
    """32 requests on 72 attention groups: TPOT, rate and the comparison are all of 32, each with its layout."""
    app = visit("nvl72", **{**RACK, "requests": 32})
    text = headline(app)
    step = re.search(
        r"TPOT ([\d.]+) ms\*\* at 32 concurrent requests, ([\d.]+) tokens/s per GPU, in ([TEPx\d ]+)\.", text
    )

    assert step, text
    assert 32 / float(step[1]) * 1000 / 72 == pytest.approx(float(step[2]), rel=0.02)
    assert step[3] == "TP1 EP72 x 1"
    assert "Each in its best layout." in text
