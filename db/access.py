"""Who may use the HTTP door: the bearer of the token, or, where none is set, this machine alone."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers

from core.errors import InputError
from db import settings
from db.attempts import Attempts
from db.hosts import allowed_names, is_loopback, is_same_origin, name_of

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
MANY = "too many wrong tokens from this address: wait {wait:.0f} seconds"


@dataclass(frozen=True, slots=True)
class Admission:
    """
    Whether a request is let in, and by what name its uploads are kept.

    Attributes:
        status: 200, 401, 403 or 429.
        reason: Why not, in one line.
        name: ``token`` or ``this machine``.
        wait_s: Seconds to wait before another try.
    """

    status: int
    reason: str = ""
    name: str | None = None
    wait_s: float = 0.0


def server_token() -> str | None:
    """The token of WIRESPEED_API_TOKEN, else of the file WIRESPEED_API_TOKEN_FILE names; None if neither."""
    return settings.secret("WIRESPEED_API_TOKEN")


def admit(headers: Headers, host: str | None, http_version: str = "1.1", *, wrong: Attempts) -> Admission:
    """
    Admit or refuse a request by its headers and the address it came from.

    Without a token nobody but this machine is let in: not a proxy's client, and not a page
    of another site in a browser on this machine; nobody at all where WIRESPEED_HOSTS gives the server
    other names, since a proxy on this machine may then stand between. ``wrong`` counts wrong tokens.
    """
    try:
        expected = server_token()
    except InputError:
        return Admission(403, "the file of WIRESPEED_API_TOKEN_FILE cannot be read on this server")
    if expected is not None:
        return _by_token(headers.getlist("authorization"), expected, host or "", wrong)
    local = is_loopback(host) and http_version != "1.0" and not allowed_names() and not is_forwarded(headers)
    if not local:
        return Admission(403, WHY_NOT)
    if not is_loopback(name_of(headers.get("host", ""))) or not _same_site(headers):
        return Admission(403, "without a token only programs may use the API, not pages of other sites")
    return Admission(200, name="this machine")


def _by_token(sent: Sequence[str], expected: str, address: str, wrong: Attempts) -> Admission:
    wait = wrong.wait_s(address)
    if wait > 0:
        return Admission(429, MANY.format(wait=wait), wait_s=wait)
    scheme, _, token = (sent[0] if len(sent) == 1 else "").partition(" ")
    if scheme.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), expected.encode()):
        return Admission(200, name="token")
    if sent:
        wrong.note(address)
    return Admission(401, "send the server's token: Authorization: Bearer TOKEN")


def is_forwarded(headers: Headers) -> bool:
    """Whether a proxy says that it passed the request on; some write _ for -."""
    names = {name.lower().replace("_", "-") for name in headers}
    return any(name in FORWARDING or name.startswith(FORWARDING_PREFIXES) for name in names)


def _same_site(headers: Headers) -> bool:
    if not is_same_origin(headers.getlist("origin"), headers.get("host", "")):
        return False
    return headers.get("sec-fetch-site", "none") in {"none", "same-origin"}
