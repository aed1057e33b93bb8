"""TP page: output tokens/s of a machine kept full, degree by degree."""

from dataclasses import replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.tensor_parallel import offline
from core.checks import InputError
from core.units import format_time
from pages.ui.shared import bound, tables


def draw(found):
    """Prompt and output length, and what every degree makes of them."""
    left, right, _ = st.columns([1, 1, 2])
    with left:
        prompt = bound.number("Prompt (tokens)", "full_prompt", 1024, low=1, step=256)
    with right:
        output = bound.number("Output (tokens)", "full_output", 1024, low=1, step=256)
    asked = found.scenario
    rows = [(one.tp, ask(replace(asked, tp=one.tp), prompt, output)) for one in found.degrees]
    able = [(tp, one) for tp, one in rows if one is not None]
    if not able:
        st.info("The weights fit no degree of this machine: nothing can run.")
        return
    tp, best = max(able, key=lambda row: row[1].output_tokens_per_s / max(row[0], asked.ep))
    each = best.output_tokens_per_s / max(tp, asked.ep)
    st.markdown(
        f"**TP{tp}** makes the most of each GPU: {each:,.0f} output tokens/s, with {best.sequences:,} sequences at once."
    )
    tables.show(table(rows, asked.ep), "Output tokens/s of a full machine by degree", height="content")


@lru_cache(maxsize=256)
def ask(asked, prompt, output):
    """One degree; None where its weights do not fit or its library cannot do it."""
    try:
        return offline(asked, prompt, output)
    except InputError:
        return None


def table(rows, ep):
    """Every degree as a row."""
    return pd.DataFrame(
        {
            "degree": f"TP{tp}",
            "sequences a group": "weights do not fit" if one is None else f"{one.sequences:,}",
            "decode step": None if one is None else format_time(one.decode_step_s),
            "prompts of a round": None if one is None else format_time(one.prefill_s),
            "output tokens/s": None if one is None else f"{one.output_tokens_per_s:,.0f}",
            "per GPU": None if one is None else f"{one.output_tokens_per_s / max(tp, ep):,.0f}",
            "communication": None if one is None else f"{100 * one.comm_share:.1f} %",
        }
        for tp, one in rows
    )
