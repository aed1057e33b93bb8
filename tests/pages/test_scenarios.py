"""The page Scenarios: questions saved under names, and up to four of one calculator compared term by term."""

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import pytest
from streamlit.proto.Metric_pb2 import Metric

from core.calculators.tensor_parallel import answer
from core.calculators.tensor_parallel.compare import llama_405b
from core.units import format_time
from pages.ui.scenarios.calculators import CALCULATORS
from pages.ui.scenarios.sides import EXAMPLE
from pages.ui.shared import question_link
from tests.pages.test_badges import badges

ROOT = Path(__file__).resolve().parents[2]
SHOWN = {
    "tensor_parallel": {"tp": 4, "tokens": 64},
    "training": {"train_tp": 8, "recompute": "full"},
    "gradient_sync": {"strategy": "fsdp", "gpus": 128},
    "collectives": {"size": "64 MiB", "collective": "all_gather"},
    "nvl72": {"requests": 2048, "rack_tp": 8},
    "bandwidth_hierarchy": {"copy_size": "3 GB", "system": "dgx-b200"},
    "kv_transfer": {"context": 32768, "kv_gpus": 4},
    "layouts": {"goal": "latency", "weights": "fp8"},
    "cost": {"money_usd": 2.5, "gpus": 128},
}
"""Inputs of each page that are not the default."""


def terms(app):
    """The table of terms."""
    return next(table.value for table in app.dataframe if "because" in table.value)


def commands(app):
    """The shell commands that the page offers."""
    code = next(block.value for block in app.code if "python -m core tp" in block.value)
    return code.splitlines()


def shell(line):
    """What the shell prints for a command of the page."""
    words = line.replace("python", sys.executable, 1).split()
    return json.loads(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout)


def link(app, page):
    """The full link of a page, as its reader copies it from a server."""
    query = next(block.value for block in app.code if "?v=" in block.value).partition("?")[2]
    return f"https://wirespeed.example/{page}?{query}"


def cards(app):
    """The main number of each side."""
    return [metric.value for metric in app.metric]


def side(page="tensor_parallel", **inputs):
    """A question as the address of the page holds it."""
    return f"{page}?{urlencode(inputs)}"


@pytest.fixture
def saved(visit):
    """A page of tensor parallelism whose question is saved as `our rack`."""
    app = visit("tensor_parallel", tp=4)
    next(field for field in app.text_input if field.label == "Name").set_value("our rack")
    app.button(key="_save_scenario").click().run()
    return app


def test_the_serving_engine_of_a_side_is_compared(visit):
    """Two questions that differ in drafted tokens alone differ in their figures."""
    sides = {"a": side(tp=8, draft_tokens=1), "b": side(tp=8, draft_tokens=4)}
    app = visit("scenarios", **sides)
    rows = next(table.value for table in app.dataframe if "TPOT with engine" in table.value.to_string())

    assert not app.exception
    assert "engine: draft tokens" in " ".join(
        part.value for part in (*app.warning, *app.caption, *app.markdown)
    )
    assert len(rows) > 1


def test_the_shipped_example_is_llama_405b(visit, headline):
    """The page opens with eight H100 against four B200, and says which is faster and by what."""
    app = visit("scenarios")

    assert not app.exception
    assert "B is 1.21× as fast as A" in headline(app)
    assert "communication latency" in headline(app)
    assert cards(app) == [format_time(answer(item).per_step.time_s) for item in llama_405b()]


def test_one_pair_is_explained_everywhere(visit, headline):
    """Of four, headline, waterfall and terms explain the best against A, or the side that the reader chooses."""
    sides = {letter: side(tp=tp, tokens=64) for letter, tp in zip("abcd", (1, 2, 4, 8), strict=True)}
    for chosen, letter in (({}, "D"), ({"against": "B"}, "B")):
        app = visit("scenarios", **sides, **chosen)

        assert not app.exception
        assert f"{letter} is " in headline(app)
        assert any(f"from A to {letter}" in part.value for part in app.subheader)
        assert f"{letter} \u2212 A (ms)" in terms(app).columns


