"""Tables as every page shows them."""

import pandas as pd
import streamlit as st


def show(frame, alt, columns=None, **options):
    """A frame without index; what is missing is a dash."""
    st.dataframe(frame, hide_index=True, column_config=columns, placeholder="–", alt=alt, **options)


def terms(pairs):
    """Named terms of an answer as a two-column table: [(term, text)]."""
    return pd.DataFrame(pairs, columns=["term", "value"])
