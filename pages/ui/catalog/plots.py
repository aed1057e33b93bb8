"""Charts of the page Catalog, built once."""

from functools import lru_cache

import altair as alt

from pages.ui.shared import charts, palette, tooltips

NETWORKS = palette.scale((("InfiniBand", palette.INFINIBAND), ("RoCE (Ethernet)", palette.ETHERNET)))
PER_GPU = "Per GPU, unidirectional"
WORDS_BELOW = r"split(replace(datum.label, ' (', '\n('), '\n')"
"""Labels whose words in brackets stand on a line below, so that long ones are not cut."""


def _by_state() -> alt.Opacity:
    """What is announced and not shipping is pale."""
    return alt.Opacity(
        "state:O",
        title=None,
        scale=alt.Scale(domain=["shipping", "announced"], range=[1, 0.45]),
        legend=charts.legend(colour=palette.NVLINK, columns=2, narrow=2),
    )


@lru_cache(maxsize=1)
def generations() -> charts.Spec:
    """Per-GPU rate by NVLink generation."""
    base = alt.Chart(charts.rows())
    x = alt.X("name:N", title="Generation", sort=None, axis=alt.Axis(labelAngle=0, labelExpr=WORDS_BELOW))
    y = charts.linear_axis("bytes_per_s", PER_GPU, "B/s")
    tips = [
        alt.Tooltip("name:N", title="Generation"),
        alt.Tooltip("year:N", title="Year"),
        charts.tip("bytes_per_s", "Per GPU, unidirectional", "bytes/s"),
        alt.Tooltip("links:Q", title="Links per GPU"),
        charts.tip("per_link", "Per link, unidirectional", "bytes/s"),
    ]
    bars = base.mark_bar(cornerRadiusEnd=3).encode(
        x=x,
        y=y,
        color=alt.value(palette.NVLINK),
        opacity=_by_state(),
        tooltip=tips,
    )
    text = (
        base.mark_text(dy=-8, color=palette.LABEL)
        .encode(x=x, y=y, text=alt.Text("label:N"))
        .transform_calculate(label=tooltips.si("datum.bytes_per_s", "B/s"))
    )
    return charts.spec(bars + text, height=310)


@lru_cache(maxsize=1)
def against_pcie() -> charts.Spec:
    """NVLink over PCIe, both unidirectional."""
    base = alt.Chart(charts.rows())
    x = alt.X("name:N", title="Generation", sort=None, axis=alt.Axis(labelAngle=0, labelExpr=WORDS_BELOW))
    y = alt.Y("ratio:Q", title="NVLink rate / PCIe rate", axis=alt.Axis(tickCount=5, gridOpacity=0.35))
    tips = [
        alt.Tooltip("slot:N", title="PCIe slot"),
        charts.tip("nvlink", "NVLink, unidirectional", "bytes/s"),
        charts.tip("pcie", "PCIe, unidirectional", "bytes/s"),
        alt.Tooltip("ratio:Q", title="Ratio", format=".3~f"),
    ]
    bars = base.mark_bar(cornerRadiusEnd=3).encode(
        x=x, y=y, color=alt.value(palette.NVLINK), opacity=_by_state(), tooltip=tips
    )
    text = (
        base.mark_text(dy=-8, color=palette.LABEL)
        .encode(x=x, y=y, text=alt.Text("label:N"))
        .transform_calculate(label="format(datum.ratio, '.1f') + '×'")
    )
    return charts.spec(bars + text, height=310)


@lru_cache(maxsize=1)
def mesh() -> charts.Spec:
    """Rate of a pair by domain size and topology."""
    line = (
        alt.Chart(charts.rows())
        .mark_line(interpolate="step-after", size=2.5)
        .encode(
            x=alt.X(
                "gpus:Q", title="GPUs in the scale-up domain", axis=alt.Axis(tickCount=8, gridOpacity=0.35)
            ),
            y=charts.linear_axis("pair_bytes_per_s", "One pair, unidirectional", "B/s"),
            color=alt.Color("topology:N", title=None, legend=charts.legend()),
            tooltip=[
                alt.Tooltip("gpus:Q", title="GPUs"),
                alt.Tooltip("topology:N", title="Topology"),
                charts.tip("pair_bytes_per_s", "One pair", "bytes/s"),
            ],
        )
    )
    return charts.spec(line, height=310)


