"""Verdict: the five ways in which a published claim can stand."""

from enum import StrEnum


class Verdict(StrEnum):
    """How a claim stands against arithmetic, public facts and its own neighbours."""

    CONSISTENT = "consistent"
    CONDITIONAL = "conditional"
    WRONG = "wrong"
    CONTRADICTORY = "contradictory"
    UNVERIFIED = "unverified"


MEANINGS = {
    Verdict.CONSISTENT: "agrees with arithmetic and with public facts",
    Verdict.CONDITIONAL: "true only under an assumption that the claim does not state",
    Verdict.WRONG: "arithmetic or a public fact differs",
    Verdict.CONTRADICTORY: "conflicts with itself or with another of the documents",
    Verdict.UNVERIFIED: "no public source was found",
}
