"""The comparison of two scenarios in words, figures and tables."""

from collections.abc import Callable
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.tensor_parallel import Answer, Comparison, Scenario, compare
from core.calculators.tensor_parallel.compare import SAME, Term
from core.units import MS, format_memory, format_message, format_number, format_share, format_time
from pages.ui.scenarios import waterfall
from pages.ui.shared import answer, tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import plain
from pages.ui.tensor_parallel.terms import label


@lru_cache(maxsize=64)
def ask(first: Scenario, second: Scenario) -> Comparison:
    """Both answers and their difference, remembered."""
    return compare(first, second)


def name(scenario: Scenario) -> str:
    """Model, degree and system of a scenario."""
    return f"{scenario.model.name}, TP{scenario.tp} on {scenario.system.name}"


def headline(comparison: Comparison) -> Headline:
    """Which side is faster and by how much, the term that makes most of it, and throughput per GPU."""
    a_s, b_s = comparison.a.per_step.time_s, comparison.b.per_step.time_s
    if all(term.difference_s == 0 for term in comparison.terms):
        return Headline("A and B take the same time: no term of the step differs.")
    ratio = max(a_s / b_s, b_s / a_s)
    word = "faster" if b_s < a_s else "slower"
    times = f"{ratio:.2f} times {word}" if ratio >= SAME else "within 0.5 % of A's"
    text = f"A step of B is {times}: {format_time(b_s)} against {format_time(a_s)}."
    largest = comparison.terms[0]
    difference_ms = f"{largest.difference_s / MS:+.2f} ms".replace("-", "−")
    reason = f"Largest term: **{label(largest.name)}**, {difference_ms}: {_because(largest)}."
    return Headline(text, reason, _per_gpu(comparison))


def _per_gpu(comparison: Comparison) -> str:
    a, b = comparison.a.tokens_per_s_per_gpu, comparison.b.tokens_per_s_per_gpu
    ratio = max(a / b, b / a)
    word = f"{ratio:.2f} times {'as many' if b >= a else 'fewer'}" if ratio >= SAME else "as many"
    return f"Per GPU, B has {word} tokens/s: {b:,.0f} against {a:,.0f}."


def figures(result: Answer) -> list[Figure]:
    """The main numbers of one side."""
    step = result.per_step
    metric = "TPOT" if result.scenario.phase == "decode" else "TTFT"
    overlap = (
        f"All overlapped to nothing overlapped: {format_time(step.low_s)} to {format_time(step.high_s)}."
    )
    return [
        Figure(f"Step ({metric})", format_time(step.time_s), overlap),
        Figure("Exposed communication", format_share(step.share), "Share of the step time."),
        Figure("Tokens/s", f"{result.tokens_per_s:,.0f}"),
        Figure("Tokens/s per GPU", f"{result.tokens_per_s_per_gpu:,.0f}"),
    ]


def show(result: Answer) -> None:
    """The figures of one side, two in a row."""
    columns = st.columns(2)
    for number, figure in enumerate(figures(result)):
        with columns[number % 2]:
            st.metric(figure.label, figure.value, help=figure.help or None, border=True)


def _because(term: Term) -> str:
    return term.reason.replace("->", "→")


def chart(comparison: Comparison) -> None:
    """The waterfall from A to B."""
    changes = [
        waterfall.Change(label(term.name), term.difference_s, _because(term)) for term in comparison.terms
    ]
    a_s, b_s = comparison.a.per_step.time_s, comparison.b.per_step.time_s
    differences = ", ".join(
        f"{change.name} {change.difference_s / MS:+.3g} ms" for change in changes if change.difference_s
    )
    description = f"Step time from {format_time(a_s)} of A to {format_time(b_s)} of B, term by term: {differences or 'none differs'}"
    waterfall.draw(waterfall.rows(a_s, b_s, changes), description)


def terms(comparison: Comparison) -> None:
    """Every term as a row, in milliseconds; the last row is the sum."""
    rows = [
        (label(term.name), term.a_s / MS, term.b_s / MS, term.difference_s / MS, _because(term))
        for term in comparison.terms
    ]
    a_s, b_s = comparison.a.per_step.time_s, comparison.b.per_step.time_s
    rows.append(("step", a_s / MS, b_s / MS, (b_s - a_s) / MS, "sum of the terms above"))
    frame = pd.DataFrame(rows, columns=["term", "A (ms)", "B (ms)", "B − A (ms)", "because"])
    formats = {
        column: st.column_config.NumberColumn(format="%.3g")
        for column in frame.columns
        if column.endswith("(ms)")
    }
    tables.show(frame, "Terms of the difference in step time", formats, height="content")


def table(comparison: Comparison) -> pd.DataFrame:
    """Both answers line by line."""
    rows = [(quantity, text(comparison.a), text(comparison.b)) for quantity, text in QUANTITIES.items()]
    return pd.DataFrame(rows, columns=["quantity", "A", "B"])


QUANTITIES: dict[str, Callable[[Answer], str]] = {
    "scenario": lambda result: name(result.scenario),
    "step time": lambda result: format_time(result.per_step.time_s),
    "step time, all overlapped": lambda result: format_time(result.per_step.low_s),
    "step time, nothing overlapped": lambda result: format_time(result.per_step.high_s),
    "compute": lambda result: format_time(result.per_step.compute_s),
    "communication": lambda result: format_time(result.per_step.comm_s),
    "exposed communication": lambda result: format_share(result.per_step.share),
    "messages": lambda result: (
        f"{result.per_step.messages:,.0f} of {format_message(result.per_step.message_bytes)}"
    ),
    "time per message": lambda result: format_time(result.per_step.message_s),
    "algorithm": lambda result: result.choice or "–",
    "bottleneck": lambda result: label(result.binding),
    "tokens/s": lambda result: format_number(result.tokens_per_s),
    "tokens/s per GPU": lambda result: format_number(result.tokens_per_s_per_gpu),
    "speed-up over one GPU": lambda result: f"{result.speedup:.2f}×",
    "shortest step": lambda result: f"TP{result.best_latency_tp}",
    "most tokens/s per GPU": lambda result: f"TP{result.best_throughput_tp}",
    "memory per GPU": lambda result: (
        f"{format_memory(result.memory_bytes)} of {format_memory(result.memory_limit_bytes)}"
    ),
    "fits": lambda result: "yes" if result.fits else "no",
}


def warnings(comparison: Comparison) -> None:
    """Where the two questions are unlike, and what either answer warns of, each line with its side."""
    for line in comparison.unlike:
        st.warning(plain(f"{line[:1].upper()}{line[1:]}."), icon=":material/difference:")
    for letter, result in (("A", comparison.a), ("B", comparison.b)):
        for line in result.warnings:
            st.warning(f"**{letter}**: {plain(line)}", icon=":material/warning:")


def numbers(comparison: Comparison, commands: list[str]) -> None:
    """Both answers, their assumptions and sources, and the shell commands that give the same numbers."""
    with st.expander("Numbers, formula and sources", icon=":material/functions:"):
        tables.show(table(comparison), "Both answers line by line", height="content")
        st.latex(comparison.a.formula)
        for letter, result in (("A", comparison.a), ("B", comparison.b)):
            assumptions = "\n".join(f"* {plain(line)}" for line in result.assumptions)
            st.markdown(f"**Assumptions of {letter}**\n\n{assumptions}")
        if commands:
            st.markdown("**The same in a shell**")
            st.code("\n".join(commands), language="bash", wrap_lines=True)
        answer.sources((*comparison.a.sources, *comparison.b.sources))
