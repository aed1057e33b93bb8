"""Messages that are on their way together reach a browser as one frame, and anybody else one by one."""

import asyncio
from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg, ForwardMsgList
from streamlit.runtime.session_manager import SessionClientDisconnectedError

from pages.http import frames as sent
from pages.http.frames import JOINED, joined
from tests.bench.window import ENDED, Window
from tests.server import ANSWER_S


@pytest.mark.parametrize("lengths", [(0, 1), (127, 128), (16_384, 3, 2**21)])
def test_a_frame_is_the_list_of_its_messages(lengths):
    """Whatever their lengths, protobuf reads them from behind the first byte; no message begins with that byte."""
    messages = [ForwardMsg(ref_hash=length * "x") for length in lengths]
    payloads = [message.SerializeToString() for message in messages]
    frame = joined(payloads)

    assert frame[:1] == JOINED
    assert list(ForwardMsgList.FromString(frame[1:]).messages) == messages
    assert joined(payloads[:1]) == payloads[0]
    assert not any(payload.startswith(JOINED) for payload in payloads)


def frames(server, query):
    """The frames of the first run of a page."""
    window = Window("collectives")
    with server.websocket(query=query) as socket:
        socket.send(window.request())
        while True:
            frame = socket.recv(ANSWER_S)
            yield frame
            if ENDED in {message.WhichOneof("type") for message in apart(frame)}:
                return


def apart(frame):
    """The messages of a frame."""
    if frame[:1] == JOINED:
        return list(ForwardMsgList.FromString(frame[1:]).messages)
    return [ForwardMsg.FromString(frame)]


def shown(messages):
    """Where each message draws, in the order of arrival."""
    return [
        tuple(message.metadata.delta_path) for message in messages if message.WhichOneof("type") == "delta"
    ]


def test_a_browser_that_asks_gets_few_frames_with_all_messages_in_their_order(plain_server):
    """The same page asked with and without: the same elements in the same order, in a fraction of the frames."""
    plain = list(frames(plain_server, ""))
    few = list(frames(plain_server, "?frames=joined"))

    assert not any(frame.startswith(JOINED) for frame in plain)
    assert shown([message for frame in few for message in apart(frame)]) == shown(
        map(ForwardMsg.FromString, plain)
    )
    assert 5 * len(few) < len(plain)


def test_what_waits_for_a_browser_is_bounded_by_its_bytes(monkeypatch):
    """A frame holds a page and not an element: few of them fill a queue of 500; one alone may be of any size."""
    monkeypatch.setattr(sent, "MOST_BYTES", 100)
    client = SimpleNamespace(_closed=asyncio.Event(), _send_queue=asyncio.Queue(500))
    sent._send(client, bytes(101))
    client._send_queue.get_nowait()
    sent._send(client, bytes(60))
    sent._send(client, bytes(40))
    with pytest.raises(SessionClientDisconnectedError):
        sent._send(client, bytes(1))
    assert client._closed.is_set()
