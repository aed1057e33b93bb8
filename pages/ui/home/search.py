"""Search: the pages that answer a question, and the terms of the glossary that stand in it."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from pages.ui.home.glossary import Entry, entries
from pages.ui.home.keywords import KEYWORDS, keywords
from pages.ui.shared.navigation import SECTIONS, Page

TITLE, KEYWORD, QUESTION = 4.0, 3.0, 1.0
"""What a word counts by where it stands."""
BEGINNING = 0.6
"""Of a word that only begins alike, from four letters on."""
SHORTEST_BEGINNING = 4
MOST_PAGES, MOST_TERMS = 3, 3
DOCUMENTATION = frozenset({"docs", "documentation", "glossary", "help", "manual", "tutorial"})
"""Words that ask for what is written about the calculators."""
SHARE_OF_BEST = 0.45
"""A page with less of the best page's score is not shown."""

VERBS = frozenset({"run", "fit"})
"""Terms that are mostly verbs: explained where nothing else was typed."""


@dataclass(frozen=True, slots=True)
class Results:
    """What answers a question: pages, the best first, entries of the glossary, whether it asks for documentation."""

    pages: tuple[Page, ...]
    terms: tuple[Entry, ...]
    documentation: bool


def search(question: str) -> Results:
    """The pages and terms for a question in free text; both empty where no word is known."""
    spoken = keywords(question)
    return Results(_pages(spoken), _terms(spoken), not DOCUMENTATION.isdisjoint(spoken))


def _pages(spoken: tuple[str, ...]) -> tuple[Page, ...]:
    index, rarity = _index()
    scores = {page: _score(spoken, weights, rarity) for page, weights in index.items()}
    best = max(scores.values())
    ranked = sorted(scores, key=lambda page: -scores[page])
    return tuple(page for page in ranked[:MOST_PAGES] if scores[page] > SHARE_OF_BEST * best > 0)


def _score(spoken: Iterable[str], weights: Mapping[str, float], rarity: Mapping[str, float]) -> float:
    return sum(_match(word, weights, rarity) for word in spoken)


def _match(word: str, weights: Mapping[str, float], rarity: Mapping[str, float]) -> float:
    if word in weights:
        return weights[word] * rarity[word]
    if len(word) < SHORTEST_BEGINNING:
        return 0.0
    alike = (
        other
        for other in weights
        if len(other) >= SHORTEST_BEGINNING and (other.startswith(word) or word.startswith(other))
    )
    return max((BEGINNING * weights[other] * rarity[other] for other in alike), default=0.0)


@cache
def _index() -> tuple[Mapping[Page, Mapping[str, float]], Mapping[str, float]]:
    """The weight of each word of each page, and how telling each word is."""
    index = {page: _weights(page) for pages in SECTIONS.values() for page in pages}
    counts = Counter(word for weights in index.values() for word in weights)
    return index, {word: 1 + math.log(len(index) / count) for word, count in counts.items()}


def _weights(page: Page) -> Mapping[str, float]:
    weights: dict[str, float] = {}
    texts = ((QUESTION, page.question), (KEYWORD, KEYWORDS.get(page.name, "")), (TITLE, page.title))
    for weight, text in texts:
        weights |= dict.fromkeys(keywords(text), weight)
    return weights


def _terms(spoken: tuple[str, ...]) -> tuple[Entry, ...]:
    """Entries with a term all of whose words were typed, those with the most words first."""
    matches = [(max(_typed(term, spoken) for term in entry.terms), entry) for entry in entries()]
    named = sorted((match for match in matches if match[0]), key=lambda match: -match[0])
    return tuple(entry for _, entry in named[:MOST_TERMS])


def _typed(term: str, spoken: tuple[str, ...]) -> int:
    """Words of the longest of the names that a term lists, where every one of them was typed; else 0."""
    known = set(spoken) - (VERBS if len(spoken) > 1 else set())
    return max((len(name) for name in _names(term) if name and set(name) <= known), default=0)


def _names(term: str) -> Iterator[tuple[str, ...]]:
    """The words of each name that a term lists; ``2`` of ``ZeRO-1/2/3`` is ``zero 2``."""
    for part in term.split(","):
        for name in part.split("/"):
            yield keywords(f"{part.split('-')[0]} {name}" if name.strip().isdigit() else name)
