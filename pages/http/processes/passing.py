"""A connection handed from one process to another over a pair of sockets, with all that it has received."""

import os
import signal
import socket
from typing import Any

TOKEN = b"c"


def hand_over(channel: socket.socket, connection: socket.socket) -> None:
    """Give a connection to the process at the other end; OSError where it has ended or cannot keep up."""
    socket.send_fds(channel, [TOKEN], [connection.fileno()])


class Incoming(socket.socket):
    """
    A listening socket whose connections another process accepts and hands over.

    Args:
        channel: Descriptor of our end of the pair.
    """

    def __init__(self, channel: int) -> None:
        super().__init__(fileno=channel)
        self.setblocking(False)

    def listen(self, backlog: int = 0, /) -> None:
        """The other process listens."""

    def accept(self) -> tuple[socket.socket, Any]:
        """
        The next connection and the address it came from.

        Raises:
            BlockingIOError: There is none now.
            ConnectionAbortedError: The visitor has gone already.
        """
        token, descriptors, _, _ = socket.recv_fds(self, len(TOKEN), 1)
        if not token:
            # the process that listens has ended: nobody would come any more
            os.kill(os.getpid(), signal.SIGTERM)
            raise BlockingIOError
        if not descriptors:
            raise ConnectionAbortedError
        connection = socket.socket(fileno=descriptors[0])
        try:
            return connection, connection.getpeername()
        except OSError as problem:
            connection.close()
            raise ConnectionAbortedError from problem