def test_what_is_offered_follows_the_answers(visit, headline):
    """A pair that nobody chose goes with the best side; one that was chosen stays."""
    sides = {letter: side(tp=tp, tokens=64) for letter, tp in zip("abc", (1, 8, 2), strict=True)}
    app = visit("scenarios", **sides)
    assert "B is " in headline(app)
    app.text_input(key="c").set_value(side(system="dgx-b200", tp=8, tokens=64)).run()
    assert "C is " in headline(app)
    assert any("from A to C" in part.value for part in app.subheader)


def test_the_browser_is_told_of_a_new_offer(visit):
    """A pair offered anew is sent to the widget: a browser that kept the former one would ask for it with the next edit."""
    app = visit("scenarios", a=side(tp=1), b=side(tp=2), c=side(tp=4))
    assert app.segmented_control(key="against").value == "C"
    app.session_state["d"] = side(tp=8)
    app.run()
    control = app.segmented_control(key="against")

    assert not app.exception
    assert (control.value, control.proto.set_value) == ("D", True)
    assert "against" not in app.query_params


def test_the_same_total_is_neither_better_nor_worse(visit):
    """A side that costs what A costs says so without an arrow or a colour of alarm."""
    app = visit("scenarios", a=side(tp=4), b=side(tp=4))

    assert [(metric.delta, metric.color) for metric in app.metric] == [
        ("", Metric.GRAY),
        ("as A", Metric.GRAY),
    ]


def test_tables_stand_on_tabs_and_in_the_document(visit):
    """Terms, figures and inputs share the room of one table; all of them are drawn, so a document has them."""
    app = visit("scenarios")

    assert app.segmented_control(key="tab").options == ["Terms", "Figures", "Inputs"]
    assert len(app.dataframe) == 4


def test_a_former_link_opens_the_comparison_it_meant(visit):
    """Models, formats and libraries of both sides arrive, and the shell gives the same steps."""
    query = {
        "a_model": "deepseek-v3-r1", "a_system": "gb200-nvl72", "a_tp": 8, "a_ep": 32, "a_kv": "bf16",
        "b_model": "llama-3.1-70b", "b_system": "dgx-h100", "b_tp": 16, "b_domains": 2, "b_tokens": 4096,
        "b_phase": "prefill", "b_context": 4096, "b_overlap": 0.5, "b_launch": "graph", "rates": "spec",
    }  # fmt: skip
    app = visit("scenarios", **query)
    last = terms(app).iloc[-1]

    assert not app.exception
    assert any("model" in box.value and "phase" in box.value for box in app.warning)
    assert not any(key.startswith("a_") for key in app.query_params)
    for column, line in zip(("A (ms)", "B (ms)"), commands(app), strict=True):
        assert "--rates spec" in line
        assert shell(line)["step_s"] * 1e3 == pytest.approx(last[column], rel=1e-9)


@pytest.mark.parametrize("page", SHOWN)
def test_a_comparison_has_the_number_of_the_page(page, visit, headline):
    """The full link of a calculator, pasted as a side, gives the number that its page shows."""
    shown = visit(page, **SHOWN[page])
    numbers = f"{headline(shown)} {' '.join(metric.value for metric in shown.metric)}".replace("\\", "")
    compared = visit("scenarios", a=link(shown, page))

    assert not compared.exception
    assert len(cards(compared)) == 1
    assert cards(compared)[0] in numbers


def test_every_calculator_can_be_saved_and_compared():
    """The pages with a button Save are those that the comparison answers."""
    assert set(CALCULATORS) == set(question_link.PAGES) == set(SHOWN)


def test_four_sides_are_compared_with_the_first(visit, headline):
    """Each card says its distance to A, and the pair that is chosen is explained, in the headline too."""
    sides = {letter: side(tp=tp, serving_usd=3) for letter, tp in zip("abcd", (1, 2, 4, 8), strict=True)}
    app = visit("scenarios", against="C", **sides)

    assert not app.exception
    assert "C is" in headline(app)
    assert "Cheapest per token of C and D, which fit: C (" in headline(app)
    assert "most tokens/s per GPU of C and D, which fit: C (" in headline(app)
    assert [metric.delta.endswith("against A") for metric in app.metric] == [False, True, True, True]
    assert "C − A (ms)" in terms(app)


