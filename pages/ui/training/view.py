"""Training page: inputs to a scenario, the answer in words, the tables."""

from dataclasses import asdict, fields, replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.gradient_sync import STRATEGIES
from core.calculators.layouts import rank_training
from core.calculators.training import Layout, neighbours
from core.calculators.training import answer as price
from core.calculators.training.scenario import RECOMPUTE
from core.checks import InputError
from core.collectives.cost_model import IMPLEMENTATIONS
from core.parallel.grow import enough
from core.units import GB, TERA, format_time
from pages.ui.shared import bound, charts, job, tables
from pages.ui.shared.messages import plain
from pages.ui.training import charts as training_charts

KINDS = {"tp": "TP", "cp": "CP", "ep": "EP", "pp": "PP", "dp": "DP"}
DEGREES = ("tp", "pp", "vpp", "cp", "ep")
DOUBLINGS = 7


def question():
    """The job, and its layout."""
    asked = asdict(job.question("train"))
    with st.container(border=True):
        left, right = st.columns(2)
        with left:
            asked["tp"] = bound.number("TP", "train_tp", 4, low=1, step=1, help="GPUs that share a layer.")
            asked["vpp"] = bound.number(
                "Pieces", "train_vpp", 5, low=1, step=1, help="Of a stage, interleaved (VPP)."
            )
            asked["ep"] = bound.number(
                "EP", "train_ep", 1, low=1, step=1, help="GPUs that share the experts."
            )
        with right:
            asked["pp"] = bound.number("PP", "train_pp", 4, low=1, step=1, help="Pipeline stages.")
            asked["cp"] = bound.number("CP", "train_cp", 2, low=1, step=1, help="GPUs that share a sequence.")
            asked["micro_batch"] = bound.number(
                "Micro-batch", "micro_batch", 1, low=1, step=1, help="Sequences in one pass of one pipeline."
            )
        st.caption("DP is what TP × PP × CP leave of the GPUs.")
    asked["recompute"] = bound.switch(
        "Compute again in backward", "recompute", RECOMPUTE, help="Activations that are not kept."
    )
    return asked


def details():
    """States, overlap, price, library."""
    with st.expander("States, overlap, price", icon=":material/tune:"):
        strategy = bound.choice(
            "Data-parallel states",
            "train_strategy",
            STRATEGIES,
            "zero1",
            help="zero1: Megatron's distributed optimizer.",
        )
        gradient = bound.number("Bytes of a gradient", "train_grad_bytes", 4.0, low=0.5, high=16.0, step=1.0)
        parameter = bound.number(
            "Bytes of a parameter", "train_param_bytes", 2.0, low=0.5, high=16.0, step=1.0
        )
        hidden = {
            f"{name}_overlap": bound.number(
                f"{name.upper()} hidden (share)",
                f"{name}_hidden",
                None,
                low=0.0,
                high=1.0,
                step=0.1,
                help="Empty: what current frameworks reach.",
            )
            for name in ("tp", "pp", "ep")
        }
        behind = bound.toggle("DP behind compute", "dp_behind", value=True)
        sequence = bound.toggle("Sequence parallel", "train_sequence_parallel", value=True)
        usd = bound.number("Price of a GPU-hour ($)", "train_usd", 3.0, low=0.0, step=0.5)
        implementation = bound.choice("Implementation", "train_implementation", IMPLEMENTATIONS)
    return hidden | {
        "strategy": strategy,
        "grad_bytes": gradient,
        "param_bytes": parameter,
        "dp_overlap": behind,
        "sequence_parallel": sequence,
        "usd_per_gpu_hour": usd,
        "implementation": implementation,
    }


