"""The body of an upload: unpacked while it arrives, and refused as soon as it is too large."""

import zlib
from collections.abc import AsyncIterator, Collection
from http import HTTPStatus

from anyio.lowlevel import checkpoint
from starlette.requests import ClientDisconnect, Request

from core.errors import InputError
from db.room import MEGABYTE, SHARE, RefusedError, Room, Share
from db.setting_values import SHOWN, decimal

TAKEN = "application/json (a run file) or text/plain (what a tool printed)"
SETTING = " (WIRESPEED_MAX_UPLOAD_MB)"
PLAIN = "identity"
GZIP = {"gzip", "x-gzip"}
MOST_MEMBERS = 10_000
"""Of a packed body: bgzip makes one of 64 kB, an empty one takes 20 bytes and a turn of the event loop."""
# what curl says of --data-binary stands for text
CONTENT_TYPES = {"application/json", "text/plain", "application/x-www-form-urlencoded", ""}


def upload_limit(setting: str | None) -> int:
    """
    WIRESPEED_MAX_UPLOAD_MB in bytes; 50 MB when unset.

    Raises:
        InputError: Not a number above zero.
    """
    value = (setting or "").strip() or "50"
    most_bytes = int((decimal(value) or 0) * MEGABYTE)
    if not most_bytes:
        message = f"WIRESPEED_MAX_UPLOAD_MB: a number of megabytes above 0, not {value[:SHOWN]!r}"
        raise InputError(message)
    return most_bytes


async def read_body(
    request: Request,
    most_bytes: int,
    taken: str = TAKEN,
    setting: str = SETTING,
    packed: Collection[str] = (),
) -> bytes:
    """
    The whole body, unpacked, at most ``most_bytes`` of it; it counts to the request's share of the room.

    Args:
        request: Whose body it is.
        most_bytes: Of the body, unpacked.
        taken: Content types in words, for who sends another.
        setting: Which setting moves the limit, in brackets.
        packed: Content types that are taken besides.

    Raises:
        RefusedError: 415 for another kind of content, 413 for too much, 400 for broken gzip, 503 where the
            bodies of all requests together are too much.
    """
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type not in CONTENT_TYPES and content_type not in packed:
        raise RefusedError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"Content-Type: {taken}",
        )
    encoding = request.headers.get("content-encoding", PLAIN).strip().lower() or PLAIN
    if encoding != PLAIN and encoding not in GZIP:
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Content-Encoding: gzip or none")
    length = request.headers.get("content-length", "")
    try:
        if length.isdecimal() and int(length) > most_bytes:
            raise _too_large(most_bytes, setting)
        pieces = _chunks(request)
        if encoding in GZIP:
            # a name or empty members may go on for ever and hold nothing
            pieces = _unpacked(_at_most(pieces, most_bytes + MEGABYTE, _too_large(most_bytes, setting)))
        share: Share = request.scope.get(SHARE) or Share(Room(most_bytes))
        return await _joined(pieces, most_bytes, setting, share)
    except ClientDisconnect:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "the upload broke off") from None


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    async for chunk in request.stream():
        if chunk:
            yield chunk


async def _joined(chunks: AsyncIterator[bytes], most_bytes: int, setting: str, share: Share) -> bytes:
    body = bytearray()
    async for chunk in chunks:
        if len(body) + len(chunk) > most_bytes:
            raise _too_large(most_bytes, setting)
        share.grow(len(chunk))
        body += chunk
    return bytes(body)


async def _at_most(
    chunks: AsyncIterator[bytes], most_bytes: int, refused: RefusedError
) -> AsyncIterator[bytes]:
    """The chunks, until they are too much together."""
    seen_bytes = 0
    async for chunk in chunks:
        seen_bytes += len(chunk)
        if seen_bytes > most_bytes:
            raise refused
        yield chunk


async def _unpacked(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Gzip members one after another, a megabyte at a time: a bomb is met before it unfolds."""
    unpacker, members = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16), 1
    try:
        async for chunk in chunks:
            packed, has_more = chunk, True
            while has_more:
                if unpacker.eof:
                    members += 1
                    if members > MOST_MEMBERS:
                        raise RefusedError(
                            HTTPStatus.BAD_REQUEST, f"at most {MOST_MEMBERS:,} members of gzip are taken"
                        )
                    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
                piece = unpacker.decompress(packed, MEGABYTE)
                yield piece
                await checkpoint()
                packed = unpacker.unconsumed_tail or unpacker.unused_data
                has_more = bool(packed) or (len(piece) == MEGABYTE and not unpacker.eof)
    except zlib.error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "the body is not gzip, as Content-Encoding says") from None
    if not unpacker.eof:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "the gzip body ends too early")


def _too_large(most_bytes: int, setting: str) -> RefusedError:
    return RefusedError(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"at most {most_bytes / MEGABYTE:g} MB, unpacked, are taken{setting}",
    )
