"""``job``: a trace explained, laid over the model, and replayed on another machine."""

import argparse
from argparse import Namespace
from dataclasses import replace

from core import catalog
from core.checks import InputError
from core.collectives.cost_model import IMPLEMENTATIONS
from core.collectives.question import FabricQuestion
from core.command_line import Parser
from core.job.change import CHANGEABLE, Change
from core.job.explain import explain
from core.job.hang import find_hang
from core.job.json_form import answer_json, explanation_json, hang_json
from core.job.shares import on_processors
from core.job.what_if import what_if
from core.shell import options
from core.shell.job_text import answer_text, explanation_text, hang_text
from core.shell.output import Reply, page
from core.shell.question import question, rates_named
from core.shell.read import job_of, text_of
from core.systems import configure, read_system

NAME = "job"
HELP = "where the time of a traced job goes, and its step on another machine"
FILES_ONLY = True
"""A trace is no field of a JSON object: other programs read the answer of ``--json``."""


def add(parser: Parser) -> None:
    """Options of the command."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="TRACE",
        help="traces of one job: a file, one a rank, or an archive of them",
    )
    options.add_system(parser, default=None)
    options.add_rates(parser)
    options.add_algorithm(parser)
    there = parser.add_argument_group("what if")
    there.add_argument("--to", "--to-system", metavar="ID", help="the other system: a catalog id")
    there.add_argument("--to-system-file", metavar="FILE.json", help="or a file of your own")
    there.add_argument("--to-network", metavar="LINK_ID", help="its network")
    there.add_argument("--to-nics-per-domain", type=options.whole, metavar="N", help="its NICs in a domain")
    there.add_argument("--to-in-network", action="store_true", help="its network reduces (SHARP)")
    there.add_argument("--to-implementation", choices=IMPLEMENTATIONS, help="its library")
    there.add_argument("--to-rates", metavar="RATES", help="its rates")
    there.add_argument("--to-ranks", type=_ranks, metavar="DP=N,...", help="other group sizes")
    there.add_argument("--bucket-size", type=options.size, metavar="SIZE", help="other gradient buckets")
    there.add_argument(
        "--compute-factor",
        type=options.positive,
        metavar="X",
        help="time of compute there over here (default from the roofline of both GPUs)",
    )
    there.add_argument(
        "--usd-per-gpu-hour",
        dest="prices",
        type=options.OneOrTwo(options.not_negative),
        metavar="X[,Y]",
        help="price of a GPU-hour; Y: there",
    )
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The explained job, and its step elsewhere where something is to change."""
    job = job_of(args.files)
    hang = find_hang(job)
    here = _here(args)
    if here is not None and on_processors(job):
        message = "--system: the trace shows no GPU (gloo on processors): no system prices its calls"
        raise InputError(message)
    told = explain(job, here)
    data = explanation_json(told)
    parts = [explanation_text(told)]
    if hang is not None:
        data["hang"] = hang_json(hang)
        parts.insert(0, hang_text(hang))
    change = _change(args, here)
    if change is not None:
        answer = what_if(job, change, told)
        data["what_if"] = answer_json(answer)
        parts.append(answer_text(answer))
    return Reply(data, page(*parts))


def _here(args: Namespace) -> FabricQuestion | None:
    """System, rates and software of the trace; None where no system is named."""
    if args.system is None and args.system_file is None:
        return None
    return question(args).scenario(FabricQuestion)


def _change(args: Namespace, here: FabricQuestion | None) -> Change | None:
    """What is to change; None where nothing is."""
    there = _there(args, here)
    prices: tuple[float, ...] = args.prices or ()
    if there is None and not (args.to_ranks or args.bucket_size or args.compute_factor or prices):
        return None
    return Change(
        here=here,
        there=there,
        compute_factor=args.compute_factor,
        ranks=args.to_ranks or {},
        bucket_bytes=args.bucket_size,
        usd_per_gpu_hour=prices[0] if prices else None,
        usd_per_gpu_hour_there=prices[1] if len(prices) > 1 else None,
    )


def _there(args: Namespace, here: FabricQuestion | None) -> FabricQuestion | None:
    """The other machine: another system, or this one over another network or with another library."""
    wanted = (args.to, args.to_system_file, args.to_network, args.to_nics_per_domain, args.to_implementation)
    if not any(wanted) and not args.to_in_network and not args.to_rates:
        return None
    if here is None:
        message = "--to: name the system of the trace with --system too"
        raise InputError(message)
    if args.to and args.to_system_file:
        message = "--to: a catalog id or --to-system-file, not both"
        raise InputError(message)
    system = here.system
    if args.to:
        system = catalog.system(args.to)
    elif args.to_system_file:
        system = read_system(text_of(args.to_system_file, "--to-system-file"))
    if args.to_network or args.to_nics_per_domain or args.to_in_network:
        system = configure(
            system,
            domains=system.domains,
            network=args.to_network,
            nics_per_domain=args.to_nics_per_domain,
            in_network_reduction=True if args.to_in_network else None,
        )
    other = replace(here, system=system)
    if args.to_implementation:
        other = replace(other, implementation=args.to_implementation)
    return replace(other, rates=rates_named(args.to_rates)) if args.to_rates else other


def _ranks(text: str) -> dict[str, int]:
    """Group sizes from ``DP=64,TP=8``; argparse's error for anything else."""
    sizes = {}
    for part in text.split(","):
        name, _, number = part.partition("=")
        if name.strip().upper() not in CHANGEABLE or not number.strip().isdigit() or len(number) > 9:  # noqa: PLR2004
            message = f"sizes as DP=64,TP=8 ({', '.join(CHANGEABLE)}), not {text[:80]!r}"
            raise argparse.ArgumentTypeError(message)
        sizes[name.strip().upper()] = int(number)
    return sizes
