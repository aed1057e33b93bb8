"""The line below the headline: which input changed, the old answer and the new."""

import re

import pytest

from pages.ui.shared import changes
from pages.ui.shared.names import alone
from pages.ui.shared.record import Input, Record


def said(app):
    """The line, without its symbol; empty where there is none."""
    return next((item.value.split(": ", 1)[1] for item in app.caption if "change_history" in item.value), "")


def test_an_edit_is_said_with_both_answers(visit):
    """Label, old and new value; the headline's number and the figures that moved."""
    app = visit("tensor_parallel")
    assert said(app) == ""
    app.number_input(key="tp").set_value(4).run()
    line = said(app).replace("\\", "")

    assert line.startswith("Tensor-parallel degree (TP) 8 → 4: Communication ")
    assert re.search(r" %; TPOT \d[\d.]* ms → \d", line)


def test_another_page_is_no_edit(visit):
    """Moving on says nothing, and so does coming back."""
    app = visit("tensor_parallel")
    app.number_input(key="tp").set_value(4).run()
    for page in ("collectives.py", "tensor_parallel.py"):
        app.switch_page(page)
        app.run()
        assert said(app) == ""


def test_the_last_answer_counts_across_one_that_there_was_not(visit):
    """An input without an answer in between: old and new are those that were answered."""
    app = visit("tensor_parallel")
    app.number_input(key="tp").set_value(7).run()
    app.number_input(key="tp").set_value(4).run()

    assert "8 → 4" in said(app)


def run(text, figures=(), **inputs):
    """What a run has said."""
    labels = {"log": alone("... or the id of a stored log, several with commas")}
    made = Record(
        "p", "P", {key: Input(key, labels.get(key, key), value, None) for key, value in inputs.items()}
    )
    made.text, made.figures = text, list(figures)
    return made


@pytest.mark.parametrize(
    ("before", "now", "line"),
    [
        (run("A step takes 1.5 ms.", x=1), run("A step takes 27.1 µs.", x=2), "x 1 → 2: A step 1.5 ms → 27.1 µs"),
        (run("Fits 72.", x=None), run("Does not fit 8.", x=8), "x empty → 8: before, “Fits 72.”"),
        (run("1 GiB takes 4 ms.", size="1 GiB"), run("8 KiB takes 4 ms.", size="8 KiB"), "size 1 GiB → 8 KiB: the answer stays the same"),
        (run("It takes 4 ms.", [("Time", "4 ms")], x=1), run("It takes 5 ms.", [("Time", "5 ms")], x=2), "x 1 → 2: Time 4 ms → 5 ms"),
        (run("TP8 costs $1,200.", on=False), run("TP8 costs $900.", on=True), "on off → on: TP8 $1,200 → $900"),
        (run("46 GB/s.", log="a1"), run("46 GB/s.", log="b2"), "Stored log a1 → b2: the answer stays the same"),
        (run("Yes.", x=[1]), run("Yes.", x=[1, 20000]), "x 1 → 1, 20,000: the answer stays the same"),
    ],
)  # fmt: skip
def test_a_change_in_words(before, now, line):
    """Inputs, a colon, and each number that moved once."""
    assert changes.line(changes.inputs(before, now), changes.answers(before, now)) == line
