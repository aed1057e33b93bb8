"""The first to see a request: whom it was sent to and by which site, before Streamlit or a route acts on it."""

from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from db.hosts import is_allowed, is_same_origin, name_of

CLOSED = ("/_stcore/metrics", "/auth/login", "/auth/logout", "/oauth2callback")
"""Of Streamlit's own: its counts without a token, and its sign-in, which verifies less than ours (ADR 10)."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY_VIOLATION = 1008
TRUSTED_ORIGIN = b"http://localhost"
ENCRYPTED = frozenset({"https", "wss"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request goes no further."""

    status: int
    reason: str


class Gate:
    """
    Refuses foreign hosts and origins of HTTP requests and websockets alike.

    Args:
        app: What stands behind.
        names: Host names of this server beside loopback and addresses.
        encrypted: The name by which browsers ask it over https alone; None where there is none.
    """

    def __init__(
        self, app: ASGIApp, names: frozenset[str] = frozenset(), encrypted: str | None = None
    ) -> None:
        self.app = app
        self.names = names
        self.encrypted = encrypted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 400, 403 or 404."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        refusal = self.refusal(scope)
        if refusal is None:
            await self.app(_of_this_site(scope), receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(POLICY_VIOLATION, refusal.reason)(scope, receive, send)
        else:
            answer = JSONResponse({"error": refusal.reason, "line": None}, refusal.status)
            await answer(scope, receive, send)

    def refusal(self, scope: Scope) -> Refusal | None:
        """Why this request is refused; None where it is not."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1:
            return Refusal(400, "a request names one Host")
        if not is_allowed(hosts[0], self.names):
            return Refusal(403, "this server is not known by that name: WIRESPEED_HOSTS lists its names")
        encrypted = scope.get("scheme") in ENCRYPTED or name_of(hosts[0]) == (self.encrypted or "")
        if _acts(scope) and not is_same_origin(headers.getlist("origin"), hosts[0], encrypted=encrypted):
            return Refusal(403, "pages of other sites may not use this server")
        if any(scope["path"].rstrip("/").endswith(path) for path in CLOSED):
            return Refusal(404, "there is nothing here")
        return None


def _acts(scope: Scope) -> bool:
    """Whether a request may change something or opens a channel: only then does a browser's Origin matter."""
    return scope["type"] == "websocket" or scope["method"] not in SAFE


def _of_this_site(scope: Scope) -> Scope:
    """
    The scope with an origin that Streamlit knows.

    Streamlit looks up this machine's public address on another host for an origin it does not know;
    the origin was compared with the host already.
    """
    if scope["type"] != "websocket":
        return scope
    headers = [(name, TRUSTED_ORIGIN if name == b"origin" else value) for name, value in scope["headers"]]
    return {**scope, "headers": headers}