def test_no_side_is_best_where_others_have_no_room(visit, headline):
    """Of two sides that fit the better one is named; one alone, or none, is no choice."""
    two, one, none = (
        headline(visit("scenarios", a=side(tp=a, serving_usd=3), b=side(tp=b, serving_usd=3)))
        for a, b in ((4, 8), (1, 8), (1, 2))
    )

    assert "Cheapest per token: A (" in two
    assert "Cheapest" not in one
    assert "Cheapest" not in none


def test_the_badge_says_what_answered_the_sides(visit):
    """Datasheet rates on one side are no calibration of both."""
    alike = visit("scenarios", a=side(tp=4), b=side(tp=8))
    mixed = visit("scenarios", a=side(tp=4), b=side(tp=8, rates="spec"))

    assert badges(alike) == ["calibrated rates"]
    assert badges(mixed) == ["spec rates"]
    assert any("rates: calibrated against spec" in box.value for box in mixed.warning)


def test_inputs_that_differ_come_first(visit):
    """Only what the sides do not share stands in the table of differences."""
    app = visit("scenarios", a=side(tp=4), b=side(tp=8))
    table = next(item.value for item in app.dataframe if list(item.value) == ["input", "A", "B"])

    assert table.values.tolist() == [["Tensor-parallel degree (TP)", "4", "8"]]


def test_a_copied_side_differs_in_nothing_and_swapped_sides_swap(visit, headline):
    """What A took B takes; A against itself takes the same time."""
    app = visit("scenarios")
    before = cards(app)
    app.button(key="_swap_sides").click().run()
    assert cards(app) == before[::-1]
    app.button(key="_copy_sides").click().run()

    assert not app.exception
    assert "the same" in headline(app)
    assert "No term differs" in headline(app)


def test_a_side_that_cannot_be_is_explained_by_its_letter(visit):
    """A degree that does not divide the heads is one line with those that do."""
    app = visit("scenarios", a=side(tp=8), b=side(tp=5))

    assert not app.exception
    assert any("B: tp" in box.value and "does not divide" in box.value for box in app.warning)


@pytest.mark.parametrize(
    ("text", "words"),
    [("https://example.org/", "no calculator"), (side("cost"), "another question"), ("(((", "no calculator")],
)
def test_what_is_no_comparison_is_explained(text, words, visit):
    """Links of other places, and questions of two calculators, are refused in a line."""
    app = visit("scenarios", a=side(tp=8), b=text)

    assert not app.exception
    assert any(words in box.value for box in app.warning)


def test_a_saved_question_is_listed_and_compared(saved, visit, headline):
    """What was saved stands in the list with its answer then, and becomes a side by its name."""
    assert any("saved as our rack" in badge.value for badge in saved.markdown)
    app = visit("scenarios")
    table = app.dataframe[0].value
    app.button(key="_a_saved_use").click().run()

    assert table.loc[0, ["name", "page"]].tolist() == ["our rack", "Tensor parallelism"]
    assert table.loc[0, "answer then"] in headline(saved).replace("#### ", "").replace("## ", "")
    assert any("our rack" in link.proto.label for link in app.get("page_link"))
    assert app.text_input(key="a").value.startswith("tensor_parallel?name=our+rack&")


@pytest.mark.usefixtures("saved")
def test_what_others_saved_is_in_no_document(visit):
    """The list of saved scenarios is the server's, not part of the answer that is forwarded."""
    app = visit("scenarios")
    alts = [table.alt for table in app.session_state["_page_record"].tables]

    assert any("our rack" in table.value.to_string() for table in app.dataframe)
    assert not any("Saved scenarios" in alt for alt in alts)
    assert any("Terms" in alt for alt in alts)


def test_a_taken_name_is_replaced_on_a_second_word(saved):
    """Saving again under the name explains, and the offered button replaces."""
    saved.button(key="_save_scenario").click().run()
    assert any("already" in box.value for box in saved.warning)
    saved.button(key="_save_replace").click().run()

    assert not any("already" in box.value for box in saved.warning)


