"""Reading an upload: a large one in a process of its own; remembered by its content."""

import hashlib
from dataclasses import dataclass

import streamlit as st

from core.measurement import Run
from gpu_probe.parsers import ParseError
from gpu_probe.parsers.worker import read_upload

REMEMBERED = 32


@dataclass(frozen=True, slots=True)
class Reading:
    """What one file contains, or the one line that says why it cannot be read."""

    name: str
    sha256: str
    runs: tuple[Run, ...] = ()
    error: str = ""


def read(name: str, data: bytes) -> Reading:
    """The runs of a file; the same bytes are read once."""
    return _read(name, hashlib.sha256(data).hexdigest(), data)


@st.cache_resource(max_entries=REMEMBERED, show_spinner=False)
def _read(name: str, digest: str, _data: bytes) -> Reading:
    """A frozen record, so shared without a copy; ``_data`` is known by its digest."""
    try:
        return Reading(name, digest, tuple(read_upload(name, _data)))
    except ParseError as problem:
        where = f" (line {problem.line})" if problem.line else ""
        return Reading(name, digest, error=f"{problem.message}{where}")
