"""``check``: a gate in a pipeline; does this machine do what it should?"""

import argparse
import json
import sys
from typing import Any

from core.checks import InputError
from core.hardware import System
from core.measurement.bus_factor import bus_factor
from core.shell import question
from core.shell.options import add_cluster
from core.units import GB, US, format_size
from core.verdict import PairVerdict, SizeVerdict, Status, Verdict, judge_run
from gpu_probe.commands.files import add_file_options, complain, read_files

_FAILED = (Status.LOW, Status.IMPOSSIBLE, Status.WRONG)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``check``: the files and the machine that they are judged by."""
    add_file_options(parser)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--system", metavar="ID", help="catalog id of the machine")
    which.add_argument("--system-file", metavar="FILE.json", help="your own machine, as JSON")
    add_cluster(parser, domains="as the run needs")
    parser.add_argument(
        "--rates", default="calibrated", metavar="RATES", help="calibrated | spec | fitted:FILE"
    )
    parser.add_argument("--implementation", default="nccl", help="library that ran (nccl)")
    parser.add_argument("--launch", default="stream", help="stream | graph")


def run(options: argparse.Namespace) -> int:
    """0 fine, 1 low, impossible or wrong, 2 unreadable or nothing to judge."""
    try:
        machine = question.system(options)
        rates = question.rates_named(options.rates)
    except (InputError, OSError) as error:
        print(f"python -m gpu_probe check: {error}", file=sys.stderr)
        return 2
    runs, bad = read_files(options)
    found: list[dict[str, Any]] = []
    words: list[Status] = []
    for item in runs:
        try:
            verdict = judge_run(
                item, machine, rates=rates, implementation=options.implementation, launch=options.launch
            )
        except InputError as error:
            print(f"python -m gpu_probe check: {error}", file=sys.stderr)
            return 2
        words.append(verdict.status)
        found.append(verdict_json(item.file, item.format, machine, verdict))
        if not options.json:
            print(_shown(found[-1]))
        if verdict.status is Status.UNKNOWN:
            complain(item.file, f"not judged: {verdict.reason.text}")
    if options.json:
        print(json.dumps(found, allow_nan=False))
    if bad or not words or all(word is Status.UNKNOWN for word in words):
        return 2
    return 1 if any(word in _FAILED for word in words) else 0


def verdict_json(file: str, form: str, machine: System, verdict: Verdict) -> dict[str, Any]:
    """A verdict in the tools' units: microseconds and GB/s."""
    return {
        "file": file,
        "format": form,
        "system": machine.id,
        "collective": verdict.collective,
        "ranks": verdict.ranks,
        "domains": verdict.domains,
        "verdict": str(verdict.status),
        "reason": verdict.reason.code,
        "text": verdict.reason.text,
        "basis": verdict.basis,
        "sizes": [_size(item, verdict) for item in verdict.sizes],
        "pairs": [_pair(item) for item in verdict.pairs],
        "warnings": list(verdict.warnings),
    }


def _size(item: SizeVerdict, verdict: Verdict) -> dict[str, Any]:
    def rate(time_s: float | None) -> float | None:
        factor = bus_factor(verdict.collective, verdict.ranks)
        return None if not time_s or factor is None else _digits(factor * item.size_bytes / time_s / GB)

    def microseconds(time_s: float | None) -> float | None:
        return None if time_s is None else _digits(time_s / US)

    return {
        "operation": item.operation or verdict.collective,
        "size_bytes": item.size_bytes,
        "placement": item.placement,
        "time_us": microseconds(item.time_s),
        "expected_us": microseconds(item.expected_s),
        "low_us": microseconds(item.low_s),
        "high_us": microseconds(item.high_s),
        "floor_us": microseconds(item.floor_s),
        "busbw_GBps": rate(item.time_s),
        "expected_busbw_GBps": rate(item.expected_s),
        "verdict": str(item.status),
        "reason": item.reason.code,
        "text": item.reason.text,
    }


def _pair(item: PairVerdict) -> dict[str, Any]:
    measured, expected = item.measured_bytes_per_s, item.expected_bytes_per_s
    return {
        "what": item.what,
        "row": item.row,
        "column": item.column,
        "measured_GBps": None if measured is None else _digits(measured / GB),
        "expected_GBps": None if expected is None else _digits(expected / GB),
        "verdict": str(item.status),
        "reason": item.reason.code,
        "text": item.reason.text,
    }


def _digits(value: float) -> float:
    return float(f"{value:.6g}")


def _shown(found: dict[str, Any]) -> str:
    what = found["collective"] or found["format"]
    ranks = f", {found['ranks']} ranks" if found["ranks"] else ""
    lines = [
        f"{found['file']}: {what}{ranks} on {found['system']}: {found['verdict'].upper()}: {found['text']}"
    ]
    for size in found["sizes"]:
        band = f"{size['low_us']} to {size['high_us']}" if size["low_us"] is not None else "-"
        lines.append(
            f"  {format_size(size['size_bytes']):>10} {size['time_us']:>12} us  expected {band:<24}"
            f" {size['verdict']:<10} {size['text']}"
        )
    slow = [pair for pair in found["pairs"] if pair["verdict"] != "fine"]
    lines += [f"  {pair['row']} {pair['column']}: {pair['verdict']}: {pair['text']}" for pair in slow]
    lines += [f"  note: {text}" for text in found["warnings"]]
    return "\n".join(lines)
