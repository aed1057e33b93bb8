"""Where a combination of inputs has no answer: the nearest one that has, a click away."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.ui.shared import undo


@dataclass(frozen=True, slots=True)
class Offer:
    """What to use in place of the reader's values: the words of a button, and values by name in the address."""

    label: str
    values: Mapping[str, Any]


def draw(offer: Offer) -> None:
    """The button; Undo brings the former values back."""
    st.button(offer.label, key="_offer", type="primary", on_click=undo.put, args=(offer.values,))
