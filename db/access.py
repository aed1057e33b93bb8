"""Who may use the HTTP door: the bearer of a token, or, where the server has none, this machine alone."""

import hmac
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers

from core.errors import InputError
from db import log, settings
from db.attempts import Attempts
from db.clients import counted_as
from db.errors import StoreError
from db.hosts import allowed_names, is_loopback, is_same_origin, name_of
from db.opening import opening
from db.people import Person, Role
from db.secret import secret
from db.tokens import PREFIX

FORWARDING = frozenset(
    {
        *("forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "fastly-client-ip", "client-ip"),
        *(
            "x-cluster-client-ip",
            "x-originating-ip",
            "x-remote-ip",
            "x-remote-addr",
            "x-envoy-external-address",
        ),
    }
)
FORWARDING_PREFIXES = ("x-forwarded", "cf-", "x-azure-", "x-amzn-", "x-appengine-", "fly-")
WHY_NOT = (
    "no token is set on this server, so only programs on the same machine may use its API: "
    "set WIRESPEED_API_TOKEN or WIRESPEED_API_TOKEN_FILE"
)
CLOSED = "send a token: Authorization: Bearer TOKEN; people make theirs on the page Access"
NOT_WORKING = "this token does not work: it is unknown, revoked, past its end, or its owner has no role"
DOWN = "the store is not ready: try again later"
OFTEN = "this token was sent {most} times in a minute: wait {wait:.0f} seconds"
Bearer = Callable[[str], Person | None]
"""The person that a personal token stands for; None where it does not work."""
SERVER = Person("token", Role.UPLOADER)
"""The bearer of the server's own token."""
UNGUESSABLE = 32
"""Characters of a server's own token from which no number of tries finds it."""
MANY = "too many wrong tokens from this address: wait {wait:.0f} seconds"


@dataclass(frozen=True, slots=True)
class Admission:
    """
    Whether a request is let in, and by what name its uploads are kept.

    Attributes:
        status: 200, 401, 403, 429 or 503.
        reason: Why not, in one line.
        person: Whoever sends it: the owner of a token, the bearer of the server's own, or this machine.
        wait_s: Seconds to wait before another try.
    """

    status: int
    reason: str = ""
    person: Person | None = None
    wait_s: float = 0.0

    @property
    def headers(self) -> dict[str, str]:
        """Of a refusal: how long to wait, where that helps."""
        return {"Retry-After": str(math.ceil(self.wait_s))} if self.wait_s > 0 else {}


def server_token() -> str | None:
    """The token of WIRESPEED_API_TOKEN, else of the file WIRESPEED_API_TOKEN_FILE names; None if neither."""
    return secret("WIRESPEED_API_TOKEN")


class Limits:
    """How many wrong tokens an address may show in a minute, and how often one personal token is taken."""

    def __init__(self) -> None:
        self.wrong = Attempts()
        self.used = Attempts(most=settings.token_rate())


def admit(
    headers: Headers, host: str | None, http_version: str = "1.1", *, limits: Limits, bearer: Bearer
) -> Admission:
    """
    Admit or refuse a request by its headers and the address it came from.

    Without a token nobody but this machine is let in: not a proxy's client, and not a page
    of another site in a browser on this machine; nobody at all where WIRESPEED_HOSTS gives the server
    other names, since a proxy on this machine may then stand between. A personal token is taken everywhere.
    A right token is not kept waiting by wrong ones of the same address, which may be a proxy's: only a
    server's own token that is short enough to be guessed is.

    Args:
        headers: Of the request.
        host: The address that it came from.
        http_version: Of the request.
        limits: Count wrong tokens and uses.
        bearer: Looks a personal token up; StoreError where the store is away.
    """
    sent, address = headers.getlist("authorization"), counted_as(host or "")
    personal = _bearer_of(sent)
    if personal.startswith(PREFIX):
        return _by_own(personal, address, limits, bearer)
    try:
        expected = server_token()
    except InputError:
        return Admission(403, "the file of WIRESPEED_API_TOKEN_FILE cannot be read on this server")
    if expected is not None:
        return _by_token(sent, expected, address, limits.wrong)
    return _without(headers, host, http_version)


def _without(headers: Headers, host: str | None, http_version: str) -> Admission:
    """Admit without a token: this machine alone, where the server is open to it."""
    everyone = opening().everyone
    if everyone is None:
        return Admission(401, CLOSED)
    local = is_loopback(host) and http_version != "1.0" and not allowed_names() and not is_forwarded(headers)
    if not local:
        return Admission(403, WHY_NOT)
    if not is_loopback(name_of(headers.get("host", ""))) or not _same_site(headers):
        return Admission(403, "without a token only programs may use the API, not pages of other sites")
    return Admission(200, person=everyone)


def _by_token(sent: Sequence[str], expected: str, address: str, wrong: Attempts) -> Admission:
    token = _bearer_of(sent)
    is_right = bool(token) and hmac.compare_digest(token.encode(), expected.encode())
    if is_right and (len(expected) >= UNGUESSABLE or wrong.wait_s(address) == 0):
        return Admission(200, person=SERVER)
    reason = "send the server's token: Authorization: Bearer TOKEN"
    return _not_right(reason, address, wrong, counts=bool(sent))


def _by_own(sent: str, address: str, limits: Limits, bearer: Bearer) -> Admission:
    """Admit by a personal token; it is found by its hash, which takes as long for a wrong one."""
    try:
        person = bearer(sent)
    except StoreError as outage:
        log.once(str(outage))
        return Admission(503, DOWN)
    if person is None:
        return _not_right(NOT_WORKING, address, limits.wrong)
    name = f"{person.name} {person.token}"
    wait = limits.used.wait_s(name)
    if wait > 0:
        return Admission(429, OFTEN.format(most=limits.used.most, wait=wait), wait_s=wait)
    limits.used.note(name)
    return Admission(200, person=person)


def _not_right(reason: str, address: str, wrong: Attempts, *, counts: bool = True) -> Admission:
    """Refuse, and make an address wait that has shown too many wrong tokens."""
    wait = wrong.wait_s(address)
    if wait > 0:
        return Admission(429, MANY.format(wait=wait), wait_s=wait)
    if counts:
        wrong.note(address)
    return Admission(401, reason)


def _bearer_of(sent: Sequence[str]) -> str:
    """The token of an Authorization header; empty where there is none, or several."""
    scheme, _, token = (sent[0] if len(sent) == 1 else "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def is_forwarded(headers: Headers) -> bool:
    """Whether a proxy says that it passed the request on; some write _ for -."""
    names = {name.lower().replace("_", "-") for name in headers}
    return any(name in FORWARDING or name.startswith(FORWARDING_PREFIXES) for name in names)


def _same_site(headers: Headers) -> bool:
    if not is_same_origin(headers.getlist("origin"), headers.get("host", "")):
        return False
    return headers.get("sec-fetch-site", "none") in {"none", "same-origin"}
