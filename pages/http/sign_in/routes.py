"""The way in and out: ``/sign-in``, the way to the identity provider and back, ``/sign-out``."""

import hashlib
import time
from collections.abc import Callable
from urllib.parse import quote, urlsplit

from anyio import to_thread
from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from db import log
from db.attempts import Attempts
from db.oidc import SignIn
from db.people import Person
from pages.http.sign_in.address import NEXT, SEE_OTHER, own_path
from pages.http.sign_in.claims import SignInError, email_of, groups_of
from pages.http.sign_in.html import page
from pages.http.sign_in.provider import Provider
from pages.http.sign_in.session import Cookie, Session, bound, fitting

BEGUN = "wirespeed_sign_in"
BEGUN_S = 600
SALT = "wirespeed sign-in 1"
FOREIGN = {"cross-site", "same-site"}

Note = Callable[[Person, bool], None]
"""Writes down who has signed in (True) or out (False)."""


class Doors:
    """
    The handlers.

    Args:
        settings: Of sign-in.
        cookie: Of sessions.
        note: Called with whoever has signed in or out.
    """

    def __init__(self, settings: SignIn, cookie: Cookie, note: Note) -> None:
        self.settings = settings
        self.cookie = cookie
        self.note = note
        self.provider = Provider(settings)
        self.begun = bound(BEGUN, settings)
        self._lines = Attempts()
        self._begun = URLSafeTimedSerializer(
            settings.cookie_secret,
            salt=SALT,
            signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"},
        )

    def routes(self) -> list[Route]:
        """All of them; GET, since browsers come by links and redirects."""
        return [
            Route("/sign-in", self.show, methods=["GET"]),
            Route("/sign-in/start", self.start, methods=["GET"]),
            Route("/sign-in/callback", self.finish, methods=["GET"]),
            Route("/sign-out", self.leave, methods=["GET"]),
        ]

    async def show(self, request: Request) -> Response:
        """The page before the first page."""
        host = urlsplit(self.settings.issuer).hostname or ""
        text = f"You sign in at {host}; this server never sees your password."
        return self._page("Sign in to Wirespeed", text, back=own_path(request.query_params.get(NEXT)))

    async def start(self, request: Request) -> Response:
        """Send the browser to the identity provider, and keep what its answer must match."""
        begun: dict[str, object] = {}
        try:
            answer = await self.provider.redirect(Request({**request.scope, "session": begun}))
        except SignInError as problem:
            return self._failed(problem, 502)
        begun[NEXT] = own_path(request.query_params.get(NEXT))
        answer.set_cookie(self.begun, self._begun.dumps(begun), max_age=BEGUN_S, **self.cookie.flags)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    async def finish(self, request: Request) -> Response:
        """Make a session of the provider's answer, and show the page that was wanted."""
        try:
            begun = self._begun.loads(request.cookies.get(self.begun, ""), max_age=BEGUN_S)
        except BadData:
            begun = {}
        try:
            claims = await self.provider.claims(Request({**request.scope, "session": begun}))
            email = email_of(claims, self.settings)
        except SignInError as problem:
            return self._failed(problem, 403)
        groups = fitting(groups_of(claims, self.settings.groups_claim), self.settings.rules.groups)
        session = Session(email, groups, time.time() + self.settings.session_s)
        person = session.person(self.settings.rules)
        if person is not None:
            await to_thread.run_sync(self.note, person, True)
        answer = RedirectResponse(f"{self.settings.public_url}{own_path(begun.get(NEXT))}", SEE_OTHER)
        answer.headers["Cache-Control"] = "no-store"
        answer.delete_cookie(self.begun, **self.cookie.flags)
        answer.set_cookie(
            self.cookie.name,
            self.cookie.value(session),
            max_age=int(self.settings.session_s),
            **self.cookie.flags,
        )
        return answer

    async def leave(self, request: Request) -> Response:
        """End the session of this browser; a page of another site cannot."""
        if request.headers.get("sec-fetch-site") in FOREIGN:
            return page(
                "Sign out?",
                "A page of another site led here.",
                link=f"{self.settings.public_url}/sign-out",
                label="Sign out",
                status=403,
            )
        session = self.cookie.session(request.cookies.get(self.cookie.name))
        person = session.person(self.settings.rules) if session else None
        if session is not None:
            await to_thread.run_sync(session.end)
        if person is not None:
            await to_thread.run_sync(self.note, person, False)
        answer = self._page("You are signed out", "The identity provider may know you still.", back="/")
        answer.delete_cookie(self.cookie.name, **self.cookie.flags)
        return answer

    def _page(self, title: str, text: str, *, back: str, status: int = 200) -> Response:
        link = f"{self.settings.public_url}/sign-in/start?{NEXT}={quote(back)}"
        return page(title, text, link=link, label="Sign in", status=status)

    def _failed(self, problem: SignInError, status: int) -> Response:
        cause = f" ({type(problem.__cause__).__name__})" if problem.__cause__ else ""
        # strangers cause these: a few lines a minute say enough
        if self._lines.wait_s("") <= 0:
            self._lines.note("")
            log.line(f"sign-in: {problem}{cause}")
        answer = self._page("Signing in did not work", f"{problem}.", back="/", status=status)
        answer.delete_cookie(self.begun, **self.cookie.flags)
        return answer
