"""Collectives page: inputs to a scenario, the answer in words, the charts."""

from dataclasses import dataclass, replace
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from core.catalog import CURVES
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.collectives.formulas import ALGORITHMS, COLLECTIVES, busbw_factor
from core.collectives.pricing import ALGORITHM_WORDS, Answer, Scenario, Sweep, compare, sweep
from core.collectives.pricing import answer as price
from core.collectives.pricing.answer import EDGE
from core.collectives.pricing.place import place
from core.collectives.pricing.scenario import DTYPES
from core.collectives.rates import Rates
from core.provenance import Origin
from core.units import format_rate, format_size, format_time
from pages.ui.shared import answer, bound, charts, overlay, tables
from pages.ui.shared.sizes import size_of


@dataclass(frozen=True, slots=True)
class Result:
    """One answer with its sweep and the algorithms beside it."""

    answer: Answer
    sweep: Sweep
    algorithms: dict[str, Sweep]


def question():
    """Collective, size and ranks."""
    collective = bound.choice("Collective", "collective", COLLECTIVES)
    size = bound.text(
        "Message size", "size", "1 GiB", help="Bytes as nccl-tests counts them: 64 KiB, 1.5 GB, 4096."
    )
    ranks = bound.number("Ranks", "ranks", None, low=1, step=1, help="Empty: every GPU of the machine.")
    return collective, size, ranks


def library():
    """Who runs it and how."""
    with st.expander("Library and algorithm", icon=":material/tune:"):
        implementation = bound.choice("Implementation", "implementation", IMPLEMENTATIONS)
        launch = bound.switch("Launch", "launch", LAUNCHES)
        algorithm = bound.choice("Algorithm", "algorithm", ALGORITHM_WORDS)
        dtype = bound.choice("Data type", "dtype", DTYPES)
    return implementation, launch, algorithm, dtype


def scenario(asked, system, chosen, how):
    """The whole question."""
    collective, size, ranks = asked
    implementation, launch, algorithm, dtype = how
    count = system.gpus if ranks is None else ranks
    return Scenario(
        system=system,
        collective=collective,
        ranks=count,
        size_bytes=size_of(size),
        rates=chosen.on(system, count),
        algorithm=algorithm,
        implementation=implementation,
        launch=launch,
        dtype=dtype,
    )


@lru_cache(maxsize=64)
def ask(asked):
    """Answer, sweep and all algorithms of a scenario."""
    return Result(price(asked), sweep(asked, overlay.SIZES), compare(asked, overlay.SIZES))


def verdict(asked, found):
    """One sentence, why, and where the choice would flip."""
    what = f"{asked.collective} of {format_size(asked.size_bytes)} over {asked.ranks:,} GPU{'s' if asked.ranks > 1 else ''}"
    if found.time_s <= 0:
        return f"{what} costs nothing: nothing has to move.", ""
    band = (
        "" if found.high_s <= found.low_s else f" ({format_time(found.low_s)} to {format_time(found.high_s)})"
    )
    rate = (
        ""
        if found.busbw_bytes_per_s is None
        else f", {format_rate(found.busbw_bytes_per_s)} of bus bandwidth"
    )
    return f"{what} takes {format_time(found.time_s)}{band}{rate}.", _reason(found), _flip(asked, found)


def _reason(found):
    parts = {"launch": found.launch_s, "latency": found.latency_s, "reduction": found.reduction_s}
    bound_s = parts.get(found.binding, found.transfer_s)
    reason = f"**{label(found)}** is cheapest; {found.binding} decides with {100 * bound_s / found.time_s:.0f} % of the time."
    second = found.runner_up
    if second is not None:
        times = second.time_s / found.time_s
        reason += f" Runner-up: {label(second)}, {times:.2f} times as long."
    return reason


RESTS = {
    "calibrated": "Rests on published measurements of such machines",
    "extrapolated": "Never measured on such a machine: carried over, with a wider band",
    "parts": "Never measured on such a machine: added up from its parts, with a wider band",
    "adapted": "Rests on your measured points",
    "fitted": "Rests on your own sweep",
    "spec": "Rests on datasheet rates alone",
}


