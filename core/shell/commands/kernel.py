"""``kernel``: time of one GEMM or routed MLP on one GPU, from measured kernels."""

from argparse import Namespace
from dataclasses import dataclass
from typing import Any

from core import units
from core.catalog import gpu as gpu_of
from core.catalog.calibrations.kernels.sources import MEASURED_KERNELS
from core.checks import InputError
from core.command_line import Parser
from core.hardware import Gpu
from core.kernels.formats import FORMATS, format_on
from core.kernels.gemm import ENGINES, gemm_s
from core.kernels.result import KernelTime
from core.kernels.routed import routed_mlp_s
from core.kernels.routing import ROUTINGS, UNIFORM
from core.shell import options
from core.shell.output import Reply, page, percent, table

NAME = "kernel"
HELP = "time of one GEMM or routed MLP on one GPU, with its interval and what binds it"
GEMM = {"m": 4096, "n": 4096, "k": 4096}
MOE = {"tokens": 256, "hidden": 7168, "width": 2048, "topk": 8, "experts": 256, "tp": 1, "ep": 1}
KINDS: dict[str, dict[str, Any]] = {"gemm": dict(GEMM), "moe": {**MOE, "routing": UNIFORM}}
MEANING = {
    "m": "gemm: tokens",
    "n": "gemm: output features on this GPU",
    "k": "gemm: input features on this GPU",
    "tokens": "moe: tokens of all GPUs that share the experts",
    "hidden": "moe: hidden size",
    "width": "moe: intermediate size of one expert",
    "topk": "moe: experts per token",
    "experts": "moe: experts of the layer",
    "tp": "moe: GPUs that share an expert",
    "ep": "moe: GPUs that share the experts",
}


@dataclass(frozen=True, slots=True)
class _Call:
    """A kernel on a GPU, the FLOPs that a GPU must do, and what their rate is called."""

    what: str
    time: KernelTime
    flop: float
    rate: str = "rate"


def add(parser: Parser) -> None:
    """Options of the command."""
    parser.add_argument("kind", choices=KINDS, help="gemm: m x k by k x n; moe: a routed MLP")
    parser.add_argument("--gpu", default="h100-sxm", metavar="ID", help="catalog id (default h100-sxm)")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="bf16",
        metavar="NAME",
        help=f"{' | '.join(FORMATS)} (default bf16)",
    )
    parser.add_argument("--engine", choices=ENGINES, help="whose kernels (default: any)")
    for name, meaning in MEANING.items():
        usual = {**GEMM, **MOE}[name]
        parser.add_argument(f"--{name}", type=options.whole, metavar="N", help=f"{meaning} (default {usual})")
    parser.add_argument(
        "--routing", choices=ROUTINGS, help=f"moe: routing of tokens to experts (default {UNIFORM})"
    )
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The time of the kernel."""
    device = gpu_of(args.gpu)
    entry, peak = format_on(device, args.format)
    call = _gemm(device, args) if args.kind == "gemm" else _moe(device, args)
    time_s, low_s, high_s = (float(value) for value in (call.time.time_s, call.time.low_s, call.time.high_s))
    rate = call.flop / time_s
    data: dict[str, Any] = {
        "kernel": args.kind,
        "gpu": device.id,
        "format": entry.name,
        "time_s": time_s,
        "low_s": low_s,
        "high_s": high_s,
        "flop": call.flop,
        "flop_per_s": rate,
        "peak_flop_per_s": peak,
        "peak_share": rate / peak,
        "binding": _binding(call.time),
        "source": MEASURED_KERNELS,
    }
    rows = (
        ("time", f"{units.format_time(time_s)} ({units.format_time(low_s)} to {units.format_time(high_s)})"),
        (call.rate, f"{rate / units.TERA:,.1f} TFLOP/s"),
        ("share of the peak", percent(data["peak_share"])),
        ("bound by", data["binding"]),
        ("fitted on", MEASURED_KERNELS.title),
    )
    stands_in = "" if entry.name == args.format else f", {args.format} as {entry.name}"
    return Reply(data, page(f"{call.what} on {device.name}{stands_in}.", table(("", entry.name), rows)))


def _binding(time: KernelTime) -> str:
    """What the time is mostly."""
    if bool(time.launch_bound):
        return "kernel launch"
    return "compute" if bool(time.compute_bound) else "memory"


def _gemm(device: Gpu, args: Namespace) -> _Call:
    sizes = _values(args)
    time = gemm_s(device, args.format, **sizes, engine=args.engine)
    return _Call(
        f"GEMM {sizes['m']:,} x {sizes['n']:,} x {sizes['k']:,}",
        time,
        2.0 * sizes["m"] * sizes["n"] * sizes["k"],
    )


def _moe(device: Gpu, args: Namespace) -> _Call:
    sizes = _values(args)
    top_k, routing = sizes.pop("topk"), sizes.pop("routing")
    time = routed_mlp_s(device, args.format, **sizes, top_k=top_k, routing=routing, engine=args.engine)
    shared = sizes["tp"] * sizes["ep"]
    flop = 6.0 * sizes["tokens"] * top_k * sizes["hidden"] * sizes["width"] / shared
    what = f"Routed MLP of {sizes['tokens']:,} tokens, {top_k} of {sizes['experts']:,} experts"
    if shared == 1:
        return _Call(f"{what},", time, flop)
    where = "one of {} GPUs at their mean load" if routing == UNIFORM else "the busiest of {} GPUs"
    return _Call(
        f"{what} on {where.format(f'{shared:,}')}, each", time, flop, "rate, by the mean GPU's FLOPs"
    )


def _values(args: Namespace) -> dict[str, Any]:
    """The sizes of the kind, each as it is typed or at its default."""
    for name in (*MEANING, "routing"):
        if getattr(args, name) is not None and name not in KINDS[args.kind]:
            message = f"--{name}: not an option of {args.kind}"
            raise InputError(message)
    return {
        name: usual if getattr(args, name) is None else getattr(args, name)
        for name, usual in KINDS[args.kind].items()
    }
