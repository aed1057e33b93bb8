"""docs/SCHEMA.md says one sentence about each column that there is, and about no other."""

import re
from pathlib import Path

import pytest

from db.schema import METADATA

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "SCHEMA.md"
SECTION = re.compile(r"^## (\w+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(\w+)` \| (.+) \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def sections():
    """The rows of the document by table."""
    return {name: ROW.findall(body) for name, body in SECTION.findall(DOCUMENT.read_text())}


@pytest.mark.parametrize("table", METADATA.tables)
def test_every_column_has_its_sentence(sections, table):
    """In the order of the table, each ending in a full stop."""
    rows = sections[table]

    assert [name for name, _ in rows] == [column.name for column in METADATA.tables[table].columns]
    assert all(sentence.endswith(".") for _, sentence in rows)


def test_no_table_is_described_that_is_not_there(sections):
    """Sections with rows are tables."""
    assert {name for name, rows in sections.items() if rows} == set(METADATA.tables)
