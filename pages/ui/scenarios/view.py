"""Scenarios page: two whole questions side by side, and their difference in words, chart and tables."""

from dataclasses import replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.tensor_parallel import Scenario, compare
from core.calculators.tensor_parallel.compare import llama_405b
from core.calculators.tensor_parallel.scenario import PHASES
from core.catalog import LINKS, PRECISIONS, SYSTEMS, visible
from core.checks import InputError
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.systems import NETWORKS, configure, read_system
from core.units import GB, format_size, format_time
from pages.ui.scenarios import waterfall
from pages.ui.shared import answer, bound, shape, tables
from pages.ui.shared.messages import plain

SIDES = dict(zip(("a", "b"), llama_405b(), strict=True))
FILE, CATALOG = "file", "catalog"
FILE_MOST_BYTES = 100_000
FIELDS = (
    *("model", "system", "tp", "phase", "tokens", "context", "weights", "kv", "domains", "network", "nics"),
    *("activations", "ep", "overlap", "sequence_parallel", "implementation", "launch"),
)


def side(letter):
    """All inputs of one scenario; a function that builds it once all widgets stand."""
    usual = SIDES[letter]
    with st.container(border=True):
        st.subheader(letter.upper())
        model, _ = shape.choose(f"{letter}_model", usual.model.id, shaped=True, carry=False)
        machine = _machine(letter, usual.system.id)
        left, right = st.columns(2)
        with left:
            tp = bound.number("TP degree", f"{letter}_tp", usual.tp, low=1, step=1)
            tokens = bound.number("Tokens in a step", f"{letter}_tokens", usual.tokens, low=1, step=1)
            weights = bound.choice("Weights", f"{letter}_weights", PRECISIONS, usual.weights.id)
        with right:
            phase = bound.choice("Phase", f"{letter}_phase", PHASES, usual.phase)
            context = bound.number(
                "Context (tokens)", f"{letter}_context", usual.context, low=0, step=1024, help=CONTEXT
            )
            kv = bound.choice("KV cache", f"{letter}_kv", PRECISIONS, usual.kv.id)
        network, how = _details(letter)
    formats = {"weights": PRECISIONS[weights], "kv": PRECISIONS[kv], **how}
    return lambda: Scenario(
        model=model(),
        system=configure(machine(), **network),
        phase=phase,
        tokens=tokens,
        context=context,
        tp=tp,
        **formats,
    )


CONTEXT = "Empty: 4,096 when decoding, one prompt of all tokens in prefill."


def _machine(letter, default):
    """A system of the catalog, or a file of one's own."""
    known = visible(SYSTEMS, bool(st.session_state.get("unverified")))
    chosen = bound.choice("System", f"{letter}_system", [*known, FILE], default)
    if chosen != FILE:
        return lambda: SYSTEMS[chosen]
    file = st.file_uploader("System file (JSON)", type="json", key=f"_{letter}_system_file")
    return lambda: _read(file, letter)


def _read(file, letter):
    if file is None:
        message = f"system file of {letter.upper()}: none yet; save one on a page with a machine of your own"
        raise InputError(message)
    if file.size > FILE_MOST_BYTES:
        message = f"system file: at most {FILE_MOST_BYTES:,} bytes"
        raise InputError(message)
    return read_system(file.getvalue().decode("utf-8", "replace"))


def _details(letter):
    """What stands behind the question: network, formats, library."""
    with st.expander("Domains, formats, library", icon=":material/tune:"):
        left, right = st.columns(2)
        with left:
            domains = bound.number("Domains", f"{letter}_domains", 1, low=1, step=1)
            wires = [key for key in NETWORKS if key in visible(LINKS, False)]
            network = bound.choice("Network", f"{letter}_network", [CATALOG, *wires])
            nics = bound.number(
                "NICs per domain", f"{letter}_nics", None, low=1, step=1, help="Empty: the catalog's."
            )
            parallel = bound.toggle("Sequence parallel", f"{letter}_sequence_parallel")
        with right:
            values = bound.choice("Activations", f"{letter}_activations", PRECISIONS, "bf16")
            ep = bound.number("Expert-parallel GPUs", f"{letter}_ep", 1, low=1, step=1)
            hidden = bound.number(
                "Communication hidden (share)", f"{letter}_overlap", 0.0, low=0.0, high=1.0, step=0.1
            )
        library = bound.choice("Implementation", f"{letter}_implementation", IMPLEMENTATIONS)
        launch = bound.choice("Launch", f"{letter}_launch", LAUNCHES)
    wire = {
        "domains": domains,
        "network": None if network == CATALOG else network,
        "nics_per_domain": nics,
    }
    return wire, {
        "activations": PRECISIONS[values],
        "ep": ep,
        "overlap": hidden,
        "sequence_parallel": parallel,
        "implementation": library,
        "launch": launch,
    }


def tools():
    """Copy one side to the other, or swap them."""
    with st.container(horizontal=True):
        st.button("Copy A to B", icon=":material/content_copy:", on_click=_copy, key="_copy_sides")
        st.button("Swap", icon=":material/swap_horiz:", on_click=_swap, key="_swap_sides")


def _copy():
    for name in FIELDS:
        st.session_state[f"b_{name}"] = st.session_state[f"a_{name}"]


def _swap():
    for name in FIELDS:
        mine, other = f"a_{name}", f"b_{name}"
        st.session_state[mine], st.session_state[other] = st.session_state[other], st.session_state[mine]


def rated(scenario, chosen):
    """The scenario on the rates of the page."""
    return replace(scenario, rates=chosen.on(scenario.system, scenario.tp))


@lru_cache(maxsize=64)
def ask(first, second):
    """Both answers and their difference."""
    return compare(first, second)


