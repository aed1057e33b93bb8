"""Sends runs and jobs to a server: a request each, repeated when the line fails, never sent twice in vain."""

import gzip
import hashlib
import json
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlencode, urljoin, urlsplit

from core.measurement import Run
from core.measurement.run_json import to_json

TIMEOUT_S = 60.0
TRIES = 4
_RETRY_STATUSES = (408, 425, 429, 500, 502, 503, 504)
_ANSWER_MOST_BYTES = 1_000_000
_REASONS = {
    401: "the server wants a token, or not this one: give --token",
    403: "the server allows no uploads",
    413: "this is larger than the server takes",
}
_REASONS_OF = {
    "runs": {
        404: "there is no Wirespeed API at this address",
        415: "the server does not take run files",
    },
    "jobs": {
        404: "the server does not take jobs: it is older than this program, or not Wirespeed",
        415: "the server does not take job files",
    },
}
"""What a refusal means, by what was sent."""


class PushError(Exception):
    """Why a run could not be sent; ``final`` if sending the others has no chance either."""

    def __init__(self, message: str, *, final: bool = False) -> None:
        """Keep the message on one line."""
        super().__init__(" ".join(message.split())[:500])
        self.final = final


@dataclass(frozen=True, slots=True)
class Sent:
    """
    A run that the server has.

    Attributes:
        url: Where it is shown.
        new: Whether the server did not have it yet.
        before: Whether an earlier push had sent it, so that nothing was sent now.
    """

    url: str
    new: bool
    before: bool = False


