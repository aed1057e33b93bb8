"""A result told in a sentence: a link carries it to the page that judges it, as Home's do."""

import streamlit as st

from pages.ui.shared import address, uploads

TOLD = "check_run_told"
"""Name of the sentence in the address."""
MOST = 400
"""Characters that are taken."""


def take(upload: uploads.Upload) -> None:
    """Keep the sentence of the address as if it had been pasted; the address then names it by its id."""
    text = str(st.query_params.get(TOLD, ""))[:MOST].strip()
    if not text:
        return
    address.rewrite(TOLD, None)
    uploads.name_in_address(upload.key, uploads.keep(upload, uploads.PASTED, text.encode("utf-8", "replace")))