def name(asked):
    """What a scenario is called."""
    return f"{asked.model.name}, TP{asked.tp} on {asked.system.name}"


def verdict(found):
    """Which is faster and by how much, which term makes it, and how it looks per GPU."""
    first, second = found.a.per_step.time_s, found.b.per_step.time_s
    if all(term.difference_s == 0 for term in found.terms):
        return "A and B take the same time: no term of a step differs.", "", ""
    ratio = max(first / second, second / first)
    word = "faster" if second < first else "slower"
    text = f"A step of B is {ratio:.2f} times {word}: {format_time(second)} against {format_time(first)}."
    top = found.terms[0]
    reason = (
        f"**{top.name}** makes the largest difference, {1e3 * top.difference_s:+.2f} ms: {_because(top)}."
    )
    return text, reason, _per_gpu(found)


def _per_gpu(found):
    mine, other = found.a.tokens_per_s_per_gpu, found.b.tokens_per_s_per_gpu
    word = "more" if other >= mine else "fewer"
    return f"Each GPU of B makes {max(mine / other, other / mine):.2f} times {word} tokens/s: {other:,.0f} against {mine:,.0f}."


def figures(found):
    """The main numbers of one side."""
    step = found.per_step
    return [
        ("Step", format_time(step.time_s), f"{format_time(step.low_s)} to {format_time(step.high_s)}"),
        ("Communication", f"{100 * step.share:.1f} %", "Share of a step that waits for messages."),
        ("Tokens/s", f"{found.tokens_per_s:,.0f}"),
        ("Tokens/s per GPU", f"{found.tokens_per_s_per_gpu:,.0f}"),
    ]


def show(found):
    """The figures of one side, two in a row."""
    columns = st.columns(2)
    for number, (label, value, *told) in enumerate(figures(found)):
        with columns[number % 2]:
            st.metric(label, value, help=told[0] if told else None, border=True)


def _because(term):
    return term.reason.replace("->", "→").replace(" us ", " µs ")


def chart(found):
    """From A to B, term by term."""
    told = [(term.name, term.difference_s, _because(term)) for term in found.terms]
    first, second = found.a.per_step.time_s, found.b.per_step.time_s
    words = f"From {format_time(first)} of A to {format_time(second)} of B by term"
    waterfall.draw(waterfall.rows(first, second, told), words)


def terms(found):
    """Every term as a row, in milliseconds; the last row is the sum."""
    rows = [
        (one.name, 1e3 * one.a_s, 1e3 * one.b_s, 1e3 * one.difference_s, _because(one)) for one in found.terms
    ]
    first, second = found.a.per_step.time_s, found.b.per_step.time_s
    rows.append(("step", 1e3 * first, 1e3 * second, 1e3 * (second - first), "sum of the terms above"))
    frame = pd.DataFrame(rows, columns=["term", "A (ms)", "B (ms)", "B − A (ms)", "because"])
    number = {
        key: st.column_config.NumberColumn(format="%.3f") for key in frame.columns if key.endswith("(ms)")
    }
    tables.show(frame, "Terms of the difference", number, height="content")


def table(found):
    """Both answers line by line."""
    rows = []
    for label, value in LINES.items():
        rows.append((label, value(found.a), value(found.b)))
    return pd.DataFrame(rows, columns=["what", "A", "B"])


LINES = {
    "scenario": lambda one: name(one.scenario),
    "step": lambda one: format_time(one.per_step.time_s),
    "step, all hidden that can be": lambda one: format_time(one.per_step.low_s),
    "step, nothing hidden": lambda one: format_time(one.per_step.high_s),
    "compute": lambda one: format_time(one.per_step.compute_s),
    "communication": lambda one: format_time(one.per_step.comm_s),
    "share that waits": lambda one: f"{100 * one.per_step.share:.2f} %",
    "messages": lambda one: f"{one.per_step.messages:,.0f} of {format_size(one.per_step.message_bytes)}",
    "one message": lambda one: format_time(one.per_step.message_s),
    "done as": lambda one: one.choice or "–",
    "decides": lambda one: one.binding,
    "tokens/s": lambda one: f"{one.tokens_per_s:,.1f}",
    "tokens/s per GPU": lambda one: f"{one.tokens_per_s_per_gpu:,.2f}",
    "speed-up over one GPU": lambda one: f"{one.speedup:.2f}",
    "shortest step": lambda one: f"TP{one.best_latency_tp}",
    "most tokens/s per GPU": lambda one: f"TP{one.best_throughput_tp}",
    "memory per GPU": lambda one: f"{one.memory_bytes / GB:,.1f} of {one.memory_limit_bytes / GB:,.1f} GB",
    "fits": lambda one: "yes" if one.fits else "no",
}


def warnings(found):
    """What either answer warns of, each line with its side."""
    for letter, one in (("A", found.a), ("B", found.b)):
        for line in one.warnings:
            st.warning(f"**{letter}**: {plain(line)}", icon=":material/warning:")


def numbers(found, lines):
    """Both answers, what they assume, who says so, and the same in a shell."""
    with st.expander("Numbers, formula and sources", icon=":material/functions:"):
        tables.show(table(found), "Both answers line by line", height="content")
        st.latex(found.a.formula)
        for letter, one in (("A", found.a), ("B", found.b)):
            assumed = "\n".join(f"* {plain(line)}" for line in one.assumptions)
            st.markdown(f"**Assumed for {letter}**\n\n{assumed}")
        if lines:
            st.markdown("**The same in a shell**")
            st.code("\n".join(lines), language="bash", wrap_lines=True)
        answer.sources((*found.a.sources, *found.b.sources))