@dataclass(slots=True)
class Journal:
    """
    What of a file the server has already, so that a push can be resumed; it lies beside the file.

    Attributes:
        path: Where it lies.
        urls: The address of each run that was sent, by the sha256 of its JSON.
    """

    path: Path
    urls: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, file: Path, server: str, project: str = "") -> "Journal":
        """The journal of one file, server and project; a damaged one is begun anew."""
        place = f"{server} {project}" if project else server
        mark = hashlib.sha256(place.encode()).hexdigest()[:8]
        journal = cls(file.with_name(f".{file.name}.{mark}.pushed"))
        try:
            urls = json.loads(journal.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return journal
        if isinstance(urls, dict):
            journal.urls = {str(key): str(url) for key, url in urls.items()}
        return journal

    def note(self, key: str, url: str) -> None:
        """Remember that the server has a run; a journal that cannot be written is no reason to stop."""
        self.urls[key] = url
        try:
            self.path.write_text(json.dumps(self.urls), encoding="utf-8")
        except OSError:
            return


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirected POST would lose its body, and its token would go to another server."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        """Follow nothing."""


@dataclass(frozen=True, slots=True)
class Client:
    """
    A server and how to reach it.

    Attributes:
        server: ``http://HOST:PORT`` or ``https://HOST``.
        token: A bearer token, the server's or your own; empty for none.
        ca_file: PEM file of a certificate authority of your own; empty for the system's.
        pause_s: Seconds before the second try; the pause grows with each.
        project: That the runs belong to; empty where everyone may see them, or for that of the token.

    Raises:
        PushError: The address or the token cannot be one.
    """

    server: str
    token: str = ""
    ca_file: str = ""
    pause_s: float = 1.0
    project: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no address of a server."""
        if not _is_server(self.server):
            message = f"--server: http://HOST:PORT or https://HOST, not {self.server[:100]!r}"
            raise PushError(message, final=True)
        if any(ord(letter) <= 32 or ord(letter) > 126 for letter in self.token):  # noqa: PLR2004 (printable)
            message = "--token: letters, digits and signs without blanks"
            raise PushError(message, final=True)

    def push(self, journal: Journal, run: Run) -> Sent:
        """
        Send one run, unless the journal knows that the server has it.

        Raises:
            PushError: The server refuses, or cannot be reached after several tries.
        """
        return self._push(journal, to_json(run), "runs")

    def push_job(self, journal: Journal, job: Mapping[str, Any], file: str) -> Sent:
        """Send a job as its job file holds it, under the name of its traces; as ``push``."""
        return self._push(journal, job, "jobs", file=file)

    def _push(self, journal: Journal, value: Any, kind: str, **asked: str) -> Sent:
        body = json.dumps(value, sort_keys=True, allow_nan=False).encode()
        key = hashlib.sha256(body).hexdigest()
        if key in journal.urls:
            return Sent(journal.urls[key], new=False, before=True)
        sent = self._send(body, self._address(kind, asked), kind)
        journal.note(key, sent.url)
        return sent

    def _address(self, kind: str, asked: Mapping[str, str]) -> str:
        question = dict(asked) | ({"project": self.project} if self.project else {})
        after = f"?{urlencode(question)}" if question else ""
        return f"{self.server.rstrip('/')}/api/v1/{kind}{after}"

    def _send(self, body: bytes, url: str, kind: str) -> Sent:
        for tries_left in reversed(range(TRIES)):
            try:
                return self._post(body, url)
            except urllib.error.HTTPError as error:
                if error.code not in _RETRY_STATUSES or not tries_left:
                    raise self._refusal(error, kind) from None
            except (OSError, HTTPException) as error:
                if not tries_left:
                    raise self._unreachable(error) from None
            time.sleep(self.pause_s * (TRIES - tries_left) ** 2)
        raise AssertionError

    def _post(self, body: bytes, url: str) -> Sent:
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(url, gzip.compress(body), headers, method="POST")  # noqa: S310 (checked)
        context = ssl.create_default_context(cafile=self.ca_file or None) if url.startswith("https") else None
        secure = urllib.request.HTTPSHandler(context=context)
        opener = urllib.request.build_opener(_NoRedirect, secure)
        with opener.open(request, timeout=TIMEOUT_S) as answer:
            status = answer.status
            text = answer.read(_ANSWER_MOST_BYTES)
        return _parse_answer(self.server, status, text)

    def _refusal(self, error: urllib.error.HTTPError, kind: str) -> PushError:
        detail = _reason(error)
        reasons = _REASONS | _REASONS_OF[kind]
        if self.project:
            reasons[404] = f"there is no such project for this token; or {reasons[404]}"
        if 300 <= error.code < 400:  # noqa: PLR2004 (redirects)
            location = error.headers.get("Location", "elsewhere")
            return PushError(f"{self.server} redirects to {location}: name that server", final=True)
        text = reasons.get(error.code, f"the server answered {error.code}")
        final = error.code in (401, 403, 404)
        return PushError(f"{self.server}: {text}{detail}", final=final)

    def _unreachable(self, error: BaseException) -> PushError:
        cause = getattr(error, "reason", None) or error
        if isinstance(cause, ssl.SSLCertVerificationError):
            text = (
                f"its certificate is not trusted ({cause.verify_message}): name your authority with --ca-file"
            )
            return PushError(f"{self.server}: {text}", final=True)
        return PushError(
            f"{self.server} cannot be reached ({cause}); the file is kept, push it again later", final=True
        )


def _is_server(address: str) -> bool:
    """Whether an address is one that a server can have, without user and password."""
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False


def _parse_answer(server: str, status: int, text: bytes) -> Sent:
    try:
        body: Any = json.loads(text)
        url = urljoin(server, body["url"])
    except (ValueError, KeyError, TypeError):
        message = f"the server's answer ({status}) is not that of Wirespeed"
        raise PushError(message, final=True) from None
    return Sent(str(url), new=status == 201)  # noqa: PLR2004 (created)


def _reason(error: urllib.error.HTTPError) -> str:
    """What the server itself says, if it says it in JSON."""
    try:
        body = json.loads(error.read(_ANSWER_MOST_BYTES))
    except (ValueError, OSError, HTTPException):
        return ""
    text = body.get("error") if isinstance(body, dict) else None
    return f" ({str(text)[:200]})" if text else ""
