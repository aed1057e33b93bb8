"""``tp``: what tensor parallelism costs a serving step."""

from argparse import Namespace
from dataclasses import asdict

from core import units
from core.calculators.tensor_parallel import (
    Answer,
    Offline,
    Scenario,
    answer,
    answer_json,
    offline,
    required_json,
)
from core.catalog import precision
from core.command_line import Parser
from core.shell import chosen, options
from core.shell.model import model
from core.shell.output import Reply, facts, page, percent, remarks, table

NAME = "tp"
HELP = "share of a serving step that tensor parallelism communicates"


def add(parser: Parser) -> None:
    """Options of the command."""
    options.add_model(parser, default="llama-3.1-70b")
    parser.add_argument("--phase", choices=("decode", "prefill"), default="decode")
    parser.add_argument("--tokens", type=options.whole, default=32, metavar="N", help="new tokens of a step")
    parser.add_argument("--context", type=options.count, metavar="N", help="tokens cached of a sequence")
    parser.add_argument("--tp", type=options.whole, default=8, metavar="N", help="GPUs that share a layer")
    parser.add_argument(
        "--ep", type=options.whole, default=1, metavar="N", help="GPUs that share the experts"
    )
    parser.add_argument("--weights", default="bf16", metavar="FORMAT")
    parser.add_argument("--activations", default="bf16", metavar="FORMAT")
    parser.add_argument("--kv", default="bf16", metavar="FORMAT")
    parser.add_argument("--mfu", type=options.efficiency, metavar="X", help="share of the peak in products")
    parser.add_argument(
        "--hbm-efficiency", type=options.efficiency, metavar="X", help="share of the memory rate"
    )
    parser.add_argument(
        "--overlap", type=options.share, default=0.0, metavar="X", help="hidden share, 0 to 1"
    )
    parser.add_argument("--sequence-parallel", action="store_true", help="scatter and gather, not all-reduce")
    parser.add_argument("--dispatch", metavar="FORMAT", help="of tokens on their way to experts")
    parser.add_argument("--usable", type=options.part, default=0.9, metavar="X", help="share of the memory")
    parser.add_argument(
        "--params-per-layer", type=options.positive, metavar="N", help="instead of the model's"
    )
    parser.add_argument(
        "--compute-us", type=options.not_negative, metavar="X", help="of a layer on the group"
    )
    parser.add_argument(
        "--peak-tflops", type=options.positive, metavar="X", help="dense, instead of the GPU's"
    )
    parser.add_argument("--hbm-gbps", type=options.positive, metavar="X", help="GB/s, instead of the GPU's")
    parser.add_argument(
        "--input-tokens", type=options.whole, metavar="N", help="with --output-tokens: offline"
    )
    parser.add_argument(
        "--output-tokens", type=options.whole, metavar="N", help="throughput of a full machine"
    )
    parser.add_argument("--message-bytes", type=options.size, metavar="SIZE", help="of one all-reduce")
    parser.add_argument(
        "--steps-per-s", type=options.positive, metavar="X", help="the rate that so many steps a second need"
    )
    options.add_system(parser)
    options.add_rates(parser)
    options.add_algorithm(parser)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The step on one group."""
    layers, hidden = _reshaped(args)
    found = answer(
        Scenario(
            model=model(args, "llama-3.1-70b"),
            layers=layers,
            hidden=hidden,
            message_bytes=args.message_bytes,
            system=chosen.system(args),
            phase=args.phase,
            tokens=args.tokens,
            context=args.context,
            tp=args.tp,
            ep=args.ep,
            weights=precision(args.weights),
            activations=precision(args.activations),
            kv=precision(args.kv),
            mfu=args.mfu,
            hbm_efficiency=args.hbm_efficiency,
            overlap=args.overlap,
            sequence_parallel=args.sequence_parallel,
            rates=chosen.rates(args),
            algorithm=args.algorithm,
            implementation=args.implementation or "nccl",
            launch=args.launch,
            dispatch=precision(args.dispatch) if args.dispatch else None,
            usable=args.usable,
            params_per_layer=args.params_per_layer,
            compute_s=None if args.compute_us is None else args.compute_us * units.US,
            peak_flop_per_s=None if args.peak_tflops is None else args.peak_tflops * units.TERA,
            hbm_bytes_per_s=None if args.hbm_gbps is None else args.hbm_gbps * units.GB,
        )
    )
    full = _offline(args, found.scenario)
    needed = None if args.steps_per_s is None else required_json(found, args.steps_per_s)
    told = answer_json(found) | {"offline": None if full is None else asdict(full), "required": needed}
    return Reply(told, page(text(found), _full(full), _needed(needed)))


def _reshaped(args: Namespace) -> tuple[int | None, int | None]:
    """
    ``--layers`` and ``--hidden`` with a model, or both without the rest of a shape: its own, replaced.

    They are taken off ``args``, so that what is left names the model.
    """
    if args.model is None and (args.layers is None or args.hidden is None):
        return None, None
    if any(
        getattr(args, name) is not None for name in ("heads", "kv_heads", "ffn", "vocab", "experts", "topk")
    ):
        return None, None
    layers, hidden = args.layers, args.hidden
    args.layers = args.hidden = None
    return layers, hidden


def _needed(told: dict[str, float] | None) -> str:
    if told is None:
        return ""
    return (
        f"{told['steps_per_s']:g} steps/s need {units.format_rate(told['payload_bytes_per_s'])} of "
        f"payload, {units.format_rate(told['wire_bytes_per_s'])} on the wire: "
        f"{percent(told['wire_share_of_link_one_way'])} of the link one way."
    )


def _offline(args: Namespace, scenario: Scenario) -> Offline | None:
    """Throughput with a queue that never empties, where both lengths are given."""
    if args.input_tokens is None or args.output_tokens is None:
        return None
    return offline(scenario, args.input_tokens, args.output_tokens)


def _full(found: Offline | None) -> str:
    if found is None:
        return ""
    return (
        f"Offline: {found.sequences:,} sequences at once, {found.output_tokens_per_s:,.0f} output tokens/s, "
        f"{percent(found.comm_share)} of the time communicating."
    )


def text(found: Answer) -> str:
    """The answer for people."""
    layer, step = found.per_layer, found.per_step
    parts = [
        (name, *(units.format_time(value) for value in pair))
        for name, pair in (
            ("compute", (layer.compute_s, step.compute_s)),
            ("communication", (layer.comm_s, step.comm_s)),
            ("not hidden", (layer.exposed_s, step.exposed_s)),
            ("time", (layer.time_s, step.time_s)),
        )
    ]
    degrees = [
        (
            f"TP{row.tp}",
            units.format_time(row.step_s),
            percent(row.share),
            f"{row.tokens_per_s_per_gpu:,.0f}",
            f"{row.speedup:.2f}",
            "yes" if row.fits else "no",
        )
        for row in found.degrees
    ]
    return page(
        found.headline,
        table(("", "per layer", "per step"), parts),
        facts(
            (
                ("message", units.format_size(layer.message_bytes)),
                ("bound", layer.bound),
                ("algorithm", found.choice or None),
                ("rates", found.basis),
            )
        ),
        table(("degree", "step", "communication", "tokens/s a GPU", "speed-up", "fits"), degrees),
        remarks("Note", found.warnings),
    )
