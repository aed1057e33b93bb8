"""What a document calls things: values of inputs, the subject of a question, names of files."""

import re
from datetime import date
from typing import Any

from core.catalog import MODELS, SYSTEMS, link_name
from pages.ui.shared import names
from pages.ui.shared.navigation import HOME
from pages.ui.shared.record import Input, Record

SUBJECT = ("system", "model", "rates")
"""Names of the inputs that say what a chart is about, in the order they are said in."""
STEM = 120
_MISSING = "–"
_EMPTY: tuple[Any, ...] = ("", [], ())


def value(item: Any) -> str:
    """An input's value: the name beside the id where the catalog knows it."""
    if item is None or item in _EMPTY:
        return _MISSING
    if isinstance(item, bool):
        return "on" if item else "off"
    if isinstance(item, (list, tuple, set)):
        return ", ".join(value(part) for part in item)
    if isinstance(item, int):
        return f"{item:,}"
    return f"{item:,.10g}" if isinstance(item, float) else _named(str(item))


def _named(text: str) -> str:
    name = _name(text)
    return names.with_id(name, text)


def _name(key: str) -> str:
    """Name of a catalog entry; what the catalog does not know keeps its id."""
    if key in SYSTEMS:
        return SYSTEMS[key].name
    if key in MODELS:
        return MODELS[key].name
    return names.gpu(key) if names.gpu(key) != key else link_name(key)


def differs(item: Input) -> bool:
    """Whether an input is not at its default; no default and no value are the same."""
    if item.default is None:
        return not empty(item)
    return bool(item.value != item.default)


def empty(item: Input) -> bool:
    """Whether an input has no value."""
    return item.value is None or item.value in _EMPTY


def subject(record: Record) -> dict[str, list[str]]:
    """System, model and rates of a question by kind, as ids, each once: two sides may differ."""
    topics: dict[str, list[str]] = {kind: [] for kind in SUBJECT}
    for item in record.question():
        kind = item.label.lower()
        if kind in topics and isinstance(item.value, str) and item.value and item.value not in topics[kind]:
            topics[kind].append(item.value)
    if record.system:
        topics["system"] = [record.system]
    return topics


def subject_line(record: Record) -> str:
    """System, model and the rates that answered, such as *DGX H100 · Llama 3 / 3.1 70B · calibrated rates*."""
    topics = subject(record)
    parts = [" and ".join(map(_name, topics[kind])) for kind in ("system", "model")]
    parts += [f"{key} rates" for key in ([record.origin] if record.origin else topics["rates"])]
    return " · ".join(part for part in parts if part)


def file_name(records: tuple[Record, ...], ending: str, on: date, *, part: str = "") -> str:
    """A telling name, such as ``wirespeed-tensor-parallelism-llama-3.1-70b-dgx-h100-2026-11-22.pdf``."""
    pieces: list[str] = []
    for record in records:
        topics = subject(record)
        title = "" if record.title == HOME.title else record.title
        pieces += [title, part, *topics["model"], *topics["system"]]
    slugs = [slug(piece) for piece in dict.fromkeys(pieces)]
    stem = "-".join(["wirespeed", *(piece for piece in slugs if piece)])[:STEM].rstrip("-.")
    return f"{stem}-{on:%Y-%m-%d}.{ending}"


def slug(text: str) -> str:
    """Small letters, digits, points and hyphens alone."""
    words = re.sub(r"[^a-z0-9.]+", "-", text.lower().replace("(a/b)", "a-b"))
    return re.sub(r"\.{2,}", ".", words).strip("-.")[:60].rstrip("-.")
