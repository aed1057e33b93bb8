"""``train``: the step of a whole training layout."""

from argparse import Namespace
from dataclasses import replace
from typing import Any

from core import units
from core.calculators.question import FRAMEWORKS
from core.calculators.training import Answer, Layout, Scenario, answer, with_fastest_micro_batch
from core.calculators.training.scenario import CUDA_GRAPHS, DISPATCHERS, PRECISIONS, RECOMPUTE
from core.catalog.software import TRAINING_DEFAULT
from core.checks import InputError
from core.command_line import Parser
from core.parallel.grow import grow_to
from core.shell import memory_saving, options, your_job
from core.shell.output import Reply, facts, page, percent, plain, remarks, table
from core.shell.question import question

NAME = "train"
HELP = "step time, MFU and memory of a training layout"


def add(parser: Parser) -> None:
    """Options of the command."""
    options.add_model(parser, default="llama-3.1-70b")
    _add_layout(parser)
    _add_details(parser)
    memory_saving.add(parser)
    options.add_system(parser)
    options.add_rates(parser)
    parser.add_argument("--implementation", metavar="NAME", help="nccl | rccl (default the software's)")
    options.add_software(parser, TRAINING_DEFAULT)
    your_job.add(parser)
    options.add_json(parser)


def _add_layout(parser: Parser) -> None:
    """Degrees, batch and formats."""
    parser.add_argument(
        "--gpus", type=options.whole, metavar="N", help="world size (default TP x PP x CP x DP)"
    )
    for name, text in (
        ("tp", "tensor parallel"),
        ("pp", "pipeline stages"),
        ("vpp", "virtual pipeline stages (interleaving)"),
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
        help="micro-batch size (default: the fastest that fits, 1 to 16)",
    )
    parser.add_argument(
        "--global-batch", type=options.whole, default=512, metavar="N", help="global batch size (sequences)"
    )
    parser.add_argument(
        "--seq", type=options.whole, default=8192, metavar="N", help="sequence length in tokens"
    )
    parser.add_argument("--precision", choices=PRECISIONS, default="bf16", help="precision of the GEMMs")
    parser.add_argument("--recompute", choices=RECOMPUTE, help="activation recomputation (default none)")


def _add_details(parser: Parser) -> None:
    """Data parallelism, efficiency, overlap and price."""
    options.add_data_parallel(parser, strategy="zero1", param_bytes=2.0)
    parser.add_argument(
        "--efficiency",
        type=options.positive,
        metavar="X",
        help="GEMM efficiency: the one calibration constant",
    )
    parser.add_argument(
        "--framework", choices=FRAMEWORKS, metavar="NAME", help=f"its kernels: {' | '.join(FRAMEWORKS)}"
    )
    for name in ("tp", "pp", "ep"):
        parser.add_argument(
            f"--{name}-overlap",
            type=options.share,
            metavar="X",
            help=f"share of {name.upper()} communication overlapped",
        )
    _add_kernels(parser)
    parser.add_argument(
        "--usd-per-gpu-hour", type=options.not_negative, metavar="X", help="price of a GPU-hour in dollars"
    )


def _add_kernels(parser: Parser) -> None:
    """What is launched, captured and overlapped."""
    parser.add_argument(
        "--dispatcher",
        choices=DISPATCHERS,
        help="tokens to experts: deepep, once to a rank or domain; all-to-all, once for each expert",
    )
    parser.add_argument(
        "--cuda-graphs",
        choices=CUDA_GRAPHS,
        help="what CUDA graphs capture (default not known: the host launches dense layers alone)",
    )
    parser.add_argument(
        "--no-dp-overlap", action="store_true", help="gradient reduction starts after the whole backward pass"
    )
    parser.add_argument(
        "--no-sequence-parallel",
        action="store_true",
        help="no sequence parallelism: all-reduce between TP ranks",
    )
    parser.add_argument(
        "--attention", choices=("flash", "unfused"), default="flash", help="unfused: scores go to memory"
    )


def run(args: Namespace) -> Reply:
    """The step, on as many domains as the layout needs unless --domains says how many."""
    layout, traced = layout_of(args), your_job.traced(args)
    shared = question(args, "llama-3.1-70b")
    if args.domains is None:
        shared = replace(shared, system=grow_to(shared.system, layout.gpus))
    scenario = Scenario.of(
        shared,
        layout=layout,
        **memory_saving.inputs(args, shared.job.recompute),
        tp_overlap=args.tp_overlap,
        pp_overlap=args.pp_overlap,
        ep_overlap=args.ep_overlap,
        dispatcher=args.dispatcher,
        cuda_graphs=args.cuda_graphs,
        dp_overlap=not args.no_dp_overlap,
        sequence_parallel=not args.no_sequence_parallel,
        flash=args.attention == "flash",
    )
    if args.micro_batch is None:
        scenario = with_fastest_micro_batch(scenario)
    result = answer(scenario)
    if args.micro_batch is None:
        assumed = f"no micro-batch is given: {scenario.micro_batch}, the fastest of 1 to 16 that fits"
        result = replace(result, assumptions=(*result.assumptions, assumed))
    data, lines = as_data(result), text(result)
    if traced is not None:
        data["job"] = your_job.job_json(traced, {"calculated": scenario})
        lines = page(lines, your_job.job_text(data["job"]))
    return Reply(data, lines)


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


def as_data(result: Answer) -> dict[str, Any]:
    """The answer as JSON; memory with its total."""
    data: dict[str, Any] = plain(result)
    memory = result.memory
    data["memory"] |= {"total_bytes": memory.total_bytes, "limiting": memory.limiting, "tight": memory.tight}
    return data


def text(result: Answer) -> str:
    """The answer for people."""
    rows = [("compute", units.format_time(result.compute_s), percent(result.compute_s / result.step_s))]
    exposed = plain(result.exposed_s)
    for name, seconds in (
        *((f"exposed {key}", exposed[key]) for key in exposed),
        ("bubble", result.bubble_s),
        ("offload", result.offload_s),
    ):
        if seconds > 0:
            rows.append((name, units.format_time(seconds), percent(seconds / result.step_s)))
    memory = result.memory
    return page(
        result.headline,
        table(("part", "time", "of the step"), rows),
        facts(
            (
                ("layout", f"{result.layout} on {units.counted(result.gpus, 'GPU')} of {result.system}"),
                ("step", f"{units.format_time(result.low_s)} to {units.format_time(result.high_s)}"),
                ("MFU", result.mfu_text),
                (
                    "micro-batches",
                    f"{result.micro_batches} (micro-batch size {result.micro_batch})",
                ),
                (
                    "memory per GPU",
                    f"{_gb(memory.total_bytes)} of {_gb(memory.available_bytes)}, mostly {memory.limiting}",
                ),
                ("memory verdict", result.memory_fit.text),
                ("host memory per GPU", _gb(memory.host_bytes) if memory.host_bytes else None),
                ("recomputed", None if result.recompute == "none" else result.recomputed),
                ("binding", result.binding),
                ("cost of exposed communication", result.loss and f"${result.loss.usd_per_day:,.0f} a day"),
                ("efficiency", f"{result.efficiency:g}"),
                ("rates", result.rates),
            )
        ),
        remarks("Assumptions", result.assumptions),
        remarks("Note", result.warnings),
    )


def _gb(size_bytes: float) -> str:
    return units.format_memory(size_bytes)
