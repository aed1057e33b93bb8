"""Scale-out networks in order of generation, and those that answers compare where nobody names any."""

from core.catalog.links import LINKS
from core.hardware import Link
from core.provenance import Confidence, Scope

USUAL = "ib-ndr"
"""Assumed between hosts whose network nobody names."""
OF_ONE_RATE = (USUAL, "roce-400")
"""InfiniBand and Ethernet of one rate."""
WITH_A_SLOW_ONE = (*OF_ONE_RATE, "roce-100")
"""The same, and the Ethernet of a cluster without a fabric for GPUs."""
FABRICS = ("ib-hdr", "ib-ndr", "ib-xdr", "roce-400", "roce-800")
"""Fabrics that a cluster may be bought with or upgraded to."""


def next_generation(network: str) -> str | None:
    """
    Id of the network one generation on: the slowest faster one of its family that is for sale.

    None for an unknown network, the fastest of its family, and networks quoted per node or GPU, which
    come with a cloud's instances. Roadmaps and links of less than high confidence do not count.
    """
    own = LINKS.get(network)
    if own is None or not own.scale_out or _port_rate(own) is None:
        return None
    rate = _port_rate(own) or 0.0
    faster = [
        (other_rate, link.year, link.id)
        for link in LINKS.values()
        if link.family is own.family
        and link.confidence is Confidence.HIGH
        and (other_rate := _port_rate(link) or 0.0) > rate
    ]
    return min(faster)[-1] if faster else None


def _port_rate(link: Link) -> float | None:
    """Bytes/s of a port, one way; None where the rate is quoted otherwise."""
    return link.rate.bytes_per_s if link.rate is not None and link.rate.scope is Scope.PORT else None
