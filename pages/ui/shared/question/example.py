"""The worked example of a page: its question until the reader has chosen anything, with a way back."""

import streamlit as st

from pages.ui.shared import record
from pages.ui.shared.question.defaults import DEFAULTS, KEYS, typed
from pages.ui.shared.question.old_keys import assign

EXAMPLES = {
    "nvl72": {
        "system": "gb200-nvl72",
        "model": "deepseek-v3-r1",
        "weights": "fp8",
        "context": "8192",
        "requests": "1024",
    }
}
"""Inputs of the question by page."""
DECLINED = "example"
_OFFERED = "_question_example"


def offer(page: str) -> None:
    """Make the page's example the question where nothing of it has been chosen, once a session."""
    example = EXAMPLES.get(page)
    if example is None or st.session_state.get(_OFFERED) or DECLINED in st.query_params or _chosen():
        return
    st.session_state[_OFFERED] = page
    for name, text in example.items():
        assign(name, text)


def note(page: str) -> None:
    """Say that an example is the question, as long as it is, on the pages it went on to too, with a way back."""
    offered = st.session_state.get(_OFFERED)
    if offered is None:
        return
    example = EXAMPLES[offered]
    if any(st.session_state.get(name) != typed(name, text) for name, text in example.items()):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="question_example"):
        st.caption(
            ":material/lightbulb: Worked example: DeepSeek-V3 on a GB200 NVL72.",
            width="content",
        )
        st.button("Use the defaults", type="tertiary", on_click=_decline, args=(offered, page))


def _decline(offered: str, page: str) -> None:
    if page == offered:
        st.query_params[DECLINED] = "off"
    for name in EXAMPLES[offered]:
        st.session_state[name] = typed(name, DEFAULTS.get(name, ""))


def _chosen() -> bool:
    """Whether the address or the last run says anything of the question."""
    if any(name in st.query_params for name in KEYS):
        return True
    last = record.former()
    inputs = last.inputs if last else {}
    return any(inputs[name].value != inputs[name].default for name in KEYS if name in inputs)
