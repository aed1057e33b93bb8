"""Training step, parallelism layouts and cost: each answers, reacts, explains what cannot be, and keeps its link."""

import re
from urllib.parse import parse_qs, urlparse

import pytest

from core import catalog
from core.calculators.training import Layout, Scenario, answer
from core.systems import configure
from pages.ui.cost.plots import bill_by_cause
from pages.ui.shared import charts, palette
from tests.pages.charts import drawn

SCALING = "Scaling efficiency by definition"
PAGES = ("training", "layouts", "cost")
IMPOSSIBLE = {
    "training": ({"train_gpus": 60}, "multiple of TP x PP x CP"),
    "layouts": ({"strategy_model": "llama-3.1-405b", "strategy_gpus": 8}, "no layout"),
    "cost": ({"money_gpus": 8}, "no layout"),
}


def metric(app, label):
    """The value of a figure by its label."""
    return next(metric.value for metric in app.metric if metric.label == label)


def titles(spec):
    """Titles of every quantitative axis of a chart and its layers."""
    for channel, encoding in spec.get("encoding", {}).items():
        if channel in ("x", "y") and encoding.get("type") == "quantitative":
            yield encoding.get("title")
    for layer in spec.get("layer", []):
        yield from titles(layer)


@pytest.mark.parametrize("name", PAGES)
def test_page_answers_and_draws(visit, headline, name):
    """A sentence at the top, charts with a name and axes with titles, no exception."""
    app = visit(name)
    charts = drawn(app)

    assert not app.exception
    assert not app.warning
    assert len(headline(app)) > 40
    assert charts
    for chart in charts:
        assert any(letter.isdigit() for letter in chart.words), chart.words
        named = list(titles(chart.spec))
        assert not named or any(named)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("rates", ["spec", "published", "yours"])
def test_page_answers_with_every_kind_of_rates(visit, headline, name, rates):
    """The shared list of rates reaches these pages too."""
    app = visit(name, rates=rates)

    assert not app.exception
    assert headline(app)


@pytest.mark.parametrize("name", PAGES)
def test_what_cannot_be_is_explained(visit, name):
    """One warning that names what is wrong, never a traceback."""
    query, words = IMPOSSIBLE[name]
    app = visit(name, **query)

    assert not app.exception
    assert any(words in box.value for box in app.warning)
    assert any("v=" in block.value for block in app.code), (
        "the full link is there to copy without an answer too"
    )


@pytest.mark.parametrize("name", PAGES)
def test_a_machine_without_a_network_is_explained_or_answered(visit, name):
    """Two cards and no NIC: many GPUs cannot be reached, and the page says which networks there are."""
    app = visit(name, system="rtx-3090-x2")

    assert not app.exception
    assert any("network" in box.value.lower() for box in app.warning)


@pytest.mark.parametrize("name", PAGES)
def test_the_full_link_asks_the_same_question(visit, headline, name):
    """Every input is in the link, and the link gives the same sentence."""
    app = visit(name)
    link = next(block.value for block in app.code if "v=" in block.value)
    query = parse_qs(urlparse(link).query)
    again = visit(name, **{key: value if len(value) > 1 else value[0] for key, value in query.items()})

    assert {"v", "system", "rates", "domains"} <= set(query)
    assert not again.exception
    assert headline(again) == headline(app)


def test_the_step_of_a_known_job_is_near_what_its_framework_publishes(visit, headline):
    """Llama 3.1 70B on 64 H100, published at 14.7 s: the band holds it."""
    assert "A step takes 14.3 s (13 s to" in headline(visit("training", batch=128))


def test_virtual_pipeline_stages_make_a_smaller_bubble(visit):
    """Interleaving shrinks the bubble of a pipeline."""
    plain, interleaved = visit("training", train_vpp=1), visit("training", train_vpp=5)

    assert float(metric(plain, "Pipeline bubble").split()[0]) > float(
        metric(interleaved, "Pipeline bubble").split()[0]
    )


def test_a_layout_that_does_not_fit_is_warned_of(visit, headline):
    """A 70B model on one GPU a stage overflows it; the page still answers and names one that fits."""
    app = visit("training", train_tp=1, train_pp=1, train_vpp=1, train_cp=1)

    assert any("does not fit" in box.value for box in app.warning)
    assert "As it stands this layout does not fit; the fastest that does" in headline(app)


def test_a_large_job_takes_as_many_domains_as_it_needs(visit, headline):
    """16,384 GPUs are 2,048 nodes without being told so."""
    app = visit(
        "layouts",
        strategy_model="llama-3.1-405b",
        strategy_gpus=16384,
        strategy_batch=2048,
        strategy_seq=8192,
    )

    assert not app.exception
    assert "2,048 domains" in " ".join(caption.value for caption in app.caption)
    assert "TP8 PP16" in headline(app)
    assert "Crossovers:" in headline(app)


def test_serving_goals_rank_other_layouts(visit, headline):
    """The same page serves: by latency, and by tokens/s of a GPU."""
    app = visit("layouts", goal="latency", strategy_gpus=16)

    assert not app.exception
    assert "TPOT" in headline(app)
    assert "Do I need NVLink?" in app.segmented_control(key="tab").options


