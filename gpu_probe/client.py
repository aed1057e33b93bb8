"""Sends runs to a server: one request per run, repeated when the line fails, never sent twice in vain."""

import gzip
import hashlib
import json
import ssl
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from core.measurement import Run
from core.measurement.run_json import to_json

TIMEOUT_S = 60.0
TRIES = 4
_AGAIN = (408, 425, 429, 500, 502, 503, 504)
_ANSWER_MOST = 1_000_000


class PushError(Exception):
    """Why a run could not be sent; ``final`` if sending the others has no chance either."""

    def __init__(self, message: str, *, final: bool = False) -> None:
        """Keep the message on one line."""
        super().__init__(" ".join(message.split())[:500])
        self.final = final


@dataclass(frozen=True, slots=True)
class Sent:
    """A run that the server has: where, and whether it was new to it."""

    url: str
    new: bool
    before: bool = False


@dataclass(slots=True)
class Diary:
    """What of a file the server has already; lies beside the file so that a push can be resumed."""

    path: Path
    known: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, file: Path, server: str) -> "Diary":
        """The diary of one file and one server; a damaged one is begun anew."""
        mark = hashlib.sha256(server.encode()).hexdigest()[:8]
        diary = cls(file.with_name(f".{file.name}.{mark}.pushed"))
        try:
            found = json.loads(diary.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return diary
        if isinstance(found, dict):
            diary.known = {str(key): str(value) for key, value in found.items()}
        return diary

    def note(self, key: str, url: str) -> None:
        """Remember that the server has a run; a diary that cannot be written is no reason to stop."""
        self.known[key] = url
        try:
            self.path.write_text(json.dumps(self.known), encoding="utf-8")
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
    """A server and how to speak to it."""

    server: str
    token: str = ""
    ca_file: str = ""
    pause_s: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what is no address of a server."""
        parts = urlsplit(self.server)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            message = f"--server: http://HOST:PORT or https://HOST, not {self.server[:100]!r}"
            raise PushError(message, final=True)
        if any(ord(letter) <= 32 or ord(letter) > 126 for letter in self.token):  # noqa: PLR2004 (printable)
            message = "--token: letters, digits and signs without blanks"
            raise PushError(message, final=True)

    def push(self, diary: Diary, run: Run) -> Sent:
        """
        Send one run, unless the diary knows that the server has it.

        Raises:
            PushError: The server refuses, or cannot be reached after several tries.
        """
        body = json.dumps(to_json(run), sort_keys=True, allow_nan=False).encode()
        key = hashlib.sha256(body).hexdigest()
        if key in diary.known:
            return Sent(diary.known[key], new=False, before=True)
        sent = self._send(body)
        diary.note(key, sent.url)
        return sent

    def _send(self, body: bytes) -> Sent:
        for left in reversed(range(TRIES)):
            try:
                return self._once(body)
            except urllib.error.HTTPError as error:
                if error.code not in _AGAIN or not left:
                    raise self._refusal(error) from None
            except (OSError, HTTPException) as error:
                if not left:
                    raise self._silence(error) from None
            time.sleep(self.pause_s * (TRIES - left) ** 2)
        raise AssertionError

    def _once(self, body: bytes) -> Sent:
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        url = f"{self.server.rstrip('/')}/api/v1/runs"
        request = urllib.request.Request(url, gzip.compress(body), headers, method="POST")  # noqa: S310 (checked)
        context = ssl.create_default_context(cafile=self.ca_file or None) if url.startswith("https") else None
        secure = urllib.request.HTTPSHandler(context=context)
        opener = urllib.request.build_opener(_NoRedirect, secure)
        with opener.open(request, timeout=TIMEOUT_S) as answer:
            status = answer.status
            text = answer.read(_ANSWER_MOST)
        return _sent(status, text)

    def _refusal(self, error: urllib.error.HTTPError) -> PushError:
        said = _reason(error)
        known = {
            401: "the server wants a token, or not this one: give --token",
            403: "the server allows no uploads",
            413: "the run is larger than the server takes",
            415: "the server does not take run files",
            404: "there is no Wirespeed API at this address",
        }
        if 300 <= error.code < 400:  # noqa: PLR2004 (redirects)
            where = error.headers.get("Location", "elsewhere")
            return PushError(f"{self.server} redirects to {where}: name that server", final=True)
        text = known.get(error.code, f"the server answered {error.code}")
        final = error.code in (401, 403, 404)
        return PushError(f"{self.server}: {text}{said}", final=final)

    def _silence(self, error: BaseException) -> PushError:
        why = getattr(error, "reason", None) or error
        if isinstance(why, ssl.SSLCertVerificationError):
            text = (
                f"its certificate is not trusted ({why.verify_message}): name your authority with --ca-file"
            )
            return PushError(f"{self.server}: {text}", final=True)
        return PushError(
            f"{self.server} cannot be reached ({why}); the file is kept, push it again later", final=True
        )


def _sent(status: int, text: bytes) -> Sent:
    try:
        found: Any = json.loads(text)
        url = found["url"]
    except (ValueError, KeyError, TypeError):
        message = f"the server's answer ({status}) is not that of Wirespeed"
        raise PushError(message, final=True) from None
    return Sent(str(url), new=status == 201)  # noqa: PLR2004 (created)


def _reason(error: urllib.error.HTTPError) -> str:
    """What the server itself says, if it says it in JSON."""
    try:
        found = json.loads(error.read(_ANSWER_MOST))
    except (ValueError, OSError, HTTPException):
        return ""
    text = found.get("error") if isinstance(found, dict) else None
    return f" ({str(text)[:200]})" if text else ""
