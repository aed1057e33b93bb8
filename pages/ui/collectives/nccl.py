"""The answer about one collective of nccl-tests."""

import streamlit as st

from pages.ui.collectives import ceilings, inputs, plots, summary
from pages.ui.shared import answer, answered, sections
from pages.ui.shared.question.record import SharedInputs
from pages.ui.shared.sections import Section


def show(question: SharedInputs, query: inputs.CollectiveQuery, kernel: inputs.Kernel) -> None:
    """Its headline, figures, charts and numbers."""
    with answer.explained():
        scenario = inputs.scenario(question, query, kernel)
        result = summary.ask(scenario)

    place = answer.headline(
        summary.headline(scenario, result),
        note=summary.basis_note(result),
        origin=answered.by_bases(question.rates, [result.basis]),
        yours=scenario.system.yours,
    )
    answer.figures(summary.figures(result))
    answer.warnings(summary.without_edge(result))
    detail = summary.detail(scenario)
    with place:
        answer.crossovers(summary.crossover_text(scenario, detail.answer))

    st.subheader(f"{summary.title(scenario.collective)} bus bandwidth vs message size")
    plots.busbw(scenario, detail)
    sections.tabs(
        Section("Time by algorithm", lambda: plots.times(detail, summary.algorithms(scenario))),
        Section("Time breakdown", lambda: plots.parts(detail)),
        Section("Ceilings of the scale-up link", lambda: ceilings.ladder(scenario, detail.answer)),
        Section("Other published models", lambda: ceilings.peers(scenario, detail.answer)),
    )
    summary.numbers(scenario, detail)