def rests(found):
    """What the answer rests on, and the step over ranks where a domain ends."""
    edge = [line for line in found.warnings if line.startswith(EDGE)]
    known = RESTS.get(found.basis.partition(":")[0], "Rests on")
    basis = "" if found.basis == "spec" else f" ({found.basis})"
    words = [f"{known}{basis}.", *(f"{line[:1].upper()}{line[1:]}." for line in edge)]
    return " ".join(words) if found.time_s > 0 else ""


def origin(chosen, found):
    """The badge: what was chosen, unless others had to stand in: the datasheet, or the calibration."""
    able = {str(Origin.CALIBRATED): (Origin.SPEC,), "yours": (Origin.SPEC, Origin.CALIBRATED)}
    stood_in = [str(one) for one in able.get(chosen.origin, ()) if found.rates == str(one)]
    overridden = chosen.rates.overridden
    return stood_in[0] if stood_in and not overridden else chosen.origin


def without_edge(found):
    """The answer with the warnings that are no plain fact of its headline."""
    return replace(found, warnings=tuple(line for line in found.warnings if not line.startswith(EDGE)))


def label(way):
    """Algorithm with its protocol."""
    return f"{way.algorithm}/{way.protocol}" if way.protocol else way.algorithm


def _flip(asked, found):
    now = {"size_bytes": asked.size_bytes, "ranks": asked.ranks}
    words = []
    for flip in found.flips:
        here = now.get(flip.input)
        if flip.input == "size_bytes":
            side = "from" if flip.value > here else "up to"
            words.append(f"{side} {format_size(flip.value)} {flip.to} wins")
        elif flip.input == "ranks":
            words.append(f"with {flip.value:,.0f} GPUs {flip.to} wins")
        elif flip.input == "latency_s":
            words.append(f"at {format_time(flip.value)} a step {flip.to} wins")
        else:
            words.append(f"at {format_rate(flip.value)} a GPU {flip.to} wins")
    text = "; ".join(words[:4])
    return text[:1].upper() + text[1:] + "." if text else ""


def figures(found):
    """Secondary numbers."""
    return [
        (
            "Time",
            format_time(found.time_s),
            f"p10 {format_time(found.low_s)}, p90 {format_time(found.high_s)}",
        ),
        ("Algorithm", found.algorithm or "none", *([f"protocol {found.protocol}"] if found.protocol else [])),
        ("Bus bandwidth", format_rate(found.busbw_bytes_per_s) if found.busbw_bytes_per_s else "–"),
        ("Sent per GPU", format_size(found.wire_bytes)),
        ("Domains", f"{found.domains:,}"),
    ]


def busbw(asked, result):
    """Bus bandwidth over size with regions, band and ceilings."""
    if asked.ranks == 1:
        st.info("One rank has no bus: bus bandwidth is undefined.")
        return
    curves = overlay.curve(result.sweep, asked.collective, asked.ranks, f"model, {result.sweep.rates}")
    if bound.switch("Show", "show", ("bus bandwidth", "time"), hidden=True) == "time":
        words = f"Time of {asked.collective} over message size with its band"
        overlay.draw_times(words, curves=curves, points=published(asked))
        return
    overlay.draw(
        f"Bus bandwidth of {asked.collective} over message size, band, regions and ceilings",
        curves=curves,
        region=overlay.regions(result.sweep),
        ceiling=overlay.ceilings(ladder(asked)),
        points=published(asked),
    )
    st.caption(
        "Dashed lines are ceilings. In-switch reduction and, with two domains, trees may exceed the one-way wire rate: "
        "bus bandwidth assumes a ring."
    )


def published(asked):
    """Measurements that others published of the same machine, as points."""
    frames = [overlay.no_points()]
    for one in CURVES:
        if (one.system, one.ranks, asked.collective) == (asked.system.id, asked.ranks, "all_reduce"):
            frame = pd.DataFrame(one.points, columns=["size_bytes", "busbw"])
            moved = float(busbw_factor(asked.collective, asked.ranks)) * frame["size_bytes"]
            frame = frame.assign(
                time_s=moved / frame["busbw"], series=f"measured, {one.tool}", placement="as printed"
            )
            frames.append(frame)
    return pd.concat(frames[1:] or frames, ignore_index=True)


