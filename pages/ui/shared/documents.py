"""Logs of the reader: uploaded or pasted, kept in the store, named in the address so that a link opens them."""

from typing import Any, NamedTuple

import streamlit as st

from core.errors import InputError
from db.files import ID_DIGITS, MOST_BYTES
from pages.ui.shared import bound, uploads
from pages.ui.shared.messages import plain

PASTE_MOST = MOST_BYTES
PASTED = "pasted"
SEPARATOR = ","
_OF_WIDGETS = "_documents_of_widgets"


class Document(NamedTuple):
    """A file or a pasted text."""

    name: str
    data: bytes


def take(label: str, key: str, file_key: str, text_key: str, *, many: bool = False) -> list[Document]:
    """
    The uploaded files, the pasted text, and what the address names of former uploads.

    Args:
        label: Of the upload.
        key: Name of the ids in the address.
        file_key: Of the upload in the session.
        text_key: Of the field to paste into.
        many: Whether several files are taken.
    """
    widgets = (key, file_key, text_key, many)
    if many:
        st.file_uploader(
            label,
            accept_multiple_files=True,
            key=file_key,
            on_change=_keep,
            args=widgets,
            help=uploads.HELP,
        )
    else:
        st.file_uploader(label, key=file_key, on_change=_keep, args=widgets, help=uploads.HELP)
    st.text_area(
        "... or paste its text",
        key=text_key,
        height=100,
        max_chars=PASTE_MOST,
        on_change=_keep,
        args=widgets,
    )
    with st.container(key=f"stored_id_{key}"):
        bound.text(
            "... or the id of a stored log" + (", several with commas" if many else ""),
            key,
            "",
            placeholder=f"{ID_DIGITS} digits, as in a link",
        )
    held = _entered(file_key, text_key, many=many)
    return [*_named(key), *_again(held), *_not_kept(held)]


def upload(key: str) -> uploads.Upload:
    """The upload behind logs, by the name of their ids in the address."""
    return uploads.Upload(key, key, "log", "log", MOST_BYTES)


def _ids(key: str) -> list[str]:
    """The ids that the address names."""
    parts = str(st.session_state.get(key) or "").lower().split(SEPARATOR)
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _named(key: str) -> list[Document]:
    """The stored logs that the address names; an error in place of one that is not here."""
    documents: list[Document] = []
    for short in _ids(key):
        try:
            content = uploads.opened(upload(key), short)
        except InputError as problem:
            st.error(plain(problem), icon=":material/block:")
        else:
            documents.append(Document(content.name, content.data))
    return documents


def _entered(file_key: str, text_key: str, *, many: bool) -> list[Document]:
    """What the widgets hold."""
    held = st.session_state.get(file_key)
    files: list[Any] = held or [] if many else [held] if held else []
    documents = [Document(file.name, file.getvalue()) for file in files]
    text = st.session_state.get(text_key)
    return (
        [*documents, Document(PASTED, text.encode("utf-8", "replace"))]
        if text and text.strip()
        else documents
    )


def _again(held: list[Document]) -> list[Document]:
    """What the widgets hold a second time: the page says so."""
    first = {id(item) for item in _distinct(held)}
    return [item for item in held if id(item) not in first and _storable(item)]


def _distinct(held: list[Document]) -> list[Document]:
    """Each content once, under the name that it came with first."""
    return list({item.data: item for item in reversed(held)}.values())[::-1]


def _storable(item: Document) -> bool:
    return 0 < len(item.data) <= MOST_BYTES


def _not_kept(held: list[Document]) -> list[Document]:
    """What the store does not take: read all the same, in this session alone."""
    refused = [item for item in held if not _storable(item)]
    for item in refused:
        if item.data:
            st.caption(
                f":material/link_off: {plain(item.name)} is larger than {MOST_BYTES / 1e6:.0f} MB: a link does "
                "not open it."
            )
    return refused


def _keep(key: str, file_key: str, text_key: str, many: bool) -> None:
    """Keep what the widgets now hold, and let the address name it in place of what they held before."""
    of_widgets: dict[str, list[str]] = st.session_state.setdefault(_OF_WIDGETS, {})
    held = [item for item in _distinct(_entered(file_key, text_key, many=many)) if _storable(item)]
    kept = [short for item in held if (short := uploads.keep(upload(key), item.name, item.data))]
    others = [short for short in _ids(key) if short not in of_widgets.get(key, ())] if many else []
    of_widgets[key] = kept
    uploads.name_in_address(key, SEPARATOR.join(dict.fromkeys([*others, *kept])))
