"""The model a question is about: one of the catalog, a config.json, or a number of parameters."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import streamlit as st

from core.catalog import MODELS, visible
from core.units import BILLION, converted
from core.workload import Model
from pages.ui.shared import bound, config, names
from pages.ui.shared.question.defaults import DEFAULTS

FILE, OWN = "config.json", "yours"
OWN_NAMES = {FILE: "Upload or paste a config.json", OWN: "Your own number of parameters"}
OWN_HELP = "Your own model: at the head of the list, a Hugging Face config.json or a number of parameters."


class ModelChoice(NamedTuple):
    """
    The model that was chosen.

    Attributes:
        model: Gives the model once all widgets stand; None where only its size is typed.
        option: The widget's value.
        params, active_params: Parameters in all, and those that a token meets, where they are typed.
    """

    model: Callable[[], Model | None]
    option: str
    params: float | None = None
    active_params: float | None = None

    @property
    def custom(self) -> bool:
        """Whether the model is the reader's own."""
        return self.option in (FILE, OWN)


def choose() -> ModelChoice:
    """The widgets of the question's model."""
    choice = pick("model", DEFAULTS["model"], extra=(OWN,))
    if choice.option != OWN:
        return choice
    params = bound.number("Parameters (billions)", "params_b", 70.0, low=0.0, step=10.0)
    active = bound.number(
        "Active parameters per token (billions)", "active_b", None, low=0.0, step=10.0, help="Empty: all."
    )
    return ModelChoice(choice.model, choice.option, params * BILLION, converted(active, BILLION))


def pick(key: str, default: str, *, extra: Iterable[str] = (), shaped: bool = False) -> ModelChoice:
    """
    The widget of a model.

    Args:
        key: Name in the URL.
        default: Catalog id at first.
        extra: Further options.
        shaped: Leave out models whose layers nobody published.
    """
    models = visible(MODELS, bool(st.session_state.get("unverified")))
    ids = [name for name, model in models.items() if model.hidden or not shaped]
    options = [FILE, *extra, *ids]
    option = bound.choice("Model", key, options, default, names=names.catalog() | OWN_NAMES, help=OWN_HELP)
    if option == FILE:
        return ModelChoice(config.ask(key), option)
    return ModelChoice(lambda: MODELS.get(option), option)
