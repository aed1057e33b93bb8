"""What a browser window knows of its page and says to the server, without a browser and without a socket."""

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

PROTOCOL = "streamlit"
STREAM = "/_stcore/stream"
HEADLINE = "-headline"
VALUES = ("number_input", "text_input", "selectbox", "checkbox", "button_group")
ENDED = "script_finished"
BEGINS_ANEW = "another run follows"


class Window:
    """
    A page as a browser holds it.

    Attributes:
        page: Its name in the address.
        ids: The server's names of its fields, by key.
        parts: By key, the part of the page that runs alone when a field is edited; empty where all of it runs.
        headline: Whether the answer to the last edit has begun to arrive.
        failed: Words of the last exception that the page drew; empty where there was none.
    """

    def __init__(self, page=""):
        self.page = page
        self.ids = {}
        self.parts = {}
        self.headline = False
        self.failed = ""
        self._known = set()
        self._query = self._script = ""
        self._place = None

    def leave(self, page):
        """Go to another page of the same window: no field of the last one is known any more."""
        self.page, self.ids, self.parts, self._query, self._script = page, {}, {}, "", ""

    def request(self, edited=None):
        """The bytes that ask for a run, with the values just typed by key; of a switch, a list of what is pressed."""
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_name, run.page_script_hash = self._query, self.page, self._script
        run.cached_message_hashes.extend(self._known)
        for key, value in (edited or {}).items():
            widget = run.widget_states.widgets.add(id=self.ids[key])
            if isinstance(value, list):
                widget.string_array_value.data.extend(value)
            else:
                setattr(widget, "string_value" if isinstance(value, str) else "double_value", value)
            run.fragment_id = self.parts[key]
        self.headline, self._place, self.failed = False, None, ""
        return message.SerializeToString()

    def read(self, data):
        """Learn from a message; its kind, such as ``delta`` or ``script_finished``."""
        message = ForwardMsg.FromString(data)
        if message.metadata.cacheable:
            self._known.add(message.hash)
        kind = message.WhichOneof("type")
        if kind == "delta":
            self._draw(message)
        elif kind == "navigation":
            self._script = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        if kind == ENDED and message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return BEGINS_ANEW
        return kind

    def _draw(self, message):
        delta, path = message.delta, tuple(message.metadata.delta_path)
        if delta.add_block.id.endswith(HEADLINE):
            self._place = path
        inside = self._place and path[: len(self._place)] == self._place
        self.headline = self.headline or bool(inside and len(path) > len(self._place))
        if delta.WhichOneof("type") != "new_element":
            return
        kind = delta.new_element.WhichOneof("type")
        if kind == "exception":
            self.failed = f"{delta.new_element.exception.type}: {delta.new_element.exception.message}"
        name = getattr(getattr(delta.new_element, kind or ""), "id", "") if kind in VALUES else ""
        if name:
            key = name.rsplit("-", 1)[-1]
            self.ids[key], self.parts[key] = name, delta.fragment_id
