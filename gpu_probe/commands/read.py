"""``read``: what a tool measured, as JSON or for the eye."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from core.command_line import harmless
from core.measurement import Matrix, Run, Sample
from core.units import GB, US, format_size
from gpu_probe.commands.files import add_file_options, read_files
from gpu_probe.parsers.report import algbw_bytes_per_s, busbw_bytes_per_s, run_json

_WIDE = 16


def add_options(parser: ArgumentParser) -> None:
    """Options of ``read``."""
    add_file_options(parser)


def run(options: Namespace) -> int:
    """Print the runs; 2 if any file could not be read."""
    runs, unreadable = read_files(options)
    if options.json:
        print(json.dumps([run_json(measured) for measured in runs], allow_nan=False))
    elif runs:
        print(harmless("\n\n".join("\n".join(_lines(measured)) for measured in runs)))
    return 2 if unreadable else 0


def _lines(run: Run) -> Iterator[str]:
    is_unnamed = any(sample.operation is None for sample in run.samples)
    operation = run.collective or ("unknown collective" if is_unnamed else run.format)
    ranks = f", {run.ranks} ranks" if run.ranks is not None else ""
    yield f"{run.file}: {run.format}: {operation}{ranks}"
    machine = run.machine
    gpus = ", ".join(f"{gpu.count} x {gpu.name}" for gpu in machine.gpus)
    software = [
        f"{name} {value}"
        for name, value in (("NCCL", machine.nccl), ("CUDA", machine.cuda), ("driver", machine.driver))
        if value
    ]
    facts = [text for text in (gpus, _hosts(len(machine.hosts)), *software) if text]
    if facts:
        yield "  " + "; ".join(facts)
    if run.samples:
        yield from _table(run)
    for matrix in run.matrices:
        yield from _matrix(matrix)
    for notice in run.warnings:
        where = f" (line {notice.line})" if notice.line is not None else ""
        yield f"  warning {notice.code}{where}: {notice.message}"


def _hosts(count: int) -> str:
    return "" if not count else "1 host" if count == 1 else f"{count} hosts"


def _table(run: Run) -> Iterator[str]:
    header = "".join(f"{name:>12}" for name in ("size", "time us", "algbw GB/s", "busbw GB/s"))
    yield f"  {'operation':<16}{header}{'wrong':>8}  placement"
    for sample in run.samples:
        yield _row(sample, run.ranks)


def _row(sample: Sample, ranks: int | None) -> str:
    algbw, busbw = algbw_bytes_per_s(sample), busbw_bytes_per_s(sample, ranks)
    wrong = "-" if sample.wrong is None else str(sample.wrong)
    detail = " ".join(text for text in (sample.placement, sample.detail) if text)
    return (
        f"  {sample.operation or '?':<16}{format_size(sample.size_bytes):>12}{sample.time_s / US:>12.2f}"
        f"{_rate(algbw):>12}{_rate(busbw):>12}{wrong:>8}  {detail}"
    )


def _rate(rate: float | None) -> str:
    return "-" if rate is None else f"{rate / GB:.2f}"


def _matrix(matrix: Matrix) -> Iterator[str]:
    unit, scale = {"latency": ("us", US), "topology": ("", 1.0)}.get(matrix.kind, ("GB/s", GB))
    title = [matrix.name, unit, matrix.direction_text]
    title.append("" if matrix.peer_access is None else f"peer access {'yes' if matrix.peer_access else 'no'}")
    yield "  " + ", ".join(part for part in title if part)
    columns = matrix.columns[:_WIDE]
    rest = f"  and {len(matrix.columns) - _WIDE} more" if len(matrix.columns) > _WIDE else ""
    yield "  " + " " * 8 + "".join(f"{name:>10}" for name in columns) + rest
    for name, row in zip(matrix.rows, matrix.values, strict=True):
        cells = ("-" if c is None else c if isinstance(c, str) else f"{c / scale:.2f}" for c in row[:_WIDE])
        yield f"  {name:<8}" + "".join(f"{cell:>10}" for cell in cells)
