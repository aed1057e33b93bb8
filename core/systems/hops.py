"""Hops: how ranks fill domains, and the rate and latency they see inside and between them."""

from core.catalog.links import LINKS
from core.catalog.step_latency import step_latency_s
from core.checks import InputError, count
from core.hardware import Hop, System, Topology
from core.systems.cube_mesh import ring_links


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
    One step among ``ranks`` GPUs of one domain: seconds, and bytes/s one way per GPU (SPEC F19).

    Switch: the GPU's total. Full mesh: one pair link to each other rank. Bridge: pairs only, else
    PCIe. Cube mesh: all links of all GPUs, the pair's links for two, the links of the best placed
    ring between, else PCIe. Shared PCIe: the slot's rate over the GPUs behind one uplink.

    Raises:
        InputError: ``ranks`` is not from 1 to the domain's GPUs.
    """
    ranks = count("ranks", ranks, most=system.domain_gpus)
    fabric = system.scale_up
    if ranks == 1 or fabric.topology in (Topology.SWITCH, Topology.SINGLE):
        taper = fabric.taper if ranks > fabric.untapered_ranks else 1.0
        return Hop(fabric.latency_s, fabric.bytes_per_s / taper)
    if fabric.topology is Topology.FULL_MESH:
        pair = system.pair_bytes_per_s or fabric.bytes_per_s / (system.domain_gpus - 1)
        return Hop(fabric.latency_s, (ranks - 1) * pair / fabric.taper)
    if fabric.topology is Topology.SHARED_PCIE:
        return Hop(fabric.latency_s, fabric.bytes_per_s / min(ranks, system.gpus_per_uplink))
    return _pairwise(system, ranks)


def _pairwise(system: System, ranks: int) -> Hop:
    """Bridge and cube mesh: direct links where the ranks have them, else through the host."""
    fabric = system.scale_up
    pair = system.pair_bytes_per_s or fabric.bytes_per_s
    if ranks == 2:  # noqa: PLR2004 (a pair)
        return Hop(fabric.latency_s, pair)
    if fabric.topology is Topology.CUBE_MESH:
        if ranks == system.domain_gpus:
            return Hop(fabric.latency_s, fabric.bytes_per_s)
        if system.wiring:
            links = ring_links(system.wiring, ranks)
            all_links = sum(system.wiring[0])
            if links:
                return Hop(fabric.latency_s, fabric.bytes_per_s * links / all_links)
    return host_hop(system, ranks)


def host_hop(system: System, ranks: int) -> Hop:
    """The detour over the host link, shared by the GPUs behind one uplink."""
    link = LINKS.get(system.host_link or "")
    if link is None or link.rate is None:
        message = f"ranks: {ranks} GPUs of {system.id} have no direct link and no host link is given"
        raise InputError(message)
    return Hop(step_latency_s(link), link.rate.bytes_per_s / min(ranks, system.gpus_per_uplink))


def outer_hop(system: System, local_ranks: int) -> Hop | None:
    """
    One step between domains: bytes/s one way per GPU taking part, None without a network.

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
