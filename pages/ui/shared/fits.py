"""Fits to one's own machine: kept in the store or uploaded, offered to every page as *yours*."""

import json
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.checks import InputError
from core.collectives.fitted import fit_json, read_fit
from db import fits as files
from db.errors import StoreError
from pages.ui.shared import bound, stored, tables
from pages.ui.shared.messages import plain

TYPED, FILE = "typed below", "uploaded file"
FILE_MOST_BYTES = 2_000_000


@lru_cache(maxsize=64)
def _parsed(text):
    return read_fit(text)


def kept():
    """Fits of the store by name, as their files' text; those that are no such fit are left out."""
    try:
        return {one.name: files.to_json(one) for one in stored.store().fits()}
    except StoreError:
        return {}


def choose():
    """The fit that *yours* stands on; None where the reader types figures instead."""
    known = kept()
    chosen = bound.choice(
        "Fit", "fit", [TYPED, *known, FILE], help="Made on the page My cluster from a measured sweep."
    )
    if chosen == TYPED:
        return None
    try:
        return _uploaded() if chosen == FILE else _parsed(known[chosen])
    except InputError as problem:
        st.error(plain(problem), icon=":material/block:")
        return None


def _uploaded():
    file = st.file_uploader("Fit file (JSON)", type="json", key="_fit_file")
    if file is None:
        return None
    data = file.getvalue()
    if len(data) > FILE_MOST_BYTES:
        message = f"fit file: at most {FILE_MOST_BYTES:,} bytes"
        raise InputError(message)
    return _parsed(data.decode("utf-8", "replace"))


def save(fit, replace):
    """Keep a fit in the store; what went wrong is said on the next run of the page."""
    try:
        record = files.from_json(text_of(fit))
        stored.store().save_fit(record, replace=replace)
        st.session_state["_fit_said"] = ("success", f"{fit.name} is kept: choose it under Rates, yours.")
    except (InputError, StoreError) as problem:
        st.session_state["_fit_said"] = ("error", str(problem))


def said():
    """The word on the last save or delete."""
    kind, text = st.session_state.pop("_fit_said", (None, ""))
    if kind:
        getattr(st, kind)(plain(text))


def text_of(fit):
    """The fit's file."""
    return json.dumps(fit_json(fit), indent=1, ensure_ascii=False, allow_nan=False)


def listing():
    """The kept fits with their export and their end."""
    known = kept()
    if not known:
        st.info("No fit is kept yet.")
        return
    found = {}
    for name, text in known.items():
        try:
            found[name] = _parsed(text)
        except InputError:
            continue
    frame = pd.DataFrame(
        {
            "name": name,
            "machine": ", ".join(dict.fromkeys(place(one.setting) for one in fit.machines)),
            "sweeps": len(fit.curves),
            "model": fit.model_version,
            "note": fit.note,
        }
        for name, fit in found.items()
    )
    tables.show(frame, "Fits in the store")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Fit", list(known), key="_fit_listed", label_visibility="collapsed")
        st.download_button("Export", known[name], f"{name}.json", "application/json", key="_fit_export")
        st.button("Delete", key="_fit_delete", icon=":material/delete:", on_click=_delete, args=(name,))


def place(setting):
    """GPUs and wires of a setting in a few words."""
    inside = f"{setting.domain_gpus} × {setting.gpu}"
    return f"{setting.domains} × {inside}, {setting.scale_out_link}" if setting.domains > 1 else inside


def _delete(name):
    try:
        stored.store().delete_fit(name)
        st.session_state["_fit_said"] = ("success", f"{name} is gone; an exported file brings it back.")
    except StoreError as problem:
        st.session_state["_fit_said"] = ("error", str(problem))
