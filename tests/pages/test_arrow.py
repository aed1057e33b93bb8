"""Frames of charts reach the browser as the bytes that Streamlit makes of them."""

import numpy as np
import pandas as pd
import pytest
from streamlit.dataframe_util import convert_pandas_df_to_arrow_bytes

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

    assert arrow.table_bytes(FRAMES[name]) == expected
    assert arrow.table_bytes(FRAMES[name]) == expected