def ladder(asked):
    """Ceilings of the scale: what marketing prints, what one wire carries, what the NICs carry."""
    where = place(replace(asked, rates=Rates(Origin.SPEC)))
    if where.outer is None:
        wire = where.inner.bytes_per_s
        return [("both directions, as printed", 2 * wire), ("one-way link rate", wire)]
    nics = where.outer.bytes_per_s * where.local_ranks
    return [("NICs of a domain, one way", nics), ("one-way link rate in a domain", where.inner.bytes_per_s)]


def times(result):
    """Time over size, one line an algorithm."""
    if not np.any(result.sweep.time_s > 0):
        st.info("Nothing has to move, whichever the algorithm.")
        return
    frames = [
        pd.DataFrame({"size_bytes": one.size_bytes, "time_s": one.time_s, "algorithm": name})
        for name, one in result.algorithms.items()
    ]
    charts.draw(_times_spec(), "Time over message size by algorithm", rows=pd.concat(frames))


def parts(result):
    """Share of the time by cause."""
    one = result.sweep
    if not np.any(one.time_s > 0):
        st.info("There is no time to share out.")
        return
    names = ("launch", "latency", "transfer", "reduction")
    total = np.where(one.time_s > 0, one.time_s, 1.0)
    frames = [
        pd.DataFrame(
            {
                "size_bytes": one.size_bytes,
                "share": getattr(one, f"{name}_s") / total,
                "part": name,
                "order": place_,
            }
        )
        for place_, name in enumerate(names)
    ]
    charts.draw(
        _parts_spec(), "Share of launch, latency, transfer and reduction over size", rows=pd.concat(frames)
    )


@lru_cache(maxsize=1)
def _times_spec():
    chart = (
        alt.Chart(charts.rows())
        .mark_line(size=2)
        .encode(
            x=charts.log_axis("size_bytes", overlay.SIZE, "B"),
            y=charts.log_axis("time_s", "Time (s)", "s", axis=alt.Y),
            color=alt.Color("algorithm:N", title=None, legend=charts.legend(columns=4)),
            tooltip=[
                alt.Tooltip("algorithm:N", title="Algorithm"),
                charts.tip("size_bytes", "Size", "bytes"),
                charts.tip("time_s", "Time", "s"),
            ],
        )
    )
    return charts.spec(chart)


@lru_cache(maxsize=1)
def _parts_spec():
    chart = (
        alt.Chart(charts.rows())
        .mark_area(opacity=0.85)
        .encode(
            x=charts.log_axis("size_bytes", overlay.SIZE, "B"),
            y=charts.share_axis("share", "Share of the time", stack="zero"),
            color=alt.Color(
                "part:N",
                title=None,
                sort=["launch", "latency", "transfer", "reduction"],
                legend=charts.legend(),
            ),
            order=alt.Order("order:O"),
            tooltip=[
                alt.Tooltip("part:N", title="Part"),
                charts.tip("size_bytes", "Size", "bytes"),
                alt.Tooltip("share:Q", title="Share", format=".1%"),
            ],
        )
    )
    return charts.spec(chart)


def numbers(asked, result):
    """Table over size, formula, sources."""
    one = result.sweep
    frame = pd.DataFrame(
        {
            "size": [format_size(size) for size in one.size_bytes],
            "time": [format_time(value) for value in one.time_s],
            "low": [format_time(value) for value in one.low_s],
            "high": [format_time(value) for value in one.high_s],
            "bus bandwidth": [
                format_rate(value) if np.isfinite(value) else "–" for value in one.busbw_bytes_per_s
            ],
            "algorithm": one.algorithms,
            "runner-up": one.runner_ups,
        }
    )[::4]
    with st.expander("Numbers, formula and sources", icon=":material/functions:"):
        tables.show(frame, "Time and bus bandwidth over message size")
        for entry in entries(asked, result.answer):
            st.latex(entry.formula_latex)
            st.caption(f"{entry.word}, {entry.levels} level(s)")
        st.markdown(
            f"**Basis** {result.answer.basis}. **Rates** {result.answer.rates}. Model {result.answer.model_version}."
        )
        answer.sources(result.answer.sources)


def entries(asked, found):
    """The registry's formulas of the algorithm that won."""
    levels = 2 if found.domains > 1 else 1
    return [
        one
        for one in ALGORITHMS.values()
        if one.collective == asked.collective and one.word == found.algorithm and one.levels == levels
    ]
