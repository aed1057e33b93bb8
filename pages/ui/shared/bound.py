"""
Widgets whose value lives in the URL, and the full link that spells all of them out.

Options are the ids that the shell takes: Streamlit writes what it shows into the URL.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, overload
from urllib.parse import urlencode

import streamlit as st

from core.collectives.cost_model.version import MODEL_VERSION
from pages.ui.shared import by_name, record
from pages.ui.shared.messages import plain

Option = TypeVar("Option", bound=str)

_KEYS = "_bound_keys"
_REJECTED, _REPORTED = "_bound_rejected", "_bound_reported"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A value of the address that its widget does not offer, and the value used in its place."""

    label: str
    requested: str
    used: Any


def start() -> None:
    """Forget the widgets of the last run."""
    st.session_state[_KEYS] = []
    st.session_state[_REPORTED] = set()


def _bind(widget: Callable[..., Any], label: str, key: str, **options: Any) -> Any:
    st.session_state[_KEYS].append(key)
    requested = st.query_params.get_all(key)
    value = widget(label, key=key, bind="query-params", **options)
    record.add_input(key, label, value, _default(options))
    if requested and key not in st.query_params and not _means(requested, value):
        rejected = Rejected(label, ", ".join(requested), value)
        st.session_state.setdefault(_REJECTED, {})[key] = rejected
    return value


def _bind_named(
    widget: Callable[..., Any],
    label: str,
    key: str,
    choices: list[Option],
    names: Mapping[Option, str],
    **options: Any,
) -> Any:
    """A widget whose options are shown by name while the address holds their ids."""
    st.session_state[_KEYS].append(key)
    value, rejected = by_name.bind(widget, label, key, choices, names, **options)
    record.add_input(key, label, value, [] if isinstance(value, list) else choices[0])
    if rejected:
        used = value if isinstance(value, list) else str(value)
        st.session_state.setdefault(_REJECTED, {})[key] = Rejected(label, rejected, used)
    return value


def _default(options: Mapping[str, Any]) -> Any:
    """The value of a widget that nobody has touched."""
    if "index" in options:
        return options["options"][options["index"]]
    return options["default"] if "default" in options else options.get("value")


def _means(requested: list[str], value: Any) -> bool:
    """Whether the texts of an address say this value; a switch takes many words, so it always does."""
    if isinstance(value, bool):
        return True
    values = value if isinstance(value, (list, tuple)) else [value]
    if [_text(item) for item in values] == requested:
        return True
    try:
        return [float(item) for item in values] == [float(item) for item in requested]
    except (TypeError, ValueError):
        return False


def report_rejected() -> None:
    """
    Say which inputs of the address were rejected and what is used, until the reader changes it.

    Every input is reported once a run: those above the headline there, those below it at the end of the page.
    """
    reported: set[str] = st.session_state[_REPORTED]
    noted: dict[str, Rejected] = st.session_state.get(_REJECTED, {})
    for key in [key for key in noted if key in st.session_state[_KEYS] and key not in reported]:
        reported.add(key)
        rejected = noted[key]
        if st.session_state.get(key) != rejected.used:
            del noted[key]
            continue
        used = rejected.used
        text = ", ".join(map(_text, used)) if isinstance(used, list) else _text(used)
        problem = (
            f"The address asks for {rejected.requested} as {rejected.label}, which is not an option here"
        )
        st.warning(plain(f"{problem}: {text or 'nothing'} is used."), icon=":material/link_off:")


@overload
def number(
    label: str,
    key: str,
    value: int,
    *,
    low: int | None = None,
    high: int | None = None,
    step: int | None = None,
    help: str | None = None,
    format: str | None = None,
) -> int: ...
@overload
def number(
    label: str,
    key: str,
    value: float,
    *,
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    help: str | None = None,
    format: str | None = None,
) -> float: ...
@overload
def number(
    label: str,
    key: str,
    value: None,
    *,
    low: int,
    high: int | None = None,
    step: int | None = None,
    help: str | None = None,
    format: str | None = None,
) -> int | None: ...
@overload
def number(
    label: str,
    key: str,
    value: None,
    *,
    low: float,
    high: float | None = None,
    step: float | None = None,
    help: str | None = None,
    format: str | None = None,
) -> float | None: ...
def number(
    label: str,
    key: str,
    value: float | None,
    *,
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    help: str | None = None,  # noqa: A002
    format: str | None = None,  # noqa: A002
) -> float | None:
    """A number field, None while it is empty; its limits guide the hand, core checks again."""
    options = {"value": value, "min_value": low, "max_value": high, "step": step}
    entered: float | None = _bind(st.number_input, label, key, help=help, format=format, **options)
    return entered


