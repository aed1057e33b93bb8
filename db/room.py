"""How much memory the bodies of all requests may hold together: beyond it a request is to come again."""

import os
from collections.abc import Mapping
from http import HTTPStatus

from starlette.types import ASGIApp, Receive, Scope, Send

from core.errors import InputError
from db.setting_values import SHOWN, decimal, text

MEGABYTE = 1_000_000
DEFAULT_MB = 400
SETTING = "WIRESPEED_MAX_BODIES_MB"
WAIT_S = 5
SHARE = "wirespeed.body"
"""Where a request's scope holds its share of the room."""


class RefusedError(Exception):
    """A body that is not taken: the HTTP status, one line, and seconds to wait before another try."""

    def __init__(self, status: int, reason: str, wait_s: int = 0) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.wait_s = wait_s


def room_limit(environment: Mapping[str, str], upload_bytes: int) -> int:
    """
    WIRESPEED_MAX_BODIES_MB in bytes; 400 MB, or the largest upload, when unset.

    Raises:
        InputError: Not a number, or less than the largest upload.
    """
    value = text(SETTING, environment)
    if not value:
        return max(DEFAULT_MB * MEGABYTE, upload_bytes)
    most_bytes = int((decimal(value) or 0) * MEGABYTE)
    if most_bytes < upload_bytes:
        message = f"{SETTING}: a number of megabytes, at least WIRESPEED_MAX_UPLOAD_MB, not {value[:SHOWN]!r}"
        raise InputError(message)
    return most_bytes


class Room:
    """
    The memory for bodies of one process, used on its event loop alone.

    Args:
        most_bytes: Of all bodies together, unpacked.
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.held_bytes = 0

    @classmethod
    def from_environment(cls, upload_bytes: int) -> "Room":
        """The room of the settings; InputError as ``room_limit``."""
        return cls(room_limit(os.environ, upload_bytes))


class Share:
    """
    What one request holds of a room, until it is answered.

    Args:
        room: That it is part of.
    """

    def __init__(self, room: Room) -> None:
        self._room = room
        self._held_bytes = 0

    def grow(self, more_bytes: int) -> None:
        """Hold so much more; RefusedError, 503, where the room is full."""
        if self._room.held_bytes + more_bytes > self._room.most_bytes:
            reason = f"too many uploads at once, try again in {WAIT_S} seconds ({SETTING})"
            raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, reason, WAIT_S)
        self._room.held_bytes += more_bytes
        self._held_bytes += more_bytes

    def release(self) -> None:
        """Give all of it back."""
        self._room.held_bytes -= self._held_bytes
        self._held_bytes = 0


class Shares:
    """
    Gives each request a share of a room, which ends with its answer.

    Args:
        app: What stands behind.
        room: For the bodies of all requests.
    """

    def __init__(self, app: ASGIApp, room: Room) -> None:
        self._app = app
        self._room = room

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its share."""
        share = Share(self._room)
        try:
            await self._app({**scope, SHARE: share}, receive, send)
        finally:
            share.release()
