"""A real server of the HTTP interface on a free port, with an empty store in a folder."""

import socket
import threading
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette

from db.api import routes
from db.store import Store
from gpu_probe.parsers import read
from gpu_probe.parsers.trace_worker import read_trace_upload
from pages.http.ask.routes import Ask, Rate
from pages.http.ask.workers import Workers


@contextmanager
def serving(folder):
    """The address of the server, while it runs."""
    store = Store(f"sqlite:///{folder}/wirespeed.db")
    store.prepare()
    listener = socket.create_server(("127.0.0.1", 0))
    workers = Workers(most=1)
    app = Starlette(routes=routes(store, read, read_trace_upload, beside=Ask(workers, Rate(1000)).routes()))
    config = uvicorn.Config(app, log_level="critical", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
        workers.close()
        store.close()
