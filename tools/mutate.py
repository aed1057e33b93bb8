"""
Mutation score: change one operator, number or name at a time, and see whether a test near it fails.

usage: python -m tools.mutate [--each 12] [--seed 1] [--all] [AREA ...]

Needs mutmut, which `make soak` installs.

Of each area so many mutants, a sample of a seed, each in a copy of the checkout against the tests that use
most of what the changed module defines and those that the area always runs; with `--all` those who survive
meet all tests of the area. Mutants that only change a sentence are left out. Survivors are printed with what
was changed; 1 where tests fail before any change.
"""

import argparse
import difflib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL

from mutmut.mutation.file_mutation import create_mutations

from tools.campaign import ROOT, Stopped, ended, stoppable
from tools.nearness import nearest

SENTENCE = re.compile(r'"(?:[^"\\]* )(?:[^"\\]|\\.)*"')
ENDED_WELL = (0, 5)
"""Exits of pytest: all passed, or there was none to run."""
LIMIT_S, WAIT_S = 900, 10_800
"""Of a run of tests, by processor and clock: who never ends is dead, who waits for a busy machine is not."""


@dataclass(frozen=True)
class Area:
    """
    A part of the program and its tests.

    Args:
        sources: Patterns of its files.
        always: Tests that are run first for each of its mutants.
        tests: Where all of its tests lie.
    """

    sources: tuple[str, ...]
    always: tuple[str, ...]
    tests: tuple[str, ...]


NEAR_MOST = 5
"""Files of tests that a mutant meets beside those that are always run."""
WHO = ("tests/sign_in/test_who.py", "tests/db/test_settings.py")
AREAS = {
    "sign-in": Area(
        ("pages/http/sign_in/*.py",),
        ("tests/sign_in/test_guard.py", "tests/sign_in/test_tokens_of_the_provider.py"),
        ("tests/sign_in",),
    ),
    "door": Area(
        (*(f"db/{name}.py" for name in ("access", "attempts", "clients", "hosts")), "pages/http/gate.py"),
        ("tests/db/test_clients.py", "tests/http/test_gate_rules.py"),
        (
            "tests/http/test_gate.py",
            "tests/http/test_gate_rules.py",
            "tests/db",
            "tests/sign_in",
            "tests/ask/test_http.py",
        ),
    ),
    "settings": Area(
        tuple(
            f"db/{name}.py" for name in ("oidc", "opening", "roles", "secret", "setting_values", "settings")
        ),
        WHO,
        ("tests/db", "tests/sign_in"),
    ),
    "store": Area(
        (
            *("db/acting*.py", "db/administration.py", "db/fits.py", "db/past.py", "db/projects.py"),
            *(
                "db/runs_deleted.py",
                "db/saving.py",
                "db/scenarios.py",
                "db/scope.py",
                "db/tidy.py",
                "db/tokens.py",
            ),
        ),
        ("tests/db/test_projects.py", "tests/db/test_past.py"),
        ("tests/db", "tests/sign_in"),
    ),
    "collectives": Area(
        ("core/collectives/*.py", "core/collectives/cost_model/*.py"),
        ("tests/core/test_collectives_golden.py", "tests/core/test_golden.py"),
        ("tests/core",),
    ),
    "parallel": Area(("core/parallel/**/*.py",), ("tests/core/test_golden.py",), ("tests/core",)),
    "calculators": Area(("core/calculators/**/*.py",), ("tests/core/test_golden.py",), ("tests/core",)),
}


@dataclass(frozen=True)
class Mutant:
    """A file of the program with one change."""

    path: Path
    code: str
    change: tuple[str, ...]


def mutants(root: Path, area: Area, chance: random.Random) -> Iterator[Mutant]:
    """The mutants of an area in random order, none of them twice."""
    paths = sorted({path for pattern in area.sources for path in root.glob(pattern)})
    places = []
    for path in paths:
        module, found, _, _ = create_mutations(str(path), path.read_text(encoding="utf-8"))
        places += [(path, module, mutation) for mutation in found]
    chance.shuffle(places)
    for path, module, mutation in places:
        before = path.read_text(encoding="utf-8")
        code = module.deep_replace(mutation.original_node, mutation.mutated_node).code
        change = tuple(
            line
            for line in difflib.unified_diff(before.splitlines(), code.splitlines(), n=0, lineterm="")
            if line[:1] in "+-" and line[:3] not in ("+++", "---")
        )
        if change and not only_a_sentence(change):
            yield Mutant(path.relative_to(root), code, change)


