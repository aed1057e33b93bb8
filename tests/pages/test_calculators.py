"""Reactions of the calculators: what is changed changes the answer, in the right direction."""

import json

import pytest

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario as Collective
from core.systems import CustomSystem, custom_system, system_json
from core.units import MIB
from pages.ui.collectives.summary import detail
from pages.ui.shared import overlay


def metric(app, label):
    """The value of a figure by its label."""
    return next(metric.value for metric in app.metric if metric.label == label)


def test_more_bytes_take_longer_on_every_level(visit):
    """A copy a thousand times as large takes a thousand times as long on the network."""
    small, large = visit("bandwidth_hierarchy"), visit("bandwidth_hierarchy", copy_size="1 TB")

    assert metric(small, "Network") == "20 ms"
    assert metric(large, "Network") == "20 s"


def test_the_published_convention_is_told_to_be_optimistic(visit):
    """Published rates say in one line why they are too fast."""
    app = visit("bandwidth_hierarchy", rates="published")

    assert any("2x too fast" in box.value for box in app.warning)


def test_a_kv_cache_is_offloaded_by_its_tokens(visit):
    """The page counts the bytes of a cache from model, context and format."""
    app = visit("bandwidth_hierarchy", payload="KV cache", requests=1, context=32768)

    assert any("10.7 GB" in caption.value for caption in app.caption)


def test_ring_on_datasheet_rates_is_the_textbook_figure(visit, headline):
    """Eight GPUs at 450 GB/s without latency reach exactly the link's rate with a ring."""
    app = visit("collectives", rates="spec", latency_us=0, algorithm="ring", size="16 GiB")

    assert "450 GB/s of bus bandwidth" in headline(app)


def test_a_slider_moved_changes_the_sentence(visit, headline):
    """Another message size is another answer."""
    app = visit("collectives")
    before = headline(app)
    app.text_input(key="size").set_value("64 KiB").run()

    assert "64 KiB" in headline(app)
    assert headline(app) != before


def test_measured_times_adapt_the_model(visit):
    """One measured small all-reduce of one's own moves the predicted time towards it."""
    plain = visit("collectives", size="8 KiB")
    own = visit("collectives", size="8 KiB", rates="yours", measured_8k_us=60)

    assert metric(plain, "Time") != metric(own, "Time")
    assert any("Adapted to your" in text.value for text in own.caption)


def test_the_badge_says_which_rates_answered(visit):
    """A tree inside a domain has no calibration: the datasheet answers, and the badge does not hide it."""
    usual, tree = visit("collectives"), visit("collectives", algorithm="tree")

    assert any("calibrated rates" in text.value for text in usual.markdown)
    assert not any("calibrated rates" in text.value for text in tree.markdown)
    assert any("spec rates" in text.value for text in tree.markdown)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"system": "dgx-h100"}, "Calibrated on published measurements of NVLink Hopper systems."),
        ({"system": "gb200-nvl72"}, "Extrapolated from measurements of NVLink Blackwell systems"),
        ({"system": "dgx-1-p100"}, "Composed from link rate and step latency"),
        ({"rates": "yours", "measured_8k_us": 40}, "Adapted to your measured times (1 point)."),
        ({"rates": "spec"}, "Datasheet rates alone"),
        ({"domains": 4}, "Beyond the scale-up domain: with more than 8 GPUs data crosses the network"),
    ],
)
def test_the_headline_says_what_the_answer_rests_on(visit, query, sentence):
    """Calibrated, extrapolated, composed of parts, adapted or the datasheet: said without opening anything."""
    app = visit("collectives", **query)

    assert any(sentence in caption.value for caption in app.caption)


def test_a_crossover_of_latency_is_given_in_time(visit):
    """On plain formulas the step latency has a crossover too: microseconds, not bytes a second."""
    app = visit("collectives", system="dgx-a100", rates="spec", size="1 MiB")

    text = " ".join(text.value for text in app.markdown)
    assert "at a step latency of" in text
    assert " 0 B/s per GPU" not in text


def test_a_degree_that_does_not_divide_the_heads_lists_those_that_do(visit):
    """72-way tensor parallelism of 64 heads is explained with the valid degrees."""
    app = visit("tensor_parallel", tp=72, system="gb200-nvl72")

    assert any("one of 1, 2, 4, 8, 16, 32, 64" in box.value for box in app.warning)


def test_one_gpu_communicates_nothing(visit, headline):
    """Without a group there is no share to pay."""
    assert "communication would take 0 % of each decode step" in headline(visit("tensor_parallel", tp=1))


