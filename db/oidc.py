"""The settings of sign-in: which OpenID Connect provider, and what of its claims counts."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from core.errors import InputError
from db import roles
from db.hosts import PUBLIC_URL, is_loopback
from db.opening import ISSUER
from db.secret import secret
from db.setting_values import SHOWN, decimal, web_address

CLIENT_ID, CLIENT_SECRET = "WIRESPEED_OIDC_CLIENT_ID", "WIRESPEED_OIDC_CLIENT_SECRET"
COOKIE_SECRET = "WIRESPEED_COOKIE_SECRET"  # noqa: S105 - a name
SCOPES, GROUPS = "WIRESPEED_OIDC_SCOPES", "WIRESPEED_OIDC_GROUPS_CLAIM"
TRUST_EMAIL, HOURS = "WIRESPEED_OIDC_TRUST_EMAIL", "WIRESPEED_SESSION_HOURS"
ASKED_SCOPES, GROUPS_OF = "openid email profile", "groups"
FEWEST_SECRET = 32
MOST_HOURS = 24 * 30
NEED = (CLIENT_ID, CLIENT_SECRET, PUBLIC_URL, COOKIE_SECRET)
IDLE = (CLIENT_ID, CLIENT_SECRET, SCOPES, GROUPS, TRUST_EMAIL, HOURS, *roles.SETTINGS.values())


@dataclass(frozen=True, slots=True)
class SignIn:
    """
    How people sign in.

    Attributes:
        issuer: Of the identity provider, exactly as it names itself in its tokens.
        client_id: Of this server at the provider.
        client_secret: Of this server at the provider.
        public_url: Where browsers reach this server, without a slash at its end.
        cookie_secret: Signs sessions.
        rules: Who has which role.
        scopes: That are asked of the provider, with spaces.
        groups_claim: Which claim lists a person's groups; dots lead into objects.
        trust_email: Whether an address counts where the provider does not say if it was verified.
        session_s: How long a session lasts, in seconds.
    """

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    public_url: str
    cookie_secret: str = field(repr=False)
    rules: roles.Rules
    scopes: str = ASKED_SCOPES
    groups_claim: str = GROUPS_OF
    trust_email: bool = False
    session_s: float = 12 * 3600.0

    @property
    def callback(self) -> str:
        """The address to which the provider sends people back; it is registered there."""
        return f"{self.public_url}/sign-in/callback"

    @property
    def encrypted(self) -> bool:
        """Whether browsers reach this server by https."""
        return self.public_url.startswith("https:")

    @property
    def path(self) -> str:
        """The path at which browsers see this server, with a slash at its end."""
        return f"{urlsplit(self.public_url).path}/"


def sign_in(environment: Mapping[str, str] = os.environ) -> SignIn | None:
    """
    The settings of sign-in; None where no provider is set.

    Raises:
        InputError: Something that belongs to it is missing, wrong, or set without a provider.
    """
    issuer = environment.get(ISSUER, "").strip()
    if not issuer:
        _refuse_idle(environment)
        return None
    secrets = {name: secret(name, environment) or "" for name in (CLIENT_SECRET, COOKIE_SECRET)}
    values = {name: environment.get(name, "").strip() for name in NEED} | secrets
    missing = [name for name in NEED if not values[name]]
    if missing:
        message = f"{ISSUER} needs {', '.join(missing)} as well"
        raise InputError(message)
    if len(values[COOKIE_SECRET]) < FEWEST_SECRET:
        message = f"{COOKIE_SECRET}: at least {FEWEST_SECRET} characters where people sign in"
        raise InputError(message)
    rules = roles.rules(environment)
    if not rules:
        message = f"{ISSUER}: nobody has a role; set {', '.join(roles.SETTINGS.values())} or one of them"
        raise InputError(message)
    return SignIn(
        issuer=_address(ISSUER, issuer),
        client_id=values[CLIENT_ID],
        client_secret=values[CLIENT_SECRET],
        public_url=_address(PUBLIC_URL, values[PUBLIC_URL]).rstrip("/"),
        cookie_secret=values[COOKIE_SECRET],
        rules=rules,
        scopes=_scopes(environment),
        groups_claim=environment.get(GROUPS, "").strip() or GROUPS_OF,
        trust_email=_yes(environment),
        session_s=_hours(environment) * 3600.0,
    )


def _refuse_idle(environment: Mapping[str, str]) -> None:
    """Who sets a role without a provider believes that somebody is kept out."""
    idle = [name for name in IDLE if environment.get(name, "").strip()]
    if idle:
        message = f"{idle[0]} means something only beside {ISSUER}"
        raise InputError(message)


def _address(name: str, value: str) -> str:
    """An address as it was set; http is for this machine alone."""
    parts = web_address(name, value)
    if parts.scheme == "https" or is_loopback(parts.hostname):
        return value
    message = f"{name}: https, or http on this machine alone, not {value[:SHOWN]!r}"
    raise InputError(message)


def _scopes(environment: Mapping[str, str]) -> str:
    scopes = environment.get(SCOPES, "").split() or ASKED_SCOPES.split()
    if "openid" not in scopes:
        message = f"{SCOPES}: openid is one of them, with spaces between"
        raise InputError(message)
    return " ".join(scopes)


def _yes(environment: Mapping[str, str]) -> bool:
    word = environment.get(TRUST_EMAIL, "").strip()
    if word not in {"", "yes", "no"}:
        message = f"{TRUST_EMAIL}: yes or no, not {word[:40]!r}"
        raise InputError(message)
    return word == "yes"


def _hours(environment: Mapping[str, str]) -> float:
    text = environment.get(HOURS, "").strip() or "12"
    hours = decimal(text)
    if hours is None or hours > MOST_HOURS:
        message = f"{HOURS}: above 0, at most {MOST_HOURS}, not {text[:40]!r}"
        raise InputError(message)
    return hours
