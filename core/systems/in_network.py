"""In-network reduction of a network: the refusal of links whose switches cannot reduce."""

from core.catalog.links import LINKS
from core.errors import InputError


def check_adding(link_id: str) -> None:
    """
    Refuse a catalog network whose switches cannot reduce; one of your own is taken at its word.

    Raises:
        InputError: One line that names those that can.
    """
    link = LINKS.get(link_id)
    if link is not None and not link.in_network_reduction:
        able = ", ".join(key for key, other in LINKS.items() if other.in_network_reduction)
        message = f"in_network_reduction: the switches of {able} can reduce, not those of {link_id}"
        raise InputError(message)
