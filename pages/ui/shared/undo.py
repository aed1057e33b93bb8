"""Undo and Reset: the inputs before each edit of the session, brought back across pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.ui.shared import address, identity, record

MOST = 50
_FORMER, _RESTORED, _GO_TO = "_undo_former", "_undo_restored", "_undo_go_to"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The inputs of a page, by name in the address, as they stood before an edit."""

    page: str
    values: Mapping[str, Any]


def start(pages: Mapping[str, StreamlitPage]) -> None:
    """
    Note what the reader has just edited, and go to the page of what was just undone.

    The frame calls it before the record of the run begins: until then it is the record of the last run,
    while the widgets hold what the reader has made of it.

    Args:
        pages: By name in the address.
    """
    target = st.session_state.pop(_GO_TO, None)
    if st.session_state.pop(_RESTORED, False):
        if target in pages:
            st.switch_page(pages[target])
        return
    note()


def note() -> None:
    """Remember the inputs of the last run where the reader has edited one since."""
    if _edited():
        _remember(_last())


def first() -> bool:
    """Whether the reader's first edit is the latest, so that the bar is yet to offer its undoing."""
    return not st.session_state.get(_FORMER) and _edited()


def _edited() -> bool:
    return any(_now(key, value) != value for key, value in _last().values.items())


def buttons() -> None:
    """Undo and Reset, as two icons with their names for screen readers."""
    with st.container(horizontal=True, gap="xsmall", width="content", key="undo"):
        st.button(
            "Undo",
            key="_undo_edit",
            type="tertiary",
            icon=":material/undo:",
            help="Take the last edit back.",
            disabled=not st.session_state.get(_FORMER),
            on_click=_undo,
        )
        st.button(
            "Reset",
            key="_undo_reset",
            type="tertiary",
            icon=":material/restart_alt:",
            help="All inputs of this page to their defaults.",
            on_click=_reset,
        )


def _last() -> Snapshot:
    """The inputs as the last run used them."""
    run = record.current()
    return Snapshot(run.page, {key: item.value for key, item in run.inputs.items()})


def _now(key: str, value: Any) -> Any:
    return st.session_state.get(key, value)


def _remember(snapshot: Snapshot) -> None:
    former: list[Snapshot] = st.session_state.setdefault(_FORMER, [])
    former.append(snapshot)
    del former[:-MOST]


def _undo() -> None:
    """Bring the inputs back; to their own page where the one at hand does not have them."""
    former: list[Snapshot] = st.session_state.get(_FORMER, [])
    if not former:
        return
    snapshot = former.pop()
    changed = {key for key, value in snapshot.values.items() if _now(key, None) != value}
    _restore(snapshot.values)
    if not changed <= set(record.current().inputs):
        st.session_state[_GO_TO] = snapshot.page


def _reset() -> None:
    """The defaults of every input that the page has drawn."""
    inputs = record.current().inputs
    if any(_now(key, item.value) != item.default for key, item in inputs.items()):
        _remember(_last())
        _restore({key: item.default for key, item in inputs.items()})


def _restore(values: Mapping[str, Any]) -> None:
    put(values)
    st.session_state[_RESTORED] = True


def put(values: Mapping[str, Any]) -> None:
    """Give inputs other values than the reader's hand did, in the address too; the next run notes it as an edit."""
    inputs = record.current().inputs
    changed = {key: value for key, value in values.items() if _now(key, None) != value}
    identity.renew(changed)
    for key, value in changed.items():
        st.session_state[key] = value
        if key in inputs:
            address.rewrite(key, None)
            address.complete(key, value, inputs[key].default)
