"""Frames of charts as Arrow bytes: the same as Streamlit makes of them, its description of the columns made once."""

import json
from functools import lru_cache
from typing import Any

import pandas as pd
import pyarrow as pa
from pandas.api.types import is_object_dtype
from streamlit.dataframe_util import convert_arrow_table_to_arrow_bytes, convert_pandas_df_to_arrow_bytes

Column = tuple[str, Any]
PANDAS = b"pandas"


def table_bytes(frame: pd.DataFrame) -> bytes:
    """The frame as an Arrow stream."""
    index = frame.index
    plain = isinstance(index, pd.RangeIndex) and (index.start, index.step, index.name) == (0, 1, None)
    columns = tuple(frame.dtypes.items())
    if not plain or any(is_object_dtype(dtype) for _, dtype in columns) or not frame.columns.is_unique:
        return convert_pandas_df_to_arrow_bytes(frame)
    schema = _schema(columns, len(frame))
    arrays = [
        pa.array(frame[name], type=field.type, from_pandas=True)
        for (name, _), field in zip(columns, schema, strict=True)
    ]
    return convert_arrow_table_to_arrow_bytes(pa.Table.from_arrays(arrays, schema=schema))


@lru_cache(maxsize=512)
def _schema(columns: tuple[Column, ...], rows: int) -> pa.Schema:
    """Names and types as pyarrow describes a frame of these columns, and so many rows."""
    empty = pd.DataFrame({name: pd.Series(dtype=dtype) for name, dtype in columns})
    schema = pa.Schema.from_pandas(empty)
    described = json.loads(schema.metadata[PANDAS])
    described["index_columns"][0]["stop"] = rows
    return schema.with_metadata({PANDAS: json.dumps(described).encode()})
