"""``collective``: one collective on one machine, its time and what would change it."""

from argparse import Namespace

from core import units
from core.collective import Answer, Scenario, answer
from core.collectives import COLLECTIVES
from core.hardware import System
from core.shell import chosen, options
from core.shell.output import Reply, facts, page, remarks
from core.shell.parser import Parser

NAME = "collective"
HELP = "time of one collective"


def add(parser: Parser) -> None:
    """Options of the command."""
    parser.add_argument("--collective", choices=COLLECTIVES, default="all_reduce")
    parser.add_argument(
        "--ranks",
        type=options.whole,
        metavar="N",
        help="GPUs taking part, in --domains domains where given (default all)",
    )
    parser.add_argument("--size", type=options.size, default="1GiB", metavar="SIZE", help="as 16MiB")
    options.add_system(parser)
    options.add_rates(parser)
    options.add_algorithm(parser, dtype=True)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The priced collective."""
    system = chosen.system(args)
    ranks = system.gpus if args.ranks is None else args.ranks
    found = answer(
        Scenario(
            system=system,
            collective=args.collective,
            ranks=ranks,
            per_domain=_per_domain(system, args.domains, ranks),
            size_bytes=args.size,
            rates=chosen.rates(args),
            algorithm=args.algorithm,
            implementation=args.implementation or "nccl",
            launch=args.launch,
            dtype=args.dtype,
        )
    )
    return Reply(found.json(), text(found))


def _per_domain(system: System, domains: int | None, ranks: int) -> int | None:
    """GPUs of each domain where domains are asked for and share the ranks evenly; else None."""
    if domains is None or ranks < domains or ranks % domains or ranks // domains > system.domain_gpus:
        return None
    return ranks // domains


def text(found: Answer) -> str:
    """The answer for people."""
    way = "/".join(part for part in (found.algorithm, found.protocol) if part) or "nothing to send"
    where = f"{found.ranks} GPUs" + (f" in {found.domains} domains" if found.domains > 1 else "")
    headline = (
        f"{found.collective} of {units.format_size(found.size_bytes)} over {where} of {found.system}: "
        f"{units.format_time(found.time_s)} ({way})"
    )
    band = None
    if found.low_s != found.high_s:
        band = f"{units.format_time(found.low_s)} to {units.format_time(found.high_s)}"
    second = found.runner_up
    return page(
        headline,
        facts(
            (
                ("band", band),
                ("busbw", _rate(found.busbw_bytes_per_s)),
                ("algbw", _rate(found.algbw_bytes_per_s)),
                ("launch", units.format_time(found.launch_s)),
                ("latency", units.format_time(found.latency_s)),
                ("transfer", units.format_time(found.transfer_s)),
                ("reduction", units.format_time(found.reduction_s)),
                ("on the wire", units.format_size(found.wire_bytes) + " per GPU"),
                ("bound by", found.binding),
                ("runner-up", second and f"{second.algorithm}, {units.format_time(second.time_s)}"),
                ("rates", f"{found.rates} ({found.basis})"),
            )
        ),
        remarks(
            "What would change the choice",
            [f"{flip.input} {flip.value:.4g}: {flip.to}" for flip in found.flips],
        ),
        remarks("Note", found.warnings),
    )


def _rate(bytes_per_s: float | None) -> str | None:
    return None if bytes_per_s is None else units.format_rate(bytes_per_s)
