"""KV cache transfer: is moving a cache to another GPU or to host memory faster than recomputing it?"""

import streamlit as st

from pages.ui.kv_transfer import inputs, plots, summary
from pages.ui.shared import answer, answered, bound
from pages.ui.shared.question import bar, own
from pages.ui.tensor_parallel.inputs import nearest

st.title("KV cache transfer")
st.caption(
    "Disaggregated serving transfers the KV cache from prefill to decode; offloading keeps it in host memory. "
    "Both compete with recomputing it."
)

question = bar.shared()
with own.row():
    query = inputs.query(question)

with answer.explained(lambda: nearest(question, "kv_gpus", query.gpus)):
    system = question.system.system()
    cache = summary.cache(query, system, question.rates)
    result = summary.ask(cache, query.context)

answer.headline(
    summary.headline(result, cache.model),
    origin=answered.transfer(question.rates),
    yours=system.yours or cache.model.yours,
)
answer.figures(summary.figures(result))

left, right = st.columns(2)
with left:
    st.subheader("Transfer time by path")
    plots.paths(result)
with right:
    st.subheader("Transfer and recompute time vs context length")
    plots.contexts(cache, query.context)
summary.table(result)
summary.numbers(result, cache)
bound.share()
