"""A field of each page and what is typed into it: another value for every number, so that no answer is remembered."""

from collections.abc import Callable
from dataclasses import dataclass

MOST_DOMAINS = 256


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a page, by its key, and the value typed into it by number."""

    page: str
    key: str
    value: Callable[[int], float | str]


def _context(number):
    return 5120.0 + 64 * number


def _requests(number):
    return 257.0 + number


def _batch(number):
    return 512.0 + 64 * number


BLANK = Field("", "number", _requests)
PAGES = (
    Field("collectives", "size", lambda number: f"{5 + number} MiB"),
    Field("bandwidth_hierarchy", "copy_size", lambda number: f"{5 + number} MiB"),
    Field("tensor_parallel", "tokens", _requests),
    Field("gradient_sync", "domains", lambda number: 2.0 + number % MOST_DOMAINS),
    Field("training", "batch", lambda number: 256.0 + 32 * number),
    Field("nvl72", "requests", _requests),
    Field("kv_transfer", "context", _context),
    Field("layouts", "batch", _batch),
    Field("cost", "batch", _batch),
)
