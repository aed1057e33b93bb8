"""The ledger: every claim stands once, numeric ones are computed, and verdicts follow from the figures."""

import math

import pytest

from core.catalog.claims import CLAIMS, MEANINGS, Verdict, counts

NUMERIC = [claim for claim in CLAIMS if claim.numeric]
COMPARED = [claim for claim in NUMERIC if claim.printed is not None]

RECOMPUTED = {
    "C001": 16.777e6, "C002": 65.28, "C003": 1.020, "C004": 0.0725, "C006": 3.72, "C008": 128, "C009": 100,
    "C012": 160, "C014": 1.5, "C016": 600, "C020": 1.556, "C021": 1800, "C025": 50, "C026": 100, "C027": 16,
    "C031": 71, "C032": 72, "C033": 36, "C034": 3.6, "C035": 1296, "C036": 64.8, "C037": 13.824, "C038": 6,
    "C039": 1.5625, "C040": 9.0, "C041": 64, "C044": 14.1, "C045": 15.62, "C046": 7.03, "C047": 12.5,
    "C048": 6.25, "C051": 50, "C053": 2.56, "C055": 1.75, "C057": 16384, "C058": 0.4480, "C059": 0.2240,
    "C060": 0.0478, "C061": 0.0319, "C062": 0.0159, "C064": 4.194e6, "C065": 32.65, "C066": 855.7e6,
    "C067": 6.078, "C068": 34.67, "C069": 0.157, "C070": 6.0, "C076": 1.75, "C078": 15.0, "C081": 273.12,
    "C082": 4270.56, "C087": 126, "C088": 50.73, "C089": 101.46, "C090": 0.857, "C093": 15.14, "C094": 7.4,
    "C096": 245.0, "C098": 67, "C099": 67.1, "C100": 0.12, "C102": 4.375, "C103": 14.06, "C106": 0.311,
    "C108": 28, "C109": 3.6, "C110": 64.8, "C111": 13.824, "C112": 8.9, "C114": 1036.8, "C115": 55.296,
    "C118": 3200, "C119": 1, "C123": 4.44, "C124": 4.44, "C125": 18, "C126": 0.75, "C127": 3.0, "C128": 0.474,
    "C129": 0.0835, "C130": 163.84, "C131": 11796.48, "C132": 1769472, "C133": 5.65, "C134": 129.6, "C135": 9,
    "C137": 72, "C139": 11.27, "C140": 640, "C141": 0.36, "C142": 12, "C143": 7.03, "C144": 7.03, "C146": 128,
    "C147": 400, "C148": 0.1778, "C149": 22.22, "C151": 112.5, "C156": 900, "C157": 1800, "C158": 140,
    "C159": 3.83,
}  # fmt: skip
"""What was recomputed by hand, independent of any project code."""

RIGHT_NUMBER = {"C019"}
"""Contradictory for what stands beside the number."""


def test_every_claim_stands_once():
    """162 of them, numbered through, each with a topic, a sentence and a place."""
    assert [claim.id for claim in CLAIMS] == [f"C{number:03d}" for number in range(1, 163)]
    assert all(claim.said.endswith((".", ").")) and claim.topic and claim.line for claim in CLAIMS)
    assert {claim.document for claim in CLAIMS} == {"000", "001", "002", "003", "004"}


def test_verdicts_add_up_to_the_specification():
    """52 consistent, 52 conditional, 16 contradictory, 38 wrong, 4 unverified, and the same by document."""
    order = (
        Verdict.CONSISTENT,
        Verdict.CONDITIONAL,
        Verdict.CONTRADICTORY,
        Verdict.WRONG,
        Verdict.UNVERIFIED,
    )
    told = {
        None: (52, 52, 16, 38, 4),
        "000": (27, 33, 8, 25, 1),
        "001": (11, 9, 6, 10, 3),
        "002": (3, 6, 0, 0, 0),
        "003": (4, 4, 2, 3, 0),
        "004": (7, 0, 0, 0, 0),
    }

    for document, numbers in told.items():
        assert tuple(counts(document)[verdict] for verdict in order) == numbers
    assert set(MEANINGS) == set(Verdict)


@pytest.mark.parametrize("claim", NUMERIC, ids=lambda claim: claim.id)
def test_a_numeric_claim_is_computed(claim):
    """By the functions of the calculators, to the figure recomputed by hand where there is one."""
    ours = claim.ours()

    assert math.isfinite(ours)
    if claim.id in RECOMPUTED:
        assert ours == pytest.approx(RECOMPUTED[claim.id], rel=0.01)


@pytest.mark.parametrize("claim", COMPARED, ids=lambda claim: claim.id)
def test_a_verdict_follows_from_the_figures(claim):
    """What is called consistent agrees within rounding; what is called wrong does not."""
    off = abs(claim.ours() / claim.printed - 1) if claim.printed else math.inf

    if claim.verdict is Verdict.CONSISTENT:
        assert off < 0.05
    elif claim.verdict in (Verdict.WRONG, Verdict.CONTRADICTORY) and claim.id not in RIGHT_NUMBER:
        assert off > 0.04


def test_no_figure_recomputed_by_hand_is_forgotten():
    """The list of the test and the ledger speak of the same claims."""
    assert set(RECOMPUTED) <= {claim.id for claim in NUMERIC}
    assert len(NUMERIC) > 100
