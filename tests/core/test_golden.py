"""Every worked case, through the functions that pages and shell use; none may be left out."""

from numbers import Real

import pytest

from tests.core.golden import CASES
from tests.core.golden_answers import ANSWERS
from tests.each import table


def agrees(answer, expected, rel_tol, where=""):
    """Assert that two nested answers agree, number by number, within a relative tolerance."""
    if isinstance(expected, dict):
        assert set(answer) == set(expected), where
        for key, value in expected.items():
            agrees(answer[key], value, rel_tol, f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(answer) == len(expected), where
        for place, value in enumerate(expected):
            agrees(answer[place], value, rel_tol, f"{where}[{place}]")
    elif isinstance(expected, Real) and not isinstance(expected, bool):
        assert answer == pytest.approx(expected, rel=rel_tol, abs=0), where
    else:
        assert answer == expected, where


def test_no_case_is_left_out():
    """Each of the 46 cases has an answer, and each answer a case."""
    assert [case.id for case in CASES] == list(dict.fromkeys(case.id for case in CASES))
    assert {case.id for case in CASES} == set(ANSWERS)
    assert len(CASES) == 46


@table("case", CASES, ids=lambda case: case.id)
def test_a_worked_case_comes_out(case):
    """The product gives the figures worked by hand."""
    agrees(ANSWERS[case.id](case.inputs), case.expected, case.rel_tol, case.id)


def test_the_comparison_itself_can_fail():
    """A figure off by more than the tolerance, a missing key and a wrong word are all seen."""
    for answer in ({"a": [1.0, 2.1]}, {"a": [1.0]}, {"b": [1.0, 2.0]}, {"a": [1.0, None]}):
        with pytest.raises((AssertionError, TypeError)):
            agrees(answer, {"a": [1.0, 2.0]}, 1e-9)
