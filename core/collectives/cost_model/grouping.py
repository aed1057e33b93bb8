"""Rows of equal columns, found without comparing every pair: a hash orders them, the columns decide."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
"""One 64-bit word a row; rows are equal where all their words are."""

MULTIPLIER, SHIFT = np.uint64(0xBF58476D1CE4E5B9), np.uint64(29)
"""Of splitmix64."""
BYTE = 256
WORD_BYTES = 8


def group_rows(columns: Sequence[NDArray[Any]], count: int) -> Iterator[NDArray[np.intp]]:
    """The indices of the rows of each group, rows of a group in their order."""
    if count == 0:
        return
    words = [word for column in columns for word in as_words(column)]
    if not words:
        yield np.arange(count)
        return
    order, starts = _by_hash(words)
    if not _equal_inside(words, order, starts):
        order, starts = _by_value(words)
    stops = [*starts[1:].tolist(), count]
    for start, stop in zip(starts.tolist(), stops, strict=True):
        yield order[start:stop]


def as_words(column: NDArray[Any]) -> list[Words]:
    """A column as 64-bit words a row, whatever its type; objects are equal where type and value are."""
    if column.dtype.kind in "iub":
        return [column.astype(np.uint64)]
    if column.dtype.kind == "f":
        return [np.ascontiguousarray(column, np.float64).view(np.uint64)]
    if column.dtype.kind == "O":
        numbers: dict[tuple[type, str], int] = {}
        keys = [(type(value), value if isinstance(value, str) else repr(value)) for value in column.tolist()]
        return [np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.uint64)]
    text = np.ascontiguousarray(column.astype(np.str_))
    letters = text.view(np.uint32).reshape(text.size, -1)
    narrow = letters.astype(np.uint8) if letters.max() < BYTE else letters
    per_word = WORD_BYTES // narrow.itemsize
    padded = np.zeros((text.size, -(-narrow.shape[1] // per_word) * per_word), narrow.dtype)
    padded[:, : narrow.shape[1]] = narrow
    return [np.ascontiguousarray(word) for word in padded.view(np.uint64).T]


def hashed(words: Sequence[Words]) -> Words:
    """One 64-bit hash a row."""
    key = np.zeros(len(words[0]), np.uint64)
    for word in words:
        key = (key ^ word) * MULTIPLIER
        key ^= key >> SHIFT
    return key


def _by_hash(words: Sequence[Words]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows ordered by hash, and where each hash starts."""
    key = hashed(words)
    order = np.argsort(key, kind="stable")
    changes = np.flatnonzero(np.diff(key[order])) + 1
    return order, np.concatenate([[0], changes])


def _equal_inside(words: Sequence[Words], order: NDArray[np.intp], starts: NDArray[np.intp]) -> bool:
    """Whether all rows of each group equal its first: no two different rows share a hash."""
    lengths = np.diff(np.append(starts, len(order)))
    first = np.empty(len(order), np.intp)
    first[order] = np.repeat(order[starts], lengths)
    return all(bool((word == word[first]).all()) for word in words)


def _by_value(words: Sequence[Words]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows ordered by their words themselves, and where each group starts: exact and slower."""
    order = np.lexsort(tuple(words))
    different = np.zeros(len(order) - 1, np.bool_)
    for word in words:
        ordered = word[order]
        different |= ordered[1:] != ordered[:-1]
    return order, np.concatenate([[0], np.flatnonzero(different) + 1])
