"""
Widgets whose value lives in the URL, and the full link that spells all of them out.

The address holds the ids that the shell takes. Streamlit writes there what it shows: options that are shown
by name are therefore bound by ``by_name``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar, overload
from urllib.parse import urlencode

import streamlit as st

from core.collectives.cost_model.version import MODEL_VERSION
from pages.ui.shared import address, by_name, changes, record
from pages.ui.shared.document import button

Option = TypeVar("Option", bound=str)

_KEYS, _MARKED = "_bound_keys", "_bound_keys_marked"
EVERY_DIGIT = "%.12g"


def start() -> None:
    """Forget the widgets of the last run."""
    st.session_state[_KEYS] = []
    address.start()
    by_name.restore()


def mark() -> None:
    """Remember the widgets drawn so far, those of the shared question."""
    st.session_state[_MARKED] = list(st.session_state[_KEYS])


def resume() -> None:
    """Begin a run of the page alone: its widgets follow those of the mark."""
    st.session_state[_KEYS] = list(st.session_state[_MARKED])
    address.resume()


def carried(key: str) -> None:
    """Let the full link say a value of the session, of a widget or of none."""
    st.session_state[_KEYS].append(key)


def _bind(
    widget: Callable[..., Any],
    label: str,
    key: str,
    accepts: Callable[[Sequence[str]], bool] | None = None,
    **options: Any,
) -> Any:
    """A widget with its value in the address, where ``accepts`` agrees with what the address says."""
    st.session_state[_KEYS].append(key)
    requested = address.requested(key, accepts)
    value = widget(label, key=key, bind="query-params", **options)
    record.add_input(key, label, value, _default(options))
    refused = requested and accepts is not None and not accepts(requested)
    if refused or (requested and key not in st.query_params and not address.means(requested, value)):
        address.reject(key, label, requested, value, about=options.get("help") or "")
    address.complete(key, value, _default(options))
    return value


def _bind_named(
    widget: Callable[..., Any],
    label: str,
    key: str,
    choices: Sequence[str],
    names: Mapping[Any, str],
    default: Any,
    **options: Any,
) -> Any:
    """A widget whose options are shown by name while the address holds their ids."""
    carried(key)
    value, rejected = by_name.bind(widget, label, key, choices, names, default, **options)
    record.add_input(key, label, value, default, names)
    if rejected:
        address.reject(key, label, rejected, value, names, choices)
    return value


def _default(options: Mapping[str, Any]) -> Any:
    """The value of a widget that nobody has touched."""
    if "index" in options:
        return options["options"][options["index"]]
    return options["default"] if "default" in options else options.get("value")


def report_rejected() -> None:
    """Say which inputs of the address were rejected and what is used, until the reader changes it."""
    address.report(st.session_state[_KEYS])


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
    whole = isinstance(low if value is None else value, int)
    options: dict[str, Any] = {"value": value, "min_value": low, "max_value": high, "step": step}
    # Streamlit would round what it shows to the digits of the step, though not what it uses.
    options["format"] = format or (None if whole else EVERY_DIGIT)
    accepts = partial(address.number, may_be_empty=value is None, whole=whole)
    entered: float | None = _bind(st.number_input, label, key, accepts, help=help, **options)
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
        names: What is shown in place of an option, each name once.
        help: On hover.
    """
    if renamed and st.query_params.get(key) in renamed:
        address.rewrite(key, renamed[st.query_params[key]])
    choices = list(options)
    index = choices.index(default) if default in choices else 0
    if names is not None:
        named: Option = _bind_named(st.selectbox, label, key, choices, names, choices[index], help=help)
        return named
    accepts = partial(address.option, options=choices)
    option: Option = _bind(st.selectbox, label, key, accepts, options=choices, index=index, help=help)
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
        partial(address.option, options=choices),
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
    return bool(_bind(st.toggle, label, key, address.on_or_off, value=value, help=help))


def several(
    label: str,
    key: str,
    options: Iterable[Option],
    default: Iterable[Option],
    *,
    names: Mapping[Option, str] | None = None,
    help: str | None = None,  # noqa: A002
) -> list[Option]:
    """Some of a list; ``names`` are shown in place of options."""
    if names is not None:
        chosen = list(default)
        named: list[Option] = _bind_named(st.multiselect, label, key, list(options), names, chosen, help=help)
        return named
    selected_first = list(default) or None
    selected: list[Option] = _bind(
        st.multiselect, label, key, options=list(options), default=selected_first, help=help
    )
    return selected


def full_link(answered: Mapping[str, str]) -> str:
    """The address with every input of this page, defaults too, and the model version."""
    pairs = [("v", MODEL_VERSION)]
    for key in st.session_state[_KEYS]:
        value = st.session_state.get(key) or answered.get(key, st.session_state.get(key))
        values = value if isinstance(value, (list, tuple)) else [value]
        pairs += [(key, address.text(item)) for item in values if item is not None]
    return f"{(st.context.url or '').split('?')[0]}?{urlencode(pairs)}"


def share(answered: Mapping[str, str] = MappingProxyType({})) -> None:
    """
    The full link, ready to copy; a note where a link was made with another model version.

    Args:
        answered: What was answered in place of inputs that are empty, by their names in the address.
    """
    report_rejected()
    changes.show()
    record.current().link = link = full_link(answered)
    with st.container(horizontal=True, gap="small", key="page_end"):
        with st.popover("Copy full link", icon=":material/link:"):
            st.code(link, language=None, wrap_lines=True)
            st.caption("Contains every input, defaults included: it opens the same question after an update.")
        record.current().actions = st.container(width="content")
        button.document_of_no_answer()
        button.export()
    made_with = st.query_params.get("v")
    if made_with and made_with != MODEL_VERSION:
        st.info(f"This link was made with model version {made_with}; this page uses {MODEL_VERSION}.")
