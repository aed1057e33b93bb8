"""The request rate that a question states: requests that arrive in a second, told from requests at once."""

from pages.ui.home.understood.target import above_zero
from pages.ui.home.understood.text import Text

_NUMBER = r"(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{1,7}(?:\.\d{1,3})?)"
_SECOND = r"s(?:ec(?:onds?)?)?\b"
_RATES = (
    rf"{_NUMBER} ?(?:requests?|reqs?|queries|prompts?)(?: ?/ ?| per | an? ){_SECOND}",
    rf"{_NUMBER} ?(?:rps|qps)\b",
    rf"\brequest[ -]rate(?:[ :=]|of|is|at)*{_NUMBER}(?: ?/ ?{_SECOND})?",
)
_PERCENTILES = r"\bp(?:50|90|99)\b"


def words(rate: float) -> str:
    """The rate as pages repeat it."""
    return f"{rate:,.10g} requests/s"


def request_rate(text: Text) -> float | None:
    """The first rate above zero, in requests/s; the percentiles that its page shows are read with it."""
    rate = above_zero(text, _RATES)
    if rate is not None:
        for _ in text.take(_PERCENTILES):
            """Not a number of its own."""
    return rate
