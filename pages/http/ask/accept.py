"""``/api/v1/accept``: what ``gpu_probe accept`` says of many logs of a cluster; nothing is kept."""

import json
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.errors import InputError
from core.hardware import System
from core.measurement import Run
from core.verdict import RunVerdict
from core.verdict.acceptance import accept
from core.verdict.acceptance_json import acceptance_json
from db.body import read_body
from db.room import RefusedError
from db.threads import Few
from pages.http.ask import check
from pages.http.ask.routes import Rate

PATH = "/v1/accept"
MOST_LOGS = 2_500
"""All pairs of 64 nodes, each node and all of them."""
MOST_S = 60.0
"""Of reading and judging; a log that was begun is finished."""
TAKEN = "application/json (an object with logs)"
PARAMETERS = {name: schema for name, schema in check.PARAMETERS.items() if name != "file"}
LOG: dict[str, Any] = {
    "type": "object",
    "properties": {"file": {"type": "string"}, "text": {"type": "string"}},
    "required": ["file", "text"],
    "additionalProperties": False,
}
BODY: dict[str, Any] = {
    "type": "object",
    "properties": {"logs": {"type": "array", "items": LOG, "minItems": 1, "maxItems": MOST_LOGS}},
    "required": ["logs"],
    "additionalProperties": False,
}
"""What the body holds, as JSON Schema."""
_SHAPE = '{"logs": [{"file": "pair-01.log", "text": "..."}]}'


class Accept:
    """
    The handler.

    Args:
        rate: How often an address may ask; shared with the calculators.
    """

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._readers = Few(1)

    def routes(self) -> list[Route]:
        """The one route."""
        return [Route(PATH, self.answer, methods=["POST"])]

    async def answer(self, request: Request) -> Response:
        """The page of ``accept --json``, and why a log is not on it."""
        self._rate.admit(request)
        values = dict(request.query_params)
        system = check.asked_system(values, PARAMETERS)
        logs = _logs(await read_body(request, check.MOST_BYTES, TAKEN, setting=""))
        page = await check.limited(self._readers).run(_page, logs, system, values)
        if isinstance(page, RefusedError):
            raise page
        return JSONResponse(page)


def _logs(body: bytes) -> list[tuple[str, str]]:
    """Names and texts of the body; InputError where it is of another form."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        content = None
    logs = content.get("logs") if isinstance(content, dict) and set(content) == {"logs"} else None
    if not isinstance(logs, list) or not 0 < len(logs) <= MOST_LOGS or not all(map(_is_log, logs)):
        message = f"logs: a list of 1 to {MOST_LOGS} files, as in {_SHAPE}"
        raise InputError(message)
    return [(log["file"], log["text"]) for log in logs]


def _is_log(log: object) -> bool:
    """Whether a member has a name and a text, and nothing else."""
    if not isinstance(log, dict) or set(log) != set(LOG["properties"]):
        return False
    return all(isinstance(value, str) for value in log.values())


def _page(
    logs: list[tuple[str, str]], system: System | None, values: Mapping[str, str]
) -> dict[str, Any] | RefusedError:
    """The page, or why there is none: answered, not raised across threads."""
    judged: list[tuple[Run, RunVerdict]] = []
    unread: list[dict[str, str]] = []
    end_s = time.monotonic() + MOST_S
    for file, text in logs:
        if time.monotonic() > end_s:
            message = f"logs: judging took more than {MOST_S:g} s; send fewer at once"
            return RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        try:
            judged += _of_log(text, system, {**values, "file": file})
        except ValueError as problem:
            unread.append({"file": file, "error": str(problem)})
    if not judged:
        return RefusedError(HTTPStatus.BAD_REQUEST, f"no log can be judged: {unread[0]['error']}")
    return acceptance_json(accept(judged)) | {"unread_files": len(unread), "unread": unread}


def _of_log(text: str, system: System | None, values: Mapping[str, str]) -> list[tuple[Run, RunVerdict]]:
    judged = check.judged(text.encode("utf-8", "replace"), system, values)
    return [(run, verdict) for run, verdict, _, _ in judged]
