"""Chart specs of the strategy page."""

from functools import lru_cache

import altair as alt

from pages.ui.shared import charts

VERDICTS = ("as good", "good enough", "costly", "avoid", "cannot")
COLOURS = ("#2b8a3e", "#74a52a", "#e8890c", "#c92a4b", "#8a97a6")
FAINT = 0.35


def _trade(x, y, titles):
    layout = alt.Tooltip("layout:N", title="Layout")
    tips = [layout, charts.tip("x", *titles[0]), charts.tip("y", *titles[1])]
    points = (
        alt.Chart(charts.rows())
        .mark_point(filled=True, size=45)
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "set:N",
                title=None,
                scale=alt.Scale(domain=["Pareto set", "beaten in both"], range=[charts.RED, charts.GREY]),
                legend=charts.legend(narrow=2),
            ),
            opacity=alt.condition("datum.pareto", alt.value(1), alt.value(FAINT)),
            tooltip=tips,
        )
    )
    line = alt.Chart(charts.rows("front")).mark_line(color=charts.RED, size=1.5, interpolate="step-after")
    best = alt.Chart(charts.rows("best"))
    ring = best.mark_point(size=190, strokeWidth=2.5, color=charts.RED).encode(x=x, y=y, tooltip=tips)
    return charts.spec(alt.layer(line.encode(x=x, y=y), points, ring))


@lru_cache(maxsize=1)
def training_trade():
    """Step time against memory."""
    x = charts.log_axis("x", "Step (s)", "s", ticks=5)
    y = charts.linear_axis("y", "Memory of the fullest GPU (bytes)", "B")
    return _trade(x, y, (("Step", "s"), ("Memory", "bytes")))


@lru_cache(maxsize=1)
def serving_trade():
    """Time of a token against tokens/s per GPU."""
    x = charts.log_axis("x", "Time between tokens (s)", "s", ticks=5)
    y = charts.linear_axis("y", "Tokens/s per GPU")
    return _trade(x, y, (("Token", "s"), ("Tokens/s per GPU",)))


@lru_cache(maxsize=32)
def wires(kinds, columns):
    """Kinds of parallelism by wire, coloured by verdict."""
    base = alt.Chart(charts.rows()).encode(
        x=alt.X(
            "wire:N",
            title=None,
            sort=list(columns),
            axis=alt.Axis(orient="top", labelAngle=-40, labelOverlap=False),
        ),
        y=alt.Y("kind:N", title=None, sort=list(kinds)),
        tooltip=[
            alt.Tooltip("kind:N", title="Parallelism"),
            alt.Tooltip("wire:N", title="Wire"),
            alt.Tooltip("cell:N", title="Adds to the step"),
            alt.Tooltip("longer:N", title="Step against the best wire"),
            alt.Tooltip("layout:N", title="Layout"),
            alt.Tooltip("note:N", title="Note"),
        ],
    )
    boxes = base.mark_rect(stroke="transparent", strokeWidth=3, cornerRadius=3).encode(
        color=alt.Color(
            "verdict:N",
            title=None,
            scale=alt.Scale(domain=list(VERDICTS), range=list(COLOURS)),
            legend=alt.Legend(orient="bottom", columns=3, symbolOpacity=1),
        )
    )
    words = base.mark_text(fontSize=12, fontWeight=600, color="#ffffff").encode(text="cell:N")
    return charts.spec(alt.layer(boxes, words), height=150 + 38 * len(kinds))


