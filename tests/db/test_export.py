"""A selection of runs as a file: nothing lost, nothing invented, nothing that runs."""

import csv
import io
import json
from dataclasses import replace

import pyarrow.parquet
import pytest

from core.measurement.run_json import runs_from_json
from db.export import as_csv, as_parquet, as_run_file
from db.store import Store
from db.tidy import no_formula
from tests.db.examples import FULL, simple


def read_csv(content):
    """The rows of a CSV file by column name."""
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_csv_has_a_row_per_sample_with_the_facts_of_its_run(store):
    """Sizes and times to the last digit, rates recomputed, absent values empty."""
    saved = store.save([FULL, simple(1)], tags=["a", "b"], note='x, "y"\nz')
    rows = read_csv(as_csv(store, [run.id for run in saved]))

    assert len(rows) == 9
    assert [float(row["time_s"]) for row in rows[:5]] == [run.time_s for run in FULL.samples]
    first = rows[0]
    assert (first["gpu"], first["nccl"], first["tags"], first["note"]) == (
        FULL.machine.gpus[0].name,
        "2.22.3",
        "a, b",
        'x, "y"\nz',
    )
    assert float(first["busbw_bytes_per_s"]) == pytest.approx(1024 / 31.1e-6 * 2 * 15 / 16)
    assert float(first["algbw_bytes_per_s"]) == pytest.approx(1024 / 31.1e-6)
    assert rows[1]["wrong"] == ""
    assert rows[2]["wrong"] == "7"
    assert rows[4]["busbw_bytes_per_s"] == rows[4]["algbw_bytes_per_s"] == rows[4]["operation"] == ""


def test_parquet_keeps_the_types(store):
    """The same rows, with numbers as numbers and moments as moments."""
    number = store.save([FULL])[0].id
    table = pyarrow.parquet.read_table(io.BytesIO(as_parquet(store, [number])))

    assert table.num_rows == 5
    kinds = {field.name: str(field.type) for field in table.schema}
    assert (kinds["size_bytes"], kinds["time_s"], kinds["wrong"], kinds["ranks"]) == (
        "int64",
        "double",
        "int64",
        "int64",
    )
    assert kinds["measured_at"] == "timestamp[us, tz=UTC]"
    assert table["wrong"].to_pylist() == [0, None, 7, 0, None]


def test_a_run_file_moves_runs_to_another_store(store, tmp_path):
    """Matrices and warnings travel along, and the same runs are found again."""
    saved = store.save([FULL, simple(1)])
    runs = runs_from_json(json.loads(as_run_file(store, [run.id for run in saved])))
    other = Store(f"sqlite:///{tmp_path / 'other.db'}")
    other.prepare()
    there = other.save(runs)

    assert runs == [FULL, simple(1)]
    assert [row.sha256 for row in other.rows([run.id for run in there])] == [
        row.sha256 for row in store.rows([run.id for run in saved])
    ]
    assert not any(run.new for run in store.save(runs))
    other.close()


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\uff1d"])
def test_a_text_is_no_formula_in_a_spreadsheet(store, start):
    """A hostile file name stays a name."""
    number = store.save([replace(simple(1), file=f"{start}HYPERLINK(1)")], note=f"{start}1+1")[0].id
    row = read_csv(as_csv(store, [number]))[0]

    assert row["file"] == f"'{start}HYPERLINK(1)"
    assert row["note"][0] in "'1"
    assert row["time_s"][0].isdigit()


@pytest.mark.parametrize("start", ["\t", "\r", "\n", " ", "  \u00a0"])
def test_a_text_behind_a_blank_is_no_formula_either(start):
    """No file's name begins so; a note or a host's may. Each sign, in full width too."""
    for sign in "=+-@\uff1d\uff0b\uff0d\uff20":
        assert no_formula(f"{start}{sign}1+1") == f"'{start}{sign}1+1"


def test_an_empty_selection_is_a_header(store):
    """No runs, no rows, but the columns are named."""
    content = as_csv(store, [])

    assert content.decode().startswith('"run_id","sha256"')
    assert read_csv(content) == []
    assert pyarrow.parquet.read_table(io.BytesIO(as_parquet(store, []))).num_rows == 0
    assert json.loads(as_run_file(store, [])) == {"format_version": 1, "runs": []}
