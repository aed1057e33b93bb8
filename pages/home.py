"""Home: a question box, worked scenarios with live answers, and every page."""

import streamlit as st

from pages.ui.home import view
from pages.ui.shared import bound

st.title("What will this interconnect cost my model?")
st.markdown("And **is what I measured what I should get?** One model of the fabric answers both.")

view.question_box()
view.worked()
bound.share()
view.document()
view.pages()
view.rates()
