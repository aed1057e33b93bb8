"""NVL72 capacity: do weights and KV cache fit a rack-scale domain, what limits it, how fast can it decode?"""

from dataclasses import replace

import streamlit as st

from core.calculators.system_comparison import Comparison
from pages.ui.nvl72 import against, domain_edge, domain_sizes, experts, inputs, stages, summary
from pages.ui.shared import answer, answered, bound, sections
from pages.ui.shared.navigation import PAGES
from pages.ui.shared.question import bar, own
from pages.ui.shared.sections import Section
from pages.ui.tensor_parallel import service

KV_TRANSFER = PAGES / "kv_transfer.py"

st.title("NVL72 capacity")
st.caption("Weights and KV cache over the GPUs of one scale-up domain, part by part.")

question = bar.shared()
with own.further():
    layout = inputs.layout()
    goal = service.objective()

with answer.explained():
    system = question.system.system()
    result = summary.ask(inputs.scenario(question, layout))
    figures = summary.ask_service(result.scenario, goal)

headline = summary.headline(result, figures)
place = answer.headline(
    replace(headline, crossovers=""),
    note=summary.note(result),
    origin=answered.memory(question.rates),
    yours=system.yours or summary.custom(result),
)
answer.figures(summary.figures(result, figures))
answer.warnings(result)

sizes = domain_sizes.sizes(result, layout.other_domain)
left, right = st.columns(2)
with left:
    st.subheader("Memory per GPU vs domain size")
    domain_sizes.bars(result, sizes)
with right:
    st.subheader("Largest model vs domain size")
    domain_sizes.largest(result, sizes)
domain_sizes.better(result)


def compare() -> Comparison | None:
    """The other systems, with their verdict among the crossovers of the headline."""
    comparison = against.choose(result, goal)
    with place:
        answer.crossovers(" ".join(filter(None, (against.verdict(comparison), headline.crossovers))))
    return comparison


sections.tabs(
    Section("Against other systems", against.show, inputs=compare),
    Section("Domain sizes", lambda: domain_sizes.table(result, sizes)),
    Section(
        "Edge of the domain",
        lambda size: domain_edge.draw(result.scenario, size, layout.other_domain),
        inputs=domain_edge.message_size,
    ),
    Section("Expert parallelism", lambda: experts.draw(result)),
    Section("Pipeline stages", lambda query: stages.draw(result, query), inputs=stages.query),
)
st.page_link(KV_TRANSFER, label="Move, offload or recompute the KV cache?", icon=":material/move_up:")

answer.numbers_and_sources(result, summary.table(result), caption="Parts and fabric figures")
bound.share()
