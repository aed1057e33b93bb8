"""The ledger page: every claim with its verdict, filters in the URL, links that ask what they promise."""

from functools import lru_cache
from urllib.parse import parse_qs, urlparse

import pytest

from core.ledger.claims import CLAIMS
from pages.ui.ledger.links import LINKS, url
from pages.ui.shared.navigation import SECTIONS

PAGES = {page.name for section in SECTIONS.values() for page in section}


def table(app):
    """The claims shown."""
    return app.dataframe[0].value


def covering():
    """Few claims whose links together use every page and every input of every page."""
    uncovered = {(page, key) for page, query in LINKS.values() for key in (query or {"": ""})}
    picked = []
    while uncovered:
        best = max(LINKS, key=lambda claim: len(uncovered & _uses(claim)))
        picked.append(best)
        uncovered -= _uses(best)
    return picked


@lru_cache(maxsize=256)
def _uses(claim):
    page, query = LINKS[claim]
    return {(page, key) for key in (query or {"": ""})}


def test_every_claim_is_listed_with_its_verdict(visit, headline):
    """162 rows: published and recomputed value, verdict and why; the headline counts the verdicts."""
    app = visit("ledger")
    shown = table(app)

    assert list(shown["claim"]) == [claim.id for claim in CLAIMS]
    assert list(shown["verdict"]) == [str(claim.verdict) for claim in CLAIMS]
    assert "52 hold, 52 hold only under a condition, 38 are wrong" in headline(app)
    assert all(shown["why"])


def test_the_row_of_a_copy_shows_both_values(visit):
    """1 GB over PCIe Gen5: 7.8 ms as printed, 15.6 unidirectional, 7.81 counted their way."""
    shown = table(visit("ledger", search="C045"))

    assert list(shown[["published", "recomputed", "theirs", "verdict"]].iloc[0]) == [
        "7.8 ms",
        "15.6 ms",
        "7.81 ms",
        "wrong",
    ]


def test_filters_live_in_the_url(visit, headline):
    """Topic, verdict, document and words narrow the table, each from the address alone."""
    wrong = visit("ledger", verdict="wrong")
    both = visit("ledger", verdict=["wrong", "contradictory"], document="001")
    money = visit("ledger", topic="Scaling and money", search="$")

    assert set(table(wrong)["verdict"]) == {"wrong"}
    assert len(table(wrong)) == 38
    assert len(table(both)) == 16
    assert list(table(money)["claim"]) == ["C131", "C132", "C133"]
    assert "38 of 162" in headline(wrong)


def test_a_filter_moved_changes_the_rows(visit):
    """Choosing a topic on the page leaves its claims, and the full link carries the choice."""
    app = visit("ledger")
    app.multiselect(key="topic").set_value(["PCIe"]).run()
    link = next(block.value for block in app.code if "v=" in block.value)

    assert set(table(app)["topic"]) == {"PCIe"}
    assert parse_qs(urlparse(link).query)["topic"] == ["PCIe"]


def test_nothing_found_is_said(visit, headline):
    """A search without a hit is a sentence, not an empty table or an error."""
    app = visit("ledger", search="no such words")

    assert not app.exception
    assert not app.dataframe
    assert "No claim fits" in headline(app)


def test_a_claim_opens_in_full(visit):
    """The address names a claim: all its numbers, the reason, the sources and the link are there."""
    app = visit("ledger", claim="C036")
    texts = " ".join(part.value for part in app.container(key="claim_in_full").markdown)

    assert app.selectbox(key="claim").value == "C036"
    assert "the bisection is 64.8" in texts
    assert url("C036") in texts
    assert "Document 000, line 50" in texts
    assert app.dataframe[1].value["recomputed"].iloc[0] == "64.8 TB/s"


def test_every_claim_has_a_link_to_a_page():
    """No row is a dead end."""
    assert set(LINKS) == {claim.id for claim in CLAIMS}
    assert {link.page for link in LINKS.values()} <= PAGES


def asks_what_it_says(visit, claim):
    """Open a claim's link and compare every input with its widget."""
    page, query = LINKS[claim]
    app = visit(page, **query)

    assert not app.exception
    for key, value in query.items():
        assert same(app.session_state[key], value), (key, app.session_state[key], value)


def same(taken, requested):
    """Whether a widget holds what the address asks for."""
    if isinstance(taken, bool):
        return str(taken).lower() == str(requested)
    return float(taken) == float(requested) if isinstance(taken, (int, float)) else taken == requested


@pytest.mark.parametrize("claim", covering())
def test_a_link_fills_the_calculator_in(visit, claim):
    """Every input that any link names, on every page that any link opens, reaches its widget."""
    asks_what_it_says(visit, claim)


@pytest.mark.slow
@pytest.mark.parametrize("address", sorted({url(claim) for claim in LINKS}))
def test_every_link_fills_the_calculator_in(visit, address):
    """The same for each distinct address of the ledger."""
    asks_what_it_says(visit, next(claim for claim in LINKS if url(claim) == address))


@pytest.mark.parametrize(
    ("claim", "shown"),
    [("C130", "164 GPUs"), ("C131", "$11,796"), ("C132", "$1.77M"), ("C133", "5.65 months")],
)
def test_the_claims_about_money_open_where_they_are_reckoned(visit, headline, claim, shown):
    """Idle GPUs, a day, a month and the payback stand in the answer of the page that the row opens."""
    page, query = LINKS[claim]
    app = visit(page, **query)

    assert page == "cost"
    assert shown in headline(app).replace("\\", "")


def test_the_claim_about_280_gb_opens_a_ring(visit):
    """C106: 140 GB of gradients of 70B in BF16 by a ring of eight H100 take 544 ms, as the row says."""
    page, query = LINKS["C106"]
    app = visit(page, **query)

    assert next(metric.value for metric in app.metric if metric.label == "Communication") == "544 ms"
    assert app.session_state["sync_algorithm"] == "ring"
