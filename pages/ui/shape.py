"""The model a question is about: one of the catalog, or a config.json of your own."""

import streamlit as st

from core.catalog import MODELS, visible
from core.checks import InputError
from core.model_config import read_config
from pages.ui import bound
from pages.ui.words import plain

FILE = "config.json"
FILE_MOST_BYTES = 1_000_000


def choose(key, default, *, extra=(), shaped=False):
    """
    The model's widget; a function that gives the model once all widgets stand, and the choice.

    ``shaped`` leaves out models whose layers nobody published; ``extra`` are other choices.
    """
    known = visible(MODELS, bool(st.session_state.get("unverified")))
    names = [name for name, one in known.items() if one.hidden or not shaped]
    chosen = bound.choice("Model", key, [*names, FILE, *extra], default)
    if chosen == FILE:
        file = st.file_uploader("Hugging Face config.json", type="json", key=f"_{key}_file")
        place = st.container()
        return lambda: _read(file, place), chosen
    return lambda: MODELS.get(chosen), chosen


def _read(file, place):
    """The model of an uploaded file, with what was assumed; InputError where it cannot be read."""
    if file is None:
        message = "config.json: none yet; upload the model's own"
        raise InputError(message)
    data = file.getvalue()
    if len(data) > FILE_MOST_BYTES:
        message = f"config.json: at most {FILE_MOST_BYTES:,} bytes"
        raise InputError(message)
    found = read_config(data.decode("utf-8", "replace"), file.name)
    for note in found.notes:
        place.caption(plain(note))
    return found.model
