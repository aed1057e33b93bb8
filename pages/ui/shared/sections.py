"""The lower part of a page as tabs: only the open one is computed, the inputs of all are drawn."""

from collections.abc import Callable
from dataclasses import dataclass

from core.checks import InputError
from pages.ui.shared import bound, states


@dataclass(frozen=True, slots=True)
class Section:
    """
    A tab.

    Attributes:
        title: Its label.
        draw: Draws it, with what ``inputs`` returned where there are inputs.
        inputs: Draws its inputs in every run, so that the address holds those of a closed tab too.
    """

    title: str
    draw: Callable[..., object]
    inputs: Callable[[], object] | None = None


def tabs(*sections: Section) -> None:
    """Draw the sections as tabs, the first one open or the one that the address names; the address follows the reader."""
    panels = bound.tabs([section.title for section in sections])
    for section, panel in zip(sections, panels, strict=True):
        with panel:
            values = () if section.inputs is None else (section.inputs(),)
            if not panel.open:
                continue
            try:
                section.draw(*values)
            except InputError as problem:
                # The tab has no answer; the page above it has one.
                states.no_answer(problem)
