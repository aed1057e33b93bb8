"""Parallelism layouts: the headline first, then its crossovers; heavy sections only where they are looked at."""

import pytest

from core.calculators.layouts import Crossover
from pages.ui.layouts import summary
from pages.ui.shared import work
from pages.ui.shared.work import Parts
from tests.pages.charts import drawn


def texts(app):
    """Everything the page says in Markdown and captions."""
    return " ".join(part.value for part in (*app.markdown, *app.caption))


def test_the_headline_says_mfu_with_its_interval_and_memory_that_is_tight(visit, headline):
    """An MFU of 51 % where tables publish 38 to 43 % says what frameworks reach; 77 of 80 GB is flagged."""
    text = headline(visit("layouts"))

    assert " % (" in text
    assert " to " in text.split("MFU")[1]
    tight = headline(visit("layouts", model="llama-3.1-70b", gpus=32, batch=64))
    assert ("tight" in tight) == ("of 86 GB: tight" in tight)


def crossover(name, factor, to):
    """An input at a multiple of what it is now, at which another layout is best."""
    return Crossover(name, "", 8.0, 8.0 * factor, factor, "TP8", to)


def test_what_is_the_same_of_several_is_said_once(visit):
    """Crossovers to one layout share its name, and parallelisms with the same advice share a line."""
    points = (
        crossover("sequence", 8, "CP2"),
        crossover("batch", 0.5, "PP2"),
        None,
        crossover("GPUs", 4, "CP2"),
    )
    app = visit("layouts")
    advice = next(part.value for part in app.markdown if "any of these interconnects" in part.value)

    assert summary._text(Parts(points, len(points))) == (
        "Crossovers: batch at 4 and below: PP2; GPUs at 32 and above, or sequence at 64 and above: CP2."
    )
    assert summary._text(Parts((None,), 2)) == "No crossover so far."
    assert advice.count("any of these interconnects") == 1


def test_only_the_open_section_is_computed(visit):
    """Seven sections stand on tabs; the ranking is open, the others are empty until they are chosen."""
    app = visit("layouts")
    texts = [chart.words for chart in drawn(app)]

    assert app.segmented_control(key="tab").options == [
        *("Ranked layouts", "Pareto front", "Crossover map", "Sensitivity"),
        *("Number of GPUs", "Break-even points", "Do I need NVLink?"),
    ]
    assert any("recompute" in table.value for table in app.dataframe)
    assert not any(
        text.startswith(("Pareto front", "Best layout by", "Speed-up by NVLink")) for text in texts
    )


def test_a_stopped_search_keeps_what_it_has_and_goes_on_when_asked(visit, headline, monkeypatch):
    """Stop: the crossovers so far stay, with how many were searched; Continue searches the rest."""
    monkeypatch.setattr(work, "AFTER_S", 0.0)
    work._finished.clear()
    app = visit("layouts", gpus=40, batch=40)
    complete = headline(app)
    (key, done), *_ = [item for item in work._finished.items() if item[0][0] == "Crossovers"]
    work._finished.clear()
    app.session_state[work._STOPPED] = work._Interrupted(key, done[:1])
    app.run()

    assert f"Stopped: Crossovers: 1 of {len(done)}." in texts(app)
    assert not app.exception
    next(button for button in app.button if button.label == "Continue").click().run()
    assert "Stopped" not in texts(app)
    assert headline(app) == complete


@pytest.mark.parametrize("goal", ["latency", "throughput"])
def test_serving_goals_have_crossovers_and_the_other_goals_best(visit, headline, goal):
    """Searched after the headline and put into it."""
    text = headline(visit("layouts", goal=goal, gpus=16))

    assert "rossover" in text
    assert "est for " in text


def test_the_other_goal_names_its_load(visit, headline):
    """Requests are those of all GPUs, and without requests nothing is said of the other goal."""
    query = {"goal": "latency", "gpus": 8, "model": "llama-3.1-70b"}

    assert "At 32 requests on all 8 GPUs" in headline(visit("layouts", **query, requests=32))
    assert "on all 8 GPUs" not in headline(visit("layouts", **query, requests=0))


@pytest.mark.parametrize(
    ("inputs", "label"),
    [
        ({"gpus": 8, "goal": "latency", "requests": 100_000}, "Use 329 requests"),
        ({"gpus": 8, "goal": "latency", "model": "llama-3.1-405b"}, "Use 16 GPUs"),
        ({"gpus": 4, "goal": "latency", "system": "rtx-4090-x4", "requests": 16}, "Use INT4 weights"),
        ({"gpus": 16, "model": "llama-3.1-405b"}, "Use 128 GPUs"),
        ({"gpus": 4, "system": "rtx-4090-x4"}, "Use DGX H100"),
        ({"gpus": 64, "goal": "latency", "system": "rtx-4090-x4", "model": "llama-3.1-8b"}, "Use 4 GPUs"),
    ],
)
def test_where_nothing_fits_the_nearest_question_that_does_is_a_click_away(visit, headline, inputs, label):
    """No dead end: fewer requests, more GPUs, leaner weights or another system, and the page answers."""
    app = visit("layouts", **inputs)
    assert app.warning
    (offer,) = (button for button in app.button if button.key == "_offer")
    assert offer.label == label

    offer.click().run()
    if label != "Use DGX H100":
        assert headline(app)
