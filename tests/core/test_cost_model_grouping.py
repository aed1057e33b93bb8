"""Rows of a table that are equal are one group, whatever their hashes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collectives.cost_model.grouping import group_rows, hashed


def colliding_rates():
    """Two pairs of numbers, all positive, whose hashes are one: the second word undoes the first."""
    first = np.array([2.0, 3.0]).view(np.uint64)
    after = hashed([first])
    for low in np.exp2(np.arange(0, 300, 0.37)):
        word = np.array([low]).view(np.uint64)
        other = word ^ after[0] ^ after[1]
        value = float(other.view(np.float64)[0])
        if 0 < value < 1e300:
            return [2.0, 3.0], [float(low), value]
    pytest.fail("no such pair among the tried")


def test_rows_that_share_a_hash_keep_their_own_answers():
    """Grouping is exact: two settings built to collide are told apart, and equal rows stay together."""
    first, second = (np.array(column * 3) for column in colliding_rates())
    assert len(set(hashed([first.view(np.uint64), second.view(np.uint64)]).tolist())) == 1
    groups = [rows.tolist() for rows in group_rows([first, second], 6)]
    assert sorted(groups) == [[0, 2, 4], [1, 3, 5]]


@pytest.mark.parametrize(
    "values",
    [
        np.array([2**53, 2**53 + 1], np.int64),
        np.array([2**64 - 1, 2**64 - 2], np.uint64),
        np.array([None, ""], object),
        np.array([1, "1"], object),
        np.array([["a"], "['a']", 0], object)[:2],
    ],
)
def test_values_that_only_look_alike_are_told_apart(values):
    """Large integers keep their last digit, and an object its type; equal rows stay together."""
    groups = [rows.tolist() for rows in group_rows([np.concatenate([values, values])], 4)]
    assert sorted(groups) == [[0, 2], [1, 3]]


def test_rows_without_columns_are_one_group():
    """Nothing tells them apart."""
    assert [rows.tolist() for rows in group_rows([], 3)] == [[0, 1, 2]]


@given(st.lists(st.tuples(st.sampled_from(["a", "ab", "ü", ""]), st.integers(0, 2)), max_size=40))
def test_groups_are_the_rows_that_are_equal(rows):
    """Each row is in one group, with all rows equal to it and in their order."""
    names = np.array([name for name, _ in rows], dtype=np.str_)
    numbers = np.array([number for _, number in rows], dtype=np.int64)
    groups = [group.tolist() for group in group_rows([names, numbers], len(rows))]
    wanted = {}
    for place, row in enumerate(rows):
        wanted.setdefault(row, []).append(place)
    assert sorted(groups) == sorted(wanted.values())
