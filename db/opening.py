"""How far a server is open: to this machine alone, to everyone by setting, or to those who sign in."""

import os
from collections.abc import Mapping
from enum import Enum

from core.errors import InputError
from db.clients import SETTING as PROXIES
from db.clients import proxies
from db.hosts import HOSTS, PUBLIC_URL, allowed_names, is_loopback
from db.people import THIS_MACHINE, Person, Role
from db.setting_values import text

ISSUER = "WIRESPEED_OIDC_ISSUER"
REFUSED = (
    "{place} lets others reach this server, and nobody signs in: set WIRESPEED_OIDC_ISSUER and what "
    "belongs to it (docs/DEPLOY.md, Sign-in), or WIRESPEED_OPEN=read or write to let everyone in"
)


class Opening(Enum):
    """
    Who uses the pages without signing in.

    ``LOOPBACK``: this machine, as an admin. ``READ`` and ``WRITE``: everyone, as a viewer or an uploader.
    ``CLOSED``: nobody.
    """

    LOOPBACK = "loopback"
    READ = "read"
    WRITE = "write"
    CLOSED = "closed"

    @property
    def everyone(self) -> Person | None:
        """Whoever has not signed in; None where they must."""
        return _EVERYONE[self]


_EVERYONE = {
    Opening.LOOPBACK: THIS_MACHINE,
    Opening.READ: Person("anyone", Role.VIEWER),
    Opening.WRITE: Person("anyone", Role.UPLOADER),
    Opening.CLOSED: None,
}


def opening(environment: Mapping[str, str] = os.environ) -> Opening:
    """
    How far the settings open the server.

    Raises:
        InputError: WIRESPEED_OPEN is another word, or stands beside a provider of sign-in.
    """
    word = environment.get("WIRESPEED_OPEN", "").strip()
    closed = bool(environment.get(ISSUER, "").strip())
    if word not in {"", "read", "write"}:
        message = f"WIRESPEED_OPEN: read or write, not {word[:40]!r}"
        raise InputError(message)
    if word and closed:
        message = f"WIRESPEED_OPEN lets everyone in, {ISSUER} only who signs in: set one of them"
        raise InputError(message)
    if closed:
        return Opening.CLOSED
    return Opening(word) if word else Opening.LOOPBACK


def check_address(address: str | None, environment: Mapping[str, str] = os.environ) -> None:
    """
    Refuse to be open by accident.

    Args:
        address: That the server listens on; None or empty is every one.
        environment: The settings.

    Raises:
        InputError: Others can reach the server, and no setting says what they may do.
    """
    if opening(environment) is not Opening.LOOPBACK:
        return
    if not is_loopback(address):
        place = f"the address {address} (HOST)" if address else "listening on every address"
        raise InputError(REFUSED.format(place=place))
    if allowed_names(environment):
        place = HOSTS if text(HOSTS, environment) else PUBLIC_URL
        raise InputError(REFUSED.format(place=place))
    if proxies(environment):
        raise InputError(REFUSED.format(place=PROXIES))
