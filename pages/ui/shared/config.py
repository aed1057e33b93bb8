"""A config.json of your own: uploaded or pasted, kept in the store, its parameters shown by part."""

from collections.abc import Callable, Iterable
from functools import lru_cache

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.workload import Model
from core.workload.config import ConfigModel, read_config
from core.workload.transformer.parameters import Parameters
from pages.ui.shared import tables, uploads
from pages.ui.shared.messages import plain

FILE_MOST_BYTES = 1_000_000
SMALL_PART = 1e8
PLACEHOLDER = '{"model_type": "llama", "hidden_size": ...}'


def upload(key: str) -> uploads.Upload:
    """The upload behind a model's widget, by that widget's name in the address."""
    name = "config" if key == "model" else f"{key}_config"
    return uploads.Upload(name, key, "config", "config.json", FILE_MOST_BYTES)


def ask(key: str) -> Callable[[], Model]:
    """The widgets; a function that gives the model once all widgets stand."""
    with st.container(border=True):
        uploads.ask(upload(key), "Hugging Face config.json", paste=PLACEHOLDER, named=True)
        place = st.container()
    return lambda: _model(key, place)


def _model(key: str, place: DeltaGenerator) -> Model:
    """The model of the config, described once; InputError where there is none or it cannot be read."""
    file = uploads.read(upload(key))
    config = read(file)
    with place:
        describe(config, file.name)
        uploads.describe(upload(key))
    return config.model


@lru_cache(maxsize=32)
def read(file: uploads.Content) -> ConfigModel:
    """The config read once."""
    return read_config(file.data.decode("utf-8", "replace"), file.name)


def describe(config: ConfigModel, name: str) -> None:
    """Parameters in total and by part, what was assumed, and which keys have no effect."""
    counted = config.parameters
    active = f", {_billions(counted.active)} active per token" if config.model.moe else ""
    bare = f" ({_billions(counted.active_without_lookup)} without the input embedding)" if active else ""
    total = _billions(counted.total)
    st.caption(f":material/description: **{plain(name)}**: {total} parameters{active}{bare}.")
    tables.show(parts(counted), f"Parameters of {name} by part", height="content")
    for line in (*config.notes, *unread(config.unread)):
        st.caption(f":material/info: {plain(line)}.")


def _billions(parameters: float) -> str:
    return f"{parameters / 1e9:,.4g} B"


def parts(counted: Parameters) -> pd.DataFrame:
    """Parameters by part as a table; the parts add up to the total."""
    rows = [
        (name, _aligned(values), f"{100 * values / counted.total:.1f} %")
        for name, values in counted.by_part().items()
        if values
    ]
    return pd.DataFrame(
        [*rows, ("total", _aligned(counted.total), "100 %")],
        columns=["part", "parameters (B)", "share"],
    )


def _aligned(values: float) -> str:
    """Two digits behind the point, more where a part is small."""
    return f"{values / 1e9:,.2f}" if values >= SMALL_PART else f"{values / 1e9:,.4f}"


def unread(keys: Iterable[str]) -> tuple[str, ...]:
    """One line on the keys that nobody knows."""
    names = list(keys)
    if not names:
        return ()
    shown = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    return (f"Unknown keys without effect on any size: {shown}",)
