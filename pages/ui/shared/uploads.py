"""Uploaded files: kept in the store, named in the address by a short id, so that a link opens them anywhere."""

import re
from dataclasses import dataclass
from math import ceil

import streamlit as st

from core.errors import InputError
from core.units import MB
from db.errors import StoreError, UnknownRunError
from db.files import ID_DIGITS, UNUSED, StoredFile
from db.people import Role
from pages.ui.shared import address, bound, person, stored
from pages.ui.shared.messages import plain

HELP = (
    f"Kept on this server, so that a link opens it; deleted when nobody has used it for {UNUSED.days} days. "
    "Nothing is fetched."
)
PASTED = "pasted"
ID = re.compile(rf"[0-9a-f]{{{ID_DIGITS}}}")
_FILES, _PROBLEMS = "_uploads_files", "_uploads_problems"


@dataclass(frozen=True, slots=True)
class Upload:
    """
    A kind of upload.

    Attributes:
        key: Name of its id in the address.
        widget: Begins the names of its widgets.
        kind: As the store calls it.
        noun: As messages call it, such as ``system file``.
        most_bytes: Size limit.
    """

    key: str
    widget: str
    kind: str
    noun: str
    most_bytes: int


@dataclass(frozen=True, slots=True)
class Content:
    """A file as it was uploaded, under the name that the reader gave it, if any."""

    name: str
    data: bytes


def ask(upload: Upload, label: str, *, paste: str = "", named: bool = False) -> None:
    """
    Draw the widgets of an upload.

    Args:
        upload: What is uploaded.
        label: Of the file's widget.
        paste: Placeholder of a field to paste the text into; none where it is empty.
        named: Whether the reader may give it a name.
    """
    st.file_uploader(
        label,
        type="json",
        key=f"_{upload.widget}_file",
        on_change=_take_file,
        args=(upload,),
        help=HELP,
        max_upload_size=ceil(upload.most_bytes / MB),
    )
    if paste:
        st.text_area(
            "... or paste its text",
            key=f"_{upload.widget}_text",
            height=90,
            max_chars=upload.most_bytes,
            on_change=_take_text,
            args=(upload,),
            placeholder=paste,
        )
    with st.container(horizontal=True):
        bound.text(
            "... or the id of a stored file", upload.key, "", placeholder=f"{ID_DIGITS} digits, as in a link"
        )
        if named:
            bound.text("Name (optional)", f"{upload.key}_name", "", placeholder="My 30B")


def read(upload: Upload) -> Content:
    """
    The file that the address names.

    Raises:
        InputError: There is none yet, it is not stored here any more, or it was refused.
    """
    short = requested(upload)
    if not short:
        message = _problems().get(upload.key) or f"{upload.noun}: none yet; upload or paste one"
        raise InputError(message)
    _problems().pop(upload.key, None)
    file = opened(upload, short)
    return Content(given_name(upload) or file.name, file.data)


def opened(upload: Upload, short: str) -> Content:
    """
    The file of an id.

    Raises:
        InputError: It is of another kind, or not stored here any more.
    """
    file = _opened(upload, short)
    if file.kind != upload.kind:
        message = f"{upload.noun}: {short} is a {file.kind}, not a {upload.kind}"
        raise InputError(message)
    return Content(file.name, file.content)


def present(upload: Upload) -> bool:
    """Whether the address names a file, or one was just refused."""
    return bool(requested(upload)) or upload.key in _problems()


def requested(upload: Upload) -> str:
    """The id that the address names; empty where it names none."""
    return str(st.session_state.get(upload.key) or "").strip().lower()


def given_name(upload: Upload) -> str:
    """The name that the reader gave the file; empty where they gave none."""
    return str(st.session_state.get(f"{upload.key}_name") or "").strip()[:60]


def describe(upload: Upload) -> None:
    """Until when the file is kept."""
    file: StoredFile | None = _session().get(requested(upload))
    if file is not None:
        until = file.expires_at.strftime("%d %B %Y").lstrip("0")
        st.caption(plain(f"Stored as {file.id} until {until}, or longer while it is used."))


def keep(upload: Upload, name: str, data: bytes) -> str:
    """Keep a file in the store, or for this session of a viewer's, or where the store does not answer; its id."""
    if len(data) > upload.most_bytes:
        _problems()[upload.key] = f"{upload.noun}: at most {upload.most_bytes:,} bytes"
        return ""
    _problems().pop(upload.key, None)
    try:
        file = _stored(upload, name, data)
    except InputError as problem:
        _problems()[upload.key] = str(problem)
        return ""
    _session()[file.id] = file
    return file.id


def hold(upload: Upload, name: str, data: bytes) -> str:
    """Have a file for this session alone, as if it were stored; its id."""
    file = StoredFile.of_session(data, name=name, kind=upload.kind)
    _session()[file.id] = file
    return file.id


def _stored(upload: Upload, name: str, data: bytes) -> StoredFile:
    # a viewer's own file is theirs to look at: nothing is refused, and the audit log tells of nothing
    if why_not := person.why_not(Role.UPLOADER):
        return _of_session(upload, name, data, why_not)
    try:
        return stored.store().keep_file(data, name=name, kind=upload.kind)
    except StoreError as problem:
        return _of_session(upload, name, data, str(problem))


def _of_session(upload: Upload, name: str, data: bytes, why_not: str) -> StoredFile:
    file = StoredFile.of_session(data, name=name, kind=upload.kind)
    st.toast(plain(f"Kept for this session only: {why_not}"), icon=":material/warning:")
    return file


def _take_file(upload: Upload) -> None:
    file = st.session_state[f"_{upload.widget}_file"]
    _take(upload, file.name if file is not None else "", file.getvalue() if file is not None else b"")


def _take_text(upload: Upload) -> None:
    text = st.session_state[f"_{upload.widget}_text"] or ""
    _take(upload, f"{PASTED} {upload.noun}", text.encode("utf-8", "replace") if text.strip() else b"")


def _take(upload: Upload, name: str, data: bytes) -> None:
    """Keep what a widget now holds; where it was emptied, there is no file and nothing to complain of."""
    _problems().pop(upload.key, None)
    name_in_address(upload.key, keep(upload, name, data) if data else "")


def name_in_address(key: str, ids: str) -> None:
    """Let the address name what was uploaded; of nothing it says nothing, as if it had never asked."""
    st.session_state[key] = ids
    if not ids:
        address.rewrite(key, None)


def _opened(upload: Upload, short: str) -> StoredFile:
    if short in _session():
        return _session()[short]
    if not ID.fullmatch(short):
        message = f"{upload.noun}: an id is {ID_DIGITS} hexadecimal digits, not {short[:40]}"
        raise InputError(message)
    try:
        file = stored.store().file(short)
    except UnknownRunError:
        message = (
            f"{upload.noun}: no file {short} is stored here (it is deleted when nobody has used it for "
            f"{UNUSED.days} days); upload it again, or ask whoever sent the link for the file"
        )
        raise InputError(message) from None
    except StoreError as problem:
        message = f"{upload.noun}: {problem}"
        raise InputError(message) from problem
    _session()[short] = file
    return file


def _session() -> dict[str, StoredFile]:
    files: dict[str, StoredFile] = st.session_state.setdefault(_FILES, {})
    return files


def _problems() -> dict[str, str]:
    problems: dict[str, str] = st.session_state.setdefault(_PROBLEMS, {})
    return problems
