"""By which names a server may be asked: loopback and addresses, and the names of WIRESPEED_HOSTS."""

import ipaddress
import os
import re
from collections.abc import Mapping, Sequence
from urllib.parse import SplitResult

from core.errors import InputError
from db.setting_values import text, web_address

HOSTS, PUBLIC_URL = "WIRESPEED_HOSTS", "WIRESPEED_PUBLIC_URL"
LOOPBACK_NAMES = frozenset({"localhost"})
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>\d{1,5}))?")
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")


def allowed_names(settings: Mapping[str, str] = os.environ) -> frozenset[str]:
    """
    The names of WIRESPEED_HOSTS and of WIRESPEED_PUBLIC_URL in lower case; empty where neither is set.

    Raises:
        InputError: An entry is no host name, or the address none.
    """
    names = [name.strip().lower() for name in settings.get(HOSTS, "").split(",") if name.strip()]
    for name in names:
        if not _NAME.fullmatch(name) and address(name) is None:
            message = f"{HOSTS}: host names without port, separated by commas, not {name[:60]!r}"
            raise InputError(message)
    public = _public(settings)
    name = public.hostname.lower() if public and public.hostname else ""
    return frozenset(names if not name or is_loopback(name) else [*names, name])


def encrypted_name(settings: Mapping[str, str] = os.environ) -> str | None:
    """The name that WIRESPEED_PUBLIC_URL says is asked by https; None where there is none."""
    public = _public(settings)
    return public.hostname if public and public.scheme == "https" else None


def _public(settings: Mapping[str, str]) -> SplitResult | None:
    value = text(PUBLIC_URL, settings)
    return web_address(PUBLIC_URL, value) if value else None


def name_of(host: str) -> str | None:
    """The name of a Host header in lower case and without port; None where it is malformed."""
    match = _HOST.fullmatch(host)
    return match["name"].strip("[]").lower() if match else None


def address(name: str | None) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """A name that is an IP address; None for every other."""
    try:
        number = ipaddress.ip_address((name or "").strip("[]"))
    except ValueError:
        return None
    return getattr(number, "ipv4_mapped", None) or number


def is_loopback(name: str | None) -> bool:
    """Whether a name or address means this machine."""
    if name in LOOPBACK_NAMES:
        return True
    number = address(name)
    return number is not None and number.is_loopback


def is_allowed(host: str, allowed: frozenset[str]) -> bool:
    """
    Whether a Host header names this server.

    An address is always right: a page of another site can make its own name lead here, not a number.
    """
    name = name_of(host)
    return name is not None and (name in LOOPBACK_NAMES or address(name) is not None or name in allowed)


def is_same_origin(origins: Sequence[str], host: str, *, encrypted: bool = False) -> bool:
    """
    Whether the Origin headers of a request, none or a single one, name the host it was sent to.

    Where it is asked by https (``encrypted``) a page of http is another site, which anyone on the way may
    have written.
    """
    if not origins:
        return True
    if len(origins) > 1:
        return False
    scheme, _, rest = origins[0].partition("://")
    return scheme in ({"https"} if encrypted else {"http", "https"}) and rest.lower() == host.lower()
