"""Experts over the scale-up domain: slots with redundancy, and the dispatch and combine of a step."""

import streamlit as st

from core.calculators.capacity import Capacity, ExchangeAnswer, exchange_answer
from core.checks import InputError
from core.units import format_message, format_time
from pages.ui.shared import basis, tables
from pages.ui.shared.messages import plain, refusal


def draw(result: Capacity) -> None:
    """Expert slots, and time and bytes of one MoE layer's dispatch and combine."""
    scenario, slots = result.scenario, result.expert_slots
    model = scenario.model
    if model is None or not model.moe or model.hidden is None or slots is None:
        st.info("No experts: nothing is dispatched or combined.")
        return
    redundant = f"{slots.redundant} of them redundant" if slots.redundant else "none redundant"
    st.markdown(
        f"**{model.experts} experts over EP{scenario.expert_group}**: {slots.per_gpu} slots per GPU, "
        f"{slots.total:,} in all, {redundant}."
    )
    tokens = max(1.0, scenario.sequences / max(1, scenario.used_gpus))
    try:
        exchange = exchange_answer(scenario, tokens)
    except InputError as problem:
        st.info(plain(refusal(problem)))
        return
    st.markdown(
        f"With {tokens:,.3g} tokens per GPU, dispatch and combine take {format_time(exchange.layer_s)} per MoE layer "
        f"({format_time(exchange.low_s)} to {format_time(exchange.high_s)}) and {format_time(exchange.step_s)} per step; "
        f"{100 * exchange.leaving_share:.0f} % of the bytes leave the domain."
    )
    tables.show(tables.terms(_terms(exchange)), "Dispatch and combine of one MoE layer", height="content")
    st.caption(basis.sentence(exchange.basis))
    for line in exchange.warnings:
        st.caption(f":material/info: {plain(line)}.")


def _terms(exchange: ExchangeAnswer) -> list[tuple[str, str]]:
    return [
        ("dispatch time", format_time(exchange.dispatch_s)),
        ("combine time", format_time(exchange.combine_s)),
        ("dispatch, sent per GPU", format_message(exchange.dispatch_bytes)),
        ("dispatch, without deduplication", format_message(exchange.dispatch_upper_bytes)),
        ("combine, sent per GPU", format_message(exchange.combine_bytes)),
        ("combine, without deduplication", format_message(exchange.combine_upper_bytes)),
    ]
