"""The ledger against the five documents and their specification, where those lie beside the repository."""

import re
from functools import lru_cache
from pathlib import Path

import pytest

from core.ledger.claims import CLAIMS

REFERENCE = Path(__file__).resolve().parents[3] / "shared" / "reference"
pytestmark = pytest.mark.skipif(not REFERENCE.is_dir(), reason="needs ../shared/reference")
NUMBER = re.compile(r"\d[\d,]*\.?\d*")
WORDS_ALIKE = 7
WIDER = {"C034": "46-47", "C091": "286-287", "C092": "292-293", "C094": "297-301", "C112": "91,94"}
"""Claims that we take from a line more than the specification names."""


@lru_cache(maxsize=8)
def document(number):
    """Lines of a document."""
    (path,) = (REFERENCE / "sources").glob(f"{number}_*.txt")
    return path.read_text().split("\n")


def cited(claim):
    """The text at a claim's lines."""
    spans = [part.partition("-") for part in claim.lines.split(",")]
    return " ".join(
        " ".join(document(claim.document)[int(first) - 1 : int(last or first)]) for first, _, last in spans
    )


def unprinted(claim):
    """Numerals that the ledger calls printed and that are not at the named lines."""
    there = {float(text.replace(",", "").rstrip(".")) for text in NUMBER.findall(cited(claim))}
    printed = {
        end for item in claim.figures if item.printed and not item.worded for end in (item.low, item.high)
    }
    return printed - {float("inf")} - there


def test_printed_numbers_stand_where_the_ledger_says():
    """Every numeral of every claim called printed is at the named lines of the named document."""
    assert {claim.id: missing for claim in CLAIMS if (missing := unprinted(claim))} == {}


def test_claims_are_told_in_our_words():
    """No claim repeats a run of seven words of its document."""
    theirs = {number: runs(" ".join(document(number))) for number in {claim.document for claim in CLAIMS}}
    repeated = {claim.id: (runs(claim.said) | runs(claim.why)) & theirs[claim.document] for claim in CLAIMS}

    assert {name: words for name, words in repeated.items() if words} == {}


def runs(text):
    """Every run of words, figures left out, that a text contains."""
    words = re.findall(r"[a-z]+", text.lower())
    return {tuple(words[start : start + WORDS_ALIKE]) for start in range(len(words) - WORDS_ALIKE + 1)}


def test_ids_lines_and_verdicts_are_those_of_the_specification():
    """Row by row the ledger has the specification's place and verdict; five places are wider."""
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        for line in (REFERENCE / "SPEC.md").read_text().splitlines()
        if re.match(r"\| C\d{3} ", line)
    ]
    text = {row[0]: (row[1][:3], row[1].partition(":")[2], row[6]) for row in rows}
    ours = {claim.id: (claim.document, claim.lines, str(claim.verdict)) for claim in CLAIMS}

    assert {key: ours[key][1] for key in ours if ours[key] != text[key]} == WIDER
    assert all(ours[key][::2] == text[key][::2] for key in ours)
