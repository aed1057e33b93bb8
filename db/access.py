"""Who may use the HTTP door: the bearer of the token, or, where none is set, this machine alone."""

import hmac
import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FORWARDING = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
WHY_NOT = (
    "no token is set on this server, so only programs on the same machine may use its API: "
    "set WIRESPEED_API_TOKEN or WIRESPEED_API_TOKEN_FILE"
)


@dataclass(frozen=True, slots=True)
class Admission:
    """
    Whether a request is let in, and by what name its uploads are kept.

    Attributes:
        status: 200, 401 or 403.
        reason: Why not, in one line.
        name: ``token`` or ``this machine``.
    """

    status: int
    reason: str = ""
    name: str | None = None


def server_token() -> str | None:
    """The token of WIRESPEED_API_TOKEN, else of the file WIRESPEED_API_TOKEN_FILE names; None if neither."""
    token = os.environ.get("WIRESPEED_API_TOKEN", "").strip()
    file = os.environ.get("WIRESPEED_API_TOKEN_FILE", "").strip()
    if not token and file:
        token = Path(file).read_text(encoding="utf-8").strip()
    return token or None


def admit(headers: Mapping[str, str], host: str | None) -> Admission:
    """
    Admit or refuse a request by its headers (lower-case names) and the address it came from.

    Without a token nobody but this machine is let in: not a proxy's client, and not a page
    of another site in a browser on this machine.
    """
    try:
        expected = server_token()
    except (OSError, UnicodeDecodeError):
        return Admission(403, "the file of WIRESPEED_API_TOKEN_FILE cannot be read on this server")
    if expected is not None:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), expected.encode()):
            return Admission(200, name="token")
        return Admission(401, "send the server's token: Authorization: Bearer TOKEN")
    if not _loopback(host) or any(name in headers for name in FORWARDING):
        return Admission(403, WHY_NOT)
    if not _loopback_name(headers.get("host", "")) or not _same_site(headers):
        return Admission(403, "without a token only programs may use the API, not pages of other sites")
    return Admission(200, name="this machine")


def _loopback(host: str | None) -> bool:
    try:
        address = ipaddress.ip_address((host or "").strip("[]"))
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def _loopback_name(host: str) -> bool:
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    return name.lower() == "localhost" or _loopback(name)


def _same_site(headers: Mapping[str, str]) -> bool:
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != headers.get("host"):
        return False
    return headers.get("sec-fetch-site", "none") in {"none", "same-origin"}
