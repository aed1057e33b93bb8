"""The load of a benchmark that a question states: requests that arrive in a second, told from requests at once; ISL and OSL."""

from pages.ui.home.understood.target import above_zero
from pages.ui.home.understood.text import Text, whole

_NUMBER = r"(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{1,7}(?:\.\d{1,3})?)"
_SECOND = r"s(?:ec(?:onds?)?)?\b"
_RATES = (
    rf"{_NUMBER} ?(?:requests?|reqs?|queries|prompts?)(?: ?/ ?| per | an? ){_SECOND}",
    rf"{_NUMBER} ?(?:rps|qps)\b",
    rf"\brequest[ -]rate(?:[ :=]|of|is|at)*{_NUMBER}(?: ?/ ?{_SECOND})?",
)
_TOKENS = r"((?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d{1,7})k?)\b"
_LENGTHS = {
    "ISL": (rf"\bisl(?:[ :=]|of)*{_TOKENS}", rf"{_TOKENS} input(?: tokens?)?\b"),
    "OSL": (rf"\bosl(?:[ :=]|of)*{_TOKENS}", rf"{_TOKENS} output(?: tokens?)?\b"),
}
_BOTH = rf"\bisl ?/ ?osl(?:[ :=]|of)*{_TOKENS} ?/ ?{_TOKENS}"
_MOST_TOKENS = 10_000_000
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


def lengths(text: Text) -> dict[str, int]:
    """Input and output sequence length in tokens, by ISL and OSL; what is none stays unread."""
    told = [
        (name, tokens, tokens)
        for place in text.take(_BOTH)
        for name, tokens in zip(_LENGTHS, place.groups(), strict=True)
    ]
    for name, patterns in _LENGTHS.items():
        told += [(name, place[1], place[0].strip()) for pattern in patterns for place in text.take(pattern)]
    stated: dict[str, int] = {}
    for name, tokens, words in told:
        if name not in stated and 0 < whole(tokens) <= _MOST_TOKENS:
            stated[name] = whole(tokens)
        else:
            text.unread.append(words)
    return stated


def length_words(lengths: dict[str, int]) -> list[str]:
    """Lengths as pages repeat them."""
    return [f"{name} {tokens:,}" for name, tokens in lengths.items()]
