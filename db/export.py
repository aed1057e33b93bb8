"""A selection of runs as a file: CSV and Parquet with a row per sample, or a run file."""

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from core.measurement.bus_factor import bus_factor
from core.measurement.run_json import file_json
from db.records import Columns, RunRow, StoredRun
from db.tidy import no_formula

RUN_COLUMNS = (
    *("sha256", "file", "format", "gpu", "gpu_count", "host_count", "ranks", "driver", "cuda", "nccl"),
    *("tool_version", "origin", "measured_at", "uploaded_at", "uploaded_by", "note", "tags"),
)


class Readable(Protocol):
    """What an export asks of a store, or of a store as somebody sees it."""

    def rows(self, run_ids: Sequence[int]) -> list[RunRow]:
        """What is known of those runs."""

    def run(self, run_id: int) -> StoredRun:
        """One run with everything it measured."""

    def samples(self, run_ids: Iterable[int]) -> Columns:
        """The samples of many runs."""


def as_csv(store: Readable, run_ids: Sequence[int]) -> bytes:
    """
    A row per sample, UTF-8, with a header; absent values are empty.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    table = as_table(store, run_ids)
    for index, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            texts = [no_formula(text) for text in table.column(index).to_pylist()]
            table = table.set_column(index, field.name, pa.array(texts, pa.string()))
    file = io.BytesIO()
    pyarrow.csv.write_csv(table, file)
    return file.getvalue()


def as_parquet(store: Readable, run_ids: Sequence[int]) -> bytes:
    """The same rows with their types."""
    file = io.BytesIO()
    pyarrow.parquet.write_table(as_table(store, run_ids), file)
    return file.getvalue()


def as_run_file(store: Readable, run_ids: Sequence[int]) -> bytes:
    """Everything that was measured, matrices and warnings too; another server takes it as an upload."""
    runs = [store.run(run_id).run for run_id in run_ids]
    return json.dumps(file_json(runs), ensure_ascii=False, allow_nan=False, indent=1).encode()


def as_table(store: Readable, run_ids: Sequence[int]) -> Any:
    """
    An Arrow table with a row per sample: the run's facts, the series, the sample in SI units.

    ``algbw_bytes_per_s`` and ``busbw_bytes_per_s`` are computed here from size, time, operation
    and ranks; they are absent where they have no meaning.
    """
    rows = {row.id: row for row in store.rows(run_ids)}
    columns = store.samples(list(rows))
    run_of = columns["run_id"].tolist()
    facts = {run_id: _facts(row) for run_id, row in rows.items()}
    arrays = {"run_id": pa.array(columns["run_id"])}
    for name in RUN_COLUMNS:
        arrays[name] = pa.array([facts[run_id][name] for run_id in run_of], _arrow_type(name))
    ranks = {run_id: row.ranks for run_id, row in rows.items()}
    for name, values in (columns | _rates(columns, [ranks[run_id] for run_id in run_of])).items():
        if name not in arrays:
            arrays[name] = _array(name, values)
    return pa.table(arrays)


def _facts(row: RunRow) -> dict[str, Any]:
    return asdict(row) | {"tags": ", ".join(row.tags)}


def _arrow_type(name: str) -> Any:
    if name.endswith("_at"):
        return pa.timestamp("us", tz="UTC")
    return pa.int64() if name in {"gpu_count", "host_count", "ranks"} else pa.string()


def _rates(columns: Columns, ranks: Sequence[int | None]) -> Columns:
    with np.errstate(divide="ignore", invalid="ignore"):
        algbw = columns["size_bytes"] / columns["time_s"]
    algbw[~np.isfinite(algbw)] = np.nan
    pairs = list(zip(columns["operation"], ranks, strict=True))
    factor_of = {pair: bus_factor(*pair) for pair in set(pairs)}
    factors = np.array([factor_of[pair] for pair in pairs], dtype=float)
    return {"algbw_bytes_per_s": algbw, "busbw_bytes_per_s": algbw * factors}


def _array(name: str, values: Any) -> Any:
    """An Arrow array in which NaN and the empty text are absent."""
    if values.dtype == object:
        return pa.array([text or None for text in values], pa.string())
    array = pa.array(values, from_pandas=True)
    return array.cast(pa.int64()) if name == "wrong" else array
