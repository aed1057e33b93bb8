"""What a page may ask of Streamlit; what a programmer's browser may ask besides, for all visitors, is not heard."""

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.app_session import AppSession

HEARD = frozenset(
    {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"}
)
"""Not: empty every visitor's caches, look at git, watch the source, or a kind of wish that this version lacks."""


def limit() -> None:
    """From now on the sessions of this process hear these wishes alone; once is enough."""
    heard = AppSession.handle_backmsg

    def handle(session: AppSession, message: BackMsg) -> None:
        if message.WhichOneof("type") in HEARD:
            heard(session, message)

    AppSession.handle_backmsg = handle  # type: ignore[method-assign, assignment]
