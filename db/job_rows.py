"""A traced job as rows of the store and back: its collectives in columns, the rest packed beside them."""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from core.errors import InputError
from core.traces.job_json import KEY, job_from_json, job_to_json
from core.traces.labels import labels
from core.traces.records import JOB_FORMAT_VERSION, Job
from db.tidy import label, text

Json = dict[str, Any]
Row = tuple[Any, ...]

MOST_COLLECTIVES = 500_000
ROWS_HASHED = 1000
"""At once; a part of what a hash means."""
PACKING_LEVEL = 4
"""The usual 9 takes five times as long for a tenth less."""
MOST_PACKED_BYTES, MOST_REST_BYTES = 40_000_000, 800_000_000
COLUMNS = {
    "step": "step",
    "group": "group_number",
    "operation": "operation",
    "bytes_in": "bytes_in",
    "bytes_out": "bytes_out",
    "dtype": "dtype",
    "start_s": "start_s",
    "duration_s": "duration_s",
    "exposed_s": "exposed_s",
    "stream": "stream",
}
"""Columns of ``core.traces.records.Collectives`` that have a column of their own, by its name."""
WORDS, TIMES = ("operation", "dtype"), ("start_s", "duration_s", "exposed_s")
OF_JOB = ("format", "device_name", "world_size", "groups")
"""What a row of ``jobs`` holds of a job in its JSON form."""
UNKNOWN_RANK = -1
_SMALL = 2**31 - 1


@dataclass(frozen=True, slots=True)
class JobContent:
    """
    A job as the tables hold it.

    Attributes:
        sha256: Of all of it but the names of its files.
        values: Columns of ``jobs``.
        rows: Columns ``rank`` and those of ``COLUMNS``, a collective each, in the order of ranks.
    """

    sha256: str
    values: Json
    rows: tuple[Row, ...]


def content(job: Job) -> JobContent:
    """
    The rows of a job.

    Raises:
        InputError: It holds no collectives, more than are kept, or a number that no table takes.
    """
    told = job_to_json(job)
    number = sum(len(trace.collectives) for trace in job.ranks)
    if number == 0 and not job.summary:
        message = "the trace holds no collectives: nothing to keep"
        raise InputError(message)
    if number > MOST_COLLECTIVES:
        message = f"{number:,} collectives: at most {MOST_COLLECTIVES:,} of a job are kept: trace fewer steps"
        raise InputError(message)
    rows = tuple(row for rank in told["ranks"] for row in _rows(rank))
    values = {
        "format": told["format"],
        "device_name": text(told["device_name"]),
        "world_size": _small("world_size", told["world_size"]),
        "groups": [_group(group) for group in told["groups"]],
    }
    rest = {name: value for name, value in told.items() if name not in (*OF_JOB, KEY)}
    packed = gzip.compress(_text(rest), PACKING_LEVEL, mtime=0)
    if len(packed) > MOST_PACKED_BYTES:
        message = f"a timeline of more than {MOST_PACKED_BYTES // 1_000_000} MB: trace fewer steps"
        raise InputError(message)
    counts = {
        "rank_count": len(job.ranks),
        "step_count": max((len(trace.steps) for trace in job.ranks), default=0),
        "collective_count": number,
    }
    return JobContent(_sha256(values, rest, rows), values | counts | {"rest": packed}, rows)


def job_of(values: Json, packed: bytes, rows: Sequence[Row]) -> Job:
    """
    The job of its rows.

    Args:
        values: The columns ``OF_JOB`` of ``jobs``.
        packed: Its column ``rest``.
        rows: As ``content`` gives them.

    Raises:
        InputError: They do not fit together.
    """
    told = _unpacked(packed)
    following = iter(rows)
    try:
        for rank in told["ranks"]:
            rank["collectives"] |= _columns(list(islice(following, len(rank["collectives"]["sequence"]))))
    except (KeyError, TypeError, AttributeError):
        message = "the stored job is damaged"
        raise InputError(message) from None
    return job_from_json({KEY: JOB_FORMAT_VERSION, **values, **told})


def sha256_of(values: Json, packed: bytes, rows: Sequence[Row]) -> str:
    """The hash that these rows have, to compare with the one that they were kept under."""
    return _sha256(values, _unpacked(packed), rows)


def _rows(rank: Json) -> Iterator[Row]:
    """The collectives of a rank, whose columns are taken out of it."""
    columns = rank["collectives"]
    rank_number = _small("rank", rank["rank"])
    number = UNKNOWN_RANK if rank_number is None else rank_number
    parts = [_values(name, columns.pop(name)) for name in COLUMNS]
    return ((number, *row) for row in zip(*parts, strict=True))


def _values(name: str, column: Any) -> list[Any]:
    if name in WORDS:
        words = [label(name, word) or "" for word in column["names"]]
        return [words[code] for code in column["codes"]]
    if name in TIMES:
        # SQLite gives -0.0 back as 0.0, and a hash is over the text of a number
        return [None if value is None else value + 0.0 for value in column]
    if name in ("step", "group"):
        return [_small(name, value) for value in column]
    return [None if value < 0 else value for value in column]


def _columns(rows: Sequence[Row]) -> Json:
    """The columns of a rank's collectives, as ``job_from_json`` reads them."""
    columns: Json = {}
    for index, name in enumerate(COLUMNS, start=1):
        values = [row[index] for row in rows]
        if name in WORDS:
            column = labels(values)
            columns[name] = {"names": list(column.names), "codes": column.codes.tolist()}
        elif name in TIMES:
            columns[name] = values
        else:
            columns[name] = [-1 if value is None else value for value in values]
    return columns


def _group(group: Json) -> Json:
    return group | {"name": text(group["name"]), "description": text(group["description"])}


def _small(name: str, value: int | None) -> int | None:
    if value is None or value < 0:
        return None
    if value > _SMALL:
        message = f"{name}: a whole number up to {_SMALL}, not {value}"
        raise InputError(message)
    return value


def _sha256(values: Json, rest: Json, rows: Sequence[Row]) -> str:
    digest = hashlib.sha256(_text({name: values[name] for name in OF_JOB}))
    unnamed = [{**rank, "source": ""} for rank in rest["ranks"]]
    digest.update(_text({**rest, "ranks": unnamed}))
    for start in range(0, len(rows), ROWS_HASHED):
        digest.update(_text(list(rows[start : start + ROWS_HASHED])))
    return digest.hexdigest()


def _text(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _unpacked(packed: bytes) -> Json:
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        data = unpacker.decompress(packed, MOST_REST_BYTES)
        told = json.loads(data)
    except (zlib.error, ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not unpacker.eof:
        message = "the stored job is damaged"
        raise InputError(message)
    return told
