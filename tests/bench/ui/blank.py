"""The yardstick: a Streamlit page with a number, a sentence and one chart."""

import altair as alt
import pandas as pd
import streamlit as st

value = st.number_input("Number", min_value=1, value=8, key="number", bind="query-params")
with st.container(key="headline"):
    st.markdown(f"#### The number is {value}.")
frame = pd.DataFrame({"x": range(50), "y": [value * number for number in range(50)]})
chart = alt.Chart(frame).mark_line().encode(x="x:Q", y="y:Q")
st.altair_chart(chart)
