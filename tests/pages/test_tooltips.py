"""What a browser writes beside a mark is what Python writes: durations and message sizes, whatever their length."""

import re
from pathlib import Path

import vl_convert

from core.units import (
    DAY_S,
    GIB,
    HOUR_S,
    KIB,
    MIB,
    MINUTE_S,
    TIB,
    YEAR_S,
    format_message,
    format_share,
    format_time,
)
from pages.ui.shared import tooltips

TIMES = (
    3e-6,
    0.5,
    1,
    59,
    119,
    *(count * unit for unit in (MINUTE_S, HOUR_S, DAY_S, YEAR_S) for count in (2, 3)),
)
SHARES = (0, 0.0004, 0.001, 0.0123, 0.137, 0.5, 1, 2.5)
ROOT = Path(__file__).parents[2]
OWN_SPELLING = re.compile(r':[+,.\d]*%\}|format="[^"]*[\d~]%"')
"""A share by Python's or d3's own format, without a space before the sign."""
SIZES = (1, 1000, KIB, 10 * KIB, MIB, 3 * MIB, GIB, 5 * GIB, TIB, 12 * TIB)


def written(values, expression):
    """The texts that Vega writes for values, in their order."""
    spec = {
        "data": {"values": [{"place": place, "value": value} for place, value in enumerate(values)]},
        "transform": [{"calculate": expression, "as": "text"}],
        "mark": "text",
        "encoding": {
            "y": {"field": "place", "type": "ordinal", "axis": None},
            "text": {"field": "text", "type": "nominal"},
        },
    }
    return re.findall(r">([^<>]+)</text>", vl_convert.vegalite_to_svg(spec))


def test_a_browser_writes_times_and_sizes_as_python_does():
    """At each unit's first value, below it and above it; a tick is told in a unit from one of it on."""
    value = "datum.value"
    whole = tooltips.duration(value, tooltips.prefixed(value, "s"), whole=True)

    assert written(TIMES, tooltips.si(value, "s", ".3")) == [format_time(time_s) for time_s in TIMES]
    assert written(SIZES, tooltips.binary(value)) == [format_message(size) for size in SIZES]
    assert written((30, MINUTE_S, HOUR_S, DAY_S, YEAR_S), whole) == [
        "30 s",
        "1 min",
        "1 h",
        "1 day",
        "1 year",
    ]


def test_a_share_is_spelt_in_one_way():
    """In tooltips as in texts, with a sign where it is a change; no module has a spelling of its own."""
    change = tooltips.line("change", "Change", "+%").to_dict()

    assert written(SHARES, tooltips.told_share("datum.value")) == [format_share(share) for share in SHARES]
    assert written((-0.123, 0.05), tooltips.told_share("datum.value", "+")) == ["−12.3 %", "+5 %"]
    assert change["field"] == "change in +%"
    modules = [path for room in ("core", "gpu_probe", "pages") for path in (ROOT / room).rglob("*.py")]
    own = [path.name for path in modules if OWN_SPELLING.search(path.read_text(encoding="utf-8"))]
    assert own == []
