"""``systems``: the systems of the catalog, their GPUs, links and NICs."""

from argparse import Namespace

from core import catalog, units
from core.command_line import Parser
from core.hardware import Family, Link, System
from core.shell.options import add_json
from core.shell.output import Reply, page, table
from core.systems import system_json

NAME = "systems"
HELP = "systems of the catalog"


def add(parser: Parser) -> None:
    """Options of the command."""
    add_json(parser)


def run(_args: Namespace) -> Reply:
    """Every system with what decides its communication."""
    systems = list(catalog.SYSTEMS.values())
    header = (
        "system",
        "GPU",
        "GPUs",
        "scale-up per direction",
        "network",
        "NICs",
        "NIC rate per GPU",
        "confidence",
    )
    links = [_link(item) for item in catalog.LINKS.values()]
    data = {"systems": [_object(item) for item in systems], "links": links}
    return Reply(data, page(table(header, map(_row, systems))))


def _link(link: Link) -> dict[str, object]:
    """A link with its rates per direction; a PCIe slot also with half its lanes."""
    entry: dict[str, object] = {
        "id": link.id,
        "name": link.name,
        "links": link.links,
        "lanes": link.lanes,
        "nominal_bytes_per_s": None if link.rate is None else link.rate.bytes_per_s,
        "effective_bytes_per_s": link.effective_bytes_per_s,
        "raw_bytes_per_s": link.raw_bytes_per_s,
        "latency_s": link.latency_s,
        "confidence": link.confidence,
        "sources": link.sources,
    }
    if link.family is Family.PCIE and link.effective_bytes_per_s is not None:
        entry["half_width_effective_bytes_per_s"] = link.effective_bytes_per_s / 2
    return entry


def _row(system: System) -> tuple[object, ...]:
    leaf = system.scale_out
    return (
        system.id,
        system.gpu.name,
        system.domain_gpus,
        units.format_rate(system.scale_up.bytes_per_s),
        system.network or "none",
        system.nics_per_domain or "-",
        units.format_rate(leaf.bytes_per_s) if leaf else "-",
        str(system.confidence),
    )


def _object(system: System) -> dict[str, object]:
    leaf = system.scale_out
    return {
        "id": system.id,
        "name": system.name,
        "gpu": system.gpu.id,
        "domain_gpus": system.domain_gpus,
        "topology": str(system.scale_up.topology),
        "scale_up_link": system.scale_up.link,
        "scale_up_bytes_per_s": system.scale_up.bytes_per_s,
        "scale_up_latency_s": system.scale_up.latency_s,
        "in_network_reduction": system.scale_up.in_network_reduction,
        "network": system.network,
        "nics_per_domain": system.nics_per_domain,
        "network_bytes_per_s_per_gpu": leaf.bytes_per_s if leaf else None,
        "network_latency_s": leaf.latency_s if leaf else None,
        "memory_bytes": system.gpu.memory_bytes,
        "confidence": system.confidence,
        "note": system.note,
        "system_file": system_json(system),
        "sources": system.sources,
    }
