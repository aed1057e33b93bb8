"""docs/RELIABILITY.md names tests that there are."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_test_that_is_named_exists():
    """A promise whose test was renamed or removed is no promise."""
    text = (ROOT / "docs" / "RELIABILITY.md").read_text()
    written = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^ *def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    files = re.findall(r"`(tests/[\w/]+\.py)`", text)

    assert set(re.findall(r"`(test_\w+)`", text)) <= written
    assert files
    assert all((ROOT / file).is_file() for file in files)
