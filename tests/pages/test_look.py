"""The look of charts and pages: legible colours, spoken units, findings in words, tabs that keep their inputs."""

import json
import re
from urllib.parse import parse_qs, urlparse

import altair as alt
import pandas as pd
import pytest
import vl_convert

from core.catalog import LINKS
from core.units import format_time
from pages.ui.shared import answer, charts, findings, palette
from pages.ui.shared.document import drawer
from tests.pages.charts import drawn

LIGHT, DARK = "#ffffff", "#10151c"
MARKS = {*palette.FAMILIES.values(), *palette.ON_PACKAGE.values(), *palette.SERIES, *palette.COSTS.values()}
MARKS |= {palette.EXPOSED, palette.OVERLAPPED, palette.COMPUTE, palette.BUBBLE, palette.OPTIMIZER}


def luminance(colour):
    """Of a colour, as WCAG defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first, second):
    """Of two colours, as WCAG defines it."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (2**20, 2**23, ["1 MiB", "2 MiB", "4 MiB", "8 MiB"]),
        (2**10, 2**33, ["1 KiB", "16 KiB", "256 KiB", "4 MiB", "64 MiB", "1 GiB"]),
    ],
)
def test_an_axis_of_sizes_has_more_than_one_label(low, high, labels):
    """A sweep of three doublings is labelled at each; a long one at every sixteenfold."""
    rows = pd.DataFrame({"size": [low, high], "rate": [1, 2]})
    x = charts.size_axis("size", "Message size")
    svg = vl_convert.vegalite_to_svg(alt.Chart(rows).mark_line().encode(x=x, y="rate:Q").to_dict())

    assert [text for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg) if text.endswith("iB")] == labels


@pytest.mark.parametrize("colour", sorted(MARKS))
def test_a_mark_is_legible_on_both_pages(colour):
    """Every colour of a mark has 3 to 1 on the light and on the dark page."""
    assert contrast(colour, LIGHT) >= 3
    assert contrast(colour, DARK) >= 3


@pytest.mark.parametrize("light", sorted(palette.ON_DARK))
def test_words_in_a_chart_are_legible_on_both_pages(light):
    """Words have 4.5 to 1: those of the light page become lighter on the dark one."""
    assert contrast(light, LIGHT) >= 4.5
    assert contrast(palette.ON_DARK[light], DARK) >= 4.5


def test_every_link_has_the_colour_of_its_family():
    """NVLink, PCIe, InfiniBand and Ethernet never share a colour; all generations of one do."""
    colours = {key: palette.of_link(key) for key in LINKS}

    assert colours["nvlink4"] == colours["nvlink5"]
    assert len({colours[key] for key in ("nvlink4", "pcie5-x16", "ib-ndr", "roce-400")}) == 4
    assert palette.of_link("HBM", "memory") == palette.HBM


def test_origins_are_told_apart_by_their_lines():
    """A datasheet's line is dashed, a calibrated one solid, a fit's in long dashes."""
    dashes = dict(zip(palette.ORIGINS, palette.DASHES, strict=True))

    assert palette.origin_of("model, spec rates") == "spec"
    assert palette.origin_of("my h100 sweep") == "yours"
    assert len({str(dashes[origin]) for origin in ("spec", "published", "calibrated", "yours")}) == 4


def bars(**tooltips):
    """A chart of bars with these tooltip lines."""
    lines = [charts.tip(field, title, unit) for field, (title, unit) in tooltips.items()]
    encoded = alt.Chart(charts.rows()).mark_bar().encode(x="time_s:Q", y="name:N", tooltip=lines)
    return charts.spec(encoded)


def test_a_bar_is_read_out_with_its_unit():
    """What a screen reader says of a bar is computed as the tooltip is: milliseconds, never an m alone."""
    built = bars(time_s=("Time", "s"))
    spoken = built["encoding"]["description"]["field"]
    texts = {step["as"]: step["calculate"] for step in built["transform"]}

    assert texts[spoken].startswith("'Time: ' + ")
    assert "+ 's'" in texts["time_s in s"]


def test_paths_and_words_are_not_read_out():
    """A line has one label for all its points, and words repeat their mark: the chart's own text speaks."""
    base = alt.Chart(charts.rows()).encode(
        x="time_s:Q", y="name:N", tooltip=[charts.tip("time_s", "Time", "s")]
    )
    built = charts.spec(alt.layer(base.mark_line(), base.mark_text(), base.mark_rule()))

    assert [layer["mark"].get("aria", True) for layer in built["layer"]] == [False, False, True]


def test_findings_name_extremes_ends_and_leads():
    """A chart's text says who leads where, and from which value to which each series goes."""
    frame = pd.DataFrame(
        {
            "name": ["ring", "ring", "tree", "tree"],
            "gpus": [8, 64, 8, 64],
            "time_s": [0.001, 0.004, 0.002, 0.003],
        }
    )

    assert findings.listed(["a", "b"], [0.001, 0.02], format_time) == "a 1 ms, b 20 ms"
    assert findings.listed(map(str, range(9)), range(9), findings.count) == "9 rows, from 0 0 to 8 8"
    assert findings.ends(frame, "name", "gpus", "time_s", format_time) == (
        "ring from 1 ms to 4 ms; tree from 2 ms to 3 ms"
    )
    assert findings.lead(frame, "name", "gpus", "time_s", findings.count) == "lowest: ring, from 64 tree"


