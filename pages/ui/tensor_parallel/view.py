"""TP page: inputs to a scenario, the answer in words, the charts."""

from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.calculators.tensor_parallel import Scenario, sweep
from core.calculators.tensor_parallel import answer as price
from core.calculators.tensor_parallel.scenario import COMPUTE, PHASES
from core.catalog import PRECISIONS
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.units import GB, format_size, format_time
from pages.ui.shared import bound, charts, shape, tables
from pages.ui.shared.messages import plain

EXPERTS = (
    "GPUs that share the experts. With TP 1 and all GPUs here, every GPU keeps an attention of its own "
    "(data-parallel attention)."
)
TOKENS = tuple(2**k for k in range(15))


def question():
    """Model, phase, batch, degree."""
    model, _ = shape.choose("model", "llama-3.1-70b", shaped=True)
    phase = bound.switch("Phase", "phase", PHASES)
    help_ = "Decode: sequences that get one token each. Prefill: prompt tokens."
    tokens = bound.number("Tokens in a step", "tokens", 32, low=1, step=1, help=help_)
    context = bound.number(
        "Context (tokens)", "context", None, low=0, step=1024, help="Empty: 4,096 when decoding."
    )
    tp = bound.number("TP degree", "tp", 8, low=1, step=1)
    return model, phase, tokens, context, tp


def formats():
    """Number formats, overlap, library, efficiencies."""
    with st.expander("Formats, overlap, library", icon=":material/tune:"):
        weights = bound.choice("Weights", "weights", PRECISIONS, "bf16")
        activations = bound.choice("Activations", "activations", PRECISIONS, "bf16")
        kv = bound.choice("KV cache", "kv", PRECISIONS, "bf16")
        overlap = bound.number("Communication hidden (share)", "overlap", 0.0, low=0.0, high=1.0, step=0.1)
        ep = bound.number("Expert-parallel GPUs", "ep", 1, low=1, step=1, help=EXPERTS)
        parallel = bound.toggle("Sequence parallel", "sequence_parallel")
        implementation = bound.choice("Implementation", "implementation", IMPLEMENTATIONS)
        launch = bound.switch("Launch", "launch", LAUNCHES)
        compute = bound.switch("Compute as", "compute", COMPUTE)
        mfu = bound.number(
            "Share of peak FLOP/s", "mfu", None, low=0.01, high=1.1, step=0.05, help="Empty: fitted."
        )
        hbm = bound.number("Share of memory rate", "hbm_efficiency", None, low=0.01, high=1.1, step=0.05)
    return {
        "weights": PRECISIONS[weights],
        "activations": PRECISIONS[activations],
        "kv": PRECISIONS[kv],
        "overlap": overlap,
        "ep": ep,
        "sequence_parallel": parallel,
        "implementation": implementation,
        "launch": launch,
        "compute": compute,
        "mfu": mfu,
        "hbm_efficiency": hbm,
    }


def scenario(asked, system, chosen, how):
    """The whole question."""
    model, phase, tokens, context, tp = asked
    asked = Scenario(
        model=model(),
        system=system,
        phase=phase,
        tokens=tokens,
        context=context,
        tp=tp,
        **how,
    )
    return replace(asked, rates=chosen.on(system, tp))


@lru_cache(maxsize=64)
def ask(asked):
    """The answer."""
    return price(asked)


def verdict(found):
    """Does this degree pay, why, and where that changes."""
    step, asked = found.per_step, found.scenario
    name = f"{asked.model.name} at TP{asked.tp}"
    verb = "pays" if _pays(found) else "does not pay"
    if not found.fits:
        verb = (
            f"does not fit ({found.memory_bytes / GB:,.0f} of {found.memory_limit_bytes / GB:,.0f} GB a GPU)"
        )
    first = f"{name} {verb}: {100 * step.share:.3g} % of a {asked.phase} step is communication."
    gain = ""
    if found.speedup_over_smaller is not None:
        gain = f" Against TP{found.smaller_tp} the step is {found.speedup_over_smaller:.2f} times as fast."
    reason = (
        f"**{found.binding}** {'decide' if found.binding.endswith('s') else 'decides'}: a step takes {format_time(step.time_s)}, of which {format_time(step.exposed_s)} "
        f"wait for {step.messages:.0f} messages of {format_size(step.message_bytes)}.{gain}"
    )
    return first, reason, _flip(found)


