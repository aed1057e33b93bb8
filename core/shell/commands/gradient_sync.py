"""``gradient-sync``: what averaging gradients costs an optimizer step."""

from argparse import Namespace
from typing import Any

from core import units
from core.calculators.cost.exposed import payback_months
from core.calculators.gradient_sync import STRATEGIES, Answer, Scenario, answer
from core.calculators.gradient_sync.compare import ROCE_PAYLOAD, by_algorithm, by_network, payload_s
from core.checks import InputError
from core.command_line import Parser
from core.provenance import Origin
from core.shell import chosen, options
from core.shell.model import given, model
from core.shell.output import Reply, facts, page, percent, plain, remarks, table

NAME = "gradient-sync"
HELP = "time, traffic and money of averaging gradients"


def add(parser: Parser) -> None:
    """Options of the command."""
    options.add_model(parser)
    parser.add_argument("--params", type=options.not_negative, metavar="N", help="parameters, as 70e9")
    parser.add_argument(
        "--ranks", "--gpus", type=options.whole, metavar="N", help="replicas (default all GPUs)"
    )
    parser.add_argument("--strategy", choices=STRATEGIES, default="ddp")
    parser.add_argument(
        "--grad-bytes", type=options.positive, default=2.0, metavar="X", help="of one gradient"
    )
    parser.add_argument(
        "--param-bytes", type=options.positive, default=2.0, metavar="X", help="of one parameter"
    )
    parser.add_argument("--accumulation", type=options.whole, default=1, metavar="N", help="micro-steps")
    parser.add_argument("--whole-gradients", action="store_true", help="unsharded until the last micro-step")
    parser.add_argument("--shard-ranks", type=options.whole, metavar="N", help="ranks of one hsdp copy")
    parser.add_argument("--bucket-bytes", type=options.size, metavar="SIZE", help="one message on the wire")
    parser.add_argument(
        "--backward-s", type=options.not_negative, metavar="X", help="backward of a micro-step"
    )
    parser.add_argument(
        "--forward-s", type=options.not_negative, metavar="X", help="forward (default half of it)"
    )
    parser.add_argument(
        "--overlap", type=options.share, metavar="X", help="share that may hide; else a timeline"
    )
    parser.add_argument(
        "--spread", type=options.share, default=0.0, metavar="X", help="deviation of backward"
    )
    parser.add_argument(
        "--percentile", type=options.share, default=0.5, metavar="X", help="of the slowest rank"
    )
    parser.add_argument("--tokens", type=options.positive, metavar="N", help="of one rank's micro-step")
    parser.add_argument(
        "--mfu", type=options.part, metavar="X", help="of compute, where backward is not given"
    )
    parser.add_argument(
        "--other-s",
        type=options.not_negative,
        default=0.0,
        metavar="X",
        help="the rest of a step: input, optimizer",
    )
    parser.add_argument("--usd-per-gpu-hour", type=options.not_negative, metavar="X")
    parser.add_argument(
        "--upgrade-usd", type=options.not_negative, metavar="X", help="price of hiding it all: payback"
    )
    parser.add_argument(
        "--lost-share",
        type=options.share,
        metavar="X",
        help="money of this share of a step, not of the exposed",
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
    options.add_system(parser)
    options.add_rates(parser)
    options.add_algorithm(parser)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The priced step, and the gradients' all-reduce by every algorithm that applies."""
    asked = _asked(args)
    found = answer(asked)
    ways = by_algorithm(asked, [found.gradient_bytes]) if found.ranks > 1 else {}
    data = as_data(found)
    data["algorithms"] = [
        {
            "algorithm": name,
            "time_s": float(way.time_s[0]),
            "busbw_bytes_per_s": float(way.busbw_bytes_per_s[0]),
        }
        for name, way in ways.items()
    ]
    data["payload_s"] = None
    if asked.rates.origin is Origin.PUBLISHED and found.domains == 1:
        data["payload_s"] = payload_s(asked.system, found.gradient_bytes)
    data["payback_months"] = None
    if args.upgrade_usd is not None and found.loss is not None:
        data["payback_months"] = payback_months(args.upgrade_usd, found.loss)
    data["networks"] = _networks(args, asked)
    return Reply(plain(data), text(found, data))


def _networks(args: Namespace, asked: Scenario) -> list[dict[str, Any]]:
    """The same job on the networks named: latency, payload, price and what they cost the step."""
    names = [name.strip() for name in (args.networks or "").split(",") if name.strip()]
    found = by_network(asked, names, roce_payload=args.roce_payload) if names else ()
    kept = "link", "latency_s", "payload_share", "cost_factor", "slowdown"
    times = "time_s", "exposed_s", "step_s"
    return [
        {name: getattr(one, name) for name in kept} | {name: getattr(one.answer, name) for name in times}
        for one in found
    ]


def _asked(args: Namespace) -> Scenario:
    return Scenario(
        params=_params(args),
        system=chosen.system(args),
        ranks=args.ranks,
        strategy=args.strategy,
        grad_bytes=args.grad_bytes,
        param_bytes=args.param_bytes,
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
        usd_per_gpu_hour=args.usd_per_gpu_hour,
        rates=chosen.rates(args),
        algorithm=args.algorithm,
        implementation=args.implementation or "nccl",
        launch=args.launch,
    )


def as_data(found: Answer) -> dict[str, Any]:
    """The answer as JSON: timelines by their ends, memory with its total."""
    data: dict[str, Any] = plain(found)
    for named in (data, *data["phases"]):
        named["algorithm"] = named["algorithm"] or None
    memory = found.memory
    data["memory"] |= {"total_bytes": memory.total_bytes, "fits": memory.fits}
    data["passes"] = [
        {
            "name": item.name,
            "times": item.times,
            "compute_s": item.timeline.compute_s,
            "end_s": item.timeline.end_s,
            "exposed_s": item.exposed_s,
        }
        for item in found.passes
    ]
    data["usd_per_day"] = found.loss and found.loss.usd_per_day
    data["usd_per_month"] = found.loss and found.loss.usd_per_month
    return data


def text(found: Answer, data: dict[str, Any]) -> str:
    """The answer for people."""
    phases = [
        (
            phase.name,
            f"{phase.collective} over {phase.ranks}",
            f"{phase.times} x {units.format_size(phase.size_bytes)}",
            units.format_size(round(phase.wire_bytes)),
            units.format_time(phase.time_s),
            phase.algorithm,
        )
        for phase in found.phases
    ]
    money = found.loss
    return page(
        found.headline,
        table(("phase", "collective", "size", "on the wire", "time", "algorithm"), phases),
        facts(
            (
                ("latency", units.format_time(found.latency_s)),
                ("transfer", units.format_time(found.transfer_s)),
                ("gradient bytes once", data["payload_s"] and units.format_time(data["payload_s"])),
                ("busbw", found.busbw_bytes_per_s and units.format_rate(found.busbw_bytes_per_s)),
                ("buckets", f"{found.buckets} x {_bucket(found)}" if found.buckets > 1 else None),
                ("in buckets", units.format_time(found.comm_s) if found.buckets > 1 else None),
                ("exposed", units.format_time(found.exposed_s)),
                ("hidden", units.format_time(found.hidden_s)),
                ("step", found.step_s and units.format_time(found.step_s)),
                ("memory per GPU", units.format_size(round(found.memory.total_bytes))),
                (
                    "waiting for the slowest rank",
                    units.format_time(found.straggler_s) if found.straggler_s else None,
                ),
                (
                    "exposed, dollars",
                    money and f"{money.usd_per_day:,.0f} a day, {money.usd_per_month:,.0f} a month",
                ),
                (
                    "1 % of the job",
                    found.one_percent and f"{found.one_percent.usd_per_day:,.0f} dollars a day",
                ),
                ("rates", f"{found.rates} ({found.basis})"),
            )
        ),
        _efficiency(found),
        _ways(data),
        _beside(data),
        remarks("Taken for granted", found.assumptions),
        remarks("Note", found.warnings),
    )


def _ways(data: dict[str, Any]) -> str:
    """The all-reduce of the gradients by algorithm, fastest first."""
    ways = sorted(data["algorithms"], key=lambda way: float(way["time_s"]))
    rows = [(way["algorithm"], units.format_time(way["time_s"])) for way in ways]
    return table(("one all-reduce by", "time"), rows) if rows else ""


def _beside(data: dict[str, Any]) -> str:
    """The networks asked for, in the order asked."""
    rows = [
        (
            one["link"],
            units.format_time(one["latency_s"]),
            percent(one["payload_share"]),
            units.format_time(one["time_s"]),
            units.format_time(one["exposed_s"]),
            percent(one["slowdown"] - 1),
            f"{one['cost_factor']:g} x",
        )
        for one in data["networks"]
    ]
    header = ("network", "latency", "payload", "all messages", "exposed", "slower", "port price")
    return table(header, rows) if rows else ""


def _bucket(found: Answer) -> str:
    return units.format_size(found.bucket_bytes or found.gradient_bytes)


def _efficiency(found: Answer) -> str:
    if found.efficiency is None:
        return ""
    return "Scaling efficiency:\n" + facts(
        (name.replace("_", " "), percent(value)) for name, value in found.efficiency.items()
    )


def _params(args: Namespace) -> float:
    if args.params is not None and given(args):
        message = "--params: either a number of parameters or a --model, not both"
        raise InputError(message)
    if args.params is not None:
        return float(args.params)
    if given(args):
        return model(args).params
    message = "--params: give a number of parameters or a --model"
    raise InputError(message)
