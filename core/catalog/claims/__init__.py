"""The ledger of published claims: what the source documents say, what we compute, and the verdict."""

from collections import Counter
from collections.abc import Mapping

from core.catalog.claims import document_000, document_000_calculus, document_001, documents_002_to_004
from core.catalog.claims.claim import MEANINGS, Claim, Verdict

CLAIMS: tuple[Claim, ...] = (
    *document_000.CLAIMS,
    *document_000_calculus.CLAIMS,
    *document_001.CLAIMS,
    *documents_002_to_004.CLAIMS,
)

__all__ = ["CLAIMS", "MEANINGS", "Claim", "Verdict", "counts"]


def counts(document: str | None = None) -> Mapping[Verdict, int]:
    """How many claims have each verdict, of one document or of all."""
    found = Counter(claim.verdict for claim in CLAIMS if document in (None, claim.document))
    return {verdict: found[verdict] for verdict in Verdict}
