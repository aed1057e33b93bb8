"""Posts JSON to one address that an administrator chose: signed, tried a few times, never elsewhere."""

import hashlib
import hmac
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from typing import IO, Any
from urllib.parse import urlsplit

from core.errors import InputError
from core.version import VERSION
from db.hosts import is_loopback

ADDRESS, KEY = "WIRESPEED_DRIFT_WEBHOOK", "WIRESPEED_DRIFT_WEBHOOK_SECRET"
SIGNATURE = "X-Wirespeed-Signature"
TIMEOUT_S = 10.0
PAUSES_S = (1.0, 10.0, 60.0)
"""Between tries: one more try than pauses."""
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """What is posted is for the address that was set, and for no other."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        """Follow nothing."""


@dataclass(frozen=True, slots=True, repr=False)
class Webhook:
    """
    Where to post.

    Attributes:
        url: With ``https``, or ``http`` on this machine; secret, as chat services put a token into it.
        key: Signs each body; empty for no signature.
        pauses_s: Seconds between tries.

    Raises:
        InputError: No such address; the message does not quote it.
    """

    url: str
    key: str = ""
    pauses_s: tuple[float, ...] = PAUSES_S

    def __post_init__(self) -> None:
        """Refuse what is no address to post secrets to."""
        try:
            parts = urlsplit(self.url)
            name, _ = parts.hostname or "", parts.port
        except ValueError:
            name, parts = "", urlsplit("")
        is_secure = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(name))
        if not (name and is_secure) or any(ord(letter) <= 32 or ord(letter) > 126 for letter in self.url):  # noqa: PLR2004 (printable)
            message = f"{ADDRESS}: https://HOST/PATH (http on this machine alone)"
            raise InputError(message)

    @property
    def host(self) -> str:
        """What a log may say of the address."""
        return urlsplit(self.url).hostname or ""

    def post(self, body: Mapping[str, Any], stopping: threading.Event) -> str | None:
        """
        Post a body, again after each pause where it may help.

        Returns:
            None where it was taken, else why not, without the address.
        """
        data = json.dumps(body, ensure_ascii=True).encode()
        reason: str | None = None
        for pause_s in (*self.pauses_s, None):
            reason, may_help = self._try(data)
            if reason is None or not may_help or pause_s is None or stopping.wait(pause_s):
                break
        return reason

    def _try(self, data: bytes) -> tuple[str | None, bool]:
        """Why it was not taken (None: it was), and whether another try may help."""
        headers = {"Content-Type": "application/json", "User-Agent": f"wirespeed/{VERSION}"}
        if self.key:
            headers[SIGNATURE] = sign(self.key, data)
        request = urllib.request.Request(self.url, data, headers, method="POST")  # noqa: S310 (checked)
        try:
            with urllib.request.build_opener(_NoRedirect).open(request, timeout=TIMEOUT_S):
                return None, False
        except urllib.error.HTTPError as answer:
            answer.close()
            return f"{self.host} answered {answer.code}", answer.code in AGAIN
        except (OSError, HTTPException) as error:
            return f"{self.host} cannot be reached: {type(error).__name__}", True


def sign(key: str, data: bytes) -> str:
    """``sha256=`` and the HMAC of a body in hexadecimal digits."""
    return f"sha256={hmac.new(key.encode(), data, hashlib.sha256).hexdigest()}"
