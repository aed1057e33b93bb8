"""``capacity``: what fits into the memory of a domain, and what limits it."""

from argparse import Namespace

from core import units
from core.calculators.capacity import (
    Capacity,
    Scenario,
    capacity,
    capacity_json,
    capacity_service,
    decode_step,
    served_requests,
)
from core.catalog.software import SERVING_DEFAULT
from core.command_line import Parser
from core.parallel.pipeline import bubble
from core.shell import options
from core.shell.output import Reply, facts, page, percent, remarks, table
from core.shell.question import question
from core.shell.service import objective, service_json, service_text

NAME = "capacity"
HELP = "what fits into a domain, by part, and what limits it"


def add(parser: Parser) -> None:
    """Options of the command."""
    options.add_model(parser)
    _add_load(parser)
    _add_memory(parser)
    parser.add_argument(
        "--input-tokens", type=options.whole, metavar="N", help="prompt of TTFT (default: the context)"
    )
    options.add_objective(parser)
    options.add_system(parser, default="gb200-nvl72")
    options.add_rates(parser)
    options.add_software(parser, SERVING_DEFAULT)
    options.add_serving_engine(parser)
    options.add_json(parser)


def _add_load(parser: Parser) -> None:
    """Parameters, formats, context length and requests."""
    parser.add_argument("--params", type=options.not_negative, metavar="N", help="parameters, as 1.8e12")
    parser.add_argument(
        "--active-params", type=options.not_negative, metavar="N", help="active parameters of a token"
    )
    parser.add_argument("--format", dest="weights", default="bf16", metavar="FORMAT", help="weight precision")
    parser.add_argument("--kv", default="bf16", metavar="FORMAT", help="KV cache precision")
    parser.add_argument(
        "--context", type=options.count, default=4096, metavar="N", help="context length in tokens"
    )
    parser.add_argument("--sequences", type=options.count, default=0, metavar="N", help="concurrent requests")


def _add_memory(parser: Parser) -> None:
    """Memory and layout of the GPUs."""
    parser.add_argument("--gpus", type=options.whole, metavar="N", help="GPUs used (default: a domain)")
    parser.add_argument(
        "--hbm-gb", type=options.positive, metavar="X", help="GB of one GPU, instead of its own"
    )
    parser.add_argument("--hbm-gbps", type=options.positive, metavar="X", help="GB/s, instead of the GPU's")
    parser.add_argument("--dispatch", default="fp8", metavar="FORMAT", help="precision of dispatched tokens")
    parser.add_argument(
        "--activations",
        default="bf16",
        metavar="FORMAT",
        help="precision of activations and of combined tokens",
    )
    parser.add_argument(
        "--reserve-gb",
        type=options.not_negative,
        default=0.0,
        metavar="X",
        help="runtime reserve of each GPU",
    )
    parser.add_argument(
        "--micro-batches", type=options.whole, metavar="N", help="micro-batches of a step: pipeline bubble"
    )
    parser.add_argument("--vpp", type=options.whole, default=1, metavar="N", help="virtual pipeline stages")
    for name, text in (("tp", "tensor"), ("ep", "expert"), ("pp", "pipeline"), ("dp", "data")):
        parser.add_argument(f"--{name}", type=options.whole, metavar="N", help=f"{text} parallelism")
    parser.add_argument(
        "--usable", type=options.part, default=0.9, metavar="X", help="share of the GPU memory"
    )


def run(args: Namespace) -> Reply:
    """The model laid over the GPUs."""
    scenario = Scenario.of(
        question(args),
        params=args.params,
        active_params=args.active_params,
        hbm_bytes=units.converted(args.hbm_gb, units.GB),
        hbm_bytes_per_s=units.converted(args.hbm_gbps, units.GB),
        tp=args.tp,
        pp=args.pp or 1,
        dp=args.dp,
        ep=args.ep,
    )
    result = capacity(scenario)
    share = None if args.micro_batches is None else bubble(result.scenario.pp, args.micro_batches, args.vpp)
    serving, step = capacity_service(result, objective(args)), decode_step(result)
    data = capacity_json(result) | {
        "bubble_share": share,
        "serving": serving and step and service_json(serving, step),
    }
    figures = service_text(serving, served_requests(result), step) if serving else None
    return Reply(data, page(text(result), figures))


def text(result: Capacity) -> str:
    """The answer for people."""
    limit = result.scenario.limit_bytes
    parts = [
        (part.name, units.format_memory(round(part.bytes)), percent(part.bytes / limit), part.kind)
        for part in result.parts
    ]
    return page(
        result.headline,
        table(("memory per GPU", "size", "of usable", "kind"), parts),
        facts(
            (
                ("weights", units.format_memory(round(result.weights_bytes))),
                ("fewest GPUs", result.minimum_gpus),
                ("fits", "yes" if result.fits else f"no: {result.limiting_part}"),
                ("memory verdict", result.memory_fit.text),
                ("free per GPU", _size(result.free_bytes_per_gpu)),
                ("most concurrent requests", result.max_sequences),
                (
                    "KV cache per token",
                    result.kv_bytes_per_token and units.format_memory(result.kv_bytes_per_token),
                ),
                (
                    "state per request",
                    units.format_memory(result.state_bytes_per_sequence)
                    if result.state_bytes_per_sequence
                    else None,
                ),
                ("decode step at batch size 1, at least", units.format_time(result.decode_floor_s)),
                (
                    "aggregate bandwidth, bidirectional",
                    units.format_rate(result.fabric.aggregate_both_ways_bytes_per_s),
                ),
                (
                    "bisection bandwidth, bidirectional",
                    units.format_rate(result.fabric.bisection_both_ways_bytes_per_s),
                ),
            )
        ),
        remarks("Note", result.warnings),
    )


def _size(size_bytes: float) -> str:
    sign = "-" if size_bytes < 0 else ""
    return sign + units.format_memory(round(abs(size_bytes)))
