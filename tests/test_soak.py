"""The long campaigns are all called by `make soak`."""

import os
import re
from pathlib import Path

from tools import soak
from tools.soak import MUTATED, Outcome, Piece, pieces

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


def test_every_law_is_in_a_piece_of_its_part():
    """Each file of the models' tests that makes examples is in one of the four, and each takes several."""
    laws = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests" / "core").rglob("test_*.py")
        if "@given" in path.read_text(encoding="utf-8")
    }
    taken = [pieces()[f"laws-{part}"].words[5:] for part in soak.LAWS]

    assert sorted(word for words in taken for word in words) == sorted(laws)
    assert all(len(words) > 3 for words in taken)


def test_a_piece_that_tested_nothing_or_never_ends_has_not_passed(tmp_path):
    """Four real pieces: one that passes, one that fails, one whose tests are all skipped, one that sleeps."""
    tests = {
        "passed": "def test_it():\n    pass\n",
        "failed": "def test_it():\n    assert False\n",
        "skipped": "import pytest\n\ndef test_it():\n    pytest.skip('no disk')\n",
    }
    for name, text in tests.items():
        file = tmp_path / f"test_{name}.py"
        file.write_text(text)
        piece = Piece(("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(file)), {})
        outcome = soak.run(name, piece, tmp_path, 120)

        assert (outcome.result, soak.kept(name, tmp_path)) == (name, outcome)
        assert name == "passed" or "**" in soak.row(outcome)

    outcome = soak.run("stopped", Piece(("-c", "import time; time.sleep(600)"), {}), tmp_path, 2)
    assert (outcome.result, outcome.says) == ("stopped", "ended after 2 s")
    assert soak.kept("stopped", tmp_path) == outcome
    assert "**" in soak.row(outcome)
    assert "KeyboardInterrupt" in (tmp_path / "stopped.txt").read_text()


def test_what_has_passed_is_run_again_where_the_checkout_has_changes(tmp_path, monkeypatch):
    """A commit is one program, a changed checkout another one each time; half a record is none."""
    begun = []

    def run(name, *_):
        folder = soak.PLACE / soak.commit()
        begun.append(name)
        outcome = Outcome(name, "passed", "1 passed", "2026-11-27T00:00", 1.0, 1.0, 1.0)
        soak.keep(outcome, folder)
        return outcome

    monkeypatch.setattr(soak, "PLACE", tmp_path)
    monkeypatch.setattr(soak, "run", run)
    monkeypatch.setattr("sys.argv", ["soak", "app"])
    for commit in ("abc", "abc", "abc-dirty", "abc-dirty"):
        monkeypatch.setattr(soak, "commit", lambda name=commit: name)
        assert soak.main() == 0
    assert begun == 3 * ["app"]

    (tmp_path / "abc" / "app.json").write_text("{")
    monkeypatch.setattr(soak, "commit", lambda: "abc")
    assert soak.main() == 0
    assert len(begun) == 4
