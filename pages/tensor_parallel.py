"""TP overhead: what splitting every layer over GPUs costs in communication, and where it stops paying."""

import streamlit as st

from pages.ui.shared import answer, answered, bound, link_value, sections
from pages.ui.shared.question import bar, own
from pages.ui.shared.sections import Section
from pages.ui.tensor_parallel import engine, engine_inputs, inputs, plots, saturation, service, summary, sweep

st.title("Tensor parallelism")
st.caption("Every layer is split over the TP group, so every layer waits for two all-reduces.")

question = bar.shared()
with own.row():
    step = inputs.step()
with own.further():
    execution = inputs.execution()
    goal = service.objective()
    runs = engine_inputs.choose(question.software.preset)

with answer.explained(lambda: inputs.nearest(question, "tp", step.tp)):
    scenario = inputs.scenario(question, step, execution, runs)
    result = summary.ask(scenario)
    figures = service.ask(scenario, goal, runs[0])

place = answer.headline(
    summary.headline(result),
    origin=answered.by_bases(question.rates, result.basis.split(", ")),
    yours=scenario.system.yours or result.scenario.model.yours,
)
answer.figures(summary.figures(result, figures))
answer.warnings(result)
result = summary.detail(scenario)
with place:
    answer.crossovers(summary.crossover_text(result, figures))

left, right = st.columns(2)
with left:
    st.subheader("Step time vs TP degree")
    plots.degrees(result)
with right:
    st.subheader("Exposed communication vs batched tokens")
    plots.shares(scenario, result)

sections.tabs(
    Section("Every degree", lambda: plots.every_degree(result)),
    Section("Serving: TTFT, TPOT, cost, largest batch", lambda: service.draw(result, goal, runs[0])),
    Section("Serving engine", lambda: engine.draw(scenario, runs[0], goal)),
    Section("What if PCIe?", lambda: link_value.draw(summary.links(scenario))),
    Section("Crossovers", lambda: plots.changes(result)),
    Section(
        "Sweep",
        lambda query: sweep.draw(scenario, query),
        inputs=lambda: sweep.query(scenario),
    ),
    Section(
        "Throughput at saturation",
        lambda load: saturation.draw(result, load, runs[0], goal.tpot_s),
        inputs=saturation.inputs,
    ),
)
answer.numbers_and_sources(result, summary.terms(result), caption="Terms of a layer and of a step")
bound.share()