def test_ddp_of_a_large_model_is_called_hypothetical(visit):
    """A replica that does not fit the GPU is priced, and said to be hypothetical."""
    app = visit("gradient_sync", model="llama-3.1-70b", strategy="ddp")

    assert any("hypothetical" in box.value for box in app.warning)


def test_more_domains_wait_longer(visit):
    """Across nodes one sync takes longer than inside one."""
    inside, across = visit("gradient_sync", gpus=8), visit("gradient_sync", gpus=128)

    assert metric(inside, "Communication") != metric(across, "Communication")


def test_a_model_too_large_for_the_rack_says_what_is_too_large(visit, headline):
    """BF16 weights of a trillion parameters with a long cache do not fit, and the part is named."""
    app = visit("nvl72", system="gb200-nvl72", model="kimi-k2", weights="bf16", rack_gpus=8)

    assert "does not fit" in headline(app)


def test_the_rack_is_quoted_as_printed_and_as_used(visit):
    """130 TB/s is the bidirectional aggregate; the bisection is half of it."""
    app = visit("nvl72")

    assert metric(app, "Aggregate BW").startswith(("129.6", "130"))
    assert metric(app, "Bisection BW") == "64.8 TB/s"


def test_a_card_without_nvlink_is_told_so(visit, headline):
    """The RTX 4090 has none, the RTX 3090 has a bridge."""
    assert headline(visit("catalog", card="rtx-4090")).startswith("## No")
    assert headline(visit("catalog", card="rtx-3090")).startswith("## Yes")


def test_rumours_stay_hidden_until_asked_for(visit):
    """A rumoured model is offered only with the switch, and then marked."""
    plain, unverified = (
        visit("catalog", section="Models"),
        visit("catalog", section="Models", unverified="true"),
    )
    hidden, shown = plain.dataframe[0].value, unverified.dataframe[0].value

    assert len(shown) > len(hidden)
    assert any("rumour" in word for word in shown["confidence"])
    assert not any("rumour" in word for word in hidden["confidence"])


def test_every_catalog_row_has_source_and_confidence(visit):
    """No row of any section goes without a document behind it."""
    for section in ("NVLink", "NVSwitch", "PCIe", "Networks", "GPUs", "Systems", "Models"):
        for table in visit("catalog", section=section, unverified="true").dataframe:
            frame = table.value
            assert all(frame["sources"])
            assert "confidence" not in frame or all(frame["confidence"])


CONFIG = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
}


@pytest.mark.parametrize(("page", "key"), [("tensor_parallel", "model"), ("nvl72", "model")])
def test_a_model_of_ones_own(visit, headline, page, key):
    """A config.json is asked for, read, and answered as one's own."""
    app = visit(page, **{key: "config.json"})
    assert any("config.json" in box.value for box in app.warning)
    app.file_uploader(key=f"_{key}_file").upload("mine.json", json.dumps(CONFIG).encode())
    app.run()

    assert not app.exception
    assert "mine.json" in headline(app)


def test_a_system_file_of_ones_own(visit, headline):
    """The file that one page saves is the machine that another reads."""
    text = json.dumps(system_json(custom_system(CustomSystem("b200-sxm", 4, name="my box"))))
    app = visit("collectives", system="file")
    app.file_uploader(key="_system_file").upload("system.json", text.encode())
    app.run()

    assert "over 4 GPUs" in headline(app)
    assert any("my box" in caption.value for caption in app.caption)


def test_a_broken_system_file_is_explained(visit):
    """A file that is no machine is one line on the page."""
    app = visit("collectives", system="file")
    app.file_uploader(key="_system_file").upload("system.json", b'{"gpu": "h100-sxm"}')
    app.run()

    assert not app.exception
    assert any("domain" in box.value for box in app.error)


def test_a_link_to_a_rumoured_model_opens_it_marked(visit, headline):
    """Unverified models are reached by an address that asks for them, and are called rumours."""
    app = visit("nvl72", unverified="true", system="gb200-nvl72", model="gpt-4-class-1.8t-moe", weights="fp4")

    assert "1.8T" in headline(app)
    assert any("rumour" in box.value for box in app.warning)


@pytest.mark.parametrize(("key", "value"), [("system", "dgx-h900"), ("ranks", "0"), ("domains", "-2")])
def test_a_link_that_cannot_be_met_is_told(visit, key, value):
    """An unknown name or a number out of range in the address is named, not silently replaced."""
    app = visit("collectives", **{key: value})

    assert any(f"asks for {value}" in box.value for box in app.warning)


def test_a_link_that_can_be_met_says_nothing(visit):
    """Numbers written in another way, defaults and switches are no news."""
    app = visit(
        "collectives", system="dgx-a100", ranks="4", oversubscription="1", unverified="True", domains=1
    )

    assert not any("asks for" in box.value for box in app.warning)


