"""``collective``: one collective on one machine, its time and what would change it."""

from argparse import Namespace

from core import units
from core.collectives.formulas import COLLECTIVES, busbw_bytes_per_s
from core.collectives.formulas.nccl_protocols import LINK_BYTES_PER_S, LLCeiling, ring_envelope
from core.collectives.pricing import Answer, Scenario, answer
from core.collectives.pricing.answer import RunnerUp
from core.collectives.pricing.flips import Flip
from core.command_line import Parser
from core.hardware import System
from core.shell import chosen, options
from core.shell.output import Reply, facts, page, remarks

NAME = "collective"
HELP = "time of one collective"
RINGS = COLLECTIVES[:3]


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
    parser.add_argument(
        "--nccl-table",
        action="store_true",
        help="with --json: also what NCCL's own tuning table says of a ring",
    )
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
    data = found.json()
    if args.nccl_table:
        data["nccl_table"] = _nccl_table(args, system, found)
    return Reply(data, text(found))


def _nccl_table(args: Namespace, system: System, found: Answer) -> dict[str, object] | None:
    """What NCCL's own tuning table says of a ring on NVLink; None where it says nothing of it."""
    name = next((key for key in LINK_BYTES_PER_S if system.gpu.id.startswith(key.lower())), None)
    if name is None or found.domains > 1 or found.collective not in RINGS or found.ranks == 1:
        return None
    given = args.rate_gbps_one_way
    links = system.gpu.scale_up_links or 0
    rate = given[0] * units.GB if given else links * LINK_BYTES_PER_S[name]
    ceiling = {"A100": LLCeiling.AMPERE, "B200": LLCeiling.BLACKWELL}.get(name, LLCeiling.HOPPER)
    priced = ring_envelope(found.collective, [found.size_bytes], found.ranks, rate, ceiling=ceiling)
    time_s = float(priced.cost.total_s[0])
    busbw = busbw_bytes_per_s(found.collective, found.ranks, found.size_bytes, time_s)
    return {
        "bytes_per_s": rate,
        "time_s": time_s,
        "protocol": str(priced.protocol[0]),
        "busbw_bytes_per_s": None if time_s == 0 else float(busbw),
    }


def _per_domain(system: System, domains: int | None, ranks: int) -> int | None:
    """GPUs of each domain where domains are asked for and share the ranks evenly; else None."""
    if domains is None or ranks < domains or ranks % domains or ranks // domains > system.domain_gpus:
        return None
    return ranks // domains


def text(found: Answer) -> str:
    """The answer for people."""
    way = _way(found) or "nothing to send"
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
                ("runner-up", second and f"{_way(second)}, {units.format_time(second.time_s)}"),
                ("rates", f"{found.rates} ({found.basis})"),
            )
        ),
        remarks(
            "What would change the choice",
            [_flip(found, flip) for flip in found.flips],
        ),
        remarks("Note", found.warnings),
    )


def _way(one: Answer | RunnerUp) -> str:
    return "/".join(part for part in (one.algorithm, one.protocol) if part)


def _flip(found: Answer, flip: Flip) -> str:
    """One flip in a reader's units: a size with its side, GPUs, a rate or a latency."""
    if flip.input == "size_bytes":
        side = "from" if flip.value > found.size_bytes else "up to"
        return f"{side} {units.format_size(flip.value)}: {flip.to}"
    if flip.input == "ranks":
        return f"with {flip.value:,.0f} GPUs: {flip.to}"
    if flip.input == "latency_s":
        return f"at {units.format_time(flip.value)} a step: {flip.to}"
    wire = "NIC " if flip.input == "scale_out_bytes_per_s" else ""
    return f"at {wire}{units.format_rate(flip.value)} a GPU: {flip.to}"


def _rate(bytes_per_s: float | None) -> str | None:
    return None if bytes_per_s is None else units.format_rate(bytes_per_s)
