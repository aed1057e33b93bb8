"""A test of many entries says of each one whether it fails."""

from types import SimpleNamespace

import pytest

from tests.each import each, table


def test_every_entry_that_fails_is_told():
    """The first failure hides no other, and each is named by its row's or its object's id."""

    @each([SimpleNamespace(id="three", size=3), {"id": "two"}, SimpleNamespace(id="four", size=4)])
    def three(entry):
        assert entry.size == 3

    with pytest.raises(ExceptionGroup, match="three: 2 of 3 entries") as failure:
        three()
    assert [problem.__notes__ for problem in failure.value.exceptions] == [["of two"], ["of four"]]


def test_rows_of_a_table_are_named_by_their_values_or_as_they_are_called():
    """Tables stand on each other, other arguments go through, and a row's note says which it was."""

    @table("width, height", [(1, 2), pytest.param(2, 1, id="flat"), (3, 2)])
    @table("depth", [1, 9], ids=["shallow", "deep"])
    def higher(width, height, depth, most):
        assert width < height + depth - 1 < most

    with pytest.raises(ExceptionGroup, match="higher: 3 of 3 entries") as failure:
        higher(most=10)
    assert [problem.__notes__ for problem in failure.value.exceptions] == [
        ["of width=1, height=2"],
        ["of flat"],
        ["of width=3, height=2"],
    ]
    inner = [[problem.__notes__ for problem in group.exceptions] for group in failure.value.exceptions]
    assert inner == [[["of deep"]], [["of shallow"]], [["of shallow"], ["of deep"]]]


def test_a_row_that_does_not_raise_or_is_skipped_hides_no_other():
    """What `pytest.raises` and `pytest.skip` throw is no `Exception`: named and collected all the same, in inner tables too."""

    @table("depth", [1])
    @table("text", ["1", "x", "skipped", "1 "])
    def refused(text, depth):
        if text == "skipped":
            pytest.skip("no such machine")
        with pytest.raises(ValueError, match="invalid literal"):
            int(text)

    with pytest.raises(BaseExceptionGroup, match="refused: 1 of 1 entries") as failure:
        refused()
    (inner,) = failure.value.exceptions
    told = [(type(problem), problem.__notes__) for problem in inner.exceptions]
    assert told == [
        (pytest.fail.Exception, ["of text='1'"]),
        (AssertionError, ["of text='skipped'"]),
        (pytest.fail.Exception, ["of text='1 '"]),
    ]
    assert "no such machine" in str(inner.exceptions[1])


def test_a_table_without_an_entry_proves_nothing():
    """Nothing checked is no success."""
    with pytest.raises(AssertionError):
        each([])
    with pytest.raises(AssertionError):
        table("size", [])
