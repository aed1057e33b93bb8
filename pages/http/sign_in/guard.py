"""Before every page, file and websocket: who has not signed in goes no further."""

from collections.abc import Awaitable, Callable

from anyio import to_thread
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from db.access import Admission, is_forwarded
from db.hosts import address, is_loopback, name_of
from db.oidc import SignIn
from db.opening import Opening
from pages.http.sign_in.address import SEE_OTHER, sign_in_address
from pages.http.sign_in.ended import ENDED
from pages.http.sign_in.html import page
from pages.http.sign_in.session import Cookie, Session

HEADER = "x-wirespeed-session"
"""Carries a checked session to the pages; what a browser sends under this name never arrives."""
OPEN = ("/healthz", "/readyz", "/metrics", "/probe.pyz", "/_stcore/health", "/sign-in", "/sign-out", "/docs")
OPEN_BELOW = ("/sign-in/", "/docs/")
OWN_TOKEN = ("/api/v1/runs", "/api/v1/jobs", "/api/v1/openapi.json")
BY_TOKEN = ("/api/v1/ask", "/api/v1/check", "/api/v1/accept", "/mcp")
POLICY_VIOLATION = 1008
ELSEWHERE = (
    "this server is for its own machine: it was reached by another address, name or proxy; "
    "docs/DEPLOY.md says how to open it"
)

Admit = Callable[[HTTPConnection], Awaitable[Admission]]
"""Admits a request by its token."""


class Guard:
    """
    Lets those pass who have signed in and have a role, and everyone where the server is open.

    Args:
        app: What stands behind.
        opening: How far the server is open.
        settings: Of sign-in; needed where the server is closed.
        admit: Admits programs by their token where they need no session.
    """

    def __init__(
        self, app: ASGIApp, opening: Opening, settings: SignIn | None = None, admit: Admit | None = None
    ) -> None:
        self.app = app
        self.opening = opening
        self.settings = settings
        self.admit = admit
        self.cookie = Cookie(settings) if settings else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer in its place."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        headers = [(name, value) for name, value in scope["headers"] if name.lower() != HEADER.encode()]
        scope = {**scope, "headers": headers}
        connection = HTTPConnection(scope)
        refusal = await self._refusal(connection)
        if refusal is None:
            await self.app(scope, receive, send if self.settings is None else _unkept(send))
        elif scope["type"] == "websocket":
            await WebSocketClose(POLICY_VIOLATION, "sign in first")(scope, receive, send)
        else:
            await refusal(scope, receive, send)

    async def _refusal(self, connection: HTTPConnection) -> Response | None:
        """What is answered in place of the application; None where the request goes on."""
        if self.settings is None or self.cookie is None:
            own = self.opening is not Opening.LOOPBACK or _of_this_machine(connection)
            return None if own else JSONResponse({"error": ELSEWHERE, "line": None}, 403)
        path = connection.scope["path"]
        if is_open(path):
            return None
        if ENDED.is_due():
            await to_thread.run_sync(ENDED.recall)
        session = self.cookie.session(connection.cookies.get(self.cookie.name))
        if session is not None and session.person(self.settings.rules) is not None:
            connection.scope["headers"].append((HEADER.encode(), session.text().encode()))
            return None
        if self.admit is not None and _is_below(path, BY_TOKEN):
            return await self._by_token(connection)
        return _stranger(self.settings, connection, session)

    async def _by_token(self, connection: HTTPConnection) -> Response | None:
        admission = await self.admit(connection) if self.admit else None
        if admission is None or admission.person is not None:
            return None
        return JSONResponse({"error": admission.reason, "line": None}, admission.status, admission.headers)


def _unkept(send: Send) -> Send:
    """Let no browser keep a page: Back after signing out asks the server again, which leads to the way in."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if headers.get("content-type", "").startswith("text/html"):
                headers["Cache-Control"] = "no-store"
        await send(message)

    return sent


def _stranger(settings: SignIn, connection: HTTPConnection, session: Session | None) -> Response:
    """The page without a role, the way to sign in, or a line of JSON for programs."""
    wants_page = "text/html" in connection.headers.get("accept", "")
    if session is not None and wants_page:
        return page(
            "No role here",
            f"You are signed in as {session.email}, and this server gives that address no role. "
            "Ask who runs it.",
            link=f"{settings.public_url}/sign-out",
            label="Sign out",
            status=403,
        )
    if wants_page and connection.scope.get("method") in {"GET", "HEAD"}:
        query = connection.url.query
        path = connection.scope["path"] + (f"?{query}" if query else "")
        answer = RedirectResponse(sign_in_address(settings, path), SEE_OTHER)
        answer.headers["Cache-Control"] = "no-store"
        return answer
    reason = "no role on this server" if session else f"sign in at {settings.public_url}/sign-in"
    return JSONResponse({"error": reason, "line": None}, 403 if session else 401)


def is_open(path: str) -> bool:
    """Whether strangers may ask for a path: health, documentation, the probe, the way in, and what asks itself."""
    return path in OPEN or path.startswith(OPEN_BELOW) or _is_below(path, OWN_TOKEN)


def _is_below(path: str, starts: tuple[str, ...]) -> bool:
    return any(path == start or path.startswith(f"{start}/") for start in starts)


def _of_this_machine(connection: HTTPConnection) -> bool:
    """
    Whether a request was sent on this machine to this machine: to a loopback address, by its name, past no proxy.

    Past a proxy, what is open to strangers answers still: it asks for its token itself. A server address that
    is not known is taken for loopback.
    """
    scope, headers = connection.scope, connection.headers
    server = (scope.get("server") or ("", None))[0]
    if address(server) is not None and not is_loopback(server):
        return False
    passed_on = is_forwarded(headers) or scope.get("http_version") == "1.0"
    return is_open(scope["path"]) or (not passed_on and is_loopback(name_of(headers.get("host", ""))))
