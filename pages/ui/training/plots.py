"""Charts of the page Training step: time by cause, memory by part, scaling of data parallelism."""

from dataclasses import asdict, replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.training import Answer, Scenario, speed
from core.checks import InputError
from core.parallel.grow import grow_to
from core.units import GB, format_memory, format_share, format_time
from pages.ui.shared import charts, findings
from pages.ui.training import specs, summary

DOUBLINGS = 7
STRONG, WEAK = "strong scaling (same global batch)", "weak scaling (global batch grows)"


def parts(result: Answer) -> None:
    """Step time by cause; communication overlapped with compute is pale, because it adds nothing."""
    rows = [
        ("compute", specs.ADDS, result.compute_s - result.optimizer_s),
        ("optimizer", specs.ADDS, result.optimizer_s),
        ("bubble", specs.ADDS, result.bubble_s),
    ]
    if result.offload_s > 0:
        rows.append(("offload", specs.ADDS, result.offload_s))
    exposed, sent = asdict(result.exposed_s), asdict(result.comm_s)
    for kind, title in summary.KINDS.items():
        if sent[kind] > 0 or exposed[kind] > 0:
            rows.append((title, specs.ADDS, exposed[kind]))
            rows.append((title, specs.OVERLAPPED, max(0.0, sent[kind] - exposed[kind])))
    frame = pd.DataFrame(rows, columns=["part", "kind", "time_s"])
    frame["share"] = frame["time_s"] / result.step_s
    adding = frame[frame["kind"] == specs.ADDS]
    times = findings.listed(adding["part"], adding["time_s"], format_time)
    finding = f"Time by cause in a step: {format_time(result.step_s)} in all, {times}"
    charts.draw(specs.parts(), finding, rows=frame)


def memory(result: Answer) -> None:
    """Memory of the fullest GPU by part, against its capacity."""
    used = result.memory
    sizes = {
        "parameters": used.parameter_bytes,
        "gradients": used.gradient_bytes,
        "optimizer states": used.optimizer_bytes,
        "activations": used.activation_bytes,
        "gathered layers": used.gathered_bytes,
        "reserved": used.reserved_bytes,
    }
    rows = [
        (part, size, order) for order, (part, size) in enumerate(sizes.items()) if size or part == "reserved"
    ]
    frame = pd.DataFrame(rows, columns=["part", "bytes", "order"]).assign(gpu="fullest GPU")
    limit = pd.DataFrame({"bytes": [used.available_bytes], "what": ["GPU memory"]})
    amounts = f"{used.total_bytes / GB:,.3g} of {used.available_bytes / GB:,.3g} GB"
    parts = findings.listed(frame["part"], frame["bytes"], format_memory)
    text = f"Memory of the fullest GPU by part, {amounts}: {parts}"
    charts.draw(specs.memory(), text, rows=frame, limit=limit)
    st.caption(
        f"{'Fits' if used.fits else 'Does not fit'}: {amounts}, on the first pipeline stage, with the micro-batches in "
        f"flight and {used.reserved_bytes / GB:,.3g} GB reserved for the runtime."
    )


@lru_cache(maxsize=64)
def _grown(scenario: Scenario) -> pd.DataFrame:
    """Tokens/s per GPU with DP doubled again and again: global batch constant, and growing along."""
    rows = []
    for doubling in range(DOUBLINGS):
        factor = 2**doubling
        layout = replace(scenario.layout, dp=scenario.layout.dp * factor)
        for series, batch in ((STRONG, scenario.global_batch), (WEAK, scenario.global_batch * factor)):
            try:
                system = grow_to(scenario.system, layout.gpus)
                grown = speed(replace(scenario, layout=layout, system=system, global_batch=batch))
            except InputError:
                continue
            rows.append((layout.gpus, series, grown.tokens_per_s_per_gpu, grown.mfu, grown.step_s))
    return pd.DataFrame(rows, columns=["gpus", "series", "tokens", "mfu", "step_s"])


def scaling(scenario: Scenario) -> None:
    """Scaling efficiency: tokens/s per GPU against that of the first point."""
    frame = _grown(scenario).copy()
    first = frame.groupby("series")["tokens"].transform("first")
    frame["efficiency"] = frame["tokens"] / first
    if frame["gpus"].nunique() < 2:
        st.info(
            "This job cannot grow: the system has no network, or the global batch cannot be divided further."
        )
        return
    falls = findings.ends(frame, "series", "gpus", "efficiency", format_share)
    text = f"Scaling efficiency vs GPUs as data parallelism doubles, to {frame['gpus'].max():,} GPUs: {falls}"
    charts.draw(specs.scaling(), text, rows=frame)
    st.caption(
        "Only DP grows. Strong scaling leaves each pipeline fewer micro-batches, so its bubble grows; weak scaling does not."
    )
