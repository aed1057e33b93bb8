"""One machine over time, and two runs side by side: rows for charts and verdicts."""

from typing import Any

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from db import browsing, schema
from db.records import Columns, MachineHistory, columns

runs, series, samples, machines = schema.runs, schema.series, schema.samples, schema.machines

KEY = ("operation", "placement", "dtype", "detail", "size_bytes")
"""Samples of equal key measured the same thing; others are never put side by side."""

DRIFT_COLUMNS = {
    "run_id": runs.c.id,
    "measured_at": runs.c.measured_at,
    "ranks": runs.c.ranks,
    "driver": machines.c.driver,
    "cuda": machines.c.cuda,
    "nccl": machines.c.nccl,
    **{name: browsing.SAMPLE_COLUMNS[name] for name in (*KEY, "time_s", "low_s", "high_s")},
}
KINDS: dict[str, type] = {"run_id": int, "ranks": float, "size_bytes": int}
KINDS |= dict.fromkeys(("time_s", "low_s", "high_s"), float)


def machine_histories(connection: Connection) -> list[MachineHistory]:
    """Every machine that has runs, the most often measured first."""
    query = (
        sa.select(
            runs.c.identity,
            sa.func.min(machines.c.gpu).label("gpu"),
            sa.func.min(machines.c.gpu_count).label("gpu_count"),
            sa.func.count().label("run_count"),
            sa.func.min(runs.c.measured_at).label("first_at"),
            sa.func.max(runs.c.measured_at).label("last_at"),
            sa.func.max(runs.c.id).label("newest"),
        )
        .join(machines, machines.c.id == runs.c.machine_id)
        .where(runs.c.deleted_at.is_(None))
        .group_by(runs.c.identity)
        .order_by(sa.func.count().desc(), runs.c.identity)
    )
    found = [dict(row) for row in connection.execute(query).mappings()]
    newest = [row.pop("newest") for row in found]
    hosts_of = connection.execute(sa.select(runs.c.id, runs.c.hosts).where(runs.c.id.in_(newest)))
    hosts = {row.id: tuple(row.hosts) for row in hosts_of}
    return [MachineHistory(**row, hosts=hosts[number]) for row, number in zip(found, newest, strict=True)]


def drift(
    connection: Connection,
    identity: str,
    *,
    operation: str | None = None,
    placement: str | None = None,
    ranks: int | None = None,
    size_bytes: int | None = None,
) -> Columns:
    """
    What one machine measured over time, oldest first, with the software of each run.

    Wrong results (``wrong`` above 0) are left out: they are no times to compare.
    """
    query = sa.select(*(column.label(name) for name, column in DRIFT_COLUMNS.items()))
    query = query.select_from(runs).join(machines, machines.c.id == runs.c.machine_id)
    query = query.join(series, series.c.run_id == runs.c.id).join(samples, samples.c.series_id == series.c.id)
    query = query.where(runs.c.identity == identity, runs.c.deleted_at.is_(None))
    query = query.where(sa.func.coalesce(samples.c.wrong, 0) == 0)
    asked: list[tuple[sa.Column[Any], Any]] = [
        (series.c.operation, operation),
        (series.c.placement, placement),
        (runs.c.ranks, ranks),
        (samples.c.size_bytes, size_bytes),
    ]
    query = query.where(*(column == value for column, value in asked if value is not None))
    found = connection.execute(query.order_by(runs.c.measured_at, runs.c.id, samples.c.position)).all()
    return columns(tuple(DRIFT_COLUMNS), list(found), KINDS)


def side_by_side(first: Columns, second: Columns) -> Columns:
    """
    Two runs by what they both measured: median times, their ratio, and how far repeats spread.

    Args:
        first: Columns of ``browsing.sample_columns`` for the run before.
        second: The same for the run after.

    Returns:
        The KEY columns; ``first_s`` and ``second_s``, medians over repeats of a key;
        ``ratio`` second over first; ``first_spread`` and ``second_spread``, (slowest - fastest) /
        median over the repeats, NaN where there was one and it did not state its own spread;
        ``first_count`` and ``second_count``. Wrong results are left out.
    """
    before, after = _by_key(first), _by_key(second)
    rows = []
    for key in before:
        if key in after:
            (first_s, first_spread, first_count), (second_s, second_spread, second_count) = (
                before[key],
                after[key],
            )
            ratio = second_s / first_s if first_s else np.nan
            rows.append(
                (*key, first_s, second_s, ratio, first_spread, second_spread, first_count, second_count)
            )
    numbers = ("first_s", "second_s", "ratio", "first_spread", "second_spread")
    names = (*KEY, *numbers, "first_count", "second_count")
    kinds = {"size_bytes": int, "first_count": int, "second_count": int} | dict.fromkeys(numbers, float)
    return columns(names, rows, kinds)


def _by_key(found: Columns) -> dict[tuple[Any, ...], tuple[float, float, int]]:
    good = np.flatnonzero(np.nan_to_num(found["wrong"]) == 0)
    places: dict[tuple[Any, ...], list[int]] = {}
    for index in good.tolist():
        key = tuple(found[name][index] for name in KEY)
        places.setdefault(key, []).append(index)
    return {key: _summary(found, np.array(chosen)) for key, chosen in places.items()}


def _summary(found: Columns, chosen: np.ndarray[Any, Any]) -> tuple[float, float, int]:
    times = found["time_s"][chosen]
    low = np.fmin(found["low_s"][chosen], times).min()
    high = np.fmax(found["high_s"][chosen], times).max()
    median = float(np.median(times))
    alone = (
        len(chosen) == 1
        and np.isnan(found["low_s"][chosen]).all()
        and np.isnan(found["high_s"][chosen]).all()
    )
    spread = np.nan if alone or not median else float((high - low) / median)
    return median, spread, len(chosen)
