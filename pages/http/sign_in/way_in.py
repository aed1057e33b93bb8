"""Sign-in put together with the store: its routes, and programs by their token."""

import importlib
from functools import partial

from anyio import to_thread
from starlette.requests import HTTPConnection
from starlette.routing import Route

from db import access, log
from db.audit import Action
from db.errors import StoreError
from db.oidc import SignIn
from db.people import Person
from db.store import Store
from pages.http.sign_in.ended import ENDED
from pages.http.sign_in.session import Cookie


def routes(settings: SignIn | None, store: Store) -> list[Route]:
    """The way in and out; none where nobody signs in."""
    ENDED.share(None if settings is None else store.people)
    if settings is None:
        return []
    # a server without sign-in need not load the provider's client
    doors = importlib.import_module("pages.http.sign_in.routes").Doors
    return list(doors(settings, Cookie(settings), partial(_note, store)).routes())


def _note(store: Store, person: Person, came: bool) -> None:
    """Log who came and went; a store that does not answer keeps nobody out."""
    view = store.seen_by(person)
    try:
        if came:
            view.people.signed_in()
        else:
            view.audit.note(Action.SIGN_OUT, str(person.role))
    except StoreError as outage:
        log.once(str(outage))


class Programs:
    """
    Whether a program's token lets it ask.

    Args:
        store: Where personal tokens are looked up.
        limits: Of tokens, those of the whole process.
    """

    def __init__(self, store: Store, limits: access.Limits) -> None:
        self._bearer = store.tokens.bearer
        self._limits = limits

    async def admit(self, connection: HTTPConnection) -> access.Admission:
        """Admit or refuse a request by its token."""
        host = connection.client.host if connection.client else None
        version = connection.scope.get("http_version", "1.1")
        ask = partial(
            access.admit, connection.headers, host, version, limits=self._limits, bearer=self._bearer
        )
        return await to_thread.run_sync(ask)
