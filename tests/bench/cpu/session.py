"""A session of a Streamlit server over its websocket, as a browser holds it, and what an edit costs the server."""

import time
from dataclasses import dataclass, field
from typing import NamedTuple

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

HEADLINE = "st-key-headline"
SCHEDULED = 2
PAUSE_S, STILL_MS = 0.05, 1.0
LIMIT_S = 120.0
VALUES = ("number_input", "text_input", "selectbox", "checkbox", "button_group")


class Edit(NamedTuple):
    """Milliseconds of processor time of the server until the headline and until the end, and bytes sent."""

    headline_ms: float
    all_ms: float
    sent_bytes: int


def processor_ms(process):
    """Milliseconds of processor time of a process; Linux numbers the clock of each by its id."""
    return 1e3 * time.clock_gettime((~process << 3) | SCHEDULED)


def rest(process):
    """The same once it has stopped growing."""
    before = 0.0
    while (now := processor_ms(process)) - before > STILL_MS:
        before = now
        time.sleep(PAUSE_S)
    return now


@dataclass
class Session:
    """
    A window at a page.

    Attributes:
        address: Of the server, as ``http://127.0.0.1:8501``.
        page: Its name in the address.
        process: Id of the server's process.
        first_ms: Processor time of the server for its first answer.
    """

    address: str
    page: str
    process: int
    known: set[str] = field(default_factory=set)
    ids: dict[str, str] = field(default_factory=dict)
    query: str = ""
    script: str = ""
    first_ms: float = 0.0

    def __enter__(self):
        address = f"{self.address.replace('http', 'ws')}/_stcore/stream"
        self.socket = connect(address, subprotocols=["streamlit"], max_size=None)
        start = rest(self.process)
        self._send()
        self.first_ms = rest(self.process) - start
        return self

    def __exit__(self, *_):
        self.socket.close()

    def edit(self, key, value):
        """Type a text or a number into the field of a key."""
        start = rest(self.process)
        headline, sent = self._send({self.ids[key]: value})
        return Edit(headline - start, rest(self.process) - start, sent)

    def _send(self, edited=None):
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_name, run.page_script_hash = self.query, self.page, self.script
        run.cached_message_hashes.extend(self.known)
        for name, value in (edited or {}).items():
            kind = "string_value" if isinstance(value, str) else "double_value"
            run.widget_states.widgets.add(id=name, **{kind: value})
        self.socket.send(message.SerializeToString())
        return self._until_rest()

    def _until_rest(self):
        """Read until the script has ended: processor time at the headline, and bytes."""
        headline, sent, inside = 0.0, 0, None
        while True:
            data = self.socket.recv(LIMIT_S)
            sent += len(data)
            message = ForwardMsg.FromString(data)
            if message.metadata.cacheable:
                self.known.add(message.hash)
            kind = message.WhichOneof("type")
            path = tuple(message.metadata.delta_path)
            if kind == "delta":
                self._learn(message.delta)
                if message.delta.add_block.id.endswith("-headline"):
                    inside = path
                if inside and not headline and path[: len(inside)] == inside and len(path) > len(inside):
                    headline = processor_ms(self.process)
            if kind == "navigation":
                self.script = message.navigation.page_script_hash
            if kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            if kind == "script_finished":
                return headline, sent

    def _learn(self, delta):
        if delta.WhichOneof("type") != "new_element":
            return
        kind = delta.new_element.WhichOneof("type")
        name = getattr(getattr(delta.new_element, kind or ""), "id", "") if kind in VALUES else ""
        if name:
            self.ids[name.rsplit("-", 1)[-1]] = name
