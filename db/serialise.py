"""Rows and runs as plain JSON values: what the HTTP door answers and what a run file holds."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from core.measurement import Run
from core.measurement.run_json import file_json, runs_from_json
from db.records import RunRow

__all__ = ["row_json", "run_file", "runs_from_json"]


def row_json(row: RunRow) -> dict[str, Any]:
    """One run of a list; moments are ISO 8601 in UTC, absent values null."""
    plain = asdict(row)
    del plain["deleted_at"]
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in plain.items()
    }


def run_file(runs: Iterable[Run]) -> dict[str, Any]:
    """A run file of those runs: uploading it again finds the same runs."""
    return file_json(runs)
