"""A test of many entries says of each one whether it fails."""

from types import SimpleNamespace

import pytest

from tests.each import each


def test_every_entry_that_fails_is_told():
    """The first failure hides no other, and each is named by its row's or its object's id."""

    @each([SimpleNamespace(id="three", size=3), {"id": "two"}, SimpleNamespace(id="four", size=4)])
    def three(entry):
        assert entry.size == 3

    with pytest.raises(ExceptionGroup, match="three: 2 of 3 entries") as failure:
        three()
    assert [problem.__notes__ for problem in failure.value.exceptions] == [["of two"], ["of four"]]


def test_a_table_without_an_entry_proves_nothing():
    """Nothing checked is no success."""
    with pytest.raises(AssertionError):
        each([])
