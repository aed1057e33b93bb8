"""The fit file, strictly read: a fit from the JSON that ``fit_writer`` writes."""

import json
import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NoReturn

from core.checks import InputError, number
from core.collectives.cost_model.adapt import Adaptation
from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.setting import Setting
from core.collectives.fitted.fit import (
    CALIBRATED,
    CONSTANTS,
    SWEEP,
    Curve,
    Fit,
    LeftOut,
    MachineConstants,
    Residuals,
)
from core.collectives.fitted.fit_writer import (
    FORMAT_VERSION,
    KEYS,
    MACHINE_KEYS,
    OPTIONAL_MACHINE_KEYS,
    SETTING_KEYS,
)

MOST_CHARACTERS = 2_000_000
MOST_ENTRIES = 256
MOST_SIZES = 4096
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_TEXT_MOST = 2000
_LN_MOST = 10.0
_TIME_MOST_S = 1e6
_SIZE_MOST = 1e18

Json = dict[str, Any]


def read_fit(text: str) -> Fit:
    """
    A fit from such a file.

    Raises:
        InputError: One line that names the key and what is allowed.
    """
    if len(text) > MOST_CHARACTERS:
        _refuse("file", f"at most {MOST_CHARACTERS:,} characters")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        _refuse("file", "a JSON object as the export writes it")
    return fit_of(value)


def fit_of(value: Any) -> Fit:
    """
    A fit from the JSON values of a file.

    Raises:
        InputError: One line that names the key and what is allowed.
    """
    body = _object("file", value, KEYS, ("name", "model_version", "constants"))
    if body.get("format_version") != FORMAT_VERSION or isinstance(body.get("format_version"), bool):
        _refuse("format_version", str(FORMAT_VERSION))
    name = checked_name(body["name"])
    constants = _object("constants", body["constants"], ("machines", "curves"), ("machines", "curves"))
    machines = tuple(
        _machine(f"machines[{i}]", item) for i, item in _entries("machines", constants["machines"])
    )
    curves = tuple(_curve(f"curves[{i}]", item) for i, item in _entries("curves", constants["curves"]))
    if not machines:
        _refuse("machines", "at least one")
    misses = _object("residuals", body.get("residuals") or {}, ("curves", "unidentified"), ())
    residuals = tuple(
        _residuals(f"residuals.curves[{i}]", item)
        for i, item in _entries("residuals.curves", misses.get("curves", []))
    )
    _match(curves, residuals)
    author = body.get("created_by")
    return Fit(
        name=name,
        model_version=_text("model_version", body["model_version"]),
        machines=machines,
        curves=curves,
        residuals=residuals,
        unidentified=tuple(
            _text("unidentified", item)
            for _, item in _entries("unidentified", misses.get("unidentified", []))
        ),
        run_ids=_run_ids(body.get("run_ids", [])),
        note=_text("note", body.get("note", "")),
        created_at=_moment(body.get("created_at")),
        created_by=None if author is None else _text("created_by", author),
    )


