"""What an address asks for that its page does not offer: taken out before a widget sees it, and reported."""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.checks import alternatives
from pages.ui.shared import identity, record
from pages.ui.shared import names as spelling
from pages.ui.shared.messages import plain

MOST = 2**53
"""Beyond it a browser's numbers skip whole ones."""
EMPTY = re.compile(r"\bEmpty: (.+?)\.(?=\s|$)", re.DOTALL)
"""Where the help of a field says what it stands for while it is empty."""
_REJECTED, _REPORTED, _SETTLED = "_bound_rejected", "_bound_reported", "_address_settled"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A value of the address that its widget does not offer, and the value used in its place."""

    label: str
    requested: str
    used: Any
    names: Mapping[str, str] = field(default_factory=dict)
    offered: Sequence[str] = ()
    empty: str = ""
    """What an empty field stands for."""

    @property
    def text(self) -> str:
        """What is asked for and what is used, after the words *The address* or *A:*."""
        used = self.used if isinstance(self.used, list) else [self.used]
        words = ", ".join(self.names.get(text(item), text(item)) for item in used)
        return (
            f"asks for {self.requested or 'nothing'} as {self.label}, which is not an option here: "
            f"{self._instead(words)}.{self._close()}"
        )

    def _instead(self, words: str) -> str:
        """What is used, or what an empty field means where that is what the widget holds."""
        if self.used is None:
            return f"used instead, {self.empty}" if self.empty else "the field stays empty"
        return f"{words or 'nothing'} is used"

    def _close(self) -> str:
        """Options that may have been meant, as the address takes them; empty where the widget has none."""
        listed = alternatives(self.requested, self.offered) if self.offered else ""
        return f" {spelling.sentence(listed)}." if listed else ""


def start() -> None:
    """Begin a run: nothing is reported yet."""
    st.session_state[_REPORTED] = set()
    st.session_state[_SETTLED] = not decides()
    context = get_script_run_ctx()
    if context is None or not decides():
        return
    identity.renew(record.current().inputs)
    # On its way to another page Streamlit strips what it takes for that of the page left; all of it counts.
    with context.session_state.query_params() as parameters:
        parameters.populate_from_query_string(context.query_string)
    for key in list(st.query_params)[:1]:
        rewrite(key, st.query_params.get_all(key))


def resume() -> None:
    """Begin a run of the page alone, whose address the frame has read: nothing of it is reported yet."""
    st.session_state[_REPORTED] = set()
    st.session_state[_SETTLED] = True


def decides() -> bool:
    """Whether the reader has come Back or gone Forward: the address decides, whatever the session holds."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def number(texts: Sequence[str], *, may_be_empty: bool, whole: bool) -> bool:
    """Whether the texts of an address are a number, or a whole one, that a field can hold."""
    if texts[-1] == "":
        return may_be_empty
    try:
        value = float(texts[-1])
    except ValueError:
        return False
    return math.isfinite(value) and abs(value) < MOST and (value.is_integer() or not whole)


def option(texts: Sequence[str], options: Collection[str]) -> bool:
    """Whether the texts of an address are one of the options."""
    return len(texts) == 1 and texts[0] in options


def on_or_off(texts: Sequence[str]) -> bool:
    """Whether the texts of an address say on or off."""
    return len(texts) == 1 and texts[0].lower() in {"true", "false"}


def requested(key: str, accepts: Callable[[Sequence[str]], bool] | None = None) -> list[str]:
    """What the address says of an input; what it does not accept is taken out of the address."""
    if not st.session_state[_SETTLED]:
        # Former names were given their new ones after the address had arrived.
        st.session_state[_SETTLED] = True
        _seed()
    texts = st.query_params.get_all(key)
    if texts and accepts is not None and not accepts(texts):
        rewrite(key, None)
    return texts


def complete(key: str, value: Any, default: Any) -> None:
    """Let the address say the value of a widget that was set otherwise than by the reader's hand."""
    if value == default or (default is None and value in ("", [])):
        return
    texts = [text(item) for item in value] or [""] if isinstance(value, list) else [text(value)]
    said = st.query_params.get_all(key)
    if said != texts and (isinstance(value, bool) or not means(said, value)):
        rewrite(key, texts)


def rewrite(key: str, value: str | list[str] | None) -> None:
    """
    Let the address say another value of an input; None takes it out.

    ``st.query_params`` alone does not do: a widget takes its value from the address as it arrived, and an
    infinite number brings it down.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as parameters:
        if value is None:
            parameters.remove_param(key)
        else:
            texts = [value] if isinstance(value, str) else value
            one = len(texts) == 1
            form = "string_value" if one else "string_array_value"
            parameters.set_corrected_value(key, texts[0] if one else texts, form)
    _seed()


def _seed() -> None:
    """Let widgets take their values from the address as it is now."""
    context = get_script_run_ctx()
    if context is not None:
        now = {name: st.query_params.get_all(name) for name in st.query_params}
        with context.session_state.query_params() as parameters:
            parameters.set_initial_query_params(urlencode(now, doseq=True))


def reject(
    key: str,
    label: str,
    texts: Sequence[str],
    used: Any,
    names: Mapping[str, str] | None = None,
    offered: Sequence[str] = (),
    about: str = "",
) -> None:
    """Note that the address asked for something else than what is used, shown by name where it has one."""
    empty = EMPTY.search(about)
    noted: dict[str, Rejected] = st.session_state.setdefault(_REJECTED, {})
    noted[key] = Rejected(
        spelling.alone(label), ", ".join(texts), used, names or {}, offered, empty[1] if empty else ""
    )


def rejected() -> tuple[Rejected, ...]:
    """What the address of this session asked for and did not get."""
    noted: dict[str, Rejected] = st.session_state.get(_REJECTED, {})
    return tuple(noted.values())


def report(keys: Collection[str]) -> None:
    """
    Say which inputs of the address were rejected and what is used, until the reader changes it.

    Every input is reported once a run: those above the headline there, those below it at the end of the page.
    """
    reported: set[str] = st.session_state[_REPORTED]
    noted: dict[str, Rejected] = st.session_state.get(_REJECTED, {})
    for key in [key for key in noted if key in keys and key not in reported]:
        reported.add(key)
        refused = noted[key]
        if st.session_state.get(key) != refused.used:
            del noted[key]
            continue
        st.warning(plain(f"The address {refused.text}"), icon=":material/link_off:")


def means(texts: Sequence[str], value: Any) -> bool:
    """Whether the texts of an address say this value; a switch takes many words, so it always does."""
    if isinstance(value, bool):
        return True
    values = value if isinstance(value, (list, tuple)) else [value]
    if [text(item) for item in values] == list(texts):
        return True
    try:
        return [float(item) for item in values] == [float(item) for item in texts]
    except (TypeError, ValueError):
        return False


def text(value: Any) -> str:
    """A value as an address writes it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)
