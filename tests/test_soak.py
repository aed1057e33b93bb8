"""The long campaigns are all called by `make soak`."""

import re
from pathlib import Path

from tools.soak import MUTATED, pieces

ROOT = Path(__file__).parents[1]


def test_every_slow_test_is_in_a_piece():
    """A file that marks a test as slow, and each of `tests/soak`, is run by some piece."""
    slow = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("test_*.py")
        if "mark.slow" in path.read_text(encoding="utf-8") or path.parent.name == "soak"
    } - {"tests/test_soak.py"}
    places = {word for piece in pieces().values() for word in piece.words if word.startswith("tests/")}

    assert slow
    assert not [path for path in slow if not any(path.startswith(place) for place in places)]
    assert not [place for place in places if not (ROOT / place).exists()]


def test_every_area_of_mutation_is_a_piece():
    """What `tools/mutate.py` knows, which needs a package that is not installed here, has a piece each."""
    areas = re.findall(r'^    "([a-z-]+)": Area\(', (ROOT / "tools" / "mutate.py").read_text(), re.MULTILINE)

    assert areas
    assert areas == list(MUTATED)


def test_every_piece_has_its_line_in_the_document():
    """docs/RELIABILITY.md gives the figures of each campaign."""
    said = (ROOT / "docs" / "RELIABILITY.md").read_text(encoding="utf-8")
    lines = set(re.findall(r"^\| ([a-z-]+) \| ", said, re.MULTILINE))

    assert {name for name in pieces() if not name.startswith("mutation-")} <= lines
