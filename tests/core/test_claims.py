"""The ledger: every verdict is borne out by numbers computed now, and by numbers worked by hand."""

from collections import Counter
from dataclasses import replace

import pytest

from core.ledger import Topic, Verdict, counts, figure, objection
from core.ledger.claims import CLAIMS
from core.ledger.documents import DOCUMENTS
from tests.core.claims_worked import WORKED
from tests.each import table

BY_ID = {claim.id: claim for claim in CLAIMS}
NUMERIC = [
    claim
    for claim in CLAIMS
    if any(item.ours is not None or item.theirs is not None for item in claim.figures)
]
DECIDED = [
    claim
    for claim in CLAIMS
    if not claim.in_words and any(item.agrees(item.our_value) is not None for item in claim.figures)
]
BY_DOCUMENT = {
    "000": (27, 33, 25, 8, 1),
    "001": (11, 9, 10, 6, 3),
    "002": (3, 6, 0, 0, 0),
    "003": (4, 4, 3, 2, 0),
    "004": (7, 0, 0, 0, 0),
}
WORKED_WITHIN = 0.006
"""Hand figures carry three digits."""


def test_the_ledger_holds_every_claim_once():
    """162 claims, numbered without a gap."""
    assert [claim.id for claim in CLAIMS] == [f"C{number:03d}" for number in range(1, 163)]


def test_verdicts_are_counted_by_document():
    """52 consistent, 52 conditional, 38 wrong, 16 contradictory, 4 unverified, document by document."""
    verdicts = {
        key: tuple(counts(claim for claim in CLAIMS if claim.document == key).values()) for key in DOCUMENTS
    }
    assert verdicts == BY_DOCUMENT
    assert tuple(counts(CLAIMS).values()) == (52, 52, 38, 16, 4)


@table("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_verdict_is_borne_out(claim):
    """What the calculators give now lies inside the claim's own tolerance, or outside, as its verdict says."""
    assert objection(claim) == ""


@table("key", WORKED)
def test_our_values_are_those_worked_by_hand(key):
    """Every number worked independently is among those that the product computes for the claim."""
    values = [
        value
        for item in BY_ID[key].figures
        for value in (item.our_value, item.their_value)
        if value is not None
    ]

    for worked in WORKED[key]:
        assert any(value == pytest.approx(worked, rel=WORKED_WITHIN) for value in values), (
            worked,
            values,
        )


def test_hardly_a_numeric_claim_goes_without_a_worked_value():
    """Only latencies, two counts and three cards are computed without a value worked by hand."""
    assert {claim.id for claim in NUMERIC} - set(WORKED) == {"C011", "C029", "C116", "C155", "C160", "C162"}


def test_most_claims_are_computed():
    """A claim with a number is computed; the rest says what its verdict rests on."""
    assert len(NUMERIC) >= 145
    for claim in CLAIMS:
        if claim not in NUMERIC:
            assert claim.evidence or claim.verdict is Verdict.UNVERIFIED, claim.id


@table("one", DECIDED, ids=lambda one: one.id)
def test_another_verdict_would_be_refused(one):
    """A right claim called wrong is refused, and so is one that differs called right."""
    agrees = all(item.agrees(item.our_value) is not False for item in one.figures)
    other = Verdict.WRONG if agrees else Verdict.CONSISTENT

    assert objection(replace(one, verdict=other))


def test_a_moved_figure_is_seen():
    """A printed number or a value of ours that moves by more than the tolerance breaks the row."""
    right = figure("rate", 100, "GB/s", ours=(float, 100e9))
    moved = replace(right, low=103, high=103)
    claim = BY_ID["C010"]

    assert objection(replace(claim, figures=(right,))) == ""
    assert objection(replace(claim, figures=(moved,)))
    assert objection(replace(BY_ID["C036"], figures=(right,)))
    assert objection(replace(BY_ID["C123"], figures=(right,)))
    assert objection(replace(BY_ID["C058"], figures=(replace(moved, theirs=right.ours),)))
    assert objection(replace(BY_ID["C120"], figures=(right,)))


def test_a_range_has_two_ends_and_may_be_open():
    """A value inside, at the edge within tolerance, and beyond; and 500 or more without an upper end."""
    span = figure("rate", (400, 430), "GB/s")
    more = figure("GPUs", (500, float("inf")), "GPUs")

    assert [span.agrees(value) for value in (396.4, 410, 434, 440, None)] == [True, True, True, False, None]
    assert [more.agrees(value) for value in (72, 576)] == [False, True]


def test_every_claim_speaks_in_sentences():
    """What is said and why are full sentences, the reason a single one; every topic is used."""
    assert {claim.topic for claim in CLAIMS} == set(Topic)
    for claim in CLAIMS:
        assert claim.said.endswith(".")
        assert claim.why.endswith(".")
        assert len(claim.said) > 20
        assert claim.lines
    assert max(Counter(claim.said for claim in CLAIMS).values()) == 1
