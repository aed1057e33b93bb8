"""Sign-in put together with the store: its routes, and programs by their token."""

from starlette.requests import HTTPConnection
from starlette.routing import Route

from db import access
from db.attempts import Attempts
from db.oidc import SignIn
from db.people import Person
from db.store import Store
from pages.http.sign_in.routes import Doors
from pages.http.sign_in.session import Cookie

_WRONG = Attempts()


def routes(settings: SignIn | None, _store: Store) -> list[Route]:
    """The way in and out; none where nobody signs in."""
    if settings is None:
        return []
    return Doors(settings, Cookie(settings), _note).routes()


def _note(_person: Person, _came: bool) -> None:
    """Who came and went."""


async def admit(connection: HTTPConnection) -> access.Admission:
    """Whether a program's token lets it ask."""
    host = connection.client.host if connection.client else None
    version = connection.scope.get("http_version", "1.1")
    return access.admit(connection.headers, host, version, wrong=_WRONG)
