"""A recorded table as a file of its own: CSV and Parquet."""

from io import BytesIO

import pandas as pd

from db.tidy import no_formula
from pages.ui.shared.document.cells import cell
from pages.ui.shared.record import DrawnTable


def csv(table: DrawnTable) -> bytes:
    """Full precision, in UTF-8; a text that a spreadsheet would run is quoted by an apostrophe."""
    frame = table.frame.copy()
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name].dtype):
            frame[name] = frame[name].map(_harmless)
    frame.columns = [no_formula(str(name)) for name in frame.columns]
    return frame.to_csv(index=False, lineterminator="\n").encode()


def parquet(table: DrawnTable) -> bytes:
    """Full precision; what a column mixes becomes text."""
    frame = table.frame.copy()
    frame.columns = [str(name) for name in frame.columns]
    for name in frame.columns:
        kinds = {type(value) for value in frame[name] if value is not None}
        if frame[name].dtype == object and len(kinds) > 1:
            frame[name] = [None if value is None else cell(value) for value in frame[name]]
    buffer = BytesIO()
    frame.to_parquet(buffer, index=False)
    return buffer.getvalue()


def _harmless(value: object) -> object:
    if isinstance(value, (list, tuple)):
        return no_formula(cell(value))
    return no_formula(value) if isinstance(value, str) else value
