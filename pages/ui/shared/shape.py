"""The model a question is about: one of the catalog, or a config.json of your own."""

import streamlit as st

from core.catalog import MODELS, visible
from pages.ui.shared import bound, config

FILE = "config.json"


def choose(key, default, *, extra=(), shaped=False, carry=True):
    """
    The model's widget; a function that gives the model once all widgets stand, and the choice.

    ``shaped`` leaves out models whose layers nobody published; ``extra`` are other choices; with
    ``carry`` a config that was read on one page is the model of the next.
    """
    known = visible(MODELS, bool(st.session_state.get("unverified")))
    names = [name for name, one in known.items() if one.hidden or not shaped]
    if carried := carry and config.carried(key, key in st.query_params):
        st.session_state[key] = FILE
    chosen = bound.choice("Model", key, [*names, FILE, *extra], None if carried else default)
    if chosen != FILE:
        if carry:
            config.used(in_use=False)
        return lambda: MODELS.get(chosen), chosen
    read = config.ask(key)
    return (lambda: _in_use(read)) if carry else read, chosen


def _in_use(read):
    """The config's model, remembered once it can be read."""
    model = read()
    config.used(in_use=True)
    return model
