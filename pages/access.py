"""Access: tokens of one's own programs; for admins projects, people and the audit log."""

import streamlit as st

from pages.ui.access.sections import sections
from pages.ui.shared import bound, stored

st.title("Access")
st.caption("Tokens for your programs, the projects that you see, and for admins who did what.")

stored.show_problem()
available = sections()
section = bound.switch("Section", "section", available)
available[section]()
bound.share()
