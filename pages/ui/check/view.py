"""Check page: the verdict in words, over size, and by pair."""

from collections import Counter
from functools import lru_cache

import altair as alt
import pandas as pd
import streamlit as st

from core.measurement.bus_factor import bus_factor
from core.units import GB, US, format_size
from core.verdict import Status, judge_run
from pages.ui.shared import answer, bound, charts, heatmap, overlay, pick, tables
from pages.ui.shared.messages import plain

HINT = (
    "Log of nccl-tests, rccl-tests, nvbandwidth, p2pBandwidthLatencyTest, topo -m, nvlink -s, or a run file"
)
ICONS = {
    Status.FINE: ":green[:material/check_circle:]",
    Status.LOW: ":orange[:material/trending_down:]",
    Status.HIGH: ":blue[:material/trending_up:]",
    Status.IMPOSSIBLE: ":red[:material/block:]",
    Status.WRONG: ":red[:material/error:]",
    Status.UNKNOWN: ":gray[:material/help:]",
}
MEANINGS = {
    Status.FINE: "in the band expected of this machine",
    Status.LOW: "slower than the band",
    Status.HIGH: "faster than calibrated machines of this kind, yet possible",
    Status.IMPOSSIBLE: "less time than the bytes need on its wires",
    Status.WRONG: "the values are false, so the time is no measurement",
    Status.UNKNOWN: "nothing is expected here",
}
COLOURS = {
    Status.FINE: "#2b8a3e",
    Status.LOW: "#e8890c",
    Status.HIGH: "#1c6fd1",
    Status.IMPOSSIBLE: "#d6336c",
    Status.WRONG: "#9c36b5",
    Status.UNKNOWN: charts.GREY,
}
NONE = "–"


def judged(run):
    """Whether a verdict can say anything of this run."""
    return bool(run.samples or run.matrices)


def empty():
    """What the page will say, before there is a log."""
    st.info("No log yet: upload one, paste its text, or choose a stored run.")
    frame = pd.DataFrame({"verdict": [str(word) for word in MEANINGS], "means": list(MEANINGS.values())})
    tables.show(frame, "The six verdicts")


def ask(run, box, chosen):
    """The machine and the verdict on the run."""
    system = pick.system_for(box, run)
    ranks = run.ranks or run.ranks_guess or 1
    rates = chosen.on(system, min(ranks, system.gpus)) if ranks > 1 else chosen.rates
    return system, judge_run(run, system, rates=rates)


def headline(name, verdict, system):
    """The word, the reason, and how the ranks were seated."""
    seated = ""
    if verdict.ranks:
        seated = f"{verdict.collective} on {verdict.ranks} ranks"
        if verdict.domains:
            seated += f", {verdict.domains} × {verdict.local_ranks} on {system.name}"
    note = ". ".join(filter(None, [seated, verdict.basis and f"Expected by: {verdict.basis}"]))
    text = verdict.reason.text
    answer.headline(
        f"{name}: {verdict.status}.",
        " ".join([f"{ICONS[verdict.status]} {plain(text[:1].upper() + text[1:])}.", plain(_likely(verdict))]),
        note=plain(note),
        origin="measured",
    )


def _likely(verdict):
    """The other causes that were found, by how often."""
    counts = Counter(
        one.reason.text
        for one in (*verdict.sizes, *verdict.pairs)
        if one.status is not Status.FINE and one.reason.code != verdict.reason.code
    )
    others = "; ".join(f"{text} ({count}×)" for text, count in counts.most_common(2))
    return f"Also: {others}." if others else ""


def figures(verdict):
    """How many sizes or pairs got which word."""
    counts = Counter(one.status for one in (*verdict.sizes, *verdict.pairs))
    return [(str(word), f"{counts[word]:,}", MEANINGS[word]) for word in Status if counts[word]]


def sizes(verdict):
    """Measured bus bandwidth over the expected band, and the table of sizes."""
    known = [one for one in verdict.sizes if one.expected_s]
    factor = bus_factor(verdict.collective, verdict.ranks) if verdict.collective else None
    if known and factor:
        st.subheader("Measured over the expected band")
        shown = bound.switch("Show", "check_show", ("bus bandwidth", "time"))
        words = f"Measured {shown} of {verdict.collective} by size, the expected band and the verdicts"
        charts.draw(_spec(shown), words, band=_expected(known, factor), points=_points(verdict.sizes, factor))
    if verdict.sizes:
        tables.show(_size_table(verdict, factor), "Every size with its verdict and reason", height=360)