def test_findings_pass_over_gaps_and_take_rows_in_any_order():
    """Rows without a value are not read out, x need not ascend, and of equals the first leads."""
    frame = pd.DataFrame(
        {
            "name": ["tree", "ring", "ring", "tree", "ring", "tree"],
            "gpus": [64.0, 64.0, 8.0, 8.0, 512.0, 512.0],
            "time_s": [0.003, 0.004, 0.002, 0.002, 0.001, None],
        }
    )

    assert findings.ends(frame, "name", "gpus", "time_s", format_time) == (
        "tree from 2 ms to 3 ms; ring from 2 ms to 1 ms"
    )
    assert findings.lead(frame, "name", "gpus", "time_s", findings.count) == (
        "lowest: ring, from 64 tree, from 512 ring"
    )
    nothing = frame.assign(time_s=float("nan"))
    assert findings.lead(nothing, "name", "gpus", "time_s", findings.count) == "no values"
    assert findings.ends(nothing, "name", "gpus", "time_s", format_time) == "no values"


@pytest.mark.parametrize("count", range(1, 13))
def test_no_figure_stands_alone_in_its_row(count):
    """The last row of figures holds at least half of what the others hold, unless there is a single figure."""
    columns = answer._columns(count, 180)
    last = count % columns or columns

    assert count == 1 or last > 1 or columns == 1
    assert 180 * columns <= answer.DESK


def test_a_link_opens_its_tab(visit):
    """The address may name a tab; its content is there, that of the others is not computed."""
    texts = [chart.words for chart in drawn(visit("collectives", tab="Other published models"))]

    assert any(text.startswith("Predicted time by published model") for text in texts)
    assert not any(text.startswith("Time vs message size") for text in texts)


def test_inputs_of_a_closed_tab_stay_in_the_link(visit):
    """A page answers with the inputs of all its tabs, so a full link holds them too."""
    app = visit("tensor_parallel", full_output=2048)
    link = next(code.value for code in app.code if "full_output" in code.value)

    assert parse_qs(urlparse(link).query)["full_output"] == ["2048"]


def test_a_time_axis_says_ms(visit):
    """No axis and no tooltip of a page prints seconds with a bare SI prefix."""
    for chart in visit("kv_transfer").get("vega_lite_chart"):
        text = json.dumps(json.loads(chart.proto.spec))
        assert '~s"' not in text
        assert "format(datum.value, '~s')" not in text.replace("replace(format(datum.value, '~s')", "")


@pytest.mark.parametrize(
    ("ends", "labels"),
    [
        ((5e9, 3.35e12), ["10 GB/s", "30 GB/s", "100 GB/s", "300 GB/s", "1 TB/s", "3 TB/s"]),
        ((1e9, 2e10), ["1 GB/s", "2 GB/s", "5 GB/s", "10 GB/s", "20 GB/s"]),
        ((60e9, 300e9), ["70 GB/s", "100 GB/s", "150 GB/s", "200 GB/s", "300 GB/s"]),
        ((1e7, 1e12), ["10 MB/s", "100 MB/s", "1 GB/s", "10 GB/s", "100 GB/s", "1 TB/s"]),
    ],
)
def test_a_logarithmic_axis_has_ticks_at_even_steps(ends, labels):
    """However far it reaches, neighbouring ticks are about as far apart as the others."""
    x = charts.log_axis("rate", "Rate", "B/s")
    built = charts.spec(alt.Chart(charts.rows()).mark_point().encode(x=x))
    spec = {**built, "width": 900, "datasets": {"rows": [{"rate": rate} for rate in ends]}}
    picture = drawer.svgs([spec])[0]

    assert [text for text in re.findall(r">([^<>]+)</text>", picture) if "B/s" in text] == labels


def test_a_tick_of_a_year_is_one_year():
    """A long axis of time goes on in days, one year and years."""
    built = charts.spec(
        alt.Chart(charts.rows()).mark_point().encode(x=charts.log_axis("time_s", "Time", "s"))
    )
    spec = {**built, "width": 900, "datasets": {"rows": [{"time_s": time_s} for time_s in (1e6, 4e8)]}}
    labels = re.findall(r">([^<>]+)</text>", drawer.svgs([spec])[0])

    assert [label for label in labels if "year" in label] == ["1 year", "10 years"]


def test_an_edit_changes_the_words_of_a_chart_and_not_its_name(visit):
    """Of what both have rows of: with another name or specification the browser would build the chart anew for each edit."""
    app = visit("collectives", ranks=4)
    before, names = drawn(app), [chart.proto.alt for chart in app.get("vega_lite_chart")]
    app.number_input(key="ranks").set_value(2).run()
    after = drawn(app)

    assert [chart.proto.alt for chart in app.get("vega_lite_chart")] == names
    assert [chart.spec for chart in after] == [chart.spec for chart in before]
    assert after[0].words != before[0].words
    assert all(chart.words.startswith(name) for chart, name in zip(after, names, strict=True))