@pytest.mark.usefixtures("saved")
def test_scenarios_are_renamed_duplicated_deleted_and_brought_back(visit):
    """Each button does what it says, and Undo takes the deletion back."""
    app = visit("scenarios")
    app.text_input(key="_scenario_new our rack").set_value("their rack")
    app.button(key="_scenario_rename").click().run()
    app.button(key="_scenario_duplicate").click().run()
    assert app.dataframe[0].value["name"].tolist() == ["their rack (2)", "their rack"]
    app.selectbox(key="_scenario").set_value("their rack").run()
    app.button(key="_scenario_delete").click().run()
    assert app.dataframe[0].value["name"].tolist() == ["their rack (2)"]
    app.button(key="_scenario_undo").click().run()
    assert sorted(app.dataframe[0].value["name"]) == ["their rack", "their rack (2)"]
    app.button(key="_scenario_delete").click().run()
    later = visit("scenarios")
    later.button(key="_former_scenario_back").click().run()

    assert not later.exception
    assert sorted(later.dataframe[0].value["name"]) == ["their rack", "their rack (2)"]


def test_an_outage_of_the_store_is_said_and_the_comparison_stands(visit, monkeypatch, headline, tmp_path):
    """Without a database nothing is listed or saved, and the answers are there."""
    app = visit("tensor_parallel")
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("WIRESPEED_DATABASE_URL", f"sqlite:///{blocked}/none.db")
    app.button(key="_save_scenario").click().run()
    compared = visit("scenarios")

    assert any("does not answer" in box.value for box in app.warning)
    assert compared.error
    assert "as fast as" in headline(compared)


def test_racks_are_compared_by_what_they_serve(visit, headline):
    """More memory is seen in the requests that fit, and its bandwidth in the TPOT; memory per GPU comes last."""
    load = {"model": "llama-3.1-70b", "rack_tp": 8}
    sides = {"a": side("nvl72", system="dgx-h100", **load), "b": side("nvl72", system="dgx-h200", **load)}
    app = visit("scenarios", **sides)
    shown = next(table.value for table in app.dataframe if "quantity" in table.value)

    assert "the same" not in headline(app)
    assert "TPOT A " in headline(app)
    assert any("oncurrent requests that fit: A 3" in text.value for text in app.markdown)
    assert list(shown["quantity"])[:2] == ["TPOT", "Concurrent requests that fit"]
    assert list(shown["quantity"])[-1] == "Memory per GPU"


def test_a_rack_that_does_not_fit_is_compared_by_memory(visit, headline):
    """Where one side does not fit it has no TPOT: both are compared by their memory per GPU."""
    load = {"system": "dgx-h100", "model": "llama-3.1-70b", "rack_tp": 8}
    sides = {"a": side("nvl72", **load), "b": side("nvl72", **load, requests=4000)}

    assert "memory per GPU A " in headline(visit("scenarios", **sides))


def test_what_a_question_asks_for_in_vain_is_told(visit):
    """A side whose address holds impossible values says what is used in their place."""
    app = visit("scenarios", a="tensor_parallel?tp=inf&requests=1e400", b=side(tp=4))
    lines = [item.value for item in app.warning if item.value.startswith("A: asks for")]

    assert any("inf as " in line and "8 is used" in line for line in lines)
    assert any("1e400 as " in line and "32 is used" in line for line in lines)
    assert not any(item.value.startswith("B: asks for") for item in app.warning)


def test_an_edit_leaves_nothing_behind_in_the_sessions_memory(visit):
    """Another value offers another name to save under, in the same field: a session of thousands of edits stays small."""
    app = visit("collectives")
    fields, names = [], []
    for size in ("5 MiB", "6 MiB", "7 MiB"):
        app.text_input(key="size").set_value(size).run()
        names.append(app.text_input(key="_save_name").value)
        fields.append(len(app.session_state._state._state._new_widget_state.widget_metadata))

    assert len(set(names)) == 3
    assert len(set(fields)) == 1


def test_the_full_link_holds_the_example(visit):
    """A comparison that nobody typed is in the link all the same: what it opens shows the same sides."""
    example = visit("scenarios")
    query = parse_qs(link(example, "scenarios").partition("?")[2])
    assert query["a"] == [EXAMPLE["a"]]
    assert query["b"] == [EXAMPLE["b"]]
    assert cards(visit("scenarios", a=query["a"][0], b=query["b"][0])) == cards(example)