@lru_cache(maxsize=2)
def _spec(shown):
    """Band, expectation and points in the colours of their verdicts."""
    names = ("time_s", "low_s", "high_s") if shown == "time" else ("busbw", "low", "high")
    title, unit = (overlay.TIME, "s") if shown == "time" else (overlay.BUSBW, "B/s")
    axis = charts.log_axis if shown == "time" else charts.linear_axis

    def y(field):
        return axis(field, title, unit, axis=alt.Y)

    x = charts.log_axis("size_bytes", overlay.SIZE, "B")
    expected = alt.Chart(charts.rows("band"))
    band = expected.mark_area(opacity=0.22, color=charts.GREY).encode(x=x, y=y(names[1]), y2=names[2])
    line = expected.mark_line(size=2, color=charts.GREY).encode(x=x, y=y(names[0]))
    scale = alt.Scale(domain=[str(word) for word in COLOURS], range=list(COLOURS.values()))
    points = (
        alt.Chart(charts.rows("points"))
        .mark_point(filled=True, size=50, opacity=0.85)
        .encode(
            x=x,
            y=y(names[0]),
            color=alt.Color("series:N", title=None, scale=scale, legend=charts.legend(columns=6)),
            shape=alt.Shape(
                "placement:N", title=None, legend=charts.legend(colour=charts.GREY, orient="bottom")
            ),
            tooltip=[*overlay.TIPS, alt.Tooltip("placement:N", title="Placement")],
        )
    )
    return charts.spec(alt.layer(band, line, points), height=400)


def _expected(known, factor):
    rows = sorted({(one.size_bytes, one.expected_s, one.low_s, one.high_s) for one in known})
    frame = pd.DataFrame(rows, columns=["size_bytes", "time_s", "low_s", "high_s"])
    moved = factor * frame["size_bytes"]
    return frame.assign(
        busbw=moved / frame["time_s"],
        low=moved / frame["high_s"],
        high=moved / frame["low_s"],
    )


def _points(found, factor):
    rows = [
        (
            one.size_bytes,
            factor * one.size_bytes / one.time_s,
            one.time_s,
            str(one.status),
            one.placement or "as printed",
        )
        for one in found
        if one.size_bytes and one.time_s
    ]
    return pd.DataFrame(rows, columns=["size_bytes", "busbw", "time_s", "series", "placement"])


def _size_table(verdict, factor):
    def rate(size, time_s):
        return factor * size / time_s / GB if factor and time_s else None

    return pd.DataFrame(
        {
            "size": format_size(one.size_bytes),
            "placement": one.placement or NONE,
            "time (µs)": one.time_s / US,
            "from (µs)": None if one.low_s is None else one.low_s / US,
            "to (µs)": None if one.high_s is None else one.high_s / US,
            "busbw (GB/s)": rate(one.size_bytes, one.time_s),
            "expected": rate(one.size_bytes, one.expected_s),
            "verdict": str(one.status),
            "reason": one.reason.text,
        }
        for one in verdict.sizes
    )


def pairs(run, verdict):
    """Matrices as heat maps, and the pairs that are not as they should be."""
    drawn = [m for m in run.matrices if m.kind in heatmap.UNITS and min(len(m.rows), len(m.columns)) > 1]
    if drawn:
        st.subheader("Pair by pair")
    for matrix in drawn[:8]:
        heatmap.of_matrix(matrix)
    odd = [one for one in verdict.pairs if one.status is not Status.FINE]
    if verdict.pairs and not odd:
        st.markdown(f"All {len(verdict.pairs)} pairs are as they should be.")
    if odd:
        tables.show(
            _pair_table(odd), "Pairs that are not as they should be", height="auto" if len(odd) < 9 else 320
        )


def _pair_table(found):
    return pd.DataFrame(
        {
            "what": one.what,
            "from": one.row,
            "to": one.column or NONE,
            "measured (GB/s)": None if one.measured_bytes_per_s is None else one.measured_bytes_per_s / GB,
            "wire (GB/s)": None if one.expected_bytes_per_s is None else one.expected_bytes_per_s / GB,
            "verdict": str(one.status),
            "reason": one.reason.text,
        }
        for one in found
    )


def gate(system):
    """The same question as a gate in a pipeline."""
    with st.expander("As a gate in a pipeline", icon=":material/terminal:"):
        machine = "--system-file system.json" if system.yours else f"--system {system.id}"
        st.code(f"python -m gpu_probe check LOG {machine}", language="bash")
        st.caption("Exit code 0 fine, 1 low, impossible or wrong, 2 unreadable.")
