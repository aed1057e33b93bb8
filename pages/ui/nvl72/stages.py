"""Pipeline stages across racks: a stage's activations against a MoE layer's dispatch and combine."""

import streamlit as st

from core.calculators.capacity import Capacity, boundary
from core.parallel.pipeline import bubble
from core.units import format_message
from pages.ui.shared import fields


def query() -> tuple[int, int]:
    """The widgets of pipeline stages and micro-batches."""
    left, right = st.columns(2)
    with left:
        stages = fields.count("Pipeline stages, one per rack", "stages", 2)
    with right:
        micro_batches = fields.count("Micro-batches", "micro_batches", 8)
    return stages, micro_batches


def draw(result: Capacity, query: tuple[int, int]) -> None:
    """Bytes per token over the boundary between two racks, and the pipeline bubble."""
    scenario = result.scenario
    model = scenario.model
    if model is None or model.hidden is None:
        st.info("The layers of this model are not published: no bytes to compare.")
        return
    stages, micro_batches = query
    traffic = boundary(
        model.hidden,
        model.active_experts,
        stream=scenario.activations.bytes_per_value,
        dispatch=scenario.dispatch.bytes_per_value,
        combine=scenario.activations.bytes_per_value,
    )
    text = f"A pipeline boundary sends **{format_message(traffic.boundary_bytes)}** per token."
    if model.moe:
        layers = model.moe_layers
        text += (
            f" Dispatch and combine of one MoE layer send up to **{format_message(traffic.exchange_bytes)}**, "
            f"{traffic.ratio:.3g} times as much, in each of {layers} layers: across racks use PP, and keep EP inside a rack."
        )
    else:
        text += " Tensor parallelism across racks would send at least twice that in every layer."
    st.markdown(text)
    share = bubble(stages, micro_batches)
    st.markdown(
        f"{stages} pipeline stages with {micro_batches} micro-batches have a bubble of **{100 * share:.1f} %** of the time."
    )
