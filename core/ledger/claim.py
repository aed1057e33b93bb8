"""Claim: one statement of a source document in our words, with its figures and its verdict."""

from dataclasses import dataclass
from enum import StrEnum

from core.catalog.sources import SOURCES
from core.ledger.documents import EVIDENCE
from core.ledger.figure import Figure
from core.ledger.verdict import Verdict
from core.provenance import Source


class Topic(StrEnum):
    """What a claim is about."""

    NVLINK = "NVLink"
    SWITCH = "Switches and topology"
    PCIE = "PCIe"
    NETWORK = "InfiniBand and Ethernet"
    HIERARCHY = "Hierarchy and ratios"
    COLLECTIVES = "Collectives"
    TP = "Tensor parallelism"
    GRADIENTS = "Gradient sync"
    RACK = "NVL72 and capacity"
    SCALING = "Scaling and money"
    STRATEGY = "Strategy"
    MEASURING = "Measuring"


@dataclass(frozen=True, slots=True)
class Claim:
    """
    One row of the ledger.

    Attributes:
        id: ``C001`` to ``C162``.
        document: Number of the source document, ``000`` to ``004``.
        lines: Where in it, as ``8-14`` or ``247,255``.
        said: The claim, in our words.
        why: What decides the verdict, in a sentence.
        figures: Its numbers; the first is the one that a table shows.
        evidence: The documents that the verdict rests on beside arithmetic.
        in_words: The verdict rests on words; figures only illustrate it.
    """

    id: str
    document: str
    lines: str
    topic: Topic
    said: str
    verdict: Verdict
    why: str
    figures: tuple[Figure, ...] = ()
    evidence: tuple[Source, ...] = ()
    in_words: bool = False


def claim(
    number: int,
    where: str,
    topic: Topic,
    said: str,
    verdict: Verdict,
    why: str,
    *figures: Figure,
    evidence: str = "",
    in_words: bool = False,
) -> Claim:
    """A row; ``where`` is document and lines as ``000:8-14``, ``evidence`` keys of sources by blanks."""
    document, _, lines = where.partition(":")
    behind = tuple((EVIDENCE | SOURCES)[key] for key in evidence.split())
    return Claim(f"C{number:03d}", document, lines, topic, said, verdict, why, figures, behind, in_words)