@lru_cache(maxsize=64)
def flip_map(across, up, columns, rows, winners):
    """Regions by winner; the ring marks what the machine is now."""
    x = alt.X(
        "across:N", title=across, sort=list(columns), axis=alt.Axis(labelAngle=-40, labelOverlap="greedy")
    )
    y = alt.Y("up:N", title=up, sort=list(reversed(rows)), axis=alt.Axis(labelOverlap="greedy"))
    cells = (
        alt.Chart(charts.rows())
        .mark_rect()
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "winner:N",
                title=None,
                sort=list(winners),
                scale=alt.Scale(domain=list(winners)),
                legend=alt.Legend(
                    orient="top",
                    columns=1,
                    labelLimit=alt.ExprRef("max(200, width - 30)"),
                    symbolType="square",
                ),
            ),
            tooltip=[
                alt.Tooltip("winner:N", title="Wins"),
                alt.Tooltip("across:N", title=across),
                alt.Tooltip("up:N", title=up),
                alt.Tooltip("value:N", title="With"),
                alt.Tooltip("margin:Q", title="Ahead of the next", format=".1%"),
            ],
        )
    )
    now = alt.Chart(charts.rows("now")).mark_point(shape="circle", size=130, strokeWidth=3, color="#ffffff")
    return charts.spec(alt.layer(cells, now.encode(x=x, y=y)), height=330 + 20 * len(winners))


@lru_cache(maxsize=8)
def tornado(order, what):
    """Change of a step or a token with each input halved and doubled."""
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(height=16)
        .encode(
            y=alt.Y("input:N", title=None, sort=list(order)),
            x=alt.X("change:Q", title=f"Change of {what}", axis=alt.Axis(format="+.0%", gridOpacity=0.35)),
            color=alt.Color("turn:N", title=None, sort=None, legend=charts.legend(narrow=2)),
            tooltip=[
                alt.Tooltip("input:N", title="Input"),
                alt.Tooltip("turn:N", title="Turned"),
                alt.Tooltip("change:Q", title="Changes by", format="+.2%"),
                charts.tip("step_s", "Takes", "s"),
            ],
        )
    )
    zero = alt.Chart(charts.rows()).mark_rule(color=charts.GREY).encode(x=alt.datum(0))
    return charts.spec(alt.layer(bars, zero), height=90 + 34 * len(order))


@lru_cache(maxsize=1)
def growth():
    """Tokens/s per GPU of the winner on each size of the cluster."""
    base = alt.Chart(charts.rows())
    x = charts.counts_axis("gpus", "GPUs")
    y = charts.linear_axis("tokens", "Tokens/s per GPU of the winner")
    tips = [
        alt.Tooltip("gpus:Q", title="GPUs", format=","),
        alt.Tooltip("layout:N", title="Wins"),
        alt.Tooltip("tokens:Q", title="Tokens/s per GPU", format=",.0f"),
    ]
    line = base.mark_line(color=charts.GREY, size=1.5).encode(x=x, y=y)
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        x=x,
        y=y,
        color=alt.Color("degrees:N", title=None, sort=None, legend=charts.legend(columns=4, narrow=3)),
        tooltip=tips,
    )
    return charts.spec(alt.layer(line, points), height=300)


@lru_cache(maxsize=1)
def needs():
    """Times faster with NVLink by situation, and where it is useful and needed."""
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("situation:N", title=None, sort=None, axis=alt.Axis(labelLimit=220, labelOverlap=False)),
            x=alt.X(
                "gain:Q",
                title="Times faster with NVLink",
                scale=alt.Scale(zero=True, nice=True),
                axis=alt.Axis(tickCount=5, gridOpacity=0.35),
            ),
            color=alt.Color(
                "verdict:N",
                title=None,
                scale=alt.Scale(
                    domain=["needed", "useful", "not needed"], range=[COLOURS[3], COLOURS[2], COLOURS[4]]
                ),
                legend=charts.legend(narrow=3),
            ),
            tooltip=[
                alt.Tooltip("question:N", title="Question"),
                alt.Tooltip("gain:Q", title="Times faster", format=".3g"),
                charts.tip("with_s", "With NVLink", "s"),
                charts.tip("without_s", "Without", "s"),
                alt.Tooltip("verdict:N", title="Verdict"),
            ],
        )
    )
    rule = alt.Chart(charts.rows("limits")).mark_rule(strokeDash=[4, 4], color=charts.GREY).encode(x="gain:Q")
    return charts.spec(alt.layer(bars, rule), height=310)
