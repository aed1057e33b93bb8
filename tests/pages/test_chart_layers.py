"""Layers without rows are left out of what a browser draws; the rest of a chart stays."""

import pandas as pd

from pages.ui.shared import chart_layers, charts, overlay
from tests.pages.charts import drawn


def names(spec):
    """The data of every layer, through groups."""
    inner = spec.get("layer", [])
    return [name for part in inner for name in names(part)] if inner else [spec["data"]["name"]]


def test_a_layer_without_rows_is_left_out():
    """Alone or in a group; a chart of which nothing has rows stays as it is."""
    spec = overlay.spec()
    judged = overlay.spec(overlay.Look(1, ("fine",)))

    assert names(chart_layers.with_rows(spec, {"points", "regions"})) == [
        "curve",
        "ceilings",
        "curve",
        "ceilings",
    ]
    assert names(chart_layers.with_rows(judged, {"curve", "regions", "ceilings"})) == ["points"]
    assert chart_layers.with_rows(spec, {*names(spec)}) == spec


def test_no_chart_of_collectives_has_a_layer_without_rows(visit):
    """An all-gather of four GPUs, which nobody has published: no points, and none are asked for."""
    sent = [chart.spec for chart in drawn(visit("collectives", collective="all_gather", ranks=4))]

    assert sent
    assert "points" in names(overlay.spec())
    assert all("points" not in names(spec) for spec in sent if "layer" in spec)


def test_a_chart_of_many_names_leaves_its_plot_the_room():
    """Each name beyond four, a line of the legend on a phone, makes the chart that much taller; verdicts have no names."""
    few, many = pd.DataFrame({"series": ["model"]}), pd.DataFrame({"series": [*"abcdefg"], "placement": ""})
    heights = [
        overlay.spec(overlay.look(few, points))["height"]
        for points in (many[:3], many, many.assign(verdict="fine"))
    ]

    assert heights == [overlay.HEIGHT, overlay.HEIGHT + 4 * charts.NAMED, overlay.HEIGHT]
