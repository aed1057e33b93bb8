"""Documents of the reader: uploaded files and pasted text, by name."""

from typing import NamedTuple

import streamlit as st

PASTE_MOST = 2_000_000
PASTED = "pasted"


class Document(NamedTuple):
    """A file or a pasted text."""

    name: str
    data: bytes


def take(label: str, file_key: str, text_key: str, *, many: bool = False) -> list[Document]:
    """
    The uploaded files and the pasted text.

    Args:
        label: Of the upload.
        file_key: Of the upload in the session.
        text_key: Of the field to paste into.
        many: Whether several files are taken.
    """
    if many:
        files = st.file_uploader(label, accept_multiple_files=True, key=file_key)
    else:
        file = st.file_uploader(label, key=file_key)
        files = [file] if file else []
    documents = [Document(file.name, file.getvalue()) for file in files]
    pasted = st.text_area("... or paste its text", key=text_key, height=100, max_chars=PASTE_MOST)
    if pasted and pasted.strip():
        documents.append(Document(PASTED, pasted.encode()))
    return documents
