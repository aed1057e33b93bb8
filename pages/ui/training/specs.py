"""Chart specs of the page Training step."""

from functools import lru_cache

import altair as alt

from pages.ui.shared import charts, palette

CAUSES = ["compute", "optimizer", "bubble", "offload", "TP", "CP", "EP", "PP", "DP"]
COLOURS = [*zip(CAUSES[:3], (palette.COMPUTE, palette.OPTIMIZER, palette.BUBBLE), strict=True)]
COLOURS += [(kind, palette.EXPOSED) for kind in CAUSES[3:]]
"""Compute, optimizer and bubble each in its colour, all that waits for a link in red."""
ADDS, OVERLAPPED = "adds to step time", "overlapped with compute"


@lru_cache(maxsize=1)
def parts() -> charts.Spec:
    """Seconds by cause, overlapped communication pale beside what adds to the step."""
    kinds = [ADDS, OVERLAPPED]
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("part:N", title=None, sort=CAUSES),
            x=charts.linear_axis("time_s", "Time per step", "s", axis=alt.X),
            color=alt.Color("part:N", scale=palette.scale(COLOURS), legend=None),
            opacity=alt.Opacity(
                "kind:O",
                title=None,
                sort=kinds,
                scale=alt.Scale(domain=kinds, range=[1, 0.3]),
                legend=charts.legend(colour=charts.GREY, narrow=1),
            ),
            order=alt.Order("kind:O"),
            tooltip=[
                alt.Tooltip("part:N", title="Part"),
                alt.Tooltip("kind:N", title="Effect"),
                charts.tip("time_s", "Time", "s"),
                charts.tip("share", "Share of the step", "%"),
            ],
        )
    )
    return charts.spec(bars, height=270)


@lru_cache(maxsize=1)
def memory() -> charts.Spec:
    """Parts of the fullest GPU's memory against its capacity."""
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(height=46)
        .encode(
            x=charts.linear_axis("bytes", "Memory of the fullest GPU", "B", axis=alt.X),
            y=alt.Y("gpu:N", title=None, axis=None),
            color=alt.Color("part:N", title=None, sort=None, legend=charts.legend(columns=3, narrow=2)),
            order=alt.Order("order:O"),
            tooltip=[alt.Tooltip("part:N", title="Part"), charts.tip("bytes", "Size", "bytes")],
        )
    )
    limit = alt.Chart(charts.rows("limit"))
    rule = limit.mark_rule(strokeDash=[5, 4], size=2, color=charts.RED).encode(x="bytes:Q", tooltip="what:N")
    name = limit.mark_text(align="right", dx=-5, y=6, fontSize=11, color=palette.RED_LABEL).encode(
        x="bytes:Q", text="what:N"
    )
    return charts.spec(alt.layer(bars, rule, name), height=200)


@lru_cache(maxsize=1)
def scaling() -> charts.Spec:
    """Tokens/s per GPU relative to the first point while data parallelism doubles."""
    line = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=50), size=2)
        .encode(
            x=charts.counts_axis("gpus", "GPUs (world size)"),
            y=charts.share_axis("efficiency", "Scaling efficiency", top=None),
            color=alt.Color("series:N", title=None, sort=None, legend=charts.legend()),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs", format=","),
                alt.Tooltip("series:N", title="Scaling"),
                charts.tip("efficiency", "Scaling efficiency", "%"),
                alt.Tooltip("tokens:Q", title="Tokens/s per GPU", format=",.0f"),
                charts.tip("mfu", "MFU", "%"),
                charts.tip("step_s", "Step time", "s"),
            ],
        )
    )
    return charts.spec(line, height=250)
