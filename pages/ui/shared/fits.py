"""Fits of your cluster: stored or uploaded, offered to every page as the rates *yours*."""

from functools import lru_cache
from typing import NamedTuple

import pandas as pd
import streamlit as st

from core.catalog import link_name
from core.checks import InputError
from core.collectives.cost_model import Setting
from core.collectives.fitted import Fit, fit_text, read_fit
from db.errors import StoreError, UnknownRunError
from pages.ui.shared import bound, names, person, stored, tables, uploads
from pages.ui.shared.messages import plain, refusal

TYPED, FILE = "typed below", "uploaded file"
UPLOAD = uploads.Upload("fit_file", "fit", "fit", "fit file", 2_000_000)
KEY = "fit"
"""Name of the input in the address."""
_OUTCOME = "_fit_outcome"


class Outcome(NamedTuple):
    """What became of the last save or delete."""

    succeeded: bool
    text: str


@lru_cache(maxsize=64)
def _parsed(text: str) -> Fit:
    return read_fit(text)


def kept() -> dict[str, Fit]:
    """The stored fits by name."""
    try:
        return {fit.name: fit for fit in stored.store().fits()}
    except StoreError:
        return {}


class Choice(NamedTuple):
    """The fit behind *yours*; none where figures are typed instead, or where it could not be read."""

    fit: Fit | None = None
    unread: bool = False


def asked_for() -> bool:
    """Whether a link names a fit: it means the rates *yours* without saying so."""
    return KEY in st.query_params


def choose() -> Choice:
    """The widgets of a fit, and what was chosen."""
    stored_fits = kept()
    option = bound.choice(
        "Fit",
        KEY,
        [TYPED, *stored_fits, FILE],
        help="Made on the page Fit your cluster from a measured sweep.",
    )
    if option == TYPED:
        return Choice()
    try:
        return Choice(_uploaded() if option == FILE else stored_fits[option])
    except InputError as problem:
        st.error(plain(refusal(problem)), icon=":material/block:")
        return Choice(unread=True)


def _uploaded() -> Fit | None:
    """The fit of an uploaded file, None before there is one; InputError where it cannot be read."""
    uploads.ask(UPLOAD, "Fit file (JSON)")
    if not uploads.present(UPLOAD):
        return None
    uploads.describe(UPLOAD)
    return _parsed(uploads.read(UPLOAD).data.decode("utf-8", "replace"))


def save(fit: Fit, replace: bool, project: str | None) -> None:
    """Store a fit; the outcome is shown on the next run of the page."""
    try:
        stored.store().save_fit(fit, replace=replace, project=project)
        st.session_state[KEY] = fit.name
        st.session_state[_OUTCOME] = Outcome(True, f"{fit.name} is saved: Rates, yours now means it.")
    except (InputError, StoreError, UnknownRunError) as problem:
        st.session_state[_OUTCOME] = Outcome(False, refusal(problem))


def show_outcome() -> None:
    """What became of the last save or delete."""
    outcome: Outcome | None = st.session_state.pop(_OUTCOME, None)
    if outcome is not None:
        (st.success if outcome.succeeded else st.error)(plain(outcome.text))


def listing() -> None:
    """The stored fits, each to export or delete."""
    try:
        stored_fits = {fit.name: fit for fit in stored.store().fits()}
    except StoreError as problem:
        stored.outage(problem)
        return
    if not stored_fits:
        st.info("No fit is stored yet: fit a sweep above and press *Store fit*.")
        return
    frame = pd.DataFrame(
        {
            "name": name,
            "machine": ", ".join(dict.fromkeys(place(machine.setting) for machine in fit.machines)),
            "sweeps": len(fit.curves),
            "model version": fit.model_version,
            "stored by": fit.created_by or "",
            "note": fit.note,
        }
        for name, fit in stored_fits.items()
    )
    tables.draw(frame, "Stored fits")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Fit", list(stored_fits), key="_fit_listed", label_visibility="collapsed")
        st.download_button(
            "Export", fit_text(stored_fits[name]), f"{name}.json", "application/json", key="_fit_export"
        )
        why_not = person.why_not_own([stored_fits[name].created_by])
        st.button(
            "Delete",
            key="_fit_delete",
            icon=":material/delete:",
            disabled=why_not is not None,
            help=why_not,
            on_click=_delete,
            args=(name,),
        )


def place(setting: Setting) -> str:
    """Domains, GPUs and network of a setting, such as ``4 x 8 x H100 SXM, InfiniBand NDR``."""
    inside = f"{setting.domain_gpus} × {names.gpu(setting.gpu)}"
    if setting.domains == 1:
        return inside
    return f"{setting.domains} × {inside}, {link_name(setting.scale_out_link)}"


def _delete(name: str) -> None:
    try:
        stored.store().delete_fit(name)
        st.session_state[_OUTCOME] = Outcome(
            True, f"{name} is deleted; it can be brought back for thirty days, below."
        )
    except (StoreError, UnknownRunError) as problem:
        st.session_state[_OUTCOME] = Outcome(False, refusal(problem))