def _pays(found):
    return found.scenario.tp == 1 or (found.speedup_over_smaller or 0) > 1.05


def _flip(found):
    none = "" if any(one.fits for one in found.degrees) else "No degree fits the memory; if one did: "
    best = f"astest step: TP{found.best_latency_tp}; most tokens/s per GPU: TP{found.best_throughput_tp}."
    words = [f"{none}{'f' if none else 'F'}{best}"]
    here = found.scenario.tokens
    near = sorted(found.flips, key=lambda flip: abs(np.log(flip.value / here)))[:2]
    words += [
        f"{'From' if flip.value > here else 'Below'} {flip.value:,.0f} tokens a step the {flip.what} is "
        f"{flip.to if flip.value > here else flip.before} instead of {flip.before if flip.value > here else flip.to}."
        for flip in near
    ]
    return " ".join(words)


def figures(found):
    """Secondary numbers."""
    step = found.per_step
    return [
        ("Step", format_time(step.time_s), f"{format_time(step.low_s)} to {format_time(step.high_s)}"),
        ("Tokens/s", f"{found.tokens_per_s:,.0f}"),
        ("Tokens/s per GPU", f"{found.tokens_per_s_per_gpu:,.0f}"),
        ("Speed-up", f"{found.speedup:.2f} ×", "Compute of one GPU over the step."),
        (
            "Best degree",
            f"TP{found.best_latency_tp} | TP{found.best_throughput_tp}",
            "Shortest step | most tokens/s per GPU.",
        ),
        (
            "Memory (GB)",
            f"{found.memory_bytes / GB:,.0f} of {found.memory_limit_bytes / GB:,.0f}",
            "Of each GPU.",
        ),
    ]


def degrees(found):
    """Step time by degree, compute and communication stacked, overlap as a band."""
    shown = 1 - found.scenario.overlap
    rows, bands = [], []
    for one in found.degrees:
        fits = "fits" if one.fits else "does not fit"
        bands.append((f"TP{one.tp}", one.low_s, one.high_s))
        for part, seconds in (("compute", one.compute_s), ("exposed communication", shown * one.comm_s)):
            rows.append((f"TP{one.tp}", part, seconds, one.share, one.tokens_per_s_per_gpu, fits))
    names = ["degree", "part", "time_s", "share", "per_gpu", "fits"]
    charts.draw(
        _degrees_spec(),
        "Time of a step by TP degree, with the band from all hidden to nothing hidden",
        rows=pd.DataFrame(rows, columns=names),
        bands=pd.DataFrame(bands, columns=["degree", "low_s", "high_s"]),
    )
    pale = "" if all(one.fits for one in found.degrees) else " Pale: weights and cache do not fit the GPU."
    st.caption(
        "Line: from all communication hidden that can be to nothing hidden, at the ends of the cost model's band."
        + pale
    )


def shares(asked, found):
    """Share of communication over tokens, one line a degree."""
    tp = tuple(one.tp for one in found.degrees if one.tp > 1)
    if not tp:
        st.info("One GPU sends nothing: there is no share to draw.")
        return
    grid = sweep(asked, [asked.system], tp, TOKENS, [asked.cached])
    frame = pd.DataFrame(
        {
            "tokens": np.tile(np.array(TOKENS), len(tp)),
            "share": grid.share[0, :, :, 0].ravel(),
            "degree": np.repeat([f"TP{n}" for n in tp], len(TOKENS)),
        }
    ).dropna()
    here = pd.DataFrame({"tokens": [asked.tokens]})
    charts.draw(_shares_spec(), "Share of communication over tokens in a step", rows=frame, here=here)


@lru_cache(maxsize=1)
def _degrees_spec():
    base = alt.Chart(charts.rows())
    x = alt.X("degree:N", title="Tensor-parallel degree", sort=None, axis=alt.Axis(labelAngle=0))
    whole = alt.Chart(charts.rows("bands")).encode(
        x=x,
        y="low_s:Q",
        y2="high_s:Q",
        tooltip=[
            alt.Tooltip("degree:N", title="Degree"),
            charts.tip("low_s", "All hidden that can be", "s"),
            charts.tip("high_s", "Nothing hidden", "s"),
        ],
    )
    bars = base.mark_bar(cornerRadiusEnd=2).encode(
        x=x,
        y=charts.linear_axis("time_s", "Time of a step (s)", "s"),
        color=alt.Color("part:N", title=None, legend=charts.legend()),
        opacity=alt.Opacity(
            "fits:O", scale=alt.Scale(domain=["fits", "does not fit"], range=[1, 0.35]), legend=None
        ),
        tooltip=[
            alt.Tooltip("degree:N", title="Degree"),
            alt.Tooltip("part:N", title="Part"),
            charts.tip("time_s", "Time", "s"),
            alt.Tooltip("share:Q", title="Share of communication", format=".1%"),
            alt.Tooltip("per_gpu:Q", title="Tokens/s per GPU", format=",.0f"),
            alt.Tooltip("fits:N", title="Memory"),
        ],
    )
    band = whole.mark_rule(size=3, color=charts.GREY)
    return charts.spec(alt.layer(bars, band))


