"""
Mutation score of the models: change one operator, number or name of core, and see whether a test fails.

usage: tools/mutate.py [--minutes 20] [--batch 100] [--seed 1]; run from the root after `make soak` has
installed mutmut. A seeded sample of all mutants of the packages in `[tool.mutmut]` (pyproject.toml) is
tested batch by batch until the time is used up; the last batch is finished. Mutants that only change a
sentence are left out. Survivors are printed with what was changed.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

from mutmut.mutation.diff_apply import get_diff_for_mutant

ROOT = Path(__file__).resolve().parents[1]
MUTMUT = Path(sys.executable).parent / "mutmut"
MUTANTS = ROOT / "mutants"
SENTENCE = re.compile(r'"(?:[^"\\]* )(?:[^"\\]|\\.)*"')
SURVIVED: dict[int | None, str] = {0: "survived", 33: "no test"}


def mutmut(*names: str) -> str:
    """Test the named mutants and return what the tool prints; outcomes are kept beside the mutated files."""
    environment = {**os.environ, "WIRESPEED_EXAMPLES": "mutants"}
    environment.pop("PYTHONPATH", None)  # tests must import the mutated copy
    done = subprocess.run(
        [MUTMUT, "run", "--max-children", str(os.cpu_count() or 2), *names],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def outcomes() -> dict[str, tuple[str, int | None]]:
    """File and exit status of every mutant, by name; None where it was not tested."""
    statuses = {}
    for meta in sorted(MUTANTS.rglob("*.py.meta")):
        path = str(meta.relative_to(MUTANTS)).removesuffix(".meta")
        for name, status in json.loads(meta.read_text())["exit_code_by_key"].items():
            statuses[name] = path, status
    return statuses


def changed(name: str, path: str) -> list[str]:
    """The lines that a mutant takes away and puts in."""
    diff = get_diff_for_mutant(name, path=Path(path)).splitlines()
    return [line for line in diff if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def only_a_sentence(lines: list[str]) -> bool:
    """Whether a mutant changes nothing but words for people."""
    bare = [SENTENCE.sub('""', line[1:]) for line in lines]
    return bare[: len(bare) // 2] == bare[len(bare) // 2 :]


def main() -> None:
    """Print the score of a sample."""
    parser = argparse.ArgumentParser(prog="tools/mutate.py")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.chdir(ROOT)
    output = mutmut("none")  # no such mutant: makes the mutants and learns which test runs which function
    if not (MUTANTS / "mutmut-stats.json").exists():
        sys.exit(f"mutate: the tests fail before any mutation\n{output[-2000:]}")
    names = list(outcomes())
    random.Random(options.seed).shuffle(names)  # noqa: S311 - a sample, not a secret
    end = time.monotonic() + 60 * options.minutes
    sample: list[str] = []
    while names and time.monotonic() < end:
        paths = {name: path for name, (path, _) in outcomes().items()}
        batch: list[str] = []
        while names and len(batch) < options.batch:
            name = names.pop()
            if not only_a_sentence(changed(name, paths[name])):
                batch.append(name)
        mutmut(*batch)
        sample += [name for name in batch if outcomes()[name][1] is not None]
    report(sample, len(paths))


def report(sample: list[str], total: int) -> None:
    """Survivors, then the score by package."""
    status = outcomes()
    alive = [name for name in sample if status[name][1] in SURVIVED]
    for name in alive:
        path, code = status[name]
        print(f"\n{SURVIVED[code]}: {path} {name}", *changed(name, path), sep="\n  ")
    print()
    for room in [*sorted({"/".join(status[name][0].split("/")[:2]) for name in sample}), ""]:
        part = [name for name in sample if status[name][0].startswith(room)]
        killed = sum(name not in set(alive) for name in part)
        print(f"{room or 'all':20} killed {killed} of {len(part)}: {killed / len(part):.0%}")
    print(f"sample of {len(sample)} among {total:,} mutants")


if __name__ == "__main__":
    main()
