"""``collective``: one collective on one system, its time and where another algorithm wins."""

from argparse import Namespace

from core import units
from core.catalog import LINKS
from core.catalog.nccl_tuning import nccl_link_bytes_per_s
from core.catalog.software import COMMUNICATION_DEFAULT
from core.collectives.formulas import COLLECTIVES, busbw_bytes_per_s
from core.collectives.formulas.nccl_protocols import ring_envelope
from core.collectives.moe.answer import exchange_answer
from core.collectives.moe.question import COLLECTIVES as EXCHANGES
from core.collectives.pricing import Answer, Crossover, Scenario, answer
from core.collectives.pricing.answer import RunnerUp
from core.command_line import Parser
from core.hardware import System
from core.shell import options
from core.shell.moe_options import TOKENS, add_exchange, check_options, exchange, exchange_text
from core.shell.output import Reply, facts, page, remarks
from core.shell.question import question
from core.systems import scale_up_path

NAME = "collective"
HELP = "time of one collective"
RINGS = COLLECTIVES[:3]


def add(parser: Parser) -> None:
    """Options of the command."""
    parser.add_argument("--collective", choices=(*COLLECTIVES, *EXCHANGES), default="all_reduce")
    parser.add_argument(
        "--ranks",
        type=options.whole,
        metavar="N",
        help="ranks, in --domains domains where given (default all)",
    )
    parser.add_argument(
        "--size", type=options.size, default="1GiB", metavar="SIZE", help="message size, as 16MiB"
    )
    options.add_system(parser)
    options.add_rates(parser)
    options.add_algorithm(parser, dtype=True)
    options.add_software(parser, COMMUNICATION_DEFAULT)
    parser.add_argument(
        "--nccl-table",
        action="store_true",
        help="with --json: also NCCL's own tuning table for a ring",
    )
    add_exchange(parser)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The priced collective."""
    check_options(args)
    shared = question(args)
    ranks = shared.system.gpus if args.ranks is None else args.ranks
    moe = args.collective in EXCHANGES
    scenario = shared.scenario(
        Scenario,
        collective="all_to_all" if moe else args.collective,
        ranks=ranks,
        per_domain=_per_domain(shared.system, args.domains, ranks),
        size_bytes=args.size,
        dtype=args.dtype,
        nvls=args.nvls,
    )
    if moe:
        tokens = TOKENS if args.tokens is None else args.tokens
        exchanged = exchange_answer(scenario, exchange(args), tokens)
        return Reply(exchanged.json(), exchange_text(exchanged))
    result = answer(scenario)
    data = result.json()
    if args.nccl_table:
        data["nccl_table"] = _nccl_table(args, shared.system, result)
    return Reply(data, text(result))


def _nccl_table(args: Namespace, system: System, result: Answer) -> dict[str, object] | None:
    """NCCL's own tuning table for a ring on NVLink; None where the table does not apply."""
    path = scale_up_path(system, min(result.ranks, system.domain_gpus))
    counted = nccl_link_bytes_per_s(system.gpu.architecture, LINKS.get(path.link))
    if counted is None or result.domains > 1 or result.collective not in RINGS or result.ranks == 1:
        return None
    overrides = args.rate_gbps_one_way
    links = system.gpu.scale_up_links or 0
    rate = overrides[0] * units.GB if overrides else links * counted
    priced = ring_envelope(
        result.collective,
        [result.size_bytes],
        result.ranks,
        rate,
        architecture=system.gpu.architecture,
    )
    time_s = float(priced.cost.total_s[0])
    busbw = busbw_bytes_per_s(result.collective, result.ranks, result.size_bytes, time_s)
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


def text(result: Answer) -> str:
    """The answer for people."""
    choice = _choice(result) or "nothing to send"
    where = units.counted(result.ranks, "GPU") + (
        f" in {result.domains} domains" if result.domains > 1 else ""
    )
    headline = (
        f"{result.collective} of {units.format_size(result.size_bytes)} over {where} of {result.system}: "
        f"{units.format_time(result.time_s)} ({choice})"
    )
    interval = None
    if result.low_s != result.high_s:
        interval = f"{units.format_time(result.low_s)} to {units.format_time(result.high_s)}"
    second = result.runner_up
    return page(
        headline,
        facts(
            (
                ("prediction interval (p10-p90)", interval),
                ("busbw", _rate(result.busbw_bytes_per_s)),
                ("algbw", _rate(result.algbw_bytes_per_s)),
                ("launch", units.format_time(result.launch_s)),
                ("latency", units.format_time(result.latency_s)),
                ("transfer", units.format_time(result.transfer_s)),
                ("reduction", units.format_time(result.reduction_s)),
                ("sent", units.format_message(result.wire_bytes) + " per GPU"),
                ("bound by", result.binding),
                ("runner-up", second and f"{_choice(second)}, {units.format_time(second.time_s)}"),
                ("rates", f"{result.rates} ({result.basis})"),
            )
        ),
        remarks(
            "Crossovers",
            [_crossover(result, crossover) for crossover in result.crossovers],
        ),
        remarks("Note", result.warnings),
    )


def _choice(way: Answer | RunnerUp) -> str:
    return "/".join(part for part in (way.algorithm, way.protocol) if part)


def _crossover(result: Answer, crossover: Crossover) -> str:
    """One crossover in a reader's units: a size with its side, GPUs, a rate or a latency."""
    if crossover.input == "size_bytes":
        side = "from" if crossover.value > result.size_bytes else "up to"
        return f"{side} {units.format_message(crossover.value)}: {crossover.to}"
    if crossover.input == "ranks":
        return f"with {crossover.value:,.0f} GPUs: {crossover.to}"
    if crossover.input == "latency_s":
        return f"at {units.format_time(crossover.value)} a step: {crossover.to}"
    nic = "NIC " if crossover.input == "scale_out_bytes_per_s" else ""
    return f"at {nic}{units.format_rate(crossover.value)} per GPU: {crossover.to}"


def _rate(bytes_per_s: float | None) -> str | None:
    return None if bytes_per_s is None else units.format_rate(bytes_per_s)
