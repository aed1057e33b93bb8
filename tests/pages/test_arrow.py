"""Frames of charts reach the browser as the bytes that Streamlit makes of them."""

import json

import altair as alt
import numpy as np
import pandas as pd
import pytest
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df, convert_pandas_df_to_arrow_bytes

from pages.ui.shared import arrow, overlay

ROWS = pd.DataFrame(
    {
        "size_bytes": np.geomspace(1.0, 1e9, 9),
        "busbw": [None, *range(8)],
        "series": "model, calibrated rates",
        "choice": ["ring", None, *7 * ["tree"]],
        "ranks": range(9),
        "measured": pd.date_range("2026-11-01", periods=9, tz="UTC"),
        "own": True,
    }
)
FRAMES = {
    "every type": ROWS,
    "no rows": ROWS.iloc[:0],
    "no points": overlay.no_points(),
    "a part": ROWS.iloc[3:5],
    "a named index": ROWS.set_index("series"),
    "mixed values": pd.DataFrame({"term": ["a", 1], "value": [[1.0], [2.0]]}),
    "categories": ROWS.assign(choice=pd.Categorical(ROWS["choice"])),
}


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.filterwarnings("ignore:.*ategorical.*")
def test_a_frame_is_the_same_bytes(name):
    """Values, gaps, types and the description of the columns: twice the same, also from the remembered description."""
    expected = convert_pandas_df_to_arrow_bytes(FRAMES[name])
    spec = json.dumps(list(FRAMES[name].columns))

    assert arrow.table_bytes(FRAMES[name], spec) == expected
    assert arrow.table_bytes(FRAMES[name], spec) == expected


@pytest.mark.parametrize("name", ["every type", "a named index", "mixed values"])
def test_columns_that_a_chart_does_not_name_stay_here(name):
    """Those that it names, in a tooltip too, and those whose name JSON may spell otherwise, are sent as they are."""
    frame = FRAMES[name].assign(**{"time, µs": 1.0, "low": 2.0})
    chart = alt.Chart(alt.NamedData("rows")).mark_point().encode(x="ranks:Q", y="value:Q")
    spec = json.dumps(chart.encode(tooltip=["datum.busbw:N"]).to_dict())
    expected = [column for column in frame.columns if column in ("busbw", "ranks", "value", "time, µs")]

    sent = convert_arrow_bytes_to_pandas_df(arrow.table_bytes(frame, spec))
    pd.testing.assert_frame_equal(sent, frame[expected])
