"""What is on its way to a browser at one moment goes as one frame, which the browser takes in, and draws, at once."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.runtime_util import serialize_forward_msg
from streamlit.runtime.session_manager import SessionClientDisconnectedError
from streamlit.web.server.starlette.starlette_websocket import StarletteSessionClient

ASKED = ("frames", "joined")
"""What a browser that can take a frame apart says in the address of its stream; any other gets message by message."""
JOINED = b"\x00"
"""First byte of messages in one frame: no message of its own begins with it. A ``ForwardMsgList`` follows."""
MOST_BYTES = 32_000_000
"""What waits for a browser at most: Streamlit counts 500 frames, of which each may hold a page here."""
_MESSAGE = b"\x0a"
_WAITING = "_wirespeed_waiting"


def joined(payloads: Sequence[bytes]) -> bytes:
    """Serialized messages as one frame; one alone stays as it is."""
    if len(payloads) == 1:
        return payloads[0]
    parts = [part for payload in payloads for part in (_MESSAGE, _varint(len(payload)), payload)]
    return b"".join((JOINED, *parts))


def _varint(number: int) -> bytes:
    """A length as protobuf writes it."""
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    digits.append(number)
    return bytes(digits)


def write(client: StarletteSessionClient, message: ForwardMsg) -> None:
    """In place of ``StarletteSessionClient.write_forward_msg``: a message waits for those of the next turns of the loop."""
    if client._closed.is_set():  # noqa: SLF001
        raise SessionClientDisconnectedError
    payload = serialize_forward_msg(message)
    name, value = ASKED
    if client._websocket.query_params.get(name) != value:  # noqa: SLF001
        _send(client, payload)
        return
    waiting: list[bytes] = vars(client).setdefault(_WAITING, [])
    waiting.append(payload)
    if len(waiting) == 1:
        asyncio.get_running_loop().call_soon(_look, client, waiting, 0)


def _look(client: StarletteSessionClient, waiting: list[bytes], known: int) -> None:
    """Send what waits once a turn of the loop has brought no more: the server hands over one message a turn."""
    if len(waiting) > known:
        asyncio.get_running_loop().call_soon(_look, client, waiting, len(waiting))
        return
    frame = joined(waiting)
    waiting.clear()
    with suppress(SessionClientDisconnectedError):  # nobody listens any more: the next message says so
        _send(client, frame)


def _send(client: StarletteSessionClient, frame: bytes) -> None:
    """Hand a frame to the task that sends; SessionClientDisconnectedError where the browser does not keep up."""
    if client._closed.is_set():  # noqa: SLF001 - as the original asks
        raise SessionClientDisconnectedError
    queue: Any = client._send_queue  # noqa: SLF001
    held_bytes = sum(map(len, queue._queue))  # noqa: SLF001
    if queue.full() or (held_bytes and held_bytes + len(frame) > MOST_BYTES):
        client._closed.set()  # noqa: SLF001
        raise SessionClientDisconnectedError
    queue.put_nowait(frame)