@lru_cache(maxsize=1)
def _shares_spec():
    x = charts.counts_axis("tokens", "Tokens in a step")
    lines = (
        alt.Chart(charts.rows())
        .mark_line(size=2)
        .encode(
            x=x,
            y=charts.share_axis("share", "Share of communication", top=None),
            color=alt.Color("degree:N", title=None, sort=None, legend=charts.legend(columns=6)),
            tooltip=[
                alt.Tooltip("degree:N", title="Degree"),
                alt.Tooltip("tokens:Q", title="Tokens", format=","),
                alt.Tooltip("share:Q", title="Share", format=".1%"),
            ],
        )
    )
    here = alt.Chart(charts.rows("here")).mark_rule(strokeDash=[4, 4], color=charts.RED).encode(x=x)
    return charts.spec(alt.layer(lines, here))


def table(found):
    """Every degree as a row."""
    return pd.DataFrame(
        {
            "TP": one.tp,
            "step": format_time(one.step_s),
            "band": f"{format_time(one.low_s)} – {format_time(one.high_s)}",
            "compute": format_time(one.compute_s),
            "communication": format_time(one.comm_s),
            "share exposed": f"{100 * one.share:.1f} %",
            "tokens/s": f"{one.tokens_per_s:,.0f}",
            "tokens/s per GPU": f"{one.tokens_per_s_per_gpu:,.0f}",
            "speed-up": f"{one.speedup:.2f}",
            "memory per GPU": f"{one.memory_bytes / GB:,.1f} GB",
            "fits": one.fits,
        }
        for one in found.degrees
    )


def flips(found):
    """Every batch at which an answer changes."""
    if not found.flips:
        st.info("From 1 to 131,072 tokens a step nothing flips.")
        return
    ordered = sorted(found.flips, key=lambda one: one.value)
    rows = [
        (f"{one.value:,.0f}", SHORT.get(one.what, one.what), _short(one.before), _short(one.to))
        for one in ordered
    ]
    frame = pd.DataFrame(rows, columns=["from tokens", "what", "before", "then"])
    tables.show(frame, "Batches at which an answer flips", height="content" if len(rows) < 9 else 330)


SHORT = {
    "binding term": "decides",
    "share of communication": "communication",
    "fastest degree": "shortest step",
    "degree with the most tokens/s a GPU": "most tokens/s per GPU",
}


def _short(label):
    return "none fits" if label == "none that fits" else label


def dead(found):
    """Inputs that change nothing here."""
    if not found.dead_inputs:
        st.info("Every input changes more than 1 % of the step here.")
    for one in found.dead_inputs:
        st.markdown(f":material/block: **{plain(one.input)}**: {plain(one.reason)}.")


def terms(found):
    """The terms of a layer and of the step."""
    layer, step = found.per_layer, found.per_step
    rows = [
        (name, format_time(getattr(layer, field)), format_time(getattr(step, field)))
        for name, field in TERMS.items()
    ]
    rows.append(("sent per GPU", format_size(layer.wire_bytes), format_size(step.wire_bytes)))
    return pd.DataFrame(rows, columns=["term", "a layer", "a step"])


TERMS = {
    "time": "time_s",
    "all hidden that can be": "low_s",
    "nothing hidden": "high_s",
    "compute": "compute_s",
    "FLOPs alone": "flop_s",
    "memory alone": "hbm_s",
    "KV cache read": "kv_s",
    "kernel starts": "fixed_s",
    "output head and step": "head_s",
    "communication": "comm_s",
    "of it launch": "launch_s",
    "of it latency": "latency_s",
    "of it wire": "transfer_s",
    "of it reduction": "reduction_s",
    "not hidden": "exposed_s",
}
