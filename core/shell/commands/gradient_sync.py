"""``gradient-sync``: what gradient synchronization costs an optimizer step."""

from argparse import Namespace
from dataclasses import replace
from typing import Any

from core.calculators.cost.exposed import payback_months
from core.calculators.gradient_sync import Answer, Scenario, answer
from core.calculators.gradient_sync.compare import by_algorithm, by_network, payload_s
from core.calculators.question import FRAMEWORKS, PRECISIONS
from core.catalog.links.network import ROCE_PAYLOAD
from core.catalog.software import COMMUNICATION_DEFAULT, SHARDING_DEFAULT
from core.checks import InputError
from core.command_line import Parser
from core.provenance import Origin
from core.shell import options
from core.shell.gradient_sync_text import text
from core.shell.model import names_model
from core.shell.output import Reply, plain
from core.shell.question import question

NAME = "gradient-sync"
HELP = "time, traffic and cost of gradient synchronization"

BF16 = "bf16"
UNSAID = (
    "no strategy is said: DDP over plain NCCL; the page Gradient sync and --software auto take PyTorch FSDP"
)


def add(parser: Parser) -> None:
    """Options of the command."""
    options.add_model(parser)
    parser.add_argument("--params", type=options.not_negative, metavar="N", help="parameters, as 70e9")
    parser.add_argument(
        "--ranks",
        "--gpus",
        dest="gpus",
        type=options.whole,
        metavar="N",
        help="data-parallel ranks (default all GPUs)",
    )
    options.add_data_parallel(parser, strategy="ddp", param_bytes=2.0)
    _add_steps(parser)
    _add_prices(parser)
    options.add_system(parser)
    options.add_rates(parser)
    options.add_algorithm(parser)
    options.add_software(parser, SHARDING_DEFAULT, default=COMMUNICATION_DEFAULT)
    options.add_json(parser)


def _add_steps(parser: Parser) -> None:
    """Accumulation, buckets and the compute that hides them."""
    _add_buckets(parser)
    _add_waiting(parser)
    _add_compute(parser)


def _add_buckets(parser: Parser) -> None:
    """Accumulation, buckets, and the backward they are overlapped with."""
    parser.add_argument(
        "--accumulation", type=options.whole, default=1, metavar="N", help="gradient accumulation steps"
    )
    parser.add_argument(
        "--whole-gradients", action="store_true", help="unsharded until the last accumulation step"
    )
    parser.add_argument(
        "--shard-ranks", type=options.whole, metavar="N", help="ranks that shard one replica (hsdp)"
    )
    parser.add_argument("--bucket-bytes", type=options.size, metavar="SIZE", help="bucket size")
    parser.add_argument(
        "--backward-s", type=options.not_negative, metavar="X", help="backward time of a micro-batch"
    )
    parser.add_argument(
        "--forward-s", type=options.not_negative, metavar="X", help="forward time (default half of it)"
    )
    parser.add_argument(
        "--overlap",
        type=options.share,
        metavar="X",
        help="share overlapped with compute (default: a timeline of buckets)",
    )


def _add_waiting(parser: Parser) -> None:
    """How far ranks are apart, and whose wait is told."""
    parser.add_argument(
        "--spread",
        type=options.share,
        metavar="X",
        help="standard deviation of backward between ranks, as a share (default: as train waits)",
    )
    parser.add_argument(
        "--percentile",
        type=options.share,
        default=Scenario.percentile,
        metavar="X",
        help="percentile of the slowest rank's wait; goes with --spread (default the median)",
    )


def _add_compute(parser: Parser) -> None:
    """Compute by tokens, MFU and kernels, and the rest of a step."""
    parser.add_argument("--tokens", type=options.positive, metavar="N", help="tokens per micro-batch per GPU")
    parser.add_argument(
        "--mfu",
        type=options.part,
        metavar="X",
        help="MFU of compute (default: as train prices it for the model, GPU and framework)",
    )
    parser.add_argument(
        "--seq", type=options.whole, metavar="N", help="sequence length of those tokens (default all of them)"
    )
    parser.add_argument("--precision", choices=PRECISIONS, default=BF16, help="precision of the GEMMs")
    parser.add_argument(
        "--efficiency", type=options.positive, metavar="X", help="GEMM efficiency, share of peak FLOP/s"
    )
    parser.add_argument(
        "--framework", choices=FRAMEWORKS, metavar="NAME", help=f"its kernels: {' | '.join(FRAMEWORKS)}"
    )
    parser.add_argument(
        "--other-s",
        type=options.not_negative,
        metavar="X",
        help="rest of a step: input, optimizer (default: as train prices it, else 0)",
    )


def _add_prices(parser: Parser) -> None:
    """Prices, and networks side by side."""
    parser.add_argument(
        "--usd-per-gpu-hour", type=options.not_negative, metavar="X", help="price of a GPU-hour in dollars"
    )
    parser.add_argument(
        "--upgrade-usd",
        type=options.not_negative,
        metavar="X",
        help="price of an upgrade that overlaps all communication: payback",
    )
    parser.add_argument(
        "--lost-share",
        type=options.share,
        metavar="X",
        help="share of a step that is paid for, instead of the exposed communication",
    )
    parser.add_argument(
        "--networks", metavar="LINK_ID,...", help="the same job on each, as ib-ndr,roce-400, side by side"
    )
    parser.add_argument(
        "--roce-payload",
        type=options.part,
        default=ROCE_PAYLOAD,
        metavar="X",
        help=f"payload of an Ethernet line among --networks (default {ROCE_PAYLOAD:g})",
    )


