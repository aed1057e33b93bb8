"""The link to a page that carries what a question names, and the words for it."""

from collections.abc import Mapping
from dataclasses import dataclass

from pages.ui.home.understood.own import OWN, nothing
from pages.ui.home.understood.parts import PARTS, Inputs
from pages.ui.home.understood.question import Read
from pages.ui.home.understood.sides import comparison


@dataclass(frozen=True, slots=True)
class Link:
    """
    A page with inputs.

    Attributes:
        inputs: As the page's address holds them.
        said: What was understood, in words.
    """

    inputs: Mapping[str, str | list[str]]
    said: tuple[str, ...]


def link(page: str, read: Read) -> Link:
    """What of a question the inputs of a page hold."""
    said: list[str] = []
    if page == "scenarios":
        return Link(comparison(read, said), tuple(dict.fromkeys(said)))
    inputs: Inputs = {}
    for part in PARTS:
        part(page, read, inputs, said)
    OWN.get(page, nothing)(read, inputs, said)
    return Link(inputs, tuple(dict.fromkeys(said)))
