"""A page's stream takes binary frames alone: one of text closes it, as the protocol says, without an error."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

UNSUPPORTED_DATA = 1003
"""RFC 6455: an endpoint has received a type of data that it cannot take."""
_RECEIVE = "websocket.receive"


class BinaryFrames:
    """
    Ends a websocket at the first frame of text, which Streamlit would answer with a traceback in the log.

    Args:
        app: What stands behind.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on but the frames of a stream that was ended."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        ended = False

        async def binary() -> Message:
            nonlocal ended
            message = await receive()
            if message["type"] != _RECEIVE or message.get("bytes") is not None:
                return message
            ended = True
            await send({"type": "websocket.close", "code": UNSUPPORTED_DATA, "reason": "binary frames only"})
            return {"type": "websocket.disconnect", "code": UNSUPPORTED_DATA}

        async def unless_ended(message: Message) -> None:
            if not ended:
                await send(message)

        await self.app(scope, binary, unless_ended)
