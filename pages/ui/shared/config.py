"""A config.json of your own: uploaded or pasted, kept for the session, its parameters shown by part."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.checks import InputError
from core.workload import Model
from core.workload.config import ConfigModel, read_config
from core.workload.transformer.parameters import Parameters
from pages.ui.shared import tables
from pages.ui.shared.messages import plain

FILE_MOST_BYTES = 1_000_000
PASTED = "pasted config.json"
SMALL_PART = 1e8
_GIVEN = "_config_given"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A config as it was given; it leaves with the session."""

    name: str
    data: bytes


def ask(key: str) -> Callable[[], Model]:
    """The widgets; a function that gives the model once all widgets stand."""
    with st.container(border=True):
        st.file_uploader(
            "Hugging Face config.json",
            type="json",
            max_upload_size=1,
            key=f"_{key}_file",
            on_change=_take_file,
            args=(key,),
            help="Read in this session; nothing is fetched or stored.",
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


def _take_file(key: str) -> None:
    file = st.session_state[f"_{key}_file"]
    _keep(key, ConfigFile(file.name, file.getvalue()) if file is not None else None)


def _take_text(key: str) -> None:
    text = st.session_state[f"_{key}_text"]
    _keep(key, ConfigFile(PASTED, text.encode("utf-8", "replace")) if text and text.strip() else None)


def _keep(key: str, config: ConfigFile | None) -> None:
    """The latest config of the session, and the one of this very widget (two stand on one page)."""
    st.session_state[_GIVEN] = config
    st.session_state[f"{_GIVEN}_{key}"] = config


def _model(key: str, place: DeltaGenerator) -> Model:
    """The model of the config, described once; InputError where there is none or it cannot be read."""
    file: ConfigFile | None = st.session_state.get(f"{_GIVEN}_{key}") or st.session_state.get(_GIVEN)
    if file is None:
        message = "config.json: none yet; upload or paste the model's own"
        raise InputError(message)
    if len(file.data) > FILE_MOST_BYTES:
        message = f"config.json: at most {FILE_MOST_BYTES:,} bytes"
        raise InputError(message)
    config = read(file)
    with place:
        describe(config, file.name)
    return config.model


@lru_cache(maxsize=32)
def read(file: ConfigFile) -> ConfigModel:
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
