"""``/api/v1/ask``: the shell's commands for other programs; read-only, and a number of times a minute."""

import json
import math
from http import HTTPStatus
from typing import Any, NoReturn

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.errors import InputError
from core.shell import call
from core.shell.call import FieldError
from db.attempts import Attempts
from db.body import read_body
from db.clients import counted_as
from db.room import RefusedError
from pages.http.ask.workers import TimeLimitError, Workers

PATH = "/v1/ask"
MOST_BYTES = 2_000_000
MOST_JOB_BYTES = 20_000_000
"""Of a question that may bring a traced job."""
TAKEN = "application/json (an object of the calculator's inputs)"


class Rate:
    """How many questions an address may put; RefusedError for more."""

    def __init__(self, most: int) -> None:
        self._questions = Attempts(most=most)

    def admit(self, request: Request) -> None:
        """Count a question of the address that a request comes from."""
        address = counted_as(request.client.host if request.client else "")
        wait_s = math.ceil(self._questions.wait_s(address))
        if wait_s > 0:
            message = f"at most {self._questions.most} questions a minute: wait {wait_s} seconds"
            raise RefusedError(HTTPStatus.TOO_MANY_REQUESTS, message, wait_s)
        self._questions.note(address)


class Ask:
    """
    The handlers.

    Args:
        workers: Who calculates.
        rate: How often an address may ask.
    """

    def __init__(self, workers: Workers, rate: Rate) -> None:
        self.workers = workers
        self.rate = rate
        self._list = {
            "calculators": [
                {"name": name, "summary": call.sentence(name), "inputs": call.inputs(name)}
                for name in call.names()
            ]
        }

    def routes(self) -> list[Route]:
        """The list, and one route for each calculator."""
        each = [Route(f"{PATH}/{name}", self.answer, methods=["POST"]) for name in call.names()]
        return [Route(PATH, self.list, methods=["GET"]), *each]

    async def list(self, _request: Request) -> Response:
        """Each calculator with a sentence and the JSON Schema of what it takes."""
        return JSONResponse(self._list)

    async def answer(self, request: Request) -> Response:
        """What the shell prints with ``--json``."""
        self.rate.admit(request)
        name = request.url.path.rsplit("/", 1)[-1]
        try:
            values = _object(await read_body(request, most_bytes(name), TAKEN, setting=""))
            return JSONResponse(await self.workers.answer(name, values))
        except FieldError as problem:
            return JSONResponse({"error": str(problem), "line": None, "field": problem.field}, 400)
        except TimeLimitError as problem:
            raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, str(problem)) from None


def most_bytes(name: str) -> int:
    """The size of a question to this calculator."""
    return MOST_JOB_BYTES if "job" in call.inputs(name)["properties"] else MOST_BYTES


def _object(body: bytes) -> dict[str, Any]:
    """The object of a body; InputError where it is none."""
    try:
        values = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        message = "the body: a JSON object of the calculator's inputs, such as {}"
        raise InputError(message)
    return values


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
