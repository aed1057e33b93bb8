"""
Widgets whose value lives in the URL, and the full link that spells all of them out.

Options are the ids that the shell takes: Streamlit writes what it shows into the URL.
"""

from urllib.parse import urlencode

import streamlit as st

from core.collectives.cost_model.version import MODEL_VERSION
from pages.ui.shared.messages import plain

_KEYS = "_bound_keys"
_REFUSED, _TOLD = "_bound_refused", "_bound_told"


def start():
    """Forget the widgets of the last run."""
    st.session_state[_KEYS] = []
    st.session_state[_TOLD] = False


def _bind(widget, label, key, **options):
    st.session_state[_KEYS].append(key)
    asked = st.query_params.get_all(key)
    value = widget(label, key=key, bind="query-params", **options)
    if asked and key not in st.query_params and not _means(asked, value):
        st.session_state.setdefault(_REFUSED, {})[key] = label, ", ".join(asked), value
    return value


def _means(asked, value):
    """Whether the texts of an address say this value; a switch takes many words, so it always does."""
    if isinstance(value, bool):
        return True
    values = value if isinstance(value, (list, tuple)) else [value]
    if [_text(one) for one in values] == asked:
        return True
    try:
        return [float(one) for one in values] == [float(one) for one in asked]
    except (TypeError, ValueError):
        return False


def refused():
    """Say once a run which inputs of the address were not taken and what stands there, until it is changed."""
    if st.session_state[_TOLD]:
        return
    st.session_state[_TOLD] = True
    noted = st.session_state.get(_REFUSED, {})
    for key in [key for key in noted if key in st.session_state[_KEYS]]:
        label, asked, instead = noted[key]
        if st.session_state.get(key) != instead:
            del noted[key]
            continue
        stands = ", ".join(map(_text, instead)) if isinstance(instead, list) else _text(instead)
        words = f"The address asks for {asked} as {label}, which cannot be chosen here"
        st.warning(plain(f"{words}: {stands or 'nothing'} is used."), icon=":material/link_off:")


def number(label, key, value, *, low=None, high=None, step=None, help=None, format=None):  # noqa: A002
    """A number field; its limits guide the hand, core checks again."""
    options = {"value": value, "min_value": low, "max_value": high, "step": step}
    return _bind(st.number_input, label, key, help=help, format=format, **options)


def text(label, key, value, *, help=None, placeholder=None):  # noqa: A002
    """A short text, such as a size with its unit."""
    return _bind(st.text_input, label, key, value=value, help=help, placeholder=placeholder)


def choice(label, key, options, default=None, *, help=None):  # noqa: A002
    """One of a list, in a dropdown."""
    options = list(options)
    index = options.index(default) if default in options else 0
    return _bind(st.selectbox, label, key, options=options, index=index, help=help)


def switch(label, key, options, default=None, *, help=None, hidden=False):  # noqa: A002
    """One of two to five, all visible."""
    options = list(options)
    return _bind(
        st.segmented_control,
        label,
        key,
        options=options,
        default=default or options[0],
        required=True,
        wrap=True,
        label_visibility="collapsed" if hidden else "visible",
        help=help,
    )


def toggle(label, key, *, value=False, help=None):  # noqa: A002
    """On or off."""
    return _bind(st.toggle, label, key, value=value, help=help)


def several(label, key, options, default, *, help=None):  # noqa: A002
    """Some of a list."""
    return _bind(st.multiselect, label, key, options=list(options), default=default or None, help=help)


def full_link():
    """The address with every input of this page, defaults too, and the model version."""
    pairs = [("v", MODEL_VERSION)]
    for key in st.session_state[_KEYS]:
        value = st.session_state.get(key)
        values = value if isinstance(value, (list, tuple)) else [value]
        pairs += [(key, _text(one)) for one in values if one is not None]
    return f"{(st.context.url or '').split('?')[0]}?{urlencode(pairs)}"


def share():
    """The full link, ready to copy; a word where a link was made with another model version or cannot be met."""
    refused()
    with st.popover("Copy full link", icon=":material/link:"):
        st.code(full_link(), language=None, wrap_lines=True)
        st.caption("Holds every input, defaults too: it asks the same question after an update.")
    made_with = st.query_params.get("v")
    if made_with and made_with != MODEL_VERSION:
        st.info(f"This link was made with model version {made_with}; here {MODEL_VERSION} answers.")


def _text(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)
