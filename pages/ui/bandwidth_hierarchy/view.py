"""Hierarchy page: inputs to a scenario, the answer in words, the charts."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.calculators.bandwidth_hierarchy import DIRECTIONS, TIERS, Scenario
from core.calculators.bandwidth_hierarchy import answer as price
from core.catalog import MODELS, PRECISIONS
from core.units import GB, KB, TB, US, format_rate, format_size, format_time
from core.workload.transformer import kv_bytes
from pages.ui.shared import bound, charts, tables
from pages.ui.shared.sizes import size_of

PAYLOADS = ("size", "KV cache")
SIZES = np.geomspace(KB, TB, 73)


def question():
    """What is moved, and how rates are told."""
    payload = bound.switch("Copy", "payload", PAYLOADS)
    size = (
        _cache()
        if payload == "KV cache"
        else bound.text("Size", "copy_size", "1 GB", help="64 KiB, 1.5 GB, 4096")
    )
    direction = bound.switch("Show rates", "direction", DIRECTIONS)
    tier = bound.switch("Rate of a link", "tier", TIERS, "nominal")
    return size, direction, tier


def _cache():
    """Bytes of the cache of some sequences, as a text."""
    shapes = [key for key, one in MODELS.items() if one.hidden]
    model = bound.choice("Model", "kv_model", shapes, "llama-3.1-70b")
    context = bound.number("Context (tokens)", "kv_context", 32768, low=1, step=1024)
    sequences = bound.number("Sequences", "kv_sequences", 1, low=1, step=1)
    precision = bound.choice("KV cache", "kv_format", PRECISIONS, "bf16")
    one = float(kv_bytes(MODELS[model], context, PRECISIONS[precision].bytes_per_value))
    st.caption(f"{sequences:,} × {context:,} tokens of {MODELS[model].name}: {format_size(sequences * one)}")
    return f"{sequences * one:.0f}"


def latencies():
    """Latency of each level, where the reader knows better."""
    with st.expander("Latency of each level", icon=":material/timer:"):
        names = ("memory", "scale-up", "host", "network")
        typed = [
            (one, bound.number(f"{one} (µs)", f"{one.replace('-', '_')}_us", None, low=0.0)) for one in names
        ]
        memory = bound.number(
            "Host memory (GB/s)", "host_memory_gbps", None, low=0.001, help="For the bounce."
        )
    given = tuple((name, value * US) for name, value in typed if value is not None)
    return given, None if memory is None else memory * GB


def scenario(asked, system, chosen, levels):
    """The whole question."""
    size, direction, tier = asked
    given, memory = levels
    return Scenario(
        system=system,
        size_bytes=size_of(size),
        direction=direction,
        tier=tier,
        rates=chosen.rates,
        latencies=given,
        host_memory_bytes_per_s=memory,
        unverified=bool(st.session_state.get("unverified")),
    )


def origin(chosen, found):
    """What stands behind the rates shown: a fit of collectives says nothing of one copy."""
    if chosen.origin == "calibrated":
        return "measured" if found.tier == "measured" else "spec"
    return chosen.origin


@lru_cache(maxsize=64)
def ask(asked):
    """The answer."""
    return price(asked)


def verdict(found):
    """How far down it goes, where the largest step is, and where latency takes over."""
    steps = [
        (one.ratio_to_previous, above, one)
        for above, one in zip(found.levels, found.levels[1:], strict=False)
    ]
    if not steps:
        return found.headline, ""
    ratio, above, below = max(steps, key=lambda step: step[0])
    largest = (
        f"The largest step down is from {above.level} to {below.level}: {ratio:,.3g} times, like for like. "
        f"In all: {', '.join(f'{one.level} {format_rate(one.bytes_per_s)}' for one in found.levels)}."
    )
    last = found.levels[-1]
    flip = ""
    if last.half_size_bytes > 0:
        flip = f"Below {format_size(last.half_size_bytes)} latency, not bandwidth, is most of a copy over {last.level}."
    return found.headline, largest, flip


def figures(found):
    """The time of the copy on every level."""
    return [(_name(one), format_time(one.time_s), f"{one.link}. {one.note}") for one in found.levels]


def ladder(found):
    """Rates of the levels on one logarithmic axis."""
    floor = min(one.bytes_per_s for one in found.levels) / 10
    frame = pd.DataFrame(
        {
            "level": _name(one),
            "link": one.link,
            "bytes_per_s": one.bytes_per_s,
            "floor": floor,
            "ratio": _slower(one),
            "direction": one.direction,
            "tier": one.tier,
            "latency_s": one.latency_s,
            "label": ", ".join(filter(None, (format_rate(one.bytes_per_s), _slower(one)))),
        }
        for one in found.levels
    )
    charts.draw(_ladder_spec(), "Rate of each level of the hierarchy", rows=frame)


def _name(level):
    """Its name, labelled where only an estimate stands behind it."""
    return f"{level.level} (unverified)" if "no document confirms" in level.note else level.level


def _slower(level):
    ratio = level.ratio_to_previous
    return "" if ratio is None else f"{ratio:,.3g}× slower"


def times(found):
    """Time of a copy over its size, a line a level."""
    frames = []
    for one in found.levels:
        rate = one.bytes_per_s if one.latency_s == 0 else one.half_size_bytes / one.latency_s
        values = one.latency_s + SIZES / rate
        frames.append(pd.DataFrame({"size_bytes": SIZES, "time_s": values, "level": one.level}))
    charts.draw(_times_spec(), "Time of a copy over its size", rows=pd.concat(frames))


def gpudirect(found):
    """Straight to the NIC, or over host memory."""
    if not found.paths:
        st.info("No network, or no host link: there is no path to compare.")
        return
    rows = [(one.name, one.bytes_per_s, one.time_s, format_rate(one.bytes_per_s)) for one in found.paths]
    frame = pd.DataFrame(rows, columns=["name", "bytes_per_s", "time_s", "label"])
    charts.draw(
        _bars_spec("Path", "Out of one GPU, one way (bytes/s)"), "GPUDirect against a bounce", rows=frame
    )
    direct, *_, bounce = found.paths
    st.caption(
        f"A bounce that is not pipelined crosses the host link twice on each side and is "
        f"{direct.bytes_per_s / bounce.bytes_per_s:.2g} times slower than the direct path."
    )


def offload(found):
    """The same bytes to host memory, at every rate that somebody states."""
    if not found.offload:
        st.info("No host link is known for this machine.")
        return
    rows = [(one.tier, one.bytes_per_s, one.time_s, format_time(one.time_s)) for one in found.offload]
    frame = pd.DataFrame(rows, columns=["name", "bytes_per_s", "time_s", "label"])
    charts.draw(_times_bars_spec(), "Time to move the bytes to host memory", rows=frame)
    st.caption(
        f"{format_size(found.size_bytes)} to host memory, one way; *published* divides by both directions and is twice too fast."
    )


@lru_cache(maxsize=1)
def _ladder_spec():
    base = alt.Chart(charts.rows())
    y = alt.Y("level:N", title=None, sort=None)
    x = charts.log_axis("bytes_per_s", "Rate per GPU, in the direction shown (bytes/s)", "B/s")
    tips = [
        alt.Tooltip("level:N", title="Level"),
        alt.Tooltip("link:N", title="Link"),
        charts.tip("bytes_per_s", "Rate", "bytes/s"),
        alt.Tooltip("direction:N", title="Direction"),
        alt.Tooltip("tier:N", title="Rate of the link"),
        charts.tip("latency_s", "Latency", "s"),
        alt.Tooltip("ratio:N", title="Against the level above"),
    ]
    bars = base.mark_bar(cornerRadiusEnd=3).encode(x=x, x2="floor:Q", y=y, tooltip=tips)
    text = base.mark_text(align="left", dx=6, color=charts.GREY).encode(x=x, y=y, text="label:N")
    return charts.spec(alt.layer(bars, text), height=260)


@lru_cache(maxsize=1)
def _times_spec():
    lines = (
        alt.Chart(charts.rows())
        .mark_line(size=2)
        .encode(
            x=charts.log_axis("size_bytes", "Size of the copy (bytes)", "B"),
            y=charts.log_axis("time_s", "Time one way (s)", "s", axis=alt.Y),
            color=alt.Color("level:N", title=None, sort=None, legend=charts.legend(columns=4)),
            tooltip=[
                alt.Tooltip("level:N", title="Level"),
                charts.tip("size_bytes", "Size", "bytes"),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(lines)


@lru_cache(maxsize=4)
def _bars_spec(what, title):
    base = alt.Chart(charts.rows())
    y = alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelLimit=160))
    x = charts.linear_axis("bytes_per_s", title, "B/s", axis=alt.X)
    tips = [
        alt.Tooltip("name:N", title=what),
        charts.tip("bytes_per_s", "Rate", "bytes/s"),
        charts.tip("time_s", "Time", "s"),
    ]
    bars = base.mark_bar(cornerRadiusEnd=3).encode(x=x, y=y, tooltip=tips)
    text = base.mark_text(align="left", dx=5, color=charts.GREY).encode(x=x, y=y, text="label:N")
    return charts.spec(bars + text, height=220)


@lru_cache(maxsize=1)
def _times_bars_spec():
    base = alt.Chart(charts.rows())
    y = alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelLimit=160))
    x = charts.linear_axis("time_s", "Time one way (s)", "s", axis=alt.X)
    tips = [
        alt.Tooltip("name:N", title="Rate used"),
        charts.tip("bytes_per_s", "Rate", "bytes/s"),
        charts.tip("time_s", "Time", "s"),
    ]
    bars = base.mark_bar(cornerRadiusEnd=3).encode(x=x, y=y, tooltip=tips)
    text = base.mark_text(align="left", dx=5, color=charts.GREY).encode(x=x, y=y, text="label:N")
    return charts.spec(bars + text, height=220)


def table(found):
    """Every level as a row, with its source."""
    return pd.DataFrame(
        {
            "level": one.level,
            "link": one.link,
            "rate": format_rate(one.bytes_per_s),
            "direction": one.direction,
            "rate of the link": one.tier,
            "latency": format_time(one.latency_s),
            "time": format_time(one.time_s),
            "times slower than above": one.ratio_to_previous,
            "half is latency at": format_size(one.half_size_bytes),
            "source": f"{one.source.title} ({one.source.where})",
            "note": one.note,
        }
        for one in found.levels
    )


def ceilings(found):
    """From the figure on the box down to the best collective."""
    if not found.ceilings:
        return
    frame = pd.DataFrame(
        {
            "ceiling": one.name,
            "per GPU": format_rate(one.bytes_per_s),
            "origin": str(one.origin),
            "meaning": one.meaning,
            "source": one.source.title,
        }
        for one in found.ceilings
    )
    with st.expander("Ceilings: from the box to the best collective", icon=":material/vertical_align_top:"):
        tables.show(frame, "Ceilings of the scale-up link")
