"""``kernel``: time of one GEMM, routed MLP or attention on one GPU, from measured kernels."""

from argparse import Namespace
from typing import Any

from core import units
from core.catalog import gpu as gpu_of
from core.catalog.calibrations.kernels.sources import MEASURED_KERNELS
from core.checks import InputError
from core.command_line import Parser
from core.hardware import Gpu
from core.kernels.formats import FORMATS
from core.kernels.gemm import ENGINES
from core.kernels.result import KernelTime
from core.kernels.routing import ROUTINGS, UNIFORM
from core.kernels.stand_ins import elsewhere
from core.shell import options
from core.shell.kernels import KINDS, Call, Sizes
from core.shell.output import Reply, page, percent, table

NAME = "kernel"
HELP = "time of one GEMM, routed MLP or attention on one GPU, with its interval and what binds it"
MEANING = {
    "m": "tokens",
    "n": "output features on this GPU",
    "k": "input features on this GPU",
    "tokens": "tokens of all GPUs that share the experts",
    "hidden": "hidden size",
    "width": "intermediate size of one expert",
    "topk": "experts per token",
    "experts": "experts of the layer",
    "tp": "GPUs that share an expert",
    "ep": "GPUs that share the experts",
    "batch": "sequences",
    "length": "new tokens of each",
    "prefix": "tokens of each that lie in the KV cache",
    "context": "tokens of each in the KV cache",
    "heads": "query heads on this GPU",
    "kv_heads": "KV heads on this GPU",
    "head_dim": "head dimension",
    "window": "sliding window in tokens",
}


def add(parser: Parser) -> None:
    """Options of the command."""
    meaning = "; ".join(f"{name}: {kind.meaning}" for name, kind in KINDS.items())
    parser.add_argument("kind", choices=KINDS, help=meaning)
    parser.add_argument("--gpu", default="h100-sxm", metavar="ID", help="catalog id (default h100-sxm)")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="bf16",
        metavar="NAME",
        help=f"{' | '.join(FORMATS)}; of attention: of the KV cache, bf16, fp16 or fp8 (default bf16)",
    )
    parser.add_argument("--engine", choices=ENGINES, help="whose kernels (default: any)")
    for name in MEANING:
        parser.add_argument(
            _flag(name),
            type=options.count if name == "prefix" else options.whole,
            metavar="N",
            help=_help(name),
        )
    parser.add_argument(
        "--routing", choices=ROUTINGS, help=f"moe: routing of tokens to experts (default {UNIFORM})"
    )
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The time of the kernel."""
    device = gpu_of(args.gpu)
    call = KINDS[args.kind].call(device, args.format, _sizes(args), args.engine)
    data = _data(args.kind, device, call)
    stands_in = "" if call.number_format == args.format else f", {args.format} as {call.number_format}"
    lines = table(("", call.number_format), _rows(call, data))
    return Reply(data, page(f"{call.what} on {device.name}{stands_in}.", lines))


def _data(kind: str, device: Gpu, call: Call) -> dict[str, Any]:
    time_s = float(call.time.time_s)
    rate = call.flop / time_s
    cache_rate = None if call.cache_bytes is None else call.cache_bytes / time_s
    return {
        "kernel": kind,
        "gpu": device.id,
        "format": call.number_format,
        "time_s": time_s,
        "low_s": float(call.time.low_s),
        "high_s": float(call.time.high_s),
        "flop": call.flop,
        "flop_per_s": rate,
        "peak_flop_per_s": call.peak_flop_per_s,
        "peak_share": rate / call.peak_flop_per_s,
        "cache_bytes": call.cache_bytes,
        "cache_bytes_per_s": cache_rate,
        "memory_share": None if cache_rate is None else cache_rate / device.memory_rate.bytes_per_s,
        "binding": _binding(call.time),
        "engine_not_measured": call.without,
        "stands_in": elsewhere(device, call.measured),
        "source": MEASURED_KERNELS,
    }


def _rows(call: Call, data: dict[str, Any]) -> list[tuple[str, object]]:
    low, high = units.format_time(data["low_s"]), units.format_time(data["high_s"])
    rows: list[tuple[str, object]] = [("time", f"{units.format_time(data['time_s'])} ({low} to {high})")]
    if data["cache_bytes"] is None:
        rows += [
            (call.rate, f"{data['flop_per_s'] / units.TERA:,.1f} TFLOP/s"),
            ("share of the peak", percent(data["peak_share"])),
        ]
    else:
        rows += [
            ("KV cache read", units.format_memory(data["cache_bytes"])),
            ("rate", units.format_rate(data["cache_bytes_per_s"])),
            ("share of the memory rate", percent(data["memory_share"])),
        ]
    if data["stands_in"]:
        rows.append(("stand-in", f"kernels of {data['stands_in']}: none were measured on this kind of GPU"))
    if call.without:
        rows.append(
            ("kernels of", f"other engines: none of {call.without} in {call.number_format} were measured")
        )
    return [*rows, ("bound by", data["binding"]), ("fitted on", MEASURED_KERNELS.title)]


def _binding(time: KernelTime) -> str:
    """What the time is mostly."""
    if bool(time.launch_bound):
        return "kernel launch"
    return "compute" if bool(time.compute_bound) else "memory"


def _sizes(args: Namespace) -> Sizes:
    """The sizes of the kind, each as it is typed or at its default."""
    usual = KINDS[args.kind].sizes
    for name in (*MEANING, "routing"):
        if getattr(args, name) is not None and name not in usual:
            message = f"{_flag(name)}: not an option of {args.kind}"
            raise InputError(message)
    return {
        name: value if getattr(args, name) is None else getattr(args, name) for name, value in usual.items()
    }


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _help(name: str) -> str:
    kinds = [kind for kind, entry in KINDS.items() if name in entry.sizes]
    usual = ", ".join(dict.fromkeys(f"{KINDS[kind].sizes[name]}" for kind in kinds)).replace("None", "none")
    return f"{', '.join(kinds)}: {MEANING[name]} (default {usual})"
