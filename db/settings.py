"""Every setting of the server in one table; a name that is not in it is refused at start."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from core.errors import InputError
from db import oidc, opening
from db.body import upload_limit
from db.clients import proxies
from db.engine import parse
from db.hosts import allowed_names
from db.room import room_limit
from db.secret import FROM_FILE, secret
from db.setting_values import host, port, whole
from db.webhook import ADDRESS, Webhook

PREFIX = "WIRESPEED_"
LOG_FORMATS = ("text", "json")
MOST_WORKERS = 64


@dataclass(frozen=True, slots=True)
class Setting:
    """
    A setting of the environment.

    Attributes:
        name: Of the variable.
        kind: What a value looks like.
        default: Where it is not set.
        meaning: In one sentence.
        secret: Not shown; ``NAME_FILE`` may name a file that holds it.
    """

    name: str
    kind: str
    default: str
    meaning: str
    secret: bool = False


SETTINGS = (
    Setting("HOST", "address", "127.0.0.1", "The address to listen on; 0.0.0.0 is every one."),
    Setting("PORT", "port", "8501", "The port to listen on."),
    Setting("WIRESPEED_DATA_DIR", "folder", "./var", "Where SQLite's file lies."),
    Setting(
        "WIRESPEED_DATABASE_URL",
        "address",
        "SQLite in the data folder",
        "The database: `postgresql://USER:PASSWORD@HOST/NAME` or `sqlite:////path/file.db`.",
        secret=True,
    ),
    Setting(
        "WIRESPEED_API_TOKEN",
        "text",
        "none",
        "What programs send as `Authorization: Bearer`; without it only this machine may use the API.",
        secret=True,
    ),
    Setting(
        "WIRESPEED_HOSTS", "names", "none", "Names of this server beside addresses and loopback, with commas."
    ),
    Setting(
        "WIRESPEED_PROXIES",
        "addresses",
        "none",
        "Addresses or networks of proxies that are believed when they say X-Forwarded-For, with commas.",
    ),
    Setting("WIRESPEED_MAX_UPLOAD_MB", "MB", "50", "The largest upload over HTTP, unpacked."),
    Setting(
        "WIRESPEED_MAX_BODIES_MB",
        "MB",
        "400",
        "Bodies of all requests together, unpacked, at each process; more is answered 503.",
    ),
    Setting(
        "WIRESPEED_ASK_PER_MINUTE",
        "number",
        "60",
        "Questions of an address to /api/v1/ask a minute, at each process.",
    ),
    Setting(
        "WIRESPEED_TOKEN_PER_MINUTE",
        "number",
        "600",
        "Requests a minute with one personal token, at each process.",
    ),
    Setting("WIRESPEED_AUDIT_DAYS", "days", "365", "How long an entry of the audit log is kept."),
    Setting(
        "WIRESPEED_COOKIE_SECRET",
        "text",
        "one a start",
        "Signs cookies; the same on every replica.",
        secret=True,
    ),
    Setting(
        "WIRESPEED_WORKERS",
        "number",
        "1",
        "Processes that serve behind the one port; a browser stays on one. For `python app.py`.",
    ),
    Setting(
        "WIRESPEED_OPEN",
        "read or write",
        "none",
        "Without sign-in: everyone who reaches the server reads, or uploads as well.",
    ),
    Setting(
        "WIRESPEED_PUBLIC_URL",
        "address",
        "none",
        "Where browsers reach the server; its name is served, with https not to pages of http.",
    ),
    Setting(
        "WIRESPEED_OIDC_ISSUER", "address", "none", "The identity provider: who is set here signs people in."
    ),
    Setting("WIRESPEED_OIDC_CLIENT_ID", "text", "none", "Of this server at the provider."),
    Setting("WIRESPEED_OIDC_CLIENT_SECRET", "text", "none", "Of this server at the provider.", secret=True),
    Setting("WIRESPEED_OIDC_SCOPES", "words", "openid email profile", "What the provider is asked for."),
    Setting(
        "WIRESPEED_OIDC_GROUPS_CLAIM", "name", "groups", "The claim that lists groups; dots lead inside."
    ),
    Setting(
        "WIRESPEED_OIDC_TRUST_EMAIL",
        "yes or no",
        "no",
        "Whether an address counts where the provider does not say if it is verified.",
    ),
    Setting(
        "WIRESPEED_ADMINS", "names", "none", "Who is an admin: `a@b.c`, `@b.c`, `group:NAME`, with commas."
    ),
    Setting("WIRESPEED_UPLOADERS", "names", "none", "Who is an uploader."),
    Setting("WIRESPEED_VIEWERS", "names", "none", "Who is a viewer."),
    Setting("WIRESPEED_SESSION_HOURS", "hours", "12", "How long a session lasts; then one signs in again."),
    Setting(
        "WIRESPEED_DRIFT_WEBHOOK",
        "https address",
        "none",
        "Is sent a message when an upload shows a machine to be slower than its history.",
        secret=True,
    ),
    Setting(
        "WIRESPEED_DRIFT_WEBHOOK_SECRET",
        "text",
        "none",
        "Signs those messages in `X-Wirespeed-Signature`.",
        secret=True,
    ),
    Setting(
        "WIRESPEED_LOG", "text or json", "none", "Write a line a request to standard error, in this form."
    ),
)
FOR_DEVELOPERS = frozenset(
    PREFIX + name
    for name in (
        "BROWSER",
        "EXAMPLES",
        "FUZZ",
        "LAWS",
        "SECONDS",
        "SOAK",
        "IMAGE_DIR",
        "IMAGE_PORT",
        "IMAGE_MOUNTS",
        "IMAGE_MB",
    )
)
"""Read by tests and tools alone; nobody need unset them to serve."""
_OF_A_CLUSTER = re.compile(r"WIRESPEED_(\w+_)?(SERVICE_(HOST|PORT\w*)|PORT(_\d+_(TCP|UDP)\w*)?)")
"""Kubernetes adds such names for every service called wirespeed-something."""


def known() -> frozenset[str]:
    """Every name that may be set, those of files included."""
    names = {setting.name for setting in SETTINGS}
    return frozenset(names | {setting.name + FROM_FILE for setting in SETTINGS if setting.secret})


def check(environment: Mapping[str, str] = os.environ) -> None:
    """
    Refuse what cannot be meant before anything starts.

    Raises:
        InputError: A name of ours that is no setting, a wrong value, or a secret's file that is not there.
    """
    names = known()
    for name in sorted(environment):
        if name.startswith(PREFIX) and not (name in names | FOR_DEVELOPERS or _OF_A_CLUSTER.fullmatch(name)):
            close = get_close_matches(name, names, 1)
            hint = f": {close[0]}?" if close else "; python -m db settings lists them"
            message = f"{name} is no setting of Wirespeed{hint}"
            raise InputError(message)
    for setting in SETTINGS:
        if setting.secret:
            secret(setting.name, environment)
    database = secret("WIRESPEED_DATABASE_URL", environment)
    if database is not None:
        parse(database)
    room_limit(environment, upload_limit(environment.get("WIRESPEED_MAX_UPLOAD_MB")))
    allowed_names(environment)
    proxies(environment)
    log_format(environment)
    workers(environment)
    audit_days(environment)
    token_rate(environment)
    question_rate(environment)
    opening.opening(environment)
    oidc.sign_in(environment)
    webhook = secret(ADDRESS, environment)
    if webhook is not None:
        Webhook(webhook)
    host(environment)
    port(environment)


def log_format(environment: Mapping[str, str] = os.environ) -> str | None:
    """
    WIRESPEED_LOG: ``text`` or ``json``; None where no request is logged.

    Raises:
        InputError: Another word.
    """
    value = environment.get("WIRESPEED_LOG", "").strip()
    if value and value not in LOG_FORMATS:
        message = f"WIRESPEED_LOG: {' or '.join(LOG_FORMATS)}, not {value[:40]!r}"
        raise InputError(message)
    return value or None


def workers(environment: Mapping[str, str] = os.environ) -> int:
    """WIRESPEED_WORKERS: how many processes serve; InputError where not 1 to 64."""
    return whole("WIRESPEED_WORKERS", 1, MOST_WORKERS, environment)


def audit_days(environment: Mapping[str, str] = os.environ) -> int:
    """WIRESPEED_AUDIT_DAYS: days that entries of the audit log are kept; InputError where not 1 to 3650."""
    return whole("WIRESPEED_AUDIT_DAYS", 365, 3650, environment)


def token_rate(environment: Mapping[str, str] = os.environ) -> int:
    """WIRESPEED_TOKEN_PER_MINUTE: requests a minute with one token; InputError where not 1 to 100000."""
    return whole("WIRESPEED_TOKEN_PER_MINUTE", 600, 100_000, environment)


def question_rate(environment: Mapping[str, str] = os.environ) -> int:
    """WIRESPEED_ASK_PER_MINUTE: questions of an address a minute; InputError where not 1 to 1000000."""
    return whole("WIRESPEED_ASK_PER_MINUTE", 60, 1_000_000, environment)


def listing(environment: Mapping[str, str] = os.environ) -> str:
    """Every setting with its value now, a line each; what is secret is only said to be set."""
    lines = []
    for setting in SETTINGS:
        from_file = environment.get(setting.name + FROM_FILE, "").strip() if setting.secret else ""
        value = environment.get(setting.name, "").strip()
        if value:
            now = "(set, not shown)" if setting.secret else value
        else:
            now = f"(from {from_file})" if from_file else f"(not set: {setting.default})"
        lines.append(f"{setting.name}  {now}\n    {setting.meaning}")
    return "\n".join(lines)


def table() -> str:
    """The settings as a table of Markdown, as docs/DEPLOY.md shows it."""
    rows = ["| setting | value | default | meaning |", "|---|---|---|---|"]
    for setting in SETTINGS:
        name = f"`{setting.name}`" + (f", `{setting.name}{FROM_FILE}`" if setting.secret else "")
        rows.append(f"| {name} | {setting.kind} | {setting.default} | {setting.meaning} |")
    return "\n".join(rows)
