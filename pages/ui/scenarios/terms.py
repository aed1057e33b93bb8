"""Terms of a comparison as the page names and explains them."""

from core.calculators.comparison import Difference
from pages.ui.tensor_parallel.terms import label as step_label


def label(term: str) -> str:
    """What the page calls a term of core."""
    return step_label(term)


def because(difference: Difference) -> str:
    """Why a term differs."""
    return difference.reason.replace("->", "→")