def scenario(asked, how, box, chosen):
    """The whole question; DP follows from the GPUs."""
    degrees = {name: asked[name] for name in DEGREES}
    each = degrees["tp"] * degrees["pp"] * degrees["cp"]
    if asked["gpus"] % each:
        message = f"GPUs of the job: a multiple of TP x PP x CP = {each}, not {asked['gpus']:,}"
        raise InputError(message)
    layout = Layout(**degrees, dp=asked["gpus"] // each)
    more = {name: asked[name] for name in ("micro_batch", "recompute")}
    whole = job.Job(**{item.name: asked[item.name] for item in fields(job.Job)})
    return job.scenario(whole, box, chosen, layout=layout, **more, **how)


@lru_cache(maxsize=256)
def ask(asked):
    """The answer."""
    return price(asked)


@lru_cache(maxsize=64)
def best(asked):
    """The fastest layout of the same job that fits; None where none does."""
    try:
        return rank_training(asked, asked.layout.gpus).ranked[0]
    except InputError:
        return None


def verdict(asked, found):
    """The step with its band, what takes it, and which layout would be faster."""
    first = (
        f"A step takes {format_time(found.step_s)} ({format_time(found.low_s)} to {format_time(found.high_s)}): "
        f"{100 * found.mfu:.3g} % MFU."
    )
    losses = sorted(_losses(found), key=lambda pair: -pair[1])
    words = [f"{name} {_share(time_s, found)}" for name, time_s in losses if time_s > 0.001 * found.step_s]
    reason = (
        f"**{found.layout}** on {found.gpus:,} GPUs, {found.micro_batches:,} micro-batches of each pipeline. "
    )
    reason += (
        f"Waiting for wires and stages: {', '.join(words)}."
        if words
        else "No wire and no stage makes it wait."
    )
    return first, reason, _better(asked, found)


def _losses(found):
    exposed = asdict(found.exposed_s)
    return [("pipeline bubble", found.bubble_s), *((KINDS[name], exposed[name]) for name in KINDS)]


def _share(time_s, found):
    return f"{100 * time_s / found.step_s:.2g} %"


def _better(asked, found):
    other = best(asked)
    if other is None:
        return "No layout of this model fits these GPUs."
    if not found.fits:
        return f"This layout does not fit; the fastest that does takes {format_time(other.step_s)}: {other.name()}."
    if other.step_s >= found.step_s * 0.999:
        return "No layout that **Strategy** looks at is faster on these GPUs."
    gain = 100 * (1 - other.step_s / found.step_s)
    return f"**Strategy** finds one {gain:.2g} % faster: {other.name()}, {format_time(other.step_s)}."


def note(asked):
    """Where it runs, and what stands behind the level."""
    constant = (
        "given"
        if asked.efficiency is not None
        else "usual for this GPU and format; the band spans frameworks"
    )
    return plain(f"{asked.system.name}, {job.place(asked.system)}. Share of the peak: {constant}.")


def figures(found):
    """Secondary numbers."""
    pairs = [
        ("Tokens/s", f"{found.tokens_per_s:,.0f}"),
        ("Tokens/s per GPU", f"{found.tokens_per_s_per_gpu:,.0f}"),
        (
            "TFLOP/s/GPU",
            f"{found.model_flop_per_s_per_gpu / TERA:,.0f}",
            "Model FLOPs: nothing that is computed twice.",
        ),
        ("MFU", f"{100 * found.mfu:.1f} %", f"Of the dense {found.precision} peak."),
        (
            "Bubble",
            f"{100 * found.bubble_share:.2g} %",
            "Of the step: waiting for the first and last micro-batch.",
        ),
        (
            "Memory",
            f"{found.memory_bytes_per_gpu / GB:,.0f} GB",
            f"Fullest GPU, of {found.memory.available_bytes / GB:,.0f} GB; mostly {found.memory.limiting}.",
        ),
    ]
    if found.loss is not None:
        pairs.append(
            (
                "Exposed, a day",
                f"${found.loss.usd_per_day:,.0f}",
                f"{found.loss.gpu_hours_per_day:,.0f} GPU-hours a day.",
            )
        )
    return pairs


def parts(found):
    """The step by cause; communication that hides is pale, because nobody waits for it."""
    rows = [("compute", "adds to the step", found.compute_s - found.optimizer_s)]
    rows += [
        ("optimizer", "adds to the step", found.optimizer_s),
        ("bubble", "adds to the step", found.bubble_s),
    ]
    exposed, sent = asdict(found.exposed_s), asdict(found.comm_s)
    for name, title in KINDS.items():
        if sent[name] > 0 or exposed[name] > 0:
            rows.append((title, "adds to the step", exposed[name]))
            rows.append((title, "hidden", max(0.0, sent[name] - exposed[name])))
    frame = pd.DataFrame(rows, columns=["part", "kind", "time_s"])
    frame["share"] = frame["time_s"] / found.step_s
    charts.draw(
        training_charts.parts(), f"Seconds of a step of {format_time(found.step_s)} by cause", rows=frame
    )


def memory(found):
    """The fullest GPU against what it has."""
    held = found.memory
    rows = [
        ("parameters", held.parameter_bytes),
        ("gradients", held.gradient_bytes),
        ("optimizer state", held.optimizer_bytes),
        ("activations", held.activation_bytes),
        *([("gathered layers", held.gathered_bytes)] if held.gathered_bytes else []),
        ("reserved", held.reserved_bytes),
    ]
    frame = pd.DataFrame([(name, size, place) for place, (name, size) in enumerate(rows)])
    frame.columns = ["part", "bytes", "order"]
    frame["gpu"] = "fullest GPU"
    limit = pd.DataFrame({"bytes": [held.available_bytes], "what": ["the GPU's memory"]})
    words = f"Memory of the fullest GPU, {held.total_bytes / GB:,.0f} of {held.available_bytes / GB:,.0f} GB"
    charts.draw(training_charts.memory(), words, rows=frame, limit=limit)
    st.caption(
        f"{'It fits' if held.fits else 'It does not fit'}: {held.total_bytes / GB:,.1f} of "
        f"{held.available_bytes / GB:,.0f} GB; the first stage, the micro-batches in flight, 6 GB for the runtime."
    )


@lru_cache(maxsize=64)
def _grown(asked):
    """Tokens/s per GPU with DP doubled again and again: batch kept, and batch grown along."""
    rows = []
    for doubling in range(DOUBLINGS):
        times = 2**doubling
        layout = replace(asked.layout, dp=asked.layout.dp * times)
        for name, batch in (("batch kept", asked.global_batch), ("batch grown", asked.global_batch * times)):
            try:
                system = enough(asked.system, layout.gpus)
                one = ask(replace(asked, layout=layout, system=system, global_batch=batch))
            except InputError:
                continue
            rows.append((layout.gpus, name, one.tokens_per_s_per_gpu, one.mfu, one.step_s))
    return pd.DataFrame(rows, columns=["gpus", "batch", "tokens", "mfu", "step_s"])


def scaling(asked):
    """Draw it, with how much of the first point's speed each GPU keeps."""
    frame = _grown(asked).copy()
    first = frame.groupby("batch")["tokens"].transform("first")
    frame["kept"] = frame["tokens"] / first
    if frame["gpus"].nunique() < 2:
        st.info("This job cannot grow: the machine has no network, or the batch cannot be divided further.")
        return
    charts.draw(training_charts.growth(), "Speed kept per GPU as data parallelism doubles", rows=frame)
    st.caption(
        "Only DP grows. **Batch kept** is strong scaling (fewer micro-batches fill the pipeline), **batch grown** weak."
    )


def next_door(asked, found):
    """Every single change on the same GPUs, with what it does to the step."""
    rows = []
    for one in neighbours(asked):
        able = one.step_s is not None
        rows.append(
            {
                "change": one.change,
                "step": one.step_s,
                "against now": 100 * (one.step_s / found.step_s - 1) if able else None,
                "memory": one.memory_bytes / GB if able else None,
                "verdict": one.reason if not able else "" if one.fits else "does not fit",
            }
        )
    columns = {
        "step": st.column_config.NumberColumn("step (s)", format="%.4g"),
        "against now": st.column_config.NumberColumn("against now (%)", format="%+.1f"),
        "memory": st.column_config.NumberColumn("memory (GB)", format="%.0f"),
    }
    tables.show(pd.DataFrame(rows), "One decision changed at a time", columns, height="content")


def table(found):
    """Every part as a row."""
    rows = [
        ("compute", found.compute_s - found.optimizer_s),
        ("optimizer", found.optimizer_s),
        ("bubble", found.bubble_s),
    ]
    exposed, sent = asdict(found.exposed_s), asdict(found.comm_s)
    rows += [(f"{title}, exposed", exposed[name]) for name, title in KINDS.items()]
    rows += [(f"{title}, hidden or not", sent[name]) for name, title in KINDS.items()]
    rows.append(("step", found.step_s))
    frame = pd.DataFrame(rows, columns=["part", "seconds"])
    frame["of the step"] = [f"{100 * value / found.step_s:.3g} %" for value in frame["seconds"]]
    frame["seconds"] = [format_time(value) for value in frame["seconds"]]
    return frame
