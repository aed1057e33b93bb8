"""NVL72 page: experts over the domain and stages across racks, in bytes and seconds."""

import streamlit as st

from core.calculators.capacity import boundary, exchange_answer
from core.checks import InputError
from core.parallel.pipeline import bubble
from core.units import KB, format_size, format_time
from pages.ui.shared import bound, tables
from pages.ui.shared.messages import plain


def experts(found):
    """Expert slots with redundancy, and the exchange of a step."""
    asked = found.scenario
    if asked.model is None or not asked.model.moe or asked.model.hidden is None:
        st.info("No experts: nothing is dispatched or combined.")
        return
    slots = found.expert_slots
    spare = f"{slots.redundant} of them redundant copies" if slots.redundant else "none redundant"
    st.markdown(
        f"**{asked.model.experts} experts over EP{asked.expert_group}**: {slots.per_gpu} slots a GPU, "
        f"{slots.total:,} in all, {spare}."
    )
    tokens = max(1.0, asked.sequences / max(1, asked.used_gpus))
    try:
        told = exchange_answer(asked, tokens)
    except InputError as problem:
        st.info(plain(problem))
        return
    st.markdown(
        f"With {tokens:,.3g} tokens a GPU, dispatch and combine of one layer take {format_time(told.layer_s)} "
        f"({format_time(told.low_s)} to {format_time(told.high_s)}), all layers of a step {format_time(told.step_s)}; "
        f"{100 * told.leaving_share:.0f} % of the bytes leave the domain."
    )
    rows = [
        ("dispatch", format_time(told.dispatch_s)),
        ("combine", format_time(told.combine_s)),
        ("dispatch leaves a GPU", format_size(told.dispatch_bytes)),
        ("... one copy per expert", format_size(told.dispatch_upper_bytes)),
        ("combine leaves a GPU", format_size(told.combine_bytes)),
        ("... one copy per expert ", format_size(told.combine_upper_bytes)),
    ]
    tables.show(tables.terms(rows), "The exchange of one MoE layer", height="content")
    st.caption(f"Rates: {plain(told.basis.replace(':', ': '))}.")
    for line in told.warnings:
        st.caption(f":material/info: {plain(line)}.")


def stages(found):
    """Over the boundary between two racks: a stage's residual stream against a layer's exchange."""
    asked = found.scenario
    if asked.model is None or asked.model.hidden is None:
        st.info("The shape of the model is not known: no bytes to compare.")
        return
    left, right = st.columns(2)
    with left:
        count = bound.number("Stages, one a rack", "stages", 2, low=1, step=1)
    with right:
        batches = bound.number("Micro-batches", "micro_batches", 8, low=1, step=1)
    told = boundary(
        asked.model.hidden,
        asked.model.active_experts,
        stream=asked.activations.bytes_per_value,
        dispatch=asked.dispatch.bytes_per_value,
        combine=asked.activations.bytes_per_value,
    )
    words = f"A pipeline boundary moves **{told.boundary_bytes / KB:,.1f} kB** a token."
    if asked.model.moe:
        layers = asked.model.layers - asked.model.dense_layers
        words += (
            f" One MoE layer's exchange moves up to **{told.exchange_bytes / KB:,.1f} kB**, {told.ratio:.3g} times as much, "
            f"and there are {layers} such layers: across racks, cut between layers and keep experts inside."
        )
    else:
        words += " Tensor parallelism across racks would move twice that a layer, at least."
    st.markdown(words)
    share = bubble(count, batches)
    st.markdown(
        f"{count} stages with {batches} micro-batches wait **{100 * share:.1f} %** of the time (the bubble)."
    )
