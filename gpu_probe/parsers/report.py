"""A run as the shell prints it: the contract's JSON, in the tools' own units."""

import math
from typing import Any

from core.measurement import Machine, Matrix, Run, Sample
from core.measurement.bus_factor import bus_factor
from core.units import GB, US

Json = dict[str, Any]


def run_json(run: Run) -> Json:
    """
    One run with microseconds and GB/s; rates come from size, time and ranks, not from the print.

    Keys and words are those of the contract for ``python -m gpu_probe read --json``.
    """
    return {
        "file": run.file,
        "format": run.format,
        "collective": run.collective,
        "ranks": run.ranks,
        "machine": _machine(run.machine),
        "samples": [_sample(sample, run.ranks) for sample in run.samples],
        "matrices": [_matrix(matrix) for matrix in run.matrices],
        "warnings": [{"code": n.code, "line": n.line, "message": n.message} for n in run.warnings],
    }


def algbw_bytes_per_s(sample: Sample) -> float | None:
    """Size over time, None where there was no time."""
    rate = sample.size_bytes / sample.time_s if sample.time_s > 0 else None
    return rate if rate is not None and math.isfinite(rate) else None


def busbw_bytes_per_s(sample: Sample, ranks: int | None) -> float | None:
    """Bus bandwidth as nccl-tests defines it, None where it is undefined."""
    rate, factor = algbw_bytes_per_s(sample), bus_factor(sample.operation, ranks)
    return None if rate is None or factor is None else rate * factor


def _machine(machine: Machine) -> Json:
    return {
        "gpus": [{"name": gpu.name, "count": gpu.count} for gpu in machine.gpus],
        "hosts": list(machine.hosts),
        "driver": machine.driver,
        "cuda": machine.cuda,
        "nccl": machine.nccl,
        "env": dict(machine.env),
    }


def _sample(sample: Sample, ranks: int | None) -> Json:
    return {
        "operation": sample.operation,
        "size_bytes": sample.size_bytes,
        "time_us": _short(sample.time_s / US),
        "placement": sample.placement,
        "algbw_GBps": _gigabytes(algbw_bytes_per_s(sample)),
        "busbw_GBps": _gigabytes(busbw_bytes_per_s(sample, ranks)),
        "wrong": sample.wrong,
    }


def _matrix(matrix: Matrix) -> Json:
    unit, scale = {"bandwidth": ("GBps", GB), "links": ("GBps", GB), "latency": ("us", US)}.get(
        matrix.kind, (None, 1.0)
    )
    values = [
        [_short(cell / scale) if isinstance(cell, float) else cell for cell in row] for row in matrix.values
    ]
    return {
        "name": matrix.name,
        "kind": matrix.kind,
        "unit": unit,
        "direction": matrix.direction,
        "peer_access": matrix.peer_access,
        "rows": list(matrix.rows),
        "columns": list(matrix.columns),
        "values": values,
    }


def _gigabytes(rate: float | None) -> float | None:
    return None if rate is None else _short(rate / GB)


def _short(value: float) -> float:
    """Nine digits: what conversion adds behind them is no measurement."""
    return float(f"{value:.9g}")
