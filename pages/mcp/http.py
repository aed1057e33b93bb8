"""``/mcp``: the tools over HTTP, each request for itself; the gate has checked Host and Origin."""

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from db.room import RefusedError, Room, Share
from pages.http.ask.routes import MOST_BYTES, Rate
from pages.http.ask.workers import Workers
from pages.mcp.server import server


class Tools:
    """
    The tools as an ASGI application without sessions.

    Args:
        workers: Who calculates.
        rate: How often an address may ask.
        room: For the bodies of all requests.
    """

    def __init__(self, workers: Workers, rate: Rate, room: Room) -> None:
        self._server = server(workers.answer, rate.admit)
        self._room = room

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one POST; the stream that GET would open says nothing and never ends."""
        if scope["method"] != "POST":
            only_post = JSONResponse({"error": "POST alone", "line": None}, 405, {"Allow": "POST"})
            await only_post(scope, receive, send)
            return
        share = Share(self._room)
        try:
            share.grow(_announced_bytes(scope))
        except RefusedError as full:
            answer = JSONResponse({"error": full.reason, "line": None}, full.status)
            answer.headers["Retry-After"] = str(full.wait_s)
            await answer(scope, receive, send)
            return
        try:
            await self._answer(scope, receive, send)
        finally:
            share.release()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        manager = StreamableHTTPSessionManager(
            self._server, json_response=True, stateless=True, max_request_body_size=MOST_BYTES
        )
        async with manager.run():
            await manager.handle_request(scope, receive, send)


def routes(workers: Workers, rate: Rate, room: Room) -> list[Route]:
    """The one route."""
    return [Route("/mcp", Tools(workers, rate, room), methods=["POST", "GET", "DELETE"])]


def _announced_bytes(scope: Scope) -> int:
    """The length of a body as its header says; the most that is read where it says none."""
    length = Headers(scope=scope).get("content-length", "")
    return (
        min(int(length), MOST_BYTES)
        if length.isdecimal() and len(length) <= len(str(MOST_BYTES))
        else MOST_BYTES
    )
