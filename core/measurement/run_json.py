"""A run as JSON and back: the run file that probe, store and HTTP share. Standard library only."""

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any, NoReturn

from core.errors import InputError
from core.measurement import (
    COLLECTIVES_MEASURED,
    FORMATS,
    RUN_FORMAT_VERSION,
    GpuCount,
    Machine,
    Matrix,
    Notice,
    Observation,
    Run,
    Sample,
)
from core.storable import UNSTORABLE

SAMPLES_MOST = 200_000
CELLS_MOST = 1_000_000
LIST_MOST = 20_000
TEXT_MOST = 2000
SIZE_MOST = 10**18
TIME_MOST_S = 1e9
RATE_MOST = 1e27
PLACEMENTS = ("out-of-place", "in-place")
KINDS = ("bandwidth", "latency", "topology", "links")

_OPERATION = re.compile(r"[a-z][a-z0-9_]{0,63}")
_VARIABLE = re.compile(r"NCCL_[A-Z0-9_]{1,80}")

Json = dict[str, Any]
Check = Callable[[str, Any], Any]


def allowed_variable(name: str) -> bool:
    """Whether an environment variable may be kept: NCCL's own settings and nothing else."""
    return _VARIABLE.fullmatch(name) is not None


def to_json(run: Run) -> Json:
    """One run as plain JSON values in SI units; what is absent is left out."""
    plain: Json = _plain(run)
    return {"format_version": RUN_FORMAT_VERSION} | plain


def file_json(runs: Iterable[Run]) -> Json:
    """The content of a run file: all the runs of one probing or one selection."""
    return {"format_version": RUN_FORMAT_VERSION, "runs": [_plain(run) for run in runs]}


def from_json(value: Any) -> Run:
    """
    One run from ``to_json``'s form.

    Environment variables other than NCCL's own are dropped.

    Raises:
        InputError: A key, type, number or word that a run file cannot hold, named.
    """
    return _run(_versioned(value), "run")


def runs_from_json(value: Any) -> list[Run]:
    """
    The runs of a run file, be it a list of runs or one run alone.

    Raises:
        InputError: As ``from_json``.
    """
    body = _versioned(value)
    if "runs" not in body:
        return [_run(body, "run")]
    if set(body) != {"runs"}:
        _refuse("run file", f"only format_version and runs, not {min(body)!r}")
    return [
        _run(_object("run", run), f"runs[{index}]") for index, run in enumerate(_list("runs", body["runs"]))
    ]


def _versioned(value: Any) -> Json:
    body = dict(_object("run file", value))
    version = body.pop("format_version", None)
    if version != RUN_FORMAT_VERSION or isinstance(version, bool):
        _refuse("format_version", f"{RUN_FORMAT_VERSION}, not {str(version)[:40]!r}")
    return body


def _plain(value: Any) -> Any:
    if isinstance(value, (Run, Machine, GpuCount, Sample, Matrix, Notice, Observation)):
        values = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: _plain(part) for name, part in values.items() if part not in (None, (), {})}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return dict(value) if hasattr(value, "keys") else value


def _refuse(name: str, allowed: str) -> NoReturn:
    message = f"{name}: {allowed}"
    raise InputError(message)


def _object(name: str, value: Any) -> Json:
    if not isinstance(value, dict):
        _refuse(name, "a JSON object")
    return value


def _list(name: str, value: Any, most: int = LIST_MOST) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        _refuse(name, f"a list of at most {most:,} entries")
    return value


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > TEXT_MOST or UNSTORABLE.search(value):
        _refuse(name, f"a text of at most {TEXT_MOST:,} characters")
    return value


def _not_blank(name: str, value: Any) -> str:
    if not _text(name, value).strip():
        _refuse(name, "a text that is not blank")
    return str(value)


def _one_of(*allowed: str) -> Check:
    def check(name: str, value: Any) -> str:
        if value not in allowed:
            _refuse(name, f"one of {', '.join(allowed)}, not {str(value)[:40]!r}")
        return str(value)

    return check


def _whole(most: int) -> Check:
    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            _refuse(name, f"a whole number from 0 to {most}")
        return value

    return check


def _real(most: float) -> Check:
    def check(name: str, value: Any) -> float:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= most:
            _refuse(name, f"a finite number from 0 to {most:g}")
        return float(value)

    return check


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        _refuse(name, "true or false")
    return value


def _operation(name: str, value: Any) -> str:
    if not isinstance(value, str) or not _OPERATION.fullmatch(value):
        _refuse(name, "lower-case letters, digits and _, such as all_reduce")
    return value


