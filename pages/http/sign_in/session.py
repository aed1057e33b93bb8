"""A session: who has signed in and until when, in a signed cookie."""

import hashlib
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from itsdangerous import BadData, URLSafeSerializer

from db.oidc import SignIn
from db.people import Person
from db.roles import Rules, address_of
from pages.http.sign_in.ended import ENDED

COOKIE = "wirespeed_session"
SALT = "wirespeed session 1"
MOST_GROUPS_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Session:
    """
    Somebody who has signed in.

    Attributes:
        email: As ``roles.address_of`` gives it.
        groups: That the identity provider claimed at sign-in.
        ends_at: Seconds since 1970; from then on one signs in again.
    """

    email: str
    groups: frozenset[str]
    ends_at: float

    def text(self) -> str:
        """As JSON in ASCII."""
        return json.dumps([self.email, sorted(self.groups), self.ends_at])

    def person(self, rules: Rules, now: float | None = None) -> Person | None:
        """Who this is under the settings of today; None without a role, or where the session has ended."""
        if self.ended(now):
            return None
        role = rules.role_of(self.email, self.groups)
        return None if role is None else Person(self.email, role, self.groups)

    def ended(self, now: float | None = None) -> bool:
        """Whether its time is over, or somebody signed out of it, as far as this process has heard."""
        return (time.time() if now is None else now) >= self.ends_at or self.text() in ENDED

    def end(self) -> None:
        """Sign out: open pages, and copies of the cookie, are refused from now on, by every process."""
        ENDED.add(self.text(), self.ends_at)


def of_text(text: object) -> Session | None:
    """The session that ``Session.text`` wrote; None for anything else."""
    try:
        content = json.loads(str(text))
    except ValueError:
        return None
    return _session(content)


class Cookie:
    """
    The cookie of a session: its name, its flags and its signature.

    Args:
        settings: Of sign-in.
    """

    def __init__(self, settings: SignIn) -> None:
        self._serializer = URLSafeSerializer(
            settings.cookie_secret,
            salt=SALT,
            signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"},
        )
        self.name = bound(COOKIE, settings)
        self.flags: dict[str, Any] = {
            "path": settings.path,
            "httponly": True,
            "secure": settings.encrypted,
            "samesite": "lax",
        }

    def value(self, session: Session) -> str:
        """What the browser keeps."""
        return str(self._serializer.dumps([session.email, sorted(session.groups), session.ends_at]))

    def session(self, value: str | None) -> Session | None:
        """The session of a cookie; None where it was altered, is another's or has ended."""
        try:
            session = _session(self._serializer.loads(value or ""))
        except BadData:
            return None
        return None if session is None or session.ended() else session


def bound(name: str, settings: SignIn) -> str:
    """The name of a cookie that, over https, no other site may set: a browser sees to it."""
    if not settings.encrypted:
        return name
    return f"__Host-{name}" if settings.path == "/" else f"__Secure-{name}"


def fitting(groups: Iterable[str], first: frozenset[str]) -> frozenset[str]:
    """As many groups as a cookie has room for, those that the settings name first."""
    room, kept = MOST_GROUPS_BYTES, []
    for group in sorted(set(groups), key=lambda name: (name not in first, name)):
        room -= len(json.dumps(group)) + 2
        if room < 0:
            break
        kept.append(group)
    return frozenset(kept)


def _session(content: Any) -> Session | None:
    match content:
        case [str() as email, list() as groups, int() | float() as ends_at]:
            whole = address_of(email) == email and all(isinstance(group, str) for group in groups)
            return Session(email, frozenset(groups), float(ends_at)) if whole else None
    return None
