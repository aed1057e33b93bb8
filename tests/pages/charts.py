"""The charts of a page in process: each with what it says in words."""

import json
import re
from html import unescape
from typing import Any, NamedTuple

WORDS = re.compile(r'<p class="chart-words">(.*)</p>')


class Drawn(NamedTuple):
    """A chart's specification, and the words beside it."""

    spec: dict[str, Any]
    words: str


def drawn(app):
    """Every chart of a page, in its order."""
    texts = [match[1] for element in app.get("html") if (match := WORDS.fullmatch(element.proto.body))]
    charts = app.get("vega_lite_chart")
    return [
        Drawn(json.loads(chart.proto.spec), unescape(text)) for chart, text in zip(charts, texts, strict=True)
    ]
