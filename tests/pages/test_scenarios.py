"""The page Compare scenarios: two serving setups, equal in page, shell and Python."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.calculators.tensor_parallel import answer, compare
from core.calculators.tensor_parallel.compare import llama_405b
from core.units import format_time
from pages.ui.tensor_parallel.terms import label

ROOT = Path(__file__).resolve().parents[2]


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


def test_the_shipped_example_is_llama_405b_on_126_layers(visit, headline):
    """The page opens with eight H100 against four B200, and says which is faster and by what."""
    app = visit("scenarios")

    assert not app.exception
    assert "A step of B is 1.22 times faster" in headline(app)
    assert "HBM" in headline(app)
    assert any("126 layers" in reason for reason in terms(app)["because"])


def test_page_shell_and_python_give_equal_numbers(visit):
    """The shipped example is one set of numbers, wherever it is asked."""
    app = visit("scenarios")
    answers = [answer(scenario) for scenario in llama_405b()]
    shown = [metric.value for metric in app.metric if metric.label == "Step (TPOT)"]
    last = terms(app).iloc[-1]

    assert shown == [format_time(result.per_step.time_s) for result in answers]
    for column, line, result in zip(("A (ms)", "B (ms)"), commands(app), answers, strict=True):
        printed = shell(line)
        assert last[column] == pytest.approx(1e3 * result.per_step.time_s, rel=1e-12)
        assert printed["step_s"] == pytest.approx(result.per_step.time_s, rel=1e-12)
        assert printed["share"] == pytest.approx(result.per_step.share, rel=1e-12)
        assert printed["tokens_per_s_per_gpu"] == pytest.approx(result.tokens_per_s_per_gpu, rel=1e-12)


def test_a_question_of_ones_own_is_equal_too(visit):
    """Other models, formats and libraries on both sides: the page's commands reproduce its numbers."""
    query = {
        "a_model": "deepseek-v3-r1", "a_system": "gb200-nvl72", "a_tp": 8, "a_ep": 32, "a_kv": "bf16",
        "b_model": "llama-3.1-70b", "b_system": "dgx-h100", "b_tp": 16, "b_domains": 2, "b_tokens": 4096,
        "b_phase": "prefill", "b_context": 4096, "b_overlap": 0.5, "b_launch": "graph",
    }  # fmt: skip
    app = visit("scenarios", **query)
    last = terms(app).iloc[-1]

    assert not app.exception
    for column, line in zip(("A (ms)", "B (ms)"), commands(app), strict=True):
        assert shell(line)["step_s"] * 1e3 == pytest.approx(last[column], rel=1e-9)


def test_the_terms_add_up(visit):
    """The differences of all terms are the difference of the steps."""
    table = terms(visit("scenarios", b_weights="nvfp4", b_tp=8))

    assert table["B − A (ms)"][:-1].sum() == pytest.approx(table["B − A (ms)"].iloc[-1])


def test_an_input_changes_its_own_side_only(visit):
    """More tokens on side B leave A as it was."""
    app = visit("scenarios")
    before = [metric.value for metric in app.metric if metric.label == "Step (TPOT)"]
    app.number_input(key="b_tokens").set_value(256).run()
    after = [metric.value for metric in app.metric if metric.label == "Step (TPOT)"]

    assert after[0] == before[0]
    assert after[1] != before[1]


def test_a_copied_side_differs_in_nothing(visit, headline):
    """A against itself takes the same time."""
    app = visit("scenarios")
    app.button(key="_copy_sides").click().run()

    assert not app.exception
    assert "the same time" in headline(app)
    assert app.selectbox(key="b_system").value == "dgx-h100"


def test_swapped_sides_swap_their_numbers(visit):
    """What A took B takes."""
    app = visit("scenarios")
    before = [metric.value for metric in app.metric if metric.label == "Step (TPOT)"]
    app.button(key="_swap_sides").click().run()

    assert [metric.value for metric in app.metric if metric.label == "Step (TPOT)"] == before[::-1]


def test_a_side_that_cannot_be_is_explained(visit):
    """A degree that does not divide the heads is one line with those that do."""
    app = visit("scenarios", b_tp=5)

    assert not app.exception
    assert any("does not divide" in box.value for box in app.warning)


def test_a_missing_system_file_is_asked_for(visit):
    """A machine of one's own on one side is asked for by side."""
    app = visit("scenarios", a_system="file")

    assert not app.exception
    assert any("system file of A" in box.value for box in app.warning)


def test_the_address_holds_both_sides(visit, headline):
    """A link with inputs of both sides opens their comparison."""
    app = visit("scenarios", a_system="dgx-a100", b_system="dgx-h200", b_tp=8, a_weights="int8")

    assert not app.exception
    assert (
        "TP8 on DGX A100"
        in next(table.value for table in app.dataframe if "quantity" in table.value).loc[0, "A"]
    )
    assert "B is" in headline(app)


def test_the_difference_in_python_is_the_pages(visit):
    """Term by term the page shows what `compare` returns."""
    comparison = compare(*llama_405b())
    table = terms(visit("scenarios"))

    assert list(table["term"][:-1]) == [label(term.name) for term in comparison.terms]
    assert list(table["B − A (ms)"][:-1]) == pytest.approx(
        [1e3 * term.difference_s for term in comparison.terms]
    )


def test_unlike_questions_are_warned_of(visit):
    """Two models compare no machines, and the page says so; the shipped example is one question."""
    assert any(
        "Unlike questions: model" in box.value for box in visit("scenarios", b_model="llama-3.1-8b").warning
    )
    assert not any("Unlike" in box.value for box in visit("scenarios").warning)
