"""``/mcp``: the tools over HTTP, each request for itself; the gate has checked Host and Origin."""

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pages.http.ask.routes import MOST_BYTES, Rate
from pages.http.ask.workers import Workers
from pages.mcp.server import server


class Tools:
    """
    The tools as an ASGI application without sessions.

    Args:
        workers: Who calculates.
        rate: How often an address may ask.
    """

    def __init__(self, workers: Workers, rate: Rate) -> None:
        self._server = server(workers.answer, rate.admit)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        manager = StreamableHTTPSessionManager(
            self._server, json_response=True, stateless=True, max_request_body_size=MOST_BYTES
        )
        async with manager.run():
            await manager.handle_request(scope, receive, send)


def routes(workers: Workers, rate: Rate) -> list[Route]:
    """The one route."""
    return [Route("/mcp", Tools(workers, rate), methods=["POST", "GET", "DELETE"])]
