"""A verdict for programs and for the eye: the same in shell, HTTP and acceptance."""

from collections.abc import Iterable
from typing import Any

from core.hardware import System
from core.measurement import Run
from core.measurement.bus_factor import bus_factor
from core.units import GB, US, format_size, format_time, whole_percent
from core.verdict.headline import headline, measured_rates, short_cause
from core.verdict.records import Cause, NextStep, PairVerdict, RunVerdict, SizeVerdict


def file_reports(judged: Iterable[tuple[Run, RunVerdict, System | None, str]]) -> list[dict[str, Any]]:
    """
    The reports on runs with their verdict, system and how the log told it.

    Where a file holds runs of several systems, its headlines name them.
    """
    told = [(run, verdict, system, remark) for run, verdict, system, remark in judged if system is not None]
    reports = [verdict_json(run, system, verdict, remark or None) for run, verdict, system, remark in told]
    for report, (run, _, system, _) in zip(reports, told, strict=True):
        if len({other.name for member, _, other, _ in told if member.file == run.file}) > 1:
            report["headline"] = f"{system.name}: {report['headline']}"
    return reports


def verdict_json(
    run: Run, system: System, verdict: RunVerdict, system_from: str | None = None
) -> dict[str, Any]:
    """
    A verdict as ``check --json`` prints it, in the tools' units: microseconds and GB/s.

    Args:
        run: What was judged.
        system: What it was judged on.
        verdict: Of that run.
        system_from: How the log told its system, and what was assumed; None where it was named.
    """
    return {
        "file": run.file,
        "format": run.format,
        "system": system.id,
        "system_from": system_from,
        "collective": verdict.collective,
        "ranks": verdict.ranks,
        "domains": verdict.domains,
        "verdict": str(verdict.status),
        "headline": headline(verdict),
        "reason": verdict.reason.code,
        "text": verdict.reason.text,
        "rates": measured_rates(verdict),
        "bottleneck": verdict.bottleneck,
        "causes": [_cause(cause) for cause in verdict.causes],
        "next": None if verdict.next_step is None else _next(verdict.next_step),
        "basis": verdict.basis,
        "sizes": [_size(item, verdict) for item in verdict.sizes],
        "pairs": [_pair(item) for item in verdict.pairs],
        "warnings": list(verdict.warnings),
    }


def _cause(cause: Cause) -> dict[str, Any]:
    return {
        "reason": cause.reason.code,
        "weight": round(cause.weight, 3),
        "text": cause.reason.text,
        "lines": list(cause.lines),
        "command": cause.test.command,
        "shows": cause.test.shows,
    }


def _next(step: NextStep) -> dict[str, Any]:
    return {
        "command": step.command,
        "shows": [
            {"reason": item.reason.code, "cause": short_cause(item.reason), "shows": item.shows}
            for item in step.outcomes
        ],
    }


def _size(size: SizeVerdict, verdict: RunVerdict) -> dict[str, Any]:
    def rate(time_s: float | None) -> float | None:
        factor = bus_factor(verdict.collective, verdict.ranks)
        return None if not time_s or factor is None else _digits(factor * size.size_bytes / time_s / GB)

    def microseconds(time_s: float | None) -> float | None:
        return None if time_s is None else _digits(time_s / US)

    return {
        "operation": size.operation or verdict.collective,
        "size_bytes": size.size_bytes,
        "placement": size.placement,
        "time_us": microseconds(size.time_s),
        "expected_us": microseconds(size.expected_s),
        "low_us": microseconds(size.low_s),
        "high_us": microseconds(size.high_s),
        "floor_us": microseconds(size.floor_s),
        "algbw_GBps": _digits(size.size_bytes / size.time_s / GB) if size.time_s else None,
        "busbw_GBps": rate(size.time_s),
        "expected_busbw_GBps": rate(size.expected_s),
        "verdict": str(size.status),
        "reason": size.reason.code,
        "text": size.reason.text,
    }


def _pair(pair: PairVerdict) -> dict[str, Any]:
    measured, expected = pair.measured_bytes_per_s, pair.expected_bytes_per_s
    return {
        "what": pair.what,
        "row": pair.row,
        "column": pair.column,
        "measured_GBps": None if measured is None else _digits(measured / GB),
        "expected_GBps": None if expected is None else _digits(expected / GB),
        "verdict": str(pair.status),
        "reason": pair.reason.code,
        "text": pair.reason.text,
    }


def _digits(value: float) -> float:
    return float(f"{value:.6g}")


def _time(time_us: float | None) -> str:
    return "-" if time_us is None else format_time(time_us * US)


def verdict_text(report: dict[str, Any]) -> str:
    """The report of one run for the eye: the headline, its reason, a line per size and per odd pair."""
    operation = report["collective"] or report["format"]
    ranks = f", {report['ranks']} ranks" if report["ranks"] else ""
    lines = [f"{report['file']}: {report['headline']}", f"  {operation}{ranks} on {report['system']}"]
    if report["text"] not in report["headline"]:
        lines[1] += f": {report['text']}"
    lines += [f"  {text}" for text in (report["rates"], report["bottleneck"]) if text]
    lines += [line for cause in report["causes"] for line in _cause_lines(cause)]
    lines += _next_lines(report["next"]) if report["next"] else []
    for size in report["sizes"]:
        band = f"{_time(size['low_us'])} to {_time(size['high_us'])}" if size["low_us"] is not None else "-"
        lines.append(
            f"  {format_size(size['size_bytes']):>10} {_time(size['time_us']):>10}  expected {band:<24}"
            f" {size['verdict']:<10} {size['text']}"
        )
    slow = [pair for pair in report["pairs"] if pair["verdict"] != "fine"]
    lines += [f"  {pair['row']} {pair['column']}: {pair['verdict']}: {pair['text']}" for pair in slow]
    lines += [f"  note: {text}" for text in report["warnings"]]
    return "\n".join(lines)


def _cause_lines(cause: dict[str, Any]) -> list[str]:
    """A likely cause: its weight, and what the log says of it."""
    lines = [f"  {whole_percent(cause['weight'])} {cause['text']}"]
    return lines + [f"      log: {line}" for line in cause["lines"]]


def _next_lines(step: dict[str, Any]) -> list[str]:
    """The command to run next, and what it shows cause by cause."""
    lines = [f"  run next: {step['command']}"]
    return lines + [f"      {item['cause']}: {item['shows']}" for item in step["shows"]]
