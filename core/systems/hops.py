"""Hops: how ranks fill domains, and the rate and latency they see inside and between them."""

from core.checks import count
from core.errors import InputError
from core.hardware import Hop, System
from core.systems.scale_up import scale_up_path


def split(system: System, ranks: int, *, uneven: bool = False) -> tuple[int, int]:
    """
    How ``ranks`` fill the domains of a system: (GPUs of each domain, domains).

    Up to one domain's GPUs stay inside it; more take the fewest domains that hold them.

    Args:
        system: Configured with the domains that may be used.
        ranks: GPUs taking part.
        uneven: Where the last domain would hold fewer, answer with the fullest domain (a cost
            that is too high, never too low) instead of refusing; say so in a warning.

    Raises:
        InputError: More ranks than GPUs, or an uneven spread without ``uneven``.
    """
    ranks = count("ranks", ranks)
    if ranks > system.gpus:
        shape = (
            f"{system.domains} x {system.domain_gpus} GPUs" if system.domains > 1 else f"{system.gpus} GPUs"
        )
        message = f"ranks: at most {system.gpus} ({system.id} has {shape}; ask for more domains), not {ranks}"
        raise InputError(message)
    domains = -(-ranks // system.domain_gpus)
    local = -(-ranks // domains)
    if local * domains != ranks and not uneven:
        even = f"{(local - 1) * domains} or {local * domains}"
        message = f"ranks: {ranks} do not spread evenly over {domains} domains; take {even}"
        raise InputError(message)
    return local, domains


def hop_for(system: System, ranks: int) -> Hop:
    """
    One step among ``ranks`` neighbouring GPUs of one domain: seconds, and unidirectional bytes/s per GPU.

    The rate is that of ``scale_up_path``.

    Raises:
        InputError: ``ranks`` is not from 1 to the domain's GPUs.
    """
    return scale_up_path(system, ranks).hop


def outer_hop(system: System, local_ranks: int) -> Hop | None:
    """
    One step between domains: unidirectional bytes/s per GPU taking part, None without a network.

    ``local_ranks`` GPUs of a domain use the NICs nearest to them: one each where there are fewer
    NICs than GPUs (until all are in use), their share where there are as many or more. The ratio
    of the leaf's uplinks divides the rate of everything that leaves a domain.
    """
    local = count("local_ranks", local_ranks, most=system.domain_gpus)
    leaf = system.scale_out
    if leaf is None:
        return None
    total = leaf.bytes_per_s * system.domain_gpus
    nics = max(1, system.nics_per_domain)
    nearest = total / nics * max(1.0, nics / system.domain_gpus)
    return Hop(leaf.latency_s, min(total / local, nearest) / leaf.oversubscription)
