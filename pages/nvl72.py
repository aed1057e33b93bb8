"""Stub."""

import streamlit as st

st.title("nvl72")