def checked_name(name: Any) -> str:
    """A name that shell, file and store all take; InputError says what is allowed."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        _refuse("name", "letters, digits, space, dot, - and _, at most 64, a letter or digit first")
    return name


def _match(curves: tuple[Curve, ...], residuals: tuple[Residuals, ...]) -> None:
    if not residuals:
        return
    counts = [len(curve.size_bytes) for curve in curves]
    if counts != [len(entry.held_out) for entry in residuals]:
        _refuse("residuals.curves", "one entry per curve, one figure per size")


def _machine(name: str, value: Any) -> MachineConstants:
    required = ("setting", *MACHINE_KEYS)
    body = _object(name, value, (*required, *OPTIONAL_MACHINE_KEYS), required)

    def figure(key: str, least: float, most: float) -> float:
        return number(f"fit.{name}.{key}", body.get(key, 0.0), least=least, most=most)

    adaptation = Adaptation(
        ln_latency=figure("ln_latency", -_LN_MOST, _LN_MOST),
        ln_transfer=figure("ln_transfer", -_LN_MOST, _LN_MOST),
        floor_s=figure("floor_s", 0, _TIME_MOST_S),
        smallest_bytes=figure("smallest_bytes", 1, _SIZE_MOST),
        ln_growth=figure("ln_growth", -_LN_MOST, _LN_MOST),
    )
    spread = [figure(key, 0, _LN_MOST) for key in MACHINE_KEYS[4:]]
    return MachineConstants(_setting(f"{name}.setting", body["setting"]), adaptation, spread[0], spread[1])


def _curve(name: str, value: Any) -> Curve:
    keys = ("setting", "size_bytes", "time_s", "scatter")
    body = _object(name, value, (*keys, "answered_by"), keys)
    answered_by = body.get("answered_by", SWEEP)
    if answered_by not in (SWEEP, CONSTANTS, CALIBRATED):
        _refuse(f"{name}.answered_by", f"{SWEEP}, {CONSTANTS} or {CALIBRATED}")
    amounts = _figures(f"{name}.size_bytes", body["size_bytes"], _SIZE_MOST)
    times = _figures(f"{name}.time_s", body["time_s"], _TIME_MOST_S)
    if len(amounts) != len(times) or len(amounts) < 2:  # noqa: PLR2004 (a line needs two)
        _refuse(f"{name}.time_s", "one per size, two sizes at least")
    if any(b <= a for a, b in pairwise(amounts)):
        _refuse(f"{name}.size_bytes", "rising")
    scatter = number(f"fit.{name}.scatter", body["scatter"], least=0, most=_LN_MOST)
    return Curve(_setting(f"{name}.setting", body["setting"]), amounts, times, scatter, answered_by)


def _residuals(name: str, value: Any) -> Residuals:
    keys = ("calibrated", "constants", "held_out", "left_out")
    body = _object(name, value, keys, keys[:3])
    columns = [_figures(f"{name}.{key}", body[key], _SIZE_MOST) for key in keys[:3]]
    if len({len(column) for column in columns}) != 1:
        _refuse(name, "columns of one length")
    left_out = tuple(
        _left_out(f"{name}.left_out[{i}]", item)
        for i, item in _entries(f"{name}.left_out", body.get("left_out", []), MOST_SIZES)
    )
    return Residuals(columns[0], columns[1], columns[2], left_out)


def _left_out(name: str, value: Any) -> LeftOut:
    keys = ("size_bytes", "time_s", "why")
    body = _object(name, value, keys, keys)
    amount = number(f"fit.{name}.size_bytes", body["size_bytes"], above=0, most=_SIZE_MOST)
    time_s = number(f"fit.{name}.time_s", body["time_s"], above=0, most=_TIME_MOST_S)
    return LeftOut(amount, time_s, _text(f"{name}.why", body["why"]))


def _setting(name: str, value: Any) -> Setting:
    body = _object(
        name, value, SETTING_KEYS, ("gpu", "scale_up_link", "domain_gpus", "domains", "collective")
    )
    present = {key: item for key, item in body.items() if item is not None}
    for key in ("gpu", "scale_up_link", "scale_out_link"):
        if key in present:
            _text(f"{name}.{key}", present[key])
    try:
        setting = Setting(**present)
        resolve(setting)
    except InputError as problem:
        _refuse(name, str(problem))
    return setting


def _object(name: str, value: Any, keys: tuple[str, ...], required: tuple[str, ...]) -> Json:
    if not isinstance(value, dict):
        _refuse(name, f"a JSON object with {', '.join(keys)}")
    for key in value:
        if key not in keys:
            _refuse(f"{name}.{key[:40]}", f"unknown; one of {', '.join(keys)}")
    for key in required:
        if value.get(key) is None:
            _refuse(f"{name}.{key}", "missing")
    return value


def _entries(name: str, value: Any, most: int = MOST_ENTRIES) -> list[tuple[int, Any]]:
    if not isinstance(value, list) or len(value) > most:
        _refuse(name, f"a list of at most {most:,} entries")
    return list(enumerate(value))


def _figures(name: str, value: Any, most: float) -> tuple[float, ...]:
    return tuple(
        number(f"fit.{name}[{i}]", item, above=0, most=most) for i, item in _entries(name, value, MOST_SIZES)
    )


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > _TEXT_MOST:
        _refuse(name, f"a text of at most {_TEXT_MOST:,} characters")
    return value


def _moment(value: Any) -> datetime | None:
    """A moment as ISO 8601, of UTC where it names no zone."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        _refuse("created_at", "a moment such as 2026-11-01T12:00:00+00:00")


def _run_ids(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(
        isinstance(item, str) and _SHA256.fullmatch(item) for item in value
    ):
        _refuse("run_ids", "a list of sha256 names of runs, 64 hex digits each")
    return tuple(value)


def _refuse(name: str, allowed: str) -> NoReturn:
    message = f"fit.{name}: {allowed}"
    raise InputError(message) from None
