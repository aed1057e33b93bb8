"""Options of a dispatch or combine of tokens, and its answer for people."""

from argparse import Namespace
from dataclasses import fields

from core import units
from core.checks import InputError
from core.collectives.moe.answer import ExchangeAnswer, LibraryTime
from core.collectives.moe.question import AUTO, COLLECTIVES, FORMATS, LIBRARIES, MOST_TOKENS, MoeExchange
from core.collectives.moe.routing import ROUTINGS
from core.command_line import Parser
from core.shell import options
from core.shell.output import facts, page, remarks

TOKENS = 4096
USUAL_COLLECTIVE = {"size": 2**30, "algorithm": "auto", "nvls": "auto", "dtype": "half", "nccl_table": False}
"""What options of collectives hold that nobody stated."""
FIELDS = (
    "hidden",
    "experts",
    "topk",
    "token_format",
    "library",
    "routing",
    "sms",
    "staged",
    "library_version",
)

USUAL_EXCHANGE = {"tokens": None} | {
    item.name: item.default for item in fields(MoeExchange) if item.name in FIELDS
}
"""The same of dispatch and combine."""


def add_exchange(parser: Parser) -> None:
    """The layer, its tokens and the library that sends them."""
    group = parser.add_argument_group("moe_dispatch and moe_combine")
    group.add_argument(
        "--tokens",
        type=options.Real(least=0, most=MOST_TOKENS),
        metavar="N",
        help=f"tokens of one GPU (default {TOKENS})",
    )
    for name, usual, text in (
        ("hidden", 7168, "hidden size"),
        ("experts", 256, "experts of the layer"),
        ("topk", 8, "experts per token"),
    ):
        group.add_argument(
            f"--{name}", type=options.whole, metavar="N", default=usual, help=f"{text} (default {usual})"
        )
    group.add_argument(
        "--token-format",
        choices=tuple(FORMATS),
        help="format of a token (default fp8 out, where GPUs have it, bf16 back)",
    )
    group.add_argument(
        "--library", choices=(AUTO, *LIBRARIES), default=AUTO, help="auto: what engines use on such GPUs"
    )
    group.add_argument(
        "--library-version",
        metavar="X.Y",
        help="of DeepEP V1, whose kernels between nodes are others since 1.1 (default: not told)",
    )
    group.add_argument(
        "--routing",
        choices=ROUTINGS,
        default=ROUTINGS[0],
        help="random: any set of experts is as likely; balanced: round robin, as benchmarks do",
    )
    group.add_argument("--sms", type=options.whole, metavar="N", help="SMs the kernel uses (default its own)")
    group.add_argument(
        "--staged", action="store_true", help="received tokens are copied out of the library's buffers"
    )


def check_options(args: Namespace) -> None:
    """
    Refuse options that say nothing about the collective of the question.

    Raises:
        InputError: An option of dispatch and combine beside another collective, or the reverse.
    """
    moe = args.collective in COLLECTIVES
    for name, usual in (USUAL_COLLECTIVE if moe else USUAL_EXCHANGE).items():
        if getattr(args, name) != usual:
            kind = "other collectives" if moe else " and ".join(COLLECTIVES)
            message = f"--{name.replace('_', '-')}: of {kind}, not of {args.collective}"
            raise InputError(message)


def exchange(args: Namespace) -> MoeExchange:
    """The exchange of the options; raises InputError."""
    return MoeExchange(collective=args.collective, **{name: getattr(args, name) for name in FIELDS})


def exchange_text(result: ExchangeAnswer) -> str:
    """The answer for people."""
    where = units.counted(result.ranks, "GPU") + (
        f" in {result.domains} domains" if result.domains > 1 else ""
    )
    headline = (
        f"{result.collective} of {result.tokens:,.0f} tokens a GPU over {where} of {result.system}: "
        f"{units.format_time(result.time_s)} ({result.library or 'nothing to send'})"
    )
    interval = None
    if result.low_s != result.high_s:
        interval = f"{units.format_time(result.low_s)} to {units.format_time(result.high_s)}"
    rate = result.algbw_bytes_per_s
    return page(
        headline,
        facts(
            (
                ("prediction interval (p10-p90)", interval),
                ("layer", _layer(result)),
                ("DeepEP V1 version", result.library_version),
                ("a token reaches", _reach(result)),
                ("received", f"{units.format_message(result.received_bytes)} per GPU"),
                ("over the NICs", _scale_out(result)),
                ("bandwidth as libraries print it", None if rate is None else units.format_rate(rate)),
                ("start", units.format_time(result.launch_s + result.latency_s)),
                ("transfer", units.format_time(result.transfer_s)),
                ("copies on the GPU", units.format_time(result.reduction_s)),
                ("rates", f"{result.rates} ({result.basis})"),
            )
        ),
        remarks("Libraries", [_library(item) for item in result.libraries]),
        remarks("Note", result.warnings),
    )


def _layer(result: ExchangeAnswer) -> str:
    shape = f"hidden {result.hidden}, top-{result.topk} of {result.experts} experts"
    return f"{shape}, {result.token_format}, {result.routing} routing"


def _reach(result: ExchangeAnswer) -> str:
    domains = f" in {result.domains_reached:.2f} domains" if result.domains > 1 else ""
    return f"{result.gpus_reached:.2f} GPUs{domains}, its own among them"


def _scale_out(result: ExchangeAnswer) -> str | None:
    return f"{units.format_message(result.scale_out_bytes)} per GPU" if result.domains > 1 else None


def _library(item: LibraryTime) -> str:
    interval = f"{units.format_time(item.low_s)} to {units.format_time(item.high_s)}"
    return f"{item.library}: {units.format_time(item.time_s)} ({interval}; {item.basis})"