def test_the_word_on_a_refused_link_goes_when_the_input_is_changed(visit):
    """What was not taken is told until another system is chosen."""
    app = visit("collectives", system="dgx-h900")
    app.selectbox(key="system").set_value("dgx-a100").run()

    assert not any("asks for" in box.value for box in app.warning)


def test_a_degree_that_does_not_fit_is_not_called_worth_it(visit, headline):
    """Weights beyond the memory of the group are said to be so in the first sentence."""
    app = visit("tensor_parallel", model="llama-3.1-405b")

    assert "does not fit" in headline(app)
    assert "No degree fits the memory" in headline(app)


def test_no_strategy_is_said_to_fit_when_none_does(visit, headline):
    """On eight GPUs of 80 GB no strategy holds 405 billion parameters with their states."""
    assert "No strategy fits the memory" in headline(visit("gradient_sync", model="llama-3.1-405b"))


def test_rounding_overlaps_with_nothing(visit, headline):
    """Without backward nothing overlaps, not even a billionth of a microsecond."""
    assert "0 s of it is overlapped" in headline(visit("gradient_sync", backward_ms=0))


def test_a_typed_latency_is_not_called_calibrated(visit):
    """Formulas on a latency of one's own answer: neither badge nor side says calibrated."""
    app = visit("collectives", latency_us="5")

    assert any("spec rates" in text.value for text in app.markdown)
    assert any("no calibration" in caption.value for caption in app.caption)


def test_an_unstated_link_is_not_called_absent(visit, headline):
    """The announced card has a link whose rate nobody stated; only cards without one are counted as such."""
    assert "Not stated" in headline(visit("catalog", card="rubin-ultra", unverified="true"))
    assert "have no GPU-to-GPU link" in headline(visit("catalog", section="GPUs", unverified="true"))


def test_one_rank_draws_no_empty_chart(visit, headline):
    """Where nothing moves, words stand in place of charts of time."""
    app, parts = visit("collectives", ranks=1), visit("collectives", ranks=1, tab="Time breakdown")

    assert "over 1 GPU costs nothing" in headline(app)
    assert any("whichever the algorithm" in box.value for box in app.info)
    assert any("no time to share" in box.value for box in parts.info)


def test_an_impossible_measured_time_is_not_called_yours(visit):
    """A nanosecond for 8 KiB is left out: the calibration answers and the badge says so."""
    app = visit("collectives", rates="yours", measured_8k_us=0.001)

    assert any("calibrated rates" in text.value for text in app.markdown)
    assert any("no GPU takes less than" in box.value for box in app.warning)


@pytest.mark.parametrize(
    ("former", "title"),
    [
        ("compute of compute and communication", "compute / (compute + communication)"),
        ("compute share of the step", "compute / step"),
        ("step without communication over step", "step without communication / step"),
    ],
)
def test_an_old_link_still_selects_its_definition(visit, former, title):
    """Links made before the definitions were renamed open the same definition without a warning."""
    app = visit("gradient_sync", definition=former)

    assert app.selectbox(key="definition").value == title
    assert not any("asks for" in box.value for box in app.warning)


def test_a_rejected_input_below_the_headline_is_reported(visit):
    """An option that the address asks for is named, wherever on the page its widget stands."""
    app = visit("gradient_sync", definition="guess")

    assert sum("asks for guess" in box.value for box in app.warning) == 1


def test_the_shaded_region_ends_at_the_crossover_of_the_headline():
    """The chart and the sentence state one size for one crossover."""
    result = detail(
        Collective(system=SYSTEMS["dgx-h100"], collective="all_reduce", ranks=8, size_bytes=16 * MIB)
    )
    sizes = [item.value for item in result.answer.crossovers if item.input == "size_bytes"]
    edges = overlay.regions(result.sweep, sizes)

    assert sizes
    assert set(sizes) <= set(edges["from_bytes"])
    assert list(edges["to_bytes"])[:-1] == list(edges["from_bytes"])[1:]


def test_one_gpu_is_one_gpu(visit):
    """A job on a single GPU is not said to run on several."""
    texts = " ".join(item.value for item in visit("gradient_sync", gpus=1).markdown)

    assert "over 1 GPU:" in texts
    assert "1 GPUs" not in texts


def test_dollars_in_a_reason_are_no_formula(visit):
    """A single dollar sign of Markdown would begin a formula with the next one: each is escaped."""
    texts = [item.value for item in visit("gradient_sync").markdown if "a month" in item.value]

    assert any("\\$" in text for text in texts)
    assert not any("$" in text.replace("\\$", "") for text in texts)
