"""Which rates answered, by the basis of what was priced."""

from collections.abc import Iterable

from core.collectives.rates import Rates
from core.provenance import Origin

OWN_BASIS = ("fitted:", "adapted:")
"""How the basis of an answer begins that rests on measurements of the user's own cluster."""
NOTHING_SENT = ("", "one GPU")


def answered(rates: Rates, bases: Iterable[str]) -> str:
    """
    Labels of the rates that answered, comma-separated where several did, as ``calibrated, spec``.

    Args:
        rates: As the question stated them; their label where nothing was priced.
        bases: Basis of each collective that was priced; empty or ``one GPU`` where nothing was sent.
    """
    labels = dict.fromkeys(_label(rates, basis) for basis in bases if basis not in NOTHING_SENT)
    return ", ".join(labels) or rates.label


def _label(rates: Rates, basis: str) -> str:
    if basis in (Origin.SPEC, Origin.PUBLISHED):
        return basis
    if rates.origin is Origin.FITTED and basis.startswith(OWN_BASIS):
        return rates.label
    return str(Origin.CALIBRATED)
