"""A frame of text on a page's stream: closed as the protocol says, and no traceback in the server's log."""

import pytest
from websockets.exceptions import ConnectionClosedError

from pages.http.binary_frames import UNSUPPORTED_DATA
from tests.server import ANSWER_S


def test_a_text_frame_closes_its_stream_alone(plain_server):
    """Its sender is told why; another stream of the same server goes on, and the log holds no traceback."""
    origin = plain_server.base
    with plain_server.websocket(origin=origin) as other:
        with plain_server.websocket(origin=origin) as stream:
            stream.send("hello")
            with pytest.raises(ConnectionClosedError) as closed:
                list(stream)
        assert other.ping().wait(ANSWER_S)

    assert closed.value.rcvd.code == UNSUPPORTED_DATA
    assert "Traceback" not in plain_server.output.read_text(errors="replace")