def _read(name: str, value: Any, checks: dict[str, Check], required: tuple[str, ...]) -> Json:
    """The checked values of a JSON object; null stands for an absent key."""
    body = _object(name, value)
    for key in body:
        if key not in checks:
            _refuse(f"{name}.{key[:40]}", f"unknown; one of {', '.join(checks)}")
    for key in required:
        if key not in body:
            _refuse(f"{name}.{key}", "missing")
    return {
        key: checks[key](f"{name}.{key}", part)
        for key, part in body.items()
        if part is not None or key in required
    }


def _tuple_of(check_part: Check, most: int = LIST_MOST) -> Check:
    def check(name: str, value: Any) -> tuple[Any, ...]:
        return tuple(
            check_part(f"{name}[{index}]", part) for index, part in enumerate(_list(name, value, most))
        )

    return check


def _environment(name: str, value: Any) -> dict[str, str]:
    variables = _object(name, value)
    return {
        key: _text(f"{name}.{key}", setting) for key, setting in variables.items() if allowed_variable(key)
    }


_GPU: dict[str, Check] = {"name": _text, "count": _whole(10**7), "memory_bytes": _real(1e15)}
_SAMPLE: dict[str, Check] = {
    "operation": _operation,
    "size_bytes": _whole(SIZE_MOST),
    "time_s": _real(TIME_MOST_S),
    "placement": _one_of(*PLACEMENTS),
    "wrong": _whole(10**18),
    "reported_algbw_bytes_per_s": _real(RATE_MOST),
    "reported_busbw_bytes_per_s": _real(RATE_MOST),
    "low_s": _real(TIME_MOST_S),
    "high_s": _real(TIME_MOST_S),
    "detail": _text,
}
_NOTICE: dict[str, Check] = {"code": _operation, "message": _text, "line": _whole(10**10)}
_OBSERVATION: dict[str, Check] = {
    "kind": _operation,
    "value": _not_blank,
    "host": _text,
    "line": _NOTICE["line"],
}
_SAID = ("kind", "value")


def _gpu(name: str, value: Any) -> GpuCount:
    return GpuCount(**_read(name, value, _GPU, ("name", "count")))


def _sample(name: str, value: Any) -> Sample:
    values = _read(name, value, _SAMPLE, ("size_bytes", "time_s"))
    return Sample(operation=values.pop("operation", None), **values)


def _notice(name: str, value: Any) -> Notice:
    return Notice(**_read(name, value, _NOTICE, ("code", "message")))


_MACHINE: dict[str, Check] = {
    "gpus": _tuple_of(_gpu),
    "hosts": _tuple_of(_text),
    "driver": _text,
    "cuda": _text,
    "nccl": _text,
    "env": _environment,
}


def _machine(name: str, value: Any) -> Machine:
    return Machine(**_read(name, value, _MACHINE, ()))


def _cell(name: str, value: Any) -> float | str | None:
    if value is None:
        return None
    return _text(name, value) if isinstance(value, str) else float(_real(RATE_MOST)(name, value))


_MATRIX: dict[str, Check] = {
    "name": _text,
    "kind": _one_of(*KINDS),
    "direction": _one_of("one_way", "both_ways"),
    "peer_access": _flag,
    "rows": _tuple_of(_text),
    "columns": _tuple_of(_text),
    "values": _tuple_of(_tuple_of(_cell)),
}


def _matrix(name: str, value: Any) -> Matrix:
    absent: Json = {"direction": None, "peer_access": None, "rows": (), "columns": (), "values": ()}
    matrix = Matrix(**absent | _read(name, value, _MATRIX, ("name", "kind")))
    if len(matrix.values) != len(matrix.rows) or any(
        len(row) != len(matrix.columns) for row in matrix.values
    ):
        _refuse(f"{name}.values", "one row per entry of rows, one cell per entry of columns")
    return matrix


_RUN: dict[str, Check] = {
    "file": _text,
    "format": _one_of(*FORMATS),
    "collective": _one_of(*COLLECTIVES_MEASURED),
    "ranks": _whole(10**7),
    "machine": _machine,
    "samples": _tuple_of(_sample, SAMPLES_MOST),
    "matrices": _tuple_of(_matrix),
    "warnings": _tuple_of(_notice),
    "dtype": _text,
    "tool_version": _text,
    "started_at": _text,
    "collective_guess": _one_of(*COLLECTIVES_MEASURED),
    "ranks_guess": _whole(10**7),
    "origin": _one_of("gpu", "cpu"),
    "observations": _tuple_of(lambda name, value: Observation(**_read(name, value, _OBSERVATION, _SAID))),
}


def _run(value: Json, name: str) -> Run:
    body = {key: part for key, part in value.items() if key != "format_version"}
    values = _read(name, body, _RUN, ("file", "format"))
    if sum(len(matrix.rows) * len(matrix.columns) for matrix in values.get("matrices", ())) > CELLS_MOST:
        _refuse(f"{name}.matrices", f"at most {CELLS_MOST:,} cells")
    return Run(collective=values.pop("collective", None), ranks=values.pop("ranks", None), **values)