def text(
    label: str,
    key: str,
    value: str,
    *,
    help: str | None = None,  # noqa: A002
    placeholder: str | None = None,
) -> str:
    """A short text, such as a size with its unit."""
    return _bind(st.text_input, label, key, value=value, help=help, placeholder=placeholder) or ""


def choice(
    label: str,
    key: str,
    options: Iterable[Option],
    default: Option | None = None,
    *,
    renamed: Mapping[str, Option] | None = None,
    names: Mapping[Option, str] | None = None,
    help: str | None = None,  # noqa: A002
) -> Option:
    """
    One of a list, in a dropdown.

    Args:
        label: Of the widget.
        key: Name in the address.
        options: As the address holds them.
        default: The first where it is not among them.
        renamed: The options that old links still call otherwise.
        names: What is shown in place of an option, each name once; the first option is then the default.
        help: On hover.
    """
    if renamed and st.query_params.get(key) in renamed:
        st.session_state[key] = renamed[st.query_params[key]]
        del st.query_params[key]
    choices = list(options)
    if names is not None:
        named: Option = _bind_named(st.selectbox, label, key, choices, names, help=help)
        return named
    index = choices.index(default) if default in choices else 0
    option: Option = _bind(st.selectbox, label, key, options=choices, index=index, help=help)
    return option


def switch(
    label: str,
    key: str,
    options: Iterable[Option],
    default: Option | None = None,
    *,
    help: str | None = None,  # noqa: A002
    hidden: bool = False,
) -> Option:
    """One of two to five, all visible."""
    choices = list(options)
    option: Option = _bind(
        st.segmented_control,
        label,
        key,
        options=choices,
        default=default or choices[0],
        required=True,
        wrap=True,
        label_visibility="collapsed" if hidden else "visible",
        help=help,
    )
    return option


def toggle(label: str, key: str, *, value: bool = False, help: str | None = None) -> bool:  # noqa: A002
    """On or off."""
    return bool(_bind(st.toggle, label, key, value=value, help=help))


def several(
    label: str,
    key: str,
    options: Iterable[Option],
    default: Iterable[Option],
    *,
    names: Mapping[Option, str] | None = None,
    help: str | None = None,  # noqa: A002
) -> list[Option]:
    """Some of a list; ``names`` are shown in place of options, and then none is chosen by default."""
    if names is not None:
        named: list[Option] = _bind_named(st.multiselect, label, key, list(options), names, help=help)
        return named
    selected_first = list(default) or None
    selected: list[Option] = _bind(
        st.multiselect, label, key, options=list(options), default=selected_first, help=help
    )
    return selected


def full_link() -> str:
    """The address with every input of this page, defaults too, and the model version."""
    pairs = [("v", MODEL_VERSION)]
    for key in st.session_state[_KEYS]:
        value = st.session_state.get(key)
        values = value if isinstance(value, (list, tuple)) else [value]
        pairs += [(key, _text(item)) for item in values if item is not None]
    return f"{(st.context.url or '').split('?')[0]}?{urlencode(pairs)}"


def share() -> None:
    """The full link, ready to copy; a note where a link was made with another model version."""
    report_rejected()
    with st.popover("Copy full link", icon=":material/link:"):
        st.code(full_link(), language=None, wrap_lines=True)
        st.caption("Contains every input, defaults included: it opens the same question after an update.")
    made_with = st.query_params.get("v")
    if made_with and made_with != MODEL_VERSION:
        st.info(f"This link was made with model version {made_with}; this page uses {MODEL_VERSION}.")


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)
