"""The link of each level of a system, before a tier or a direction is chosen."""

from dataclasses import dataclass

from core.catalog.links import LINKS
from core.catalog.measured import MEASURED, MEASURED_PAIRS, Measured
from core.catalog.sources import cite
from core.catalog.step_latency import latency_label, step_latency_s
from core.hardware import Fabric, Link, System, Topology
from core.provenance import Source

MEMORY_LATENCY_S = 0.3e-6
"""400 to 600 cycles as stated for the H100, at its clock; assumed of every GPU."""

MEMORY_NOTE = "reads and writes share this rate; latency of an H100 assumed"
L2_LATENCY_S = 0.12e-6


@dataclass(frozen=True, slots=True)
class LevelLink:
    """
    One level: the nominal rate per GPU and direction, and those of the other tiers.

    Attributes:
        level: Its name in answers.
        link: Catalog id, or what the memory is.
        raw_bytes_per_s, effective_bytes_per_s: Line rate and payload rate in the same share; None if unknown.
        both_ways: Directions that move at once: 2, or 1 where reads and writes share.
    """

    level: str
    link: str
    nominal_bytes_per_s: float
    raw_bytes_per_s: float | None
    effective_bytes_per_s: float | None
    measured: Measured | None
    latency_s: float
    both_ways: int
    source: Source
    note: str = ""


def level_links(system: System, *, unverified: bool = False) -> tuple[LevelLink, ...]:
    """The levels of a system from the inside out; what it does not have is left out."""
    return (
        *_l2(system, unverified=unverified),
        _memory(system),
        *_scale_up(system),
        *_host(system),
        *_network(system),
    )


def _l2(system: System, *, unverified: bool) -> list[LevelLink]:
    rate = system.gpu.l2_bytes_per_s
    if rate is None or not unverified:
        return []
    (source,) = cite("briefing-000")
    note = "an author's estimate that no document confirms"
    return [LevelLink("L2", "on chip", rate, None, None, None, L2_LATENCY_S, 1, source, note)]


def _memory(system: System) -> LevelLink:
    quoted = system.gpu.memory_rate
    return LevelLink(
        "memory",
        memory_kind(system),
        quoted.bytes_per_s,
        None,
        None,
        None,
        MEMORY_LATENCY_S,
        1,
        quoted.source,
        MEMORY_NOTE,
    )


def memory_kind(system: System) -> str:
    """``HBM``, or ``GDDR`` for cards."""
    return str(system.gpu.memory_kind)


def _scale_up(system: System) -> list[LevelLink]:
    fabric = system.scale_up
    if fabric.topology.pcie or fabric.topology is Topology.SINGLE:
        return []
    if system.bridge is not None:
        bridge = LINKS.get(system.bridge.link)
        return [_fabric_link("scale-up pair", system, system.bridge, bridge, None, "one bridged pair")]
    link = LINKS.get(fabric.link)
    is_whole = link is not None and link.rate is not None and fabric.bytes_per_s >= link.rate.bytes_per_s
    # a copy over eighteen links says nothing of a GPU that has twelve
    whole = _fabric_link("scale-up", system, fabric, link, MEASURED.get(fabric.link) if is_whole else None)
    pair = system.pair_bytes_per_s
    if pair is None or pair >= fabric.bytes_per_s:
        return [whole]
    share = pair / fabric.bytes_per_s
    note = "one pair of GPUs alone" if fabric.topology is Topology.FULL_MESH else "the best placed pair alone"
    return [
        whole,
        LevelLink(
            "scale-up pair",
            fabric.link,
            pair,
            _scaled(whole.raw_bytes_per_s, share),
            _scaled(whole.effective_bytes_per_s, share),
            MEASURED_PAIRS.get(fabric.link),
            fabric.latency_s,
            2,
            whole.source,
            note,
        ),
    ]


def _host(system: System) -> list[LevelLink]:
    link = LINKS.get(system.host_link or "")
    if link is None or link.rate is None:
        return []
    share = 1 / system.gpus_per_uplink
    shared = f"; shared by {system.gpus_per_uplink} GPUs" if system.gpus_per_uplink > 1 else ""
    return [
        LevelLink(
            "host",
            link.id,
            link.rate.bytes_per_s * share,
            _scaled(link.raw_bytes_per_s, share),
            _scaled(link.effective_bytes_per_s, share),
            MEASURED.get(link.id) if share == 1 else None,
            step_latency_s(link),
            2,
            link.rate.source,
            latency_label(link) + shared,
        )
    ]


def _network(system: System) -> list[LevelLink]:
    leaf = system.scale_out
    if leaf is None:
        return []
    link = LINKS.get(leaf.link)
    links = [_fabric_link("network", system, leaf, link, None, _nic_note(system))]
    if leaf.oversubscription > 1:
        spine = system.fabrics[-1]
        note = f"{leaf.oversubscription:g}:1 oversubscribed above the leaf"
        links.append(_fabric_link("network spine", system, spine, link, None, note))
    return links


def _nic_note(system: System) -> str:
    nics, gpus = system.nics_per_domain, system.domain_gpus
    each = f"{nics / gpus:g} NIC per GPU" if nics <= gpus else f"{nics / gpus:g} NICs per GPU"
    return f"{nics} NICs for {gpus} GPUs: {each}"


def _fabric_link(
    level: str,
    system: System,
    fabric: Fabric,
    link: Link | None,
    measured: Measured | None,
    note: str = "",
) -> LevelLink:
    """The link of a fabric: its tiers in the share that one GPU has of it."""
    nominal = fabric.bytes_per_s
    printed = link.rate.bytes_per_s if link is not None and link.rate is not None else None
    share = None if printed is None else nominal / printed
    source = link.rate.source if link is not None and link.rate is not None else system.sources[0]
    notes = "; ".join(text for text in (note, "" if link is None else latency_label(link)) if text)
    return LevelLink(
        level,
        fabric.link,
        nominal,
        _scaled(None if link is None else link.raw_bytes_per_s, share),
        _scaled(None if link is None else link.effective_bytes_per_s, share),
        measured,
        fabric.latency_s,
        2,
        source,
        notes,
    )


def _scaled(rate: float | None, share: float | None) -> float | None:
    return None if rate is None or share is None else rate * share