def run(args: Namespace) -> Reply:
    """The priced step, and the gradients' all-reduce by every algorithm that applies."""
    scenario = _scenario(args)
    result = answer(scenario)
    if args.strategy is None and args.software == COMMUNICATION_DEFAULT:
        result = replace(result, assumptions=(UNSAID, *result.assumptions))
    data = as_data(result)
    data["algorithms"] = _algorithms(scenario, result)
    data["payload_s"] = None
    if scenario.rates.origin is Origin.PUBLISHED and result.domains == 1:
        data["payload_s"] = payload_s(scenario.system, result.gradient_bytes)
    data["payback_months"] = None
    if args.upgrade_usd is not None and result.loss is not None:
        data["payback_months"] = payback_months(args.upgrade_usd, result.loss)
    data["networks"] = _networks(args, scenario)
    return Reply(plain(data), text(result, data))


def _algorithms(scenario: Scenario, result: Answer) -> list[dict[str, Any]]:
    """One all-reduce of the gradients by each algorithm."""
    sweeps = by_algorithm(scenario, [result.gradient_bytes]) if result.ranks > 1 else {}
    return [
        {
            "algorithm": name,
            "time_s": float(sweep.time_s[0]),
            "busbw_bytes_per_s": float(sweep.busbw_bytes_per_s[0]),
        }
        for name, sweep in sweeps.items()
    ]


def _networks(args: Namespace, scenario: Scenario) -> list[dict[str, Any]]:
    """The same job on the networks named: latency, payload, price and what they cost the step."""
    names = [name.strip() for name in (args.networks or "").split(",") if name.strip()]
    networks = by_network(scenario, names, roce_payload=args.roce_payload) if names else ()
    facts_of = "link", "latency_s", "payload_share", "cost_factor", "slowdown"
    times_of = "time_s", "comm_s", "exposed_s", "step_s"
    return [
        {name: getattr(network, name) for name in facts_of}
        | {name: getattr(network.answer, name) for name in times_of}
        for network in networks
    ]


def _scenario(args: Namespace) -> Scenario:
    if args.params is not None and names_model(args):
        message = "--params: either a number of parameters or a --model, not both"
        raise InputError(message)
    if args.params is None and not names_model(args):
        message = "--params: give a number of parameters or a --model"
        raise InputError(message)
    _check_compute(args)
    params = {} if args.params is None else {"params": float(args.params)}
    if args.seq is None:
        args.seq = None if args.tokens is None else max(1, round(args.tokens))
    return Scenario.of(
        question(args),
        **params,
        accumulation=args.accumulation,
        whole_gradients=args.whole_gradients,
        shard_ranks=args.shard_ranks,
        bucket_bytes=args.bucket_bytes,
        backward_s=args.backward_s,
        forward_s=args.forward_s,
        overlap=args.overlap,
        spread=args.spread,
        percentile=args.percentile,
        other_s=args.other_s,
        lost_share=args.lost_share,
        tokens_per_rank=args.tokens,
        mfu=args.mfu,
    )


def _check_compute(args: Namespace) -> None:
    """Refuse inputs of the compute that nothing would take; raises InputError naming the first."""
    priced = {
        "--framework": args.framework is not None,
        "--seq": args.seq is not None,
        "--precision": args.precision != BF16,
    }
    efficiency = {"--efficiency": args.efficiency is not None}
    if args.mfu is not None or args.backward_s is not None:
        unused = next((name for name, given in (efficiency | priced).items() if given), None)
        message = f"{unused}: --mfu and --backward-s state the compute without it"
    else:
        unused = next((name for name, given in priced.items() if given and args.params is not None), None)
        message = f"{unused}: the compute of a --model takes it, --params alone do not"
    if unused is not None:
        raise InputError(message)


def as_data(result: Answer) -> dict[str, Any]:
    """The answer as JSON: timelines by their ends, memory with its total."""
    data: dict[str, Any] = plain(result)
    data["phases"] = [item.pop("phase") | item for item in data["phases"]]
    for named in (data, *data["phases"]):
        named["algorithm"] = named["algorithm"] or None
    memory = result.memory
    data["memory"] |= {"total_bytes": memory.total_bytes, "fits": memory.fits}
    data["passes"] = [
        {
            "name": item.name,
            "times": item.times,
            "compute_s": item.timeline.compute_s,
            "end_s": item.timeline.end_s,
            "exposed_s": item.exposed_s,
        }
        for item in result.passes
    ]
    for name in ("usd_per_day", "usd_per_month"):
        data |= {
            key: result.loss and getattr(result.loss, key) for key in (name, f"{name}_low", f"{name}_high")
        }
    return data
