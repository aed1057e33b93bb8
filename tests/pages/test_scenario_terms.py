"""The terms of a comparison on the page Scenarios: their reasons, their sum, and what does not change."""

import pytest

from core.calculators.comparison import Comparison, Difference
from core.calculators.comparison.explanation import Part, Quantity
from core.calculators.tensor_parallel import compare
from core.calculators.tensor_parallel.compare import llama_405b
from core.units import MS
from pages.ui.scenarios import waterfall
from pages.ui.scenarios.scale import Scale
from pages.ui.tensor_parallel.terms import label
from tests.pages.test_scenarios import side, terms


def test_a_reason_names_machines_not_ids(visit):
    """Between an H100 and a B200 the calibrations are NVLink Hopper and NVLink Blackwell, as everywhere."""
    reasons = " ".join(terms(visit("scenarios"))["because"])

    assert "calibration NVLink Hopper → NVLink Blackwell" in reasons
    assert "nvlink-" not in reasons


def test_a_term_that_does_not_change_is_no_zero(visit):
    """Between 64 and 256 requests no launch changes: its row has no number for it."""
    shown = terms(visit("scenarios", a=side(requests=64), b=side(requests=256))).set_index("term")
    changes = shown["B \u2212 A (ms)"]

    assert set(changes[changes.isna()].index) == {"collective launch", "kernel launch overhead"}
    assert (changes.dropna().abs() >= 0.0005).all()
    assert changes["total"] == pytest.approx(changes.drop("total").sum(), abs=0.0005)


def test_a_bar_that_would_read_zero_is_left_out():
    """What differs in no digit shown has no bar."""
    base, other = (
        Quantity("Step time", "s", (Part("launch", launch), Part("wire", wire)))
        for launch, wire in ((1e-3, 1e-3), (1e-3 + 1e-9, 3e-3))
    )
    differences = Difference("wire", 1e-3, 3e-3, ""), Difference("launch", 1e-3, 1e-3 + 1e-9, "")
    bars = waterfall.rows(Comparison(base, other, differences, ()), Scale(MS, "ms"), ("A", "B"))

    assert list(bars["label"]) == ["2.00 ms", "+2.00 ms", "4.00 ms"]


def test_the_terms_are_those_of_python_and_add_up(visit):
    """Term by term the page shows what `compare` returns, and the last row is their sum."""
    comparison = compare(*llama_405b())
    table = terms(visit("scenarios"))

    assert list(table["term"][:-1]) == [label(term.name) for term in comparison.terms]
    assert list(table["B − A (ms)"][:-1]) == pytest.approx(
        [1e3 * term.difference_s for term in comparison.terms]
    )
    assert table["B − A (ms)"][:-1].sum() == pytest.approx(table["B − A (ms)"].iloc[-1])
