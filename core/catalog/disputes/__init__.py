"""Disputes: every disagreement between sources that the catalog had to settle or keep open."""

from core.catalog.disputes.claims import CLAIM_DISPUTES
from core.catalog.disputes.dispute import Dispute
from core.catalog.disputes.parts import PART_DISPUTES

DISPUTES: tuple[Dispute, ...] = (*CLAIM_DISPUTES, *PART_DISPUTES)


def disputes_about(entry_id: str) -> tuple[Dispute, ...]:
    """The disputes that concern a catalog id."""
    return tuple(dispute for dispute in DISPUTES if entry_id in dispute.about)
