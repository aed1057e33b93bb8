"""A result told in a sentence: a link carries it to the page that judges it, as Home's do."""

import streamlit as st

from pages.ui.shared import address, bound, uploads

TOLD = "check_run_told"
"""Name of the sentence in the address, and in the session once it is taken."""
MOST = 400
"""Characters that are taken."""


def take(upload: uploads.Upload) -> None:
    """
    Hold the sentence of the address as if it had been pasted, for this session alone.

    Opening a link, which another site may send, writes nothing to the store: the address goes on to carry
    the sentence itself, until another log takes its place.
    """
    text = str(st.query_params.get(TOLD, ""))[:MOST].strip()
    if not text:
        return
    short = uploads.hold(upload, uploads.PASTED, text.encode("utf-8", "replace"))
    if st.session_state.get(TOLD) == text and uploads.requested(upload) != short:
        del st.session_state[TOLD]
        address.rewrite(TOLD, None)
        return
    st.session_state[TOLD] = text
    uploads.name_in_address(upload.key, short)
    bound.carried(TOLD)