def test_another_axis_redraws_the_crossover_map(visit):
    """The two axes are chosen freely; twice the same is refused in words."""
    app = visit("layouts", flip_up="global batch", tab="Crossover map")
    same = visit("layouts", flip_up="network rate per GPU", tab="Crossover map")

    assert not app.exception
    assert any("global batch size" in chart.words for chart in drawn(app))
    assert any("two different inputs" in box.value for box in same.info)


def test_one_per_cent_of_a_large_cluster(visit, headline):
    """1 % of 16,384 GPUs at 3 dollars is 11,796 dollars a day (golden D), and 10 % ten times that."""
    app = visit("cost", money_from="share", lost_percent=10, gpus=16384)

    assert metric(app, "1 % per day") == "$11,796"
    assert metric(app, "Cost per day") == "$117,965"
    assert "10 % of 16,384 GPUs" in headline(app)


def test_a_faster_fabric_pays_or_does_not(visit, headline):
    """Dearer fabrics take longer to pay back; a price of nothing saves nothing."""
    cheap, dear = visit("cost", capital_per_gpu=100), visit("cost", capital_per_gpu=10000)
    free = visit("cost", money_usd=0)

    assert "paid back in" in headline(cheap)
    assert "e+" not in headline(cheap) + headline(dear)
    assert headline(cheap) != headline(dear)
    assert "would save anything" in headline(free)


def test_the_bill_by_cause_adds_up():
    """What the GPUs do with offload, too, is the whole bill."""
    system = configure(catalog.system("dgx-h100"), domains=2)
    job = Scenario(
        system,
        catalog.model("llama-3.1-8b"),
        Layout(dp=16),
        global_batch=128,
        seq=8192,
        offload_optimizer=1.0,
    )
    bill = bill_by_cause(answer(job), 1000.0)

    assert "offload" in set(bill["part"])
    assert bill["usd"].sum() == pytest.approx(1000)


@pytest.mark.parametrize("view", ["efficiency", "time", "algorithm"])
def test_gradient_sync_grows_to_thirty_two_thousand(visit, view):
    """Each view of the growth draws, and names its y axis."""
    app = visit("gradient_sync", scale_view=view)

    assert not app.exception
    assert any("vs number of GPUs" in chart.words for chart in drawn(app))


def test_gradient_sync_speaks_of_strategies_by_name(visit, headline):
    """FSDP, not fsdp, in answer and chart; the step with its interval, computed as Training step does."""
    app = visit("gradient_sync")

    assert "**FSDP** sends" in headline(app)
    assert re.search(r"Step time [\d.]+ s \([\d.]+ s to [\d.]+ s\)", headline(app))
    mfu = next(item for item in app.metric if item.label == "MFU")
    assert "compute of Training step" in headline(app)
    assert 30 < float(mfu.value.split()[0]) < 65, mfu.value
    assert any("ZeRO-1" in chart.words for chart in drawn(app))
    batch = "A step of 64 sequences: the global batch size of 512 takes 8 gradient accumulation steps."
    assert any(part.value == batch for part in app.container(key="headline").caption)
    app.number_input(key="accumulation").set_value(8).run()
    assert not any("global batch size" in part.value for part in app.container(key="headline").caption)


def test_offload_and_recomputed_operations_reach_the_step(visit, headline):
    """The link holds them, the headline tells the share that waits for the host, one warning what its threads cost."""
    app = visit("training", offload_optimizer=1.0, recompute="selective", recompute_modules=["mlp"])

    assert not app.exception
    assert ["OMP_NUM_THREADS" in text.value for text in app.warning] == [True]
    assert "offload" in headline(app)
    assert app.multiselect(key="recompute_modules").value == ["mlp"]


def test_operations_alone_ask_for_selective_recomputation(visit, headline):
    """With recomputation left to the software they reach the step; layers without full are explained."""
    plain, chosen, layers = (
        visit("training", **inputs)
        for inputs in ({}, {"recompute_modules": ["mlp"]}, {"recompute_layers": 2})
    )

    assert headline(plain) != headline(chosen)
    assert "goes with recompute full" in " ".join(text.value for text in layers.warning)


def test_stragglers_hold_in_a_stated_share_of_steps(visit):
    """The surer, the longer one waits for the slowest."""
    half, sure = (visit("gradient_sync", tab=SCALING, spread=0.02, percentile=share) for share in (0.5, 0.99))

    assert metric(half, "Straggler wait") != metric(sure, "Straggler wait")
    assert any("99 % of steps" in text.value for text in half.markdown)


def test_roce_is_compared_with_infiniband(visit):
    """One row a network; RoCE's payload is less than its line."""
    table = next(
        table.value
        for table in visit("gradient_sync", tab="InfiniBand vs RoCE").dataframe
        if "network" in table.value
    )

    assert list(table["network"]) == ["InfiniBand NDR 4x", "RoCEv2 400GbE"]
    assert list(table["payload (%)"]) == [100.0, 95.5]


def test_red_is_legible_on_a_dark_page():
    """The dark red has 4.5 to 1 against the dark theme's page; what is drawn elsewhere stays as it is."""

    def luminance(colour):
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    page = luminance("#10151c")
    drawn = charts._readable({"mark": {"color": palette.RED_LABEL}, "range": [palette.GREY]})

    assert (luminance(palette.ON_DARK[palette.RED_LABEL]) + 0.05) / (page + 0.05) > 4.5
    assert drawn == {"mark": {"color": palette.ON_DARK[palette.RED_LABEL]}, "range": [palette.GREY]}
