"""Which kind of network joins the nodes of a case."""

from core.catalog import LINKS
from core.hardware import Family
from core.verdict.hypotheses.case import Case


def network_family(case: Case) -> Family | None:
    """The family of the network; None where the catalog does not know it."""
    link = LINKS.get(case.network_words)
    return None if link is None else link.family
