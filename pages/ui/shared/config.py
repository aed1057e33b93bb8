"""A config.json of your own: uploaded or pasted, kept for the session, shown by parts."""

from dataclasses import dataclass
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.checks import InputError
from core.workload.config import read_config
from pages.ui.shared import tables
from pages.ui.shared.messages import plain

FILE_MOST_BYTES = 1_000_000
PASTED = "pasted config.json"
_HELD, _IN_USE = "_config_held", "_config_in_use"


@dataclass(frozen=True, slots=True)
class Held:
    """A config as it was given; it leaves with the session."""

    name: str
    data: bytes


def ask(key):
    """The widgets; a function that gives the model once all widgets stand."""
    with st.container(border=True):
        st.file_uploader(
            "Hugging Face config.json",
            type="json",
            max_upload_size=1,
            key=f"_{key}_file",
            on_change=_take_file,
            args=(key,),
            help="Read here, in this session; nothing is fetched or kept.",
        )
        st.text_area(
            "... or paste its text",
            key=f"_{key}_text",
            height=90,
            max_chars=FILE_MOST_BYTES,
            on_change=_take_text,
            args=(key,),
            placeholder='{"model_type": "llama", "hidden_size": ...}',
        )
        place = st.container()
    return lambda: _model(key, place)


def carried(key, chosen_already):
    """Whether a config of another page is the model of this one, until the reader chooses another."""
    return bool(st.session_state.get(_IN_USE)) and not chosen_already and key not in st.session_state


def used(*, in_use):
    """Remember whether the page's model is the config, so that the next page begins with it."""
    st.session_state[_IN_USE] = in_use


def _take_file(key):
    file = st.session_state[f"_{key}_file"]
    _hold(key, Held(file.name, file.getvalue()) if file is not None else None)


def _take_text(key):
    text = st.session_state[f"_{key}_text"]
    _hold(key, Held(PASTED, text.encode("utf-8", "replace")) if text and text.strip() else None)


def _hold(key, config):
    """The latest config of the session, and the one of this very widget (two stand on one page)."""
    st.session_state[_HELD] = config
    st.session_state[f"{_HELD}_{key}"] = config


def _model(key, place):
    """The model of the config, described once; InputError where there is none or it cannot be read."""
    given = st.session_state.get(f"{_HELD}_{key}") or st.session_state.get(_HELD)
    if given is None:
        message = "config.json: none yet; upload or paste the model's own"
        raise InputError(message)
    if len(given.data) > FILE_MOST_BYTES:
        message = f"config.json: at most {FILE_MOST_BYTES:,} bytes"
        raise InputError(message)
    found = read(given)
    with place:
        describe(found, given.name)
    return found.model


@lru_cache(maxsize=32)
def read(given):
    """The config read once."""
    return read_config(given.data.decode("utf-8", "replace"), given.name)


def describe(found, name):
    """What was read: the sum, its parts, what was assumed and which keys changed nothing."""
    counted, model = found.parameters, found.model
    total, active = f"{counted.total / 1e9:,.4g}", f"{counted.active / 1e9:,.4g}"
    bare = f"{counted.active_without_lookup / 1e9:,.4g}"
    meets = f", {active} · 10⁹ of them for a token ({bare} without the input embedding)" if model.moe else ""
    st.caption(f":material/description: **{plain(name)}**: {total} · 10⁹ parameters{meets}.")
    tables.show(parts(counted), f"Parameters of {name} by part", height="content")
    for line in (*found.notes, *unread(found.unread)):
        st.caption(f":material/info: {plain(line)}.")


def parts(counted):
    """Parameters by part as a table; the parts add up to the sum."""
    rows = [
        (name, _billions(values), f"{100 * values / counted.total:.1f} %")
        for name, values in counted.by_part().items()
        if values
    ]
    return pd.DataFrame([*rows, ("all", _billions(counted.total), "100 %")], columns=["part", "10⁹", "share"])


def _billions(values):
    """Two digits behind the point, more where a part is small."""
    return f"{values / 1e9:,.2f}" if values >= 1e8 else f"{values / 1e9:,.4f}"


def unread(keys):
    """One line on the keys that nobody knows."""
    if not keys:
        return ()
    shown = ", ".join(keys[:6]) + (f" and {len(keys) - 6} more" if len(keys) > 6 else "")
    return (f"Not known, so without effect on any size: {shown}",)
