"""Home: what Wirespeed answers, and which page to open for which question."""

import streamlit as st

from pages.ui.home import view

st.title("What will this interconnect cost my model?")
st.markdown("And **is what I measured what I should get?** One model of the fabric answers both.")

view.cards()
view.rates()
