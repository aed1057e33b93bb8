"""The sides of a comparison: questions of one calculator, each answered and explained."""

from dataclasses import dataclass

import streamlit as st

from core.calculators.comparison import Explanation
from core.checks import InputError
from pages.ui.scenarios.calculators import CALCULATORS
from pages.ui.shared import address, headless, record
from pages.ui.shared.answered import WEAKEST_FIRST, Answered, by_labels, memory
from pages.ui.shared.question import bar
from pages.ui.shared.question_link import QuestionLink
from pages.ui.shared.record import Input
from pages.ui.shared.save import COMPARED

LETTERS = ("a", "b", "c", "d")
_LLAMA = (
    "model=llama-3.1-405b&phase=decode&tokens=32&context=4096&weights=fp8&kv=fp8"
    "&software=auto&implementation=nccl&launch=stream"
)
EXAMPLE = {
    "a": f"tensor_parallel?system=dgx-h100&tp=8&{_LLAMA}",
    "b": f"tensor_parallel?system=dgx-b200&tp=4&{_LLAMA}",
}
"""Llama 3.1 405B in FP8 on 8 x H100 and on 4 x B200."""


@dataclass(frozen=True, slots=True)
class Side:
    """
    One side, answered.

    Attributes:
        letter: Capital.
        inputs: Those that the calculator answers to.
        answered: The badge of its rates.
        rejected: What its question asks for and its page does not offer, one line each.
    """

    letter: str
    link: QuestionLink
    explained: Explanation
    inputs: tuple[Input, ...]
    answered: Answered
    rejected: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name under which it is saved, else what it is about."""
        return self.link.name or self.explained.subject


def answered(letter: str, link: QuestionLink) -> Side:
    """A side with its answer; InputError, naming the side, where there is none."""

    def calculate() -> Side:
        explained = CALCULATORS[link.page].explained()
        badge = _badge(link.page, explained.rates)
        rejected = tuple(item.text for item in address.rejected())
        return Side(letter.upper(), link, explained, tuple(record.current().question()), badge, rejected)

    try:
        return headless.answer(link.page, link.query, calculate)
    except InputError as problem:
        message = f"{letter.upper()}: {problem}"
        raise InputError(message) from None


def _badge(page: str, labels: str) -> Answered:
    """The badge that the calculator's own page gives."""
    if page == "nvl72":
        return memory(bar.shared().rates)
    return by_labels(bar.shared().rates, labels) if labels else Answered("")


def check(sides: list[Side]) -> None:
    """InputError where the sides are questions of several calculators."""
    base = sides[0]
    for side in sides[1:]:
        if side.explained.main.name != base.explained.main.name and not _share(side, base):
            message = (
                f"{side.letter} answers another question than {base.letter}: "
                f"{side.explained.main.noun} ({CALCULATORS[side.link.page].title}), not "
                f"{base.explained.main.noun} ({CALCULATORS[base.link.page].title})"
            )
            raise InputError(message)


def _share(side: Side, base: Side) -> bool:
    """Whether two answers of one calculator have a quantity in common, though not the main one."""
    names = {item.name for item in base.explained.quantities}
    return side.link.page == base.link.page and any(item.name in names for item in side.explained.quantities)


def badge(sides: list[Side]) -> Answered:
    """The badge of the comparison: the weakest rates that answered a side."""
    origins = {side.answered.origin for side in sides}
    weakest = next((origin for origin in WEAKEST_FIRST if origin in origins), "")
    reasons = dict.fromkeys(side.answered.reason for side in sides if side.answered.reason)
    if len(origins) > 1:
        reasons = dict.fromkeys([f"{side.letter}: {side.answered.origin} rates." for side in sides])
    return Answered(weakest, " ".join(reasons))


def remembered() -> dict[str, str]:
    """The sides of the session's last comparison as text, by letter."""
    sides: dict[str, str] = st.session_state.get(COMPARED, {})
    return sides


def remember(texts: dict[str, str]) -> None:
    """Keep the sides for other pages of the session and for a return to this one."""
    st.session_state[COMPARED] = texts
