"""A frame of text on a page's stream: closed as the protocol says, and no traceback in the server's log."""

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from pages.http.binary_frames import UNSUPPORTED_DATA

TIMEOUT_S = 60


def test_a_text_frame_closes_its_stream_alone(plain_server):
    """Its sender is told why; another stream of the same server goes on, and the log holds no traceback."""
    address, origin = f"ws://127.0.0.1:{plain_server.port}/_stcore/stream", plain_server.base
    with connect(address, origin=origin, subprotocols=["streamlit"], open_timeout=TIMEOUT_S) as other:
        with connect(address, origin=origin, subprotocols=["streamlit"], open_timeout=TIMEOUT_S) as stream:
            stream.send("hello")
            with pytest.raises(ConnectionClosedError) as closed:
                list(stream)
        assert other.ping().wait(TIMEOUT_S)

    assert closed.value.rcvd.code == UNSUPPORTED_DATA
    assert "Traceback" not in plain_server.output.read_text(errors="replace")
