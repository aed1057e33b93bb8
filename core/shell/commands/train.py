"""``train``: the step of a whole training layout."""

from argparse import Namespace
from dataclasses import replace
from typing import Any

from core import units
from core.calculators.gradient_sync import STRATEGIES
from core.calculators.training import Answer, Layout, Scenario, answer, with_fastest_micro_batch
from core.calculators.training.scenario import PRECISIONS, RECOMPUTE
from core.checks import InputError
from core.command_line import Parser
from core.shell import chosen, options
from core.shell.model import model
from core.shell.output import Reply, facts, page, percent, plain, remarks, table
from core.systems import configure

NAME = "train"
HELP = "step time, MFU and memory of a training layout"


def add(parser: Parser) -> None:
    """Options of the command."""
    options.add_model(parser, default="llama-3.1-70b")
    parser.add_argument(
        "--gpus", type=options.whole, metavar="N", help="GPUs of the job (default TP x PP x CP x DP)"
    )
    for name, text in (
        ("tp", "tensor parallel"),
        ("pp", "pipeline stages"),
        ("vpp", "interleaved pieces of a stage"),
        ("cp", "context parallel"),
        ("ep", "expert parallel"),
    ):
        parser.add_argument(f"--{name}", type=options.whole, default=1, metavar="N", help=text)
    parser.add_argument(
        "--dp", type=options.whole, metavar="N", help="data parallel (default: what --gpus leaves)"
    )
    parser.add_argument(
        "--micro-batch",
        type=options.whole,
        metavar="N",
        help="sequences (default: the fastest that fits, 1 to 16)",
    )
    parser.add_argument(
        "--global-batch", type=options.whole, default=512, metavar="N", help="sequences of a step"
    )
    parser.add_argument("--seq", type=options.whole, default=8192, metavar="N", help="tokens of a sequence")
    parser.add_argument("--precision", choices=PRECISIONS, default="bf16")
    parser.add_argument("--recompute", choices=RECOMPUTE, default="none")
    parser.add_argument("--strategy", choices=STRATEGIES, default="zero1")
    parser.add_argument("--grad-bytes", type=options.positive, default=4.0, metavar="X")
    parser.add_argument("--param-bytes", type=options.positive, default=2.0, metavar="X")
    parser.add_argument(
        "--efficiency", type=options.positive, metavar="X", help="the one calibration constant"
    )
    for name in ("tp", "pp", "ep"):
        parser.add_argument(f"--{name}-overlap", type=options.share, metavar="X", help="hidden share")
    parser.add_argument("--no-dp-overlap", action="store_true", help="gradients wait for the whole backward")
    parser.add_argument("--no-sequence-parallel", action="store_true", help="all-reduce between TP ranks")
    parser.add_argument(
        "--attention", choices=("flash", "unfused"), default="flash", help="unfused: scores go to memory"
    )
    parser.add_argument("--usd-per-gpu-hour", type=options.not_negative, metavar="X")
    options.add_system(parser)
    options.add_rates(parser)
    parser.add_argument("--implementation", metavar="NAME", default="nccl", help="nccl | rccl")
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The step, on as many domains as the layout needs unless --domains says how many."""
    layout = layout_of(args)
    system = chosen.system(args)
    if args.domains is None and layout.gpus > system.gpus:
        needed = -(-layout.gpus // system.domain_gpus)
        system = configure(
            system,
            domains=needed,
            network=args.network,
            nics_per_domain=args.nics_per_domain,
            oversubscription=args.oversubscription,
        )
    asked = Scenario(
        model=model(args, "llama-3.1-70b"),
        system=system,
        layout=layout,
        micro_batch=1 if args.micro_batch is None else args.micro_batch,
        global_batch=args.global_batch,
        seq=args.seq,
        precision=args.precision,
        recompute=args.recompute,
        strategy=args.strategy,
        grad_bytes=args.grad_bytes,
        param_bytes=args.param_bytes,
        efficiency=args.efficiency,
        tp_overlap=args.tp_overlap,
        pp_overlap=args.pp_overlap,
        ep_overlap=args.ep_overlap,
        dp_overlap=not args.no_dp_overlap,
        sequence_parallel=not args.no_sequence_parallel,
        flash=args.attention == "flash",
        usd_per_gpu_hour=args.usd_per_gpu_hour,
        rates=chosen.rates(args),
        implementation=args.implementation,
    )
    if args.micro_batch is None:
        asked = with_fastest_micro_batch(asked)
    found = answer(asked)
    if args.micro_batch is None:
        chosen_here = f"no micro-batch is given: {asked.micro_batch}, the fastest of 1 to 16 that fits"
        found = replace(found, assumptions=(*found.assumptions, chosen_here))
    return Reply(as_data(found), text(found))


def layout_of(args: Namespace) -> Layout:
    """The degrees; what ``--gpus`` leaves becomes data parallel."""
    each = args.tp * args.pp * args.cp
    dp = args.dp
    if dp is None:
        gpus = args.gpus or each
        if gpus % each:
            message = f"--gpus: a multiple of TP x PP x CP = {each}, not {gpus}"
            raise InputError(message)
        dp = gpus // each
    elif args.gpus is not None and args.gpus != each * dp:
        message = f"--gpus: TP x PP x CP x DP is {each * dp}, not {args.gpus}"
        raise InputError(message)
    return Layout(args.tp, args.pp, args.vpp, dp, args.cp, args.ep)


def as_data(found: Answer) -> dict[str, Any]:
    """The answer as JSON; memory with its total."""
    data: dict[str, Any] = plain(found)
    data["memory"] |= {"total_bytes": found.memory.total_bytes, "limiting": found.memory.limiting}
    return data


def text(found: Answer) -> str:
    """The answer for people."""
    rows = [("compute", units.format_time(found.compute_s), percent(found.compute_s / found.step_s))]
    exposed = plain(found.exposed_s)
    for name, seconds in (*((f"exposed {key}", exposed[key]) for key in exposed), ("bubble", found.bubble_s)):
        if seconds > 0:
            rows.append((name, units.format_time(seconds), percent(seconds / found.step_s)))
    memory = found.memory
    return page(
        found.headline,
        table(("part", "seconds", "of the step"), rows),
        facts(
            (
                ("layout", f"{found.layout} on {found.gpus} GPUs of {found.system}"),
                ("step", f"{units.format_time(found.low_s)} to {units.format_time(found.high_s)}"),
                ("MFU", percent(found.mfu)),
                ("micro-batches", f"{found.micro_batches} of {found.micro_batch}"),
                (
                    "memory per GPU",
                    f"{_gb(memory.total_bytes)} of {_gb(memory.available_bytes)}, mostly {memory.limiting}",
                ),
                ("binding", found.binding),
                ("exposed, dollars", found.loss and f"{found.loss.usd_per_day:,.0f} a day"),
                ("efficiency", f"{found.efficiency:g}"),
                ("rates", found.rates),
            )
        ),
        remarks("Taken for granted", found.assumptions),
        remarks("Note", found.warnings),
    )


def _gb(size_bytes: float) -> str:
    return f"{size_bytes / units.GB:,.1f} GB"
