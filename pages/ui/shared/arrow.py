"""Frames of charts as Arrow bytes: the same as Streamlit makes of them, its description of the columns made once."""

import json
from functools import lru_cache
from itertools import compress
from typing import Any

import pandas as pd
import pyarrow as pa
from pandas.api.types import is_object_dtype
from streamlit.dataframe_util import convert_arrow_table_to_arrow_bytes, convert_pandas_df_to_arrow_bytes

Column = tuple[str, Any]
PANDAS = b"pandas"


def table_bytes(frame: pd.DataFrame, spec: str) -> bytes:
    """
    A chart's frame as an Arrow stream.

    Args:
        frame: Its rows.
        spec: The chart's text. Columns that it does not name are left out: a browser unpacks every cell that it is sent.
    """
    index = frame.index
    plain = isinstance(index, pd.RangeIndex) and (index.start, index.step, index.name) == (0, 1, None)
    named = [_is_named(str(name), spec) for name in frame.columns]
    columns = tuple(compress(frame.dtypes.items(), named))
    if not plain or any(is_object_dtype(dtype) for _, dtype in columns) or not frame.columns.is_unique:
        return convert_pandas_df_to_arrow_bytes(frame.loc[:, named])
    schema = _schema(columns, len(frame))
    arrays = [
        pa.array(frame[name], type=field.type, from_pandas=True)
        for (name, _), field in zip(columns, schema, strict=True)
    ]
    return convert_arrow_table_to_arrow_bytes(pa.Table.from_arrays(arrays, schema=schema))


def _is_named(column: str, spec: str) -> bool:
    """Whether a spec may name a column; of one that is no plain name, which JSON may spell otherwise, it may."""
    return column in spec or not (column.isascii() and column.isidentifier())


@lru_cache(maxsize=512)
def _schema(columns: tuple[Column, ...], rows: int) -> pa.Schema:
    """Names and types as pyarrow describes a frame of these columns, and so many rows."""
    empty = pd.DataFrame({name: pd.Series(dtype=dtype) for name, dtype in columns})
    schema = pa.Schema.from_pandas(empty)
    described = json.loads(schema.metadata[PANDAS])
    described["index_columns"][0]["stop"] = rows
    return schema.with_metadata({PANDAS: json.dumps(described).encode()})
