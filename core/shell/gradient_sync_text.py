"""The answer of ``gradient-sync`` for people."""

from typing import Any

from core import units
from core.calculators.cost.exposed import Loss
from core.calculators.gradient_sync import DEFINITIONS, Answer
from core.shell.output import facts, page, percent, remarks, table


def text(result: Answer, data: dict[str, Any]) -> str:
    """The answer for people."""
    return page(
        result.headline,
        _phases(result),
        _facts(result, data),
        _efficiency(result),
        _algorithm_table(data),
        _network_table(data),
        remarks("Assumptions", result.assumptions),
        remarks("Note", result.warnings),
    )


def _phases(result: Answer) -> str:
    """The collectives of a step."""
    phases = [
        (
            part.phase.name,
            f"{part.phase.collective} over {part.phase.ranks}",
            f"{part.phase.times} x {units.format_message(part.phase.size_bytes)}",
            units.format_message(part.wire_bytes),
            units.format_time(part.time_s),
            part.algorithm,
        )
        for part in result.phases
    ]
    return table(("phase", "collective", "size", "sent per GPU", "time", "algorithm"), phases)


def _facts(result: Answer, data: dict[str, Any]) -> str:
    """The terms of the step, and what they cost."""
    money = result.loss
    return facts(
        (
            ("latency", units.format_time(result.latency_s)),
            ("transfer", units.format_time(result.transfer_s)),
            ("gradient bytes once", data["payload_s"] and units.format_time(data["payload_s"])),
            ("busbw", result.busbw_bytes_per_s and units.format_rate(result.busbw_bytes_per_s)),
            ("buckets", f"{result.buckets} x {_bucket(result)}" if result.buckets > 1 else None),
            ("in buckets", units.format_time(result.comm_s) if result.buckets > 1 else None),
            (
                "exposed communication",
                _interval(result.exposed_s, result.exposed_low_s, result.exposed_high_s),
            ),
            ("overlapped", units.format_time(result.hidden_s)),
            ("step", result.step_s and _interval(result.step_s, result.step_low_s, result.step_high_s)),
            ("MFU", result.mfu_text or None),
            ("compute", result.compute or None),
            ("memory per GPU", units.format_memory(result.memory.total_bytes)),
            (
                "straggler wait",
                units.format_time(result.straggler_s) if result.straggler_s else None,
            ),
            (
                "cost of exposed communication",
                money and _dollars(money),
            ),
            (
                "1 % of the job",
                result.one_percent and f"${result.one_percent.usd_per_day:,.0f} a day",
            ),
            ("rates", f"{result.rates} ({result.basis})"),
        )
    )


def _interval(seconds: float, low_s: float | None, high_s: float | None) -> str:
    """A time with its prediction interval where it has one."""
    text = units.format_time(seconds)
    if low_s is None or high_s is None or low_s == high_s:
        return text
    return f"{text} ({units.format_time(low_s)} to {units.format_time(high_s)})"


def _dollars(money: Loss) -> str:
    """Dollars a day and a month, with their interval where the share is not known."""
    text = f"${money.usd_per_day:,.0f} a day, ${money.usd_per_month:,.0f} a month"
    if money.usd_per_month_low == money.usd_per_month_high:
        return text
    return f"{text} (${money.usd_per_month_low:,.0f} to ${money.usd_per_month_high:,.0f})"


def _algorithm_table(data: dict[str, Any]) -> str:
    """The all-reduce of the gradients by algorithm, fastest first."""
    algorithms = sorted(data["algorithms"], key=lambda item: float(item["time_s"]))
    rows = [(item["algorithm"], units.format_time(item["time_s"])) for item in algorithms]
    return table(("one all-reduce by", "time"), rows) if rows else ""


def _network_table(data: dict[str, Any]) -> str:
    """The networks side by side, in the order given."""
    rows = [
        (
            network["link"],
            units.format_time(network["latency_s"]),
            percent(network["payload_share"]),
            units.format_time(network["comm_s"]),
            units.format_time(network["exposed_s"]),
            percent(network["slowdown"] - 1),
            f"{network['cost_factor']:g} x",
        )
        for network in data["networks"]
    ]
    header = ("network", "latency", "payload", "communication", "exposed", "slower", "port price")
    return table(header, rows) if rows else ""


def _bucket(result: Answer) -> str:
    return units.format_message(result.bucket_bytes or result.gradient_bytes)


def _efficiency(result: Answer) -> str:
    if result.efficiency is None:
        return ""
    return "Scaling efficiency:\n" + facts(
        (DEFINITIONS[name].title, percent(value)) for name, value in result.efficiency.items()
    )
