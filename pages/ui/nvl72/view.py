"""NVL72 page: inputs to a scenario, the answer in words, the charts."""

from dataclasses import replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.capacity import Scenario, capacity
from core.catalog import PRECISIONS, label
from core.units import GB, TB, format_rate, format_size, format_time
from pages.ui.shared import bound, shape

OWN = "yours"


def question():
    """Model, formats, context and sequences."""
    model, chosen = shape.choose("rack_model", "deepseek-v3-r1", extra=(OWN,))
    params = active = None
    if chosen == OWN:
        params = bound.number("Parameters (10⁹)", "rack_params_b", 1800.0, low=0.0, step=100.0)
        active = bound.number("Active for a token (10⁹)", "rack_active_b", 280.0, low=0.0, step=10.0)
    fmt = bound.choice("Format of weights", "format", PRECISIONS, "fp8")
    kv = bound.choice("Format of KV cache", "rack_kv", PRECISIONS, "bf16")
    context = bound.number("Context (tokens)", "rack_context", 8192, low=0, step=1024)
    sequences = bound.number("Sequences at once", "sequences", 1024, low=0, step=64)
    return {
        "model": model,
        "params": None if params is None else params * 1e9,
        "active_params": None if active is None else active * 1e9,
        "weights": PRECISIONS[fmt],
        "kv": PRECISIONS[kv],
        "context": context,
        "sequences": sequences,
    }


def layout():
    """GPUs and how the model is spread over them."""
    with st.expander("GPUs and layout", icon=":material/grid_view:"):
        gpus = bound.number(
            "GPUs",
            "rack_gpus",
            None,
            low=1,
            step=1,
            help="Empty: TP × stages × copies where TP is given, else one whole domain.",
        )
        tp = bound.number(
            "Tensor parallel",
            "rack_tp",
            None,
            low=1,
            step=1,
            help="Empty: the degree with the most sequences.",
        )
        pp = bound.number("Pipeline stages", "rack_pp", 1, low=1, step=1)
        dp = bound.number("Copies of attention", "rack_dp", None, low=1, step=1, help="Empty: what is left.")
        ep = bound.number("Expert parallel", "rack_ep", None, low=1, step=1, help="Empty: all of a stage.")
        usable = bound.number("Share of memory usable", "usable", 0.9, low=0.01, high=1.0, step=0.05)
        hbm = bound.number("Memory of a GPU (GB)", "hbm_gb", None, low=0.001, help="Empty: the catalog's.")
        reserve = bound.number("Runtime reserve per GPU (GB)", "reserve_gb", 0.0, low=0.0, step=1.0)
    return {
        "gpus": gpus,
        "tp": tp,
        "pp": pp,
        "dp": dp,
        "ep": ep,
        "usable": usable,
        "hbm_bytes": None if hbm is None else hbm * GB,
        "reserve_bytes": reserve * GB,
    }


def scenario(asked, system, chosen, spread):
    """The whole question."""
    whole = Scenario(system=system, **{**asked, "model": asked["model"]()}, **spread)
    return replace(whole, rates=chosen.on(system, whole.used_gpus))


@lru_cache(maxsize=64)
def ask(asked):
    """The answer."""
    return capacity(asked)


def verdict(found):
    """Does it fit, what limits it, and at which size or count that changes."""
    asked = found.scenario
    state = "leaves" if found.fits else "is short of"
    reason = (
        f"**{found.limiting_part}** limits. A GPU holds {format_size(found.used_bytes_per_gpu)} of "
        f"{format_size(asked.limit_bytes)} usable and {state} {format_size(abs(found.free_bytes_per_gpu))}."
    )
    words = [f"One copy of the weights takes {found.minimum_gpus:,} GPUs at least."]
    if found.exact_fit:
        words.append("That fits exactly, with nothing left.")
    if found.max_sequences is not None:
        words.append(f"It stops fitting above {found.max_sequences:,} sequences of {asked.context:,} tokens.")
    words.append(
        f"Without a cache {found.largest_params / 1e9:,.0f} · 10⁹ parameters would fit in {asked.weights.name}."
    )
    return found.headline, reason, " ".join(words)


def yours(found):
    """Whether the model came from the reader."""
    return found.scenario.model is None or found.scenario.model.yours


def note(found):
    """How far the model's figures can be trusted."""
    return label(found.scenario.model) if found.scenario.model else "yours"


def figures(found):
    """Secondary numbers, both conventions of the fabric named."""
    fabric = found.fabric
    one_way = format_rate(fabric.bisection_one_way_bytes_per_s)
    dense = format_time(found.dense_floor_s)
    return [
        ("Memory, all GPUs", format_size(found.total_bytes)),
        ("Weights", format_size(found.weights_bytes)),
        ("KV per token", "–" if found.kv_bytes_per_token is None else format_size(found.kv_bytes_per_token)),
        (
            "Aggregate",
            format_rate(fabric.aggregate_both_ways_bytes_per_s),
            "All GPUs, both directions, as printed.",
        ),
        (
            "Bisection",
            format_rate(fabric.bisection_both_ways_bytes_per_s),
            f"Both directions; one way {one_way}.",
        ),
        (
            "Decode floor",
            format_time(found.decode_floor_s),
            f"Reading what one token needs from all memory at once; {dense} where a batch reaches every expert.",
        ),
    ]


def table(found):
    """Every part and figure as a row."""
    rows = [(one.name, f"{one.bytes / GB:,.3f} GB per GPU", one.kind) for one in found.parts]
    fabric = found.fabric
    rows += [
        ("decode floor", format_time(found.decode_floor_s), "active weights over all memory"),
        ("dense floor", format_time(found.dense_floor_s), "every weight over all memory"),
        ("used per GPU", f"{found.used_bytes_per_gpu / GB:,.3f} GB", "sum"),
        ("free per GPU", f"{found.free_bytes_per_gpu / GB:,.3f} GB", "left"),
        (
            "aggregate, both ways",
            f"{fabric.aggregate_both_ways_bytes_per_s / TB:,.1f} TB/s",
            "as printed for NVL72",
        ),
        ("aggregate, one way", f"{fabric.aggregate_one_way_bytes_per_s / TB:,.1f} TB/s", ""),
        (
            "bisection, both ways",
            f"{fabric.bisection_both_ways_bytes_per_s / TB:,.1f} TB/s",
            "as printed for DGX H100",
        ),
        ("bisection, one way", f"{fabric.bisection_one_way_bytes_per_s / TB:,.1f} TB/s", ""),
        ("memory rate, all GPUs", f"{fabric.hbm_bytes_per_s / TB:,.1f} TB/s", "shared by reads and writes"),
    ]
    if found.expert_slots is not None:
        spread = found.expert_slots
        rows.append(
            (
                "expert slots",
                f"{spread.per_gpu} per GPU, {spread.total} in all",
                f"{spread.redundant} redundant",
            )
        )
    return pd.DataFrame(rows, columns=["what", "value", "kind"])