@lru_cache(maxsize=1)
def slots() -> charts.Spec:
    """Nominal and effective rate of each slot generation."""
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(cornerRadiusEnd=3)
        .encode(
            x=alt.X("name:N", title="Slot", sort=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("kind:N", sort=None),
            y=charts.linear_axis("bytes_per_s", "Unidirectional rate", "B/s"),
            color=alt.value(palette.PCIE),
            opacity=alt.Opacity(
                "kind:N",
                title=None,
                sort=None,
                scale=alt.Scale(range=[0.45, 1]),
                legend=charts.legend(colour=palette.PCIE),
            ),
            tooltip=[
                alt.Tooltip("name:N", title="Slot"),
                alt.Tooltip("kind:N", title="Rate"),
                charts.tip("bytes_per_s", "Unidirectional", "bytes/s"),
            ],
        )
    )
    return charts.spec(bars, height=290)


@lru_cache(maxsize=1)
def ports() -> charts.Spec:
    """Port rates of InfiniBand and Ethernet over the years."""
    points = (
        alt.Chart(charts.rows())
        .mark_line(point=alt.OverlayMarkDef(size=60, filled=True))
        .encode(
            x=alt.X(
                "year:Q",
                title="Year",
                axis=alt.Axis(format="d", tickCount=6, gridOpacity=0.35),
                scale=alt.Scale(zero=False),
            ),
            y=charts.log_axis("bytes_per_s", "Port rate, unidirectional", "B/s", axis=alt.Y),
            color=alt.Color("family:N", title=None, scale=NETWORKS, legend=charts.legend()),
            tooltip=[
                alt.Tooltip("name:N", title="Link"),
                alt.Tooltip("year:Q", title="Year"),
                charts.tip("bytes_per_s", "Unidirectional", "bytes/s"),
            ],
        )
    )
    return charts.spec(points, height=290)


@lru_cache(maxsize=1)
def latencies() -> charts.Spec:
    """Stated latency ranges."""
    bars = (
        alt.Chart(charts.rows())
        .mark_bar(height=10, cornerRadius=4)
        .encode(
            x=charts.linear_axis("low_s", "Small-message latency, end to end", "s", axis=alt.X),
            x2="high_s:Q",
            y=alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelOverlap=False)),
            color=alt.Color("family:N", title=None, scale=NETWORKS, legend=charts.legend()),
            tooltip=[
                alt.Tooltip("name:N", title="Link"),
                charts.tip("low_s", "From", "s"),
                charts.tip("high_s", "To", "s"),
            ],
        )
    )
    return charts.spec(bars, height=290)


@lru_cache(maxsize=1)
def gpus() -> charts.Spec:
    """Scale-up rate of every GPU, the fastest first."""
    base = alt.Chart(charts.rows())
    y = alt.Y("name:N", title=None, sort="-x", axis=alt.Axis(labelLimit=240, labelOverlap=False))
    x = charts.linear_axis("scale_up_bytes_per_s", "Scale-up per GPU, unidirectional", "B/s", axis=alt.X)
    bars = base.mark_bar(cornerRadiusEnd=2).encode(
        x=x,
        y=y,
        color=alt.Color("vendor:N", title=None, legend=charts.legend()),
        tooltip=[
            alt.Tooltip("name:N", title="GPU"),
            alt.Tooltip("year:Q", title="Year"),
            charts.tip("memory_bytes_per_s", "Memory bandwidth", "bytes/s"),
            charts.tip("scale_up_bytes_per_s", "Scale-up, unidirectional", "bytes/s"),
        ],
    )
    return charts.spec(bars, height=730)
