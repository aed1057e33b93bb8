"""``capacity``: what fits into the memory of a domain, and what limits it."""

from argparse import Namespace

from core import units
from core.calculators.capacity import Capacity, Scenario, capacity, capacity_json
from core.catalog import precision
from core.command_line import Parser
from core.parallel.pipeline import bubble
from core.shell import chosen, options
from core.shell.model import given, model
from core.shell.output import Reply, facts, page, percent, remarks, table

NAME = "capacity"
HELP = "what fits into a domain, by part, and what limits it"


def add(parser: Parser) -> None:
    """Options of the command."""
    options.add_model(parser)
    parser.add_argument("--params", type=options.not_negative, metavar="N", help="parameters, as 1.8e12")
    parser.add_argument(
        "--active-params", type=options.not_negative, metavar="N", help="that one token meets"
    )
    parser.add_argument("--format", default="bf16", metavar="FORMAT", help="of the weights")
    parser.add_argument("--kv", default="bf16", metavar="FORMAT", help="of the cache")
    parser.add_argument(
        "--context", type=options.count, default=4096, metavar="N", help="tokens of a sequence"
    )
    parser.add_argument("--sequences", type=options.count, default=0, metavar="N", help="running at once")
    parser.add_argument("--gpus", type=options.whole, metavar="N", help="GPUs used (default: a domain)")
    parser.add_argument(
        "--hbm-gb", type=options.positive, metavar="X", help="GB of one GPU, instead of its own"
    )
    parser.add_argument("--hbm-gbps", type=options.positive, metavar="X", help="GB/s, instead of the GPU's")
    parser.add_argument(
        "--dispatch", default="fp8", metavar="FORMAT", help="of tokens on their way to experts"
    )
    parser.add_argument("--activations", default="bf16", metavar="FORMAT", help="and on their way back")
    parser.add_argument(
        "--reserve-gb", type=options.not_negative, default=0.0, metavar="X", help="of each GPU"
    )
    parser.add_argument("--micro-batches", type=options.whole, metavar="N", help="for the pipeline's bubble")
    parser.add_argument("--vpp", type=options.whole, default=1, metavar="N", help="pieces of a stage")
    for name, text in (("tp", "tensor"), ("ep", "expert"), ("pp", "pipeline"), ("dp", "data")):
        parser.add_argument(f"--{name}", type=options.whole, metavar="N", help=f"{text} parallelism")
    parser.add_argument("--usable", type=options.part, default=0.9, metavar="X", help="share of the memory")
    options.add_system(parser, default="gb200-nvl72")
    options.add_rates(parser)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The model laid over the GPUs."""
    known = given(args)
    found = capacity(
        Scenario(
            system=chosen.system(args),
            model=model(args) if known else None,
            params=args.params,
            active_params=args.active_params,
            weights=precision(args.format),
            kv=precision(args.kv),
            context=args.context,
            sequences=args.sequences,
            gpus=args.gpus,
            hbm_bytes=None if args.hbm_gb is None else args.hbm_gb * units.GB,
            hbm_bytes_per_s=None if args.hbm_gbps is None else args.hbm_gbps * units.GB,
            dispatch=precision(args.dispatch),
            activations=precision(args.activations),
            reserve_bytes=args.reserve_gb * units.GB,
            usable=args.usable,
            tp=args.tp,
            pp=args.pp or 1,
            dp=args.dp,
            ep=args.ep,
            rates=chosen.rates(args),
        )
    )
    waits = None if args.micro_batches is None else bubble(found.scenario.pp, args.micro_batches, args.vpp)
    return Reply(capacity_json(found) | {"bubble_share": waits}, text(found))


def text(found: Capacity) -> str:
    """The answer for people."""
    limit = found.scenario.limit_bytes
    parts = [
        (part.name, units.format_size(round(part.bytes)), percent(part.bytes / limit), part.kind)
        for part in found.parts
    ]
    return page(
        found.headline,
        table(("part, per GPU", "bytes", "of usable", "kind"), parts),
        facts(
            (
                ("weights", units.format_size(round(found.weights_bytes))),
                ("fewest GPUs", found.minimum_gpus),
                ("fits", "yes" if found.fits else f"no: {found.limiting_part}"),
                ("free per GPU", _size(found.free_bytes_per_gpu)),
                ("most sequences", found.max_sequences),
                ("cache per token", found.kv_bytes_per_token and units.format_size(found.kv_bytes_per_token)),
                ("decode floor", units.format_time(found.decode_floor_s)),
                ("aggregate, both ways", units.format_rate(found.fabric.aggregate_both_ways_bytes_per_s)),
                ("bisection, both ways", units.format_rate(found.fabric.bisection_both_ways_bytes_per_s)),
            )
        ),
        remarks("Note", found.warnings),
    )


def _size(size_bytes: float) -> str:
    sign = "-" if size_bytes < 0 else ""
    return sign + units.format_size(round(abs(size_bytes)))
