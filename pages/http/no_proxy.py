"""uvicorn's own trust in what proxies say, which is in everything on this machine: never given."""

from typing import Any

import uvicorn.config


def forbid() -> None:
    """From now on ``db.clients`` alone says whom a request comes from."""
    vars(uvicorn.config)["ProxyHeadersMiddleware"] = _untouched


def _untouched(app: Any, trusted_hosts: Any) -> Any:
    del trusted_hosts
    return app
