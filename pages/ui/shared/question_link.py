"""A question of a calculator as text: the page's name and its inputs, as in an address."""

from dataclasses import dataclass
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from core.checks import InputError
from pages.ui.shared.navigation import SECTIONS

PAGES = (
    *("tensor_parallel", "training", "gradient_sync", "collectives", "nvl72", "bandwidth_hierarchy"),
    *("kv_transfer", "layouts", "cost"),
)
"""Calculators whose questions can be saved and compared, by name in the address."""
NAME = "name"
"""Beside the inputs: what a saved question is called."""


@dataclass(frozen=True, slots=True)
class QuestionLink:
    """
    A question of a calculator.

    Attributes:
        page: In the address.
        query: The inputs, as in the address.
        name: Under which it is saved; empty where it is not.
    """

    page: str
    query: str
    name: str = ""

    def __str__(self) -> str:
        """``page?inputs``, the name among them."""
        named = [(NAME, self.name)] if self.name else []
        return f"{self.page}?{urlencode(named + parse_qsl(self.query, keep_blank_values=True))}"

    @property
    def parameters(self) -> dict[str, list[str]]:
        """The inputs by name."""
        return parse_qs(self.query, keep_blank_values=True)


def read(text: str) -> QuestionLink:
    """
    A question from its text or from the full link of a calculator's page.

    Raises:
        InputError: It names no calculator.
    """
    parts = urlsplit(text.strip())
    page = parts.path.rstrip("/").rpartition("/")[2]
    if page not in PAGES:
        message = (
            f"no calculator is called {page[:60]!r}: paste the full link of one of {', '.join(_titles())}"
        )
        raise InputError(message)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    name = next((value for key, value in pairs if key == NAME), "")
    return QuestionLink(page, urlencode([pair for pair in pairs if pair[0] != NAME]), name)


def _titles() -> list[str]:
    """The calculators as the navigation calls them."""
    return [page.title for pages in SECTIONS.values() for page in pages if page.name in PAGES]
