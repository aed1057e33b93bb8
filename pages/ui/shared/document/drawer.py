"""Pictures drawn outside the server's process, at most two at a time."""

import base64
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

SCRIPT = Path(__file__).with_name("drawing.py")
TIMEOUT_S = 60
_AT_ONCE = BoundedSemaphore(2)
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class DrawingError(Exception):
    """The pictures could not be drawn."""


def svgs(specs: Sequence[dict[str, Any]]) -> list[str]:
    """Vega-Lite specs with their data inside, as SVG."""
    return _drawn([{"spec": _legal(spec)} for spec in specs])


def pngs(pictures: Sequence[str], scale: float) -> list[bytes]:
    """SVGs as PNG, so many pixels a point."""
    drawn = _drawn([{"svg": legal(picture), "scale": scale} for picture in pictures])
    return [base64.b64decode(text) for text in drawn]


def legal(text: str) -> str:
    """The text with a mark in place of what no XML document may contain, such as control characters."""
    return _NOT_XML.sub("\ufffd", text)


def _legal(part: Any) -> Any:
    if isinstance(part, str):
        return legal(part)
    if isinstance(part, dict):
        return {legal(str(key)): _legal(value) for key, value in part.items()}
    return [_legal(value) for value in part] if isinstance(part, list) else part


def _drawn(jobs: list[dict[str, Any]]) -> list[str]:
    if not jobs:
        return []
    with _AT_ONCE:
        try:
            done = subprocess.run(  # noqa: S603 - this interpreter and our own script
                [sys.executable, "-I", str(SCRIPT)],
                input=json.dumps(jobs).encode(),
                capture_output=True,
                timeout=TIMEOUT_S,
                check=True,
            )
        except (subprocess.SubprocessError, OSError) as problem:
            raise DrawingError(str(problem)) from problem
    texts: list[str] = json.loads(done.stdout)
    return texts
