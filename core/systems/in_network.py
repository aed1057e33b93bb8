"""Networks whose switches add: which can, and the refusal of those that cannot."""

from core.catalog.links import LINKS
from core.checks import InputError

ADDING = ("ib-hdr", "ib-ndr", "ib-xdr", "ib-gdr", "ib-ldr")
"""Catalog networks whose switches add messages of any size (SHARP from its second generation on)."""


def check_adding(link_id: str) -> None:
    """
    Refuse a catalog network whose switches cannot add; one of yours is taken at its word.

    Raises:
        InputError: One line that names those that can.
    """
    if link_id in LINKS and link_id not in ADDING:
        message = f"in_network_reduction: the switches of {', '.join(ADDING)} can add, not those of {link_id}"
        raise InputError(message)