def only_a_sentence(lines: tuple[str, ...]) -> bool:
    """Whether a mutant changes nothing but words for people."""
    bare = [SENTENCE.sub('""', line[1:]) for line in lines]
    return bare[: len(bare) // 2] == bare[len(bare) // 2 :]


def near(root: Path, path: Path, area: Area) -> list[str]:
    """The tests of an area that are nearest to a module, behind those that are always run."""
    files = [
        file.relative_to(root)
        for place in area.tests
        for file in ((root / place).rglob("test_*.py") if (root / place).is_dir() else [root / place])
    ]
    nearest_files = nearest(root, path, files, NEAR_MOST)
    return list(dict.fromkeys([*area.always, *(file.as_posix() for file in nearest_files)]))


def killed(root: Path, tests: list[str]) -> bool:
    """Whether a test fails in the copy, or never ends; what needs PostgreSQL or a browser is not asked."""
    words = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    asked = ("-m", "not slow and not postgres and not browser", *tests)
    settings = {"WIRESPEED_EXAMPLES": "mutants", "PYTHONPATH": str(root)}
    status = ended((*words, *asked), settings, DEVNULL, WAIT_S, place=root, processor_s=LIMIT_S)
    return status not in ENDED_WELL


def copied(folder: Path) -> Path:
    """The checkout's tracked files in a folder, with what is found beside them."""
    words = ("git", "ls-files", "-z")
    names = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, names.stdout.split("\0")):
        place = folder / "main" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, place)
    if (ROOT.parent / "shared").exists():
        (folder / "shared").symlink_to((ROOT.parent / "shared").resolve())
    return folder / "main"


def sampled(root: Path, name: str, each: int, seed: int, *, insist: bool) -> tuple[int, int]:
    """Try a sample of an area: how many were killed, of how many; ``insist``: by all tests of the area."""
    area, tried, alive = AREAS[name], 0, 0
    if killed(root, list(area.always)):
        sys.exit(f"mutate: tests of {name} fail before any mutation: {' '.join(area.always)}")
    for mutant in mutants(root, area, random.Random(seed)):  # noqa: S311 - a sample, not a secret
        if tried == each:
            break
        place = root / mutant.path
        before = place.read_text(encoding="utf-8")
        place.write_text(mutant.code, encoding="utf-8")
        dead = killed(root, near(root, mutant.path, area)) or (insist and killed(root, list(area.tests)))
        place.write_text(before, encoding="utf-8")
        tried += 1
        if not dead:
            alive += 1
            print(f"survived: {mutant.path}", *mutant.change, "", sep="\n  ", flush=True)
    return tried - alive, tried


def scored(names: Iterable[str], each: int, seed: int, *, insist: bool) -> list[tuple[int, int]]:
    """Try a sample of each area in a copy of the checkout, and print how many were killed."""
    scores = []
    with tempfile.TemporaryDirectory(prefix="wirespeed-mutants-") as folder:
        root = copied(Path(folder))
        for name in names:
            scores.append(sampled(root, name, each, seed, insist=insist))
            print(f"{name}: killed {scores[-1][0]} of {scores[-1][1]}", flush=True)
    return scores


def main() -> int:
    """Print the score of a sample."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutate")
    parser.add_argument("--each", type=int, default=12, help="mutants of an area")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="survivors meet all tests of their area")
    parser.add_argument("area", nargs="*", metavar="AREA", help=", ".join(AREAS))
    options = parser.parse_args()
    try:
        with stoppable():
            scores = scored(options.area or AREAS, options.each, options.seed, insist=options.all)
    except Stopped as stopped:
        sys.exit(f"mutate: ended by {stopped}")
    dead, tried = (sum(score[place] for score in scores) for place in (0, 1))
    print(f"all: killed {dead} of {tried}, seed {options.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
