"""Chart specs of the training page."""

from functools import lru_cache

import altair as alt

from pages.ui.shared import charts

CAUSES = ["compute", "optimizer", "bubble", "TP", "CP", "EP", "PP", "DP"]


@lru_cache(maxsize=1)
def parts():
    """Seconds by cause, hidden communication pale beside what adds to the step."""
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("part:N", title=None, sort=CAUSES),
            x=charts.linear_axis("time_s", "Time in a step (s)", "s", axis=alt.X),
            color=alt.Color("part:N", sort=CAUSES, scale=alt.Scale(domain=CAUSES), legend=None),
            opacity=alt.Opacity(
                "kind:O",
                title=None,
                sort=["adds to the step", "hidden"],
                scale=alt.Scale(domain=["adds to the step", "hidden"], range=[1, 0.3]),
                legend=charts.legend(colour=charts.GREY, narrow=2),
            ),
            order=alt.Order("kind:O"),
            tooltip=[
                alt.Tooltip("part:N", title="Part"),
                alt.Tooltip("kind:N", title="How"),
                charts.tip("time_s", "Time", "s"),
                alt.Tooltip("share:Q", title="Of the step", format=".2%"),
            ],
        )
    )
    return charts.spec(bars, height=300)


@lru_cache(maxsize=1)
def memory():
    """Parts of the fullest GPU's memory against its limit."""
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(height=46)
        .encode(
            x=charts.linear_axis("bytes", "Memory of the fullest GPU (bytes)", "B", axis=alt.X),
            y=alt.Y("gpu:N", title=None, axis=None),
            color=alt.Color("part:N", title=None, sort=None, legend=charts.legend(columns=3, narrow=2)),
            order=alt.Order("order:O"),
            tooltip=[alt.Tooltip("part:N", title="Part"), charts.tip("bytes", "Size", "bytes")],
        )
    )
    limit = alt.Chart(charts.rows("limit"))
    rule = limit.mark_rule(strokeDash=[5, 4], size=2, color=charts.RED).encode(x="bytes:Q", tooltip="what:N")
    name = limit.mark_text(align="right", dx=-5, y=12, fontSize=11, color=charts.RED).encode(
        x="bytes:Q", text="what:N"
    )
    return charts.spec(alt.layer(bars, rule, name), height=230)


@lru_cache(maxsize=1)
def growth():
    """Speed per GPU that is kept while data parallelism doubles."""
    line = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=50), size=2)
        .encode(
            x=charts.counts_axis("gpus", "GPUs"),
            y=charts.share_axis("kept", "Speed per GPU kept", top=None),
            color=alt.Color("batch:N", title=None, sort=None, legend=charts.legend(narrow=2)),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs", format=","),
                alt.Tooltip("batch:N", title="Batch"),
                alt.Tooltip("kept:Q", title="Kept", format=".1%"),
                alt.Tooltip("tokens:Q", title="Tokens/s per GPU", format=",.0f"),
                alt.Tooltip("mfu:Q", title="MFU", format=".1%"),
                charts.tip("step_s", "Step", "s"),
            ],
        )
    )
    return charts.spec(line, height=280)
