"""``/api/v1/check``: what ``gpu_probe check`` says of a log, for other programs; nothing is kept."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.catalog import SYSTEMS
from core.checks import choice, count, number
from core.errors import InputError
from core.hardware import System
from core.measurement import COLLECTIVES_MEASURED, Run
from core.systems import configure
from core.verdict import RunVerdict, judge_runs
from core.verdict.as_measured import as_measured
from core.verdict.machines import by_machine
from core.verdict.recognition import system_of_file, with_stated_nics
from core.verdict.report import file_reports
from db.body import read_body
from db.room import WAIT_S, RefusedError
from db.threads import Few
from gpu_probe.parsers.answer import answered
from gpu_probe.parsers.worker import read_upload
from pages.http.ask.routes import Rate

PATH = "/v1/check"
MOST_BYTES = 20_000_000
MOST_SAMPLES = 20_000
MOST_RUNS = 500
"""Of one log: a slow run takes some 20 ms of a processor to judge."""
READERS_AT_ONCE, MOST_WAITING = 2, 30
MOST_DOMAINS, MOST_NICS = 100_000, 1024
MOST_DIGITS = 18
PARAMETERS: dict[str, dict[str, Any]] = {
    "system": {"type": "string", "enum": list(SYSTEMS), "description": "Left out: as the log tells."},
    "domains": {"type": "integer", "minimum": 1, "maximum": MOST_DOMAINS},
    "network": {"type": "string"},
    "nics_per_domain": {"type": "integer", "minimum": 1, "maximum": MOST_NICS},
    "oversubscription": {"type": "number", "minimum": 1, "maximum": 1000},
    "collective": {"type": "string", "enum": list(COLLECTIVES_MEASURED)},
    "ranks": {"type": "integer", "minimum": 2, "maximum": 1_000_000},
    "file": {"type": "string"},
}
"""What the question after ``?`` may hold, as JSON Schema; the names of ``gpu_probe check``'s options."""


class TooMuchError(InputError):
    """More than is judged in one request."""


def limited(readers: Few) -> Few:
    """Readers for whose turn few enough wait; RefusedError, 503, where too many do."""
    if readers.waiting >= MOST_WAITING:
        message = "too many logs wait to be judged already; ask again later"
        raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, message, WAIT_S)
    return readers


class Check:
    """
    The handler.

    Args:
        rate: How often an address may ask; shared with the calculators.
    """

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._readers = Few(READERS_AT_ONCE)

    def routes(self) -> list[Route]:
        """The one route."""
        return [Route(PATH, self.answer, methods=["POST"])]

    async def answer(self, request: Request) -> Response:
        """The verdict on each run of a log, as ``check --json`` prints it."""
        self._rate.admit(request)
        values = dict(request.query_params)
        system = asked_system(values)
        data = await read_body(request, MOST_BYTES, setting="")
        reports = await limited(self._readers).run(_reports, data, system, values)
        if isinstance(reports, JSONResponse):
            return reports
        return JSONResponse({"runs": reports})


def asked_system(values: Mapping[str, str], parameters: Mapping[str, Any] = PARAMETERS) -> System | None:
    """
    The system that the question names, with its domains and network; None where the log shall tell.

    Raises:
        InputError: An unknown name, a number out of bounds, or a name of no parameter.
    """
    for name in values:
        choice("query", name, parameters)
    if "system" not in values:
        return None
    return _configured(SYSTEMS[choice("system", values["system"], SYSTEMS)], values)


def _configured(base: System, values: Mapping[str, str]) -> System:
    if not {"domains", "network", "nics_per_domain", "oversubscription"} & set(values):
        return base
    ratio = values.get("oversubscription")
    return configure(
        base,
        domains=_whole("domains", values, MOST_DOMAINS) or base.domains,
        network=values.get("network"),
        nics_per_domain=_whole("nics_per_domain", values, MOST_NICS),
        oversubscription=None if ratio is None else number("oversubscription", _real(ratio), least=1),
    )


def _named(runs: Sequence[Run], system: System) -> tuple[System, str]:
    """The system that was named, or that of the GPUs that the log names where those are others."""
    match = as_measured(runs, system)
    return (system, "") if match is None or match.system is None else (match.system, match.remark)


def _of_log(runs: Sequence[Run], values: Mapping[str, str]) -> tuple[System, str]:
    """
    The system that the log describes, with the domains and network of the question; and how it tells.

    Raises:
        InputError: The log names none.
    """
    match = system_of_file(runs, values.get("network"))
    if match.system is None:
        message = f"system: missing, and {match.remark}; name the system, such as dgx-h100"
        raise InputError(message)
    system = _configured(match.system, values)
    return with_stated_nics(system) if "nics_per_domain" in values else system, match.remark


def _whole(name: str, values: Mapping[str, str], most: int) -> int | None:
    text = values.get(name)
    if text is None:
        return None
    is_whole = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return count(name, int(text) if is_whole else text[:MOST_DIGITS], most=most)


def _real(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def judged(
    data: bytes, system: System | None, values: Mapping[str, str], *, as_logged: bool = False
) -> list[tuple[Run, RunVerdict, System, str]]:
    """
    The runs of a log, each with its verdict, its system, and how the log told that; empty where it was named.

    Raises:
        InputError: A value that cannot be used, or no system.
        TooMuchError: More runs or samples than are judged in one request.
        ParseError: Nothing to read.
    """
    ranks = _whole("ranks", values, 1_000_000)
    read = read_upload(values.get("file", "upload"), data)
    runs = [answered(run, values.get("collective"), ranks) for run in read]
    if len(runs) > MOST_RUNS or sum(len(run.samples) for run in runs) > MOST_SAMPLES:
        message = f"more than {MOST_RUNS} runs or {MOST_SAMPLES:,} samples: use python -m gpu_probe check"
        raise TooMuchError(message)
    found: dict[int, tuple[Run, RunVerdict, System, str]] = {}
    for places in [list(range(len(runs)))] if system else by_machine(runs):
        same = [runs[place] for place in places]
        if system is None:
            machine, remark = _of_log(same, values)
        else:
            machine, remark = _named(same, system) if as_logged else (system, "")
        for place, verdict in zip(places, judge_runs(same, machine), strict=True):
            found[place] = (runs[place], verdict, machine, remark)
    return [found[place] for place in sorted(found)]


def _reports(
    data: bytes, system: System | None, values: Mapping[str, str]
) -> list[dict[str, Any]] | JSONResponse:
    """The reports on a log, or the reason why there is none: answered, not raised across threads."""
    try:
        return file_reports(judged(data, system, values, as_logged=True))
    except ValueError as problem:
        status = (
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            if isinstance(problem, TooMuchError)
            else HTTPStatus.BAD_REQUEST
        )
        return JSONResponse({"error": str(problem), "line": getattr(problem, "line", None)}, status)
