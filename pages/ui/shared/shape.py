"""The model a question is about: one of the catalog, or a config.json of your own."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import streamlit as st

from core.catalog import MODELS, visible
from core.workload import Model
from pages.ui.shared import bound, config

FILE = "config.json"


class ModelChoice(NamedTuple):
    """
    The model that was chosen.

    Attributes:
        model: Gives the model once all widgets stand; None where ``option`` is none of the catalog
            and no config.
        option: The widget's value.
    """

    model: Callable[[], Model | None]
    option: str


def choose(
    key: str, default: str, *, extra: Iterable[str] = (), shaped: bool = False, carry: bool = True
) -> ModelChoice:
    """
    The model's widget.

    Args:
        key: Name in the URL.
        default: Catalog id at first.
        extra: Further options.
        shaped: Leave out models whose layers nobody published.
        carry: Whether a config that was read on one page is the model of the next.
    """
    models = visible(MODELS, bool(st.session_state.get("unverified")))
    names = [name for name, model in models.items() if model.hidden or not shaped]
    carried = carry and config.carried(key, in_address=key in st.query_params)
    if carried:
        st.session_state[key] = FILE
    option = bound.choice("Model", key, [*names, FILE, *extra], None if carried else default)
    if option != FILE:
        if carry:
            config.used(in_use=False)
        return ModelChoice(lambda: MODELS.get(option), option)
    read = config.ask(key)
    return ModelChoice((lambda: _in_use(read)) if carry else read, option)


def _in_use(read: Callable[[], Model]) -> Model:
    """The config's model, remembered once it can be read."""
    model = read()
    config.used(in_use=True)
    return model
