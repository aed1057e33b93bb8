"""
The long campaigns, piece by piece: what has passed on this commit is not run again, unless it has changes.

usage: python -m tools.soak [--list] [--again] [PIECE ...]

Each piece is a process of its own; what it printed and what it took is kept in `build/soak/COMMIT`, so that a
campaign that was stopped goes on where it was. At the end a table of all pieces; 1 where one failed.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "build" / "soak"
DIRTY = "-dirty"
MUTATED = ("sign-in", "door", "settings", "store", "collectives", "parallel", "calculators")
NEW_EXAMPLES = {"WIRESPEED_EXAMPLES": "soak"}
LAST_LINE = re.compile(r"^(?:.*\d+ (?:passed|failed|skipped|error).*|all: .*)$", re.MULTILINE)
HEAD = "| piece | | tests | began (UTC) | s | processor s | load |\n|---|---|---|---|---|---|---|"


@dataclass(frozen=True)
class Piece:
    """
    One campaign.

    Args:
        words: What is run, after the interpreter.
        settings: What its environment says besides.
    """

    words: tuple[str, ...]
    settings: Mapping[str, str]


@dataclass(frozen=True)
class Outcome:
    """
    What a piece took.

    Args:
        piece: Its name.
        passed: Whether it ended well.
        says: The last line that counts its tests.
        began: When, in UTC.
        wall_s: Seconds that went by.
        processor_s: Seconds of processor time, of all its processes that were waited for.
        load: The machine's load average of a minute when it began.
    """

    piece: str
    passed: bool
    says: str
    began: str
    wall_s: float
    processor_s: float
    load: float


def _slow(*places: str) -> Piece:
    return Piece(("-m", "pytest", "-q", "-m", "slow", *places), {})


def _laws() -> Iterator[str]:
    """The tests of the models that make their own examples."""
    for path in sorted((ROOT / "tests" / "core").rglob("test_*.py")):
        if "@given" in path.read_text(encoding="utf-8"):
            yield path.relative_to(ROOT).as_posix()


def pieces() -> dict[str, Piece]:
    """Every campaign by name, the shortest first."""
    return {
        "invented": _slow("tests/pages/test_invented_pages.py"),
        "deploy": _slow("tests/deploy"),
        "traces": _slow("tests/gpu_probe/test_trace_worker.py"),
        "app": _slow("tests/test_app.py"),
        "versions": _slow("tests/soak/test_two_versions.py"),
        "upgraded": _slow("tests/soak/test_upgraded.py"),
        "disk": _slow("tests/soak/test_disk.py"),
        "away": _slow("tests/soak/test_away.py"),
        "hostile": Piece(("-m", "pytest", "-q", "tests/gpu_probe/test_hostile.py"), NEW_EXAMPLES),
        "ledger": _slow("tests/pages/test_ledger.py"),
        "browser": _slow("tests/browser/test_pages.py"),
        "frames": _slow("tests/http/test_frames.py", "-k", "frames_leave"),
        "trace": _slow("tests/core/traces"),
        "schemathesis": _slow("tests/ask/test_schemathesis.py"),
        "clock": _slow("tests/soak/test_clock.py"),
        "writers": _slow("tests/db/test_soak.py"),
        "fuzz": Piece(_slow("tests/gpu_probe/test_fuzz_long.py").words, NEW_EXAMPLES),
        "laws": Piece(("-m", "pytest", "-q", "-m", "not slow", *_laws()), NEW_EXAMPLES),
        "killed": _slow("tests/soak/test_killed.py"),
        "reruns": _slow("tests/http/test_frames.py", "-k", "ten_thousand"),
        **{f"mutation-{area}": Piece(("tools/mutate.py", area), {}) for area in MUTATED},
    }


def run(name: str, piece: Piece, folder: Path) -> Outcome:
    """Run a piece to its end; what it prints goes into a file of its name."""
    began, load = datetime.now(UTC), os.getloadavg()[0]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    log = folder / f"{name}.txt"
    with log.open("w", encoding="utf-8") as file:
        done = subprocess.run(
            [sys.executable, *piece.words],
            cwd=ROOT,
            env={**os.environ, **piece.settings},
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = LAST_LINE.findall(log.read_text(encoding="utf-8", errors="replace"))
    outcome = Outcome(
        name,
        done.returncode == 0,
        lines[-1].strip("= ") if lines else f"exit {done.returncode}",
        began.isoformat(timespec="seconds"),
        round(time.monotonic() - start, 1),
        round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        round(load, 1),
    )
    keep(outcome, folder)
    return outcome


def keep(outcome: Outcome, folder: Path) -> None:
    """Note what a piece took."""
    text = json.dumps(asdict(outcome), indent=1) + "\n"
    (folder / f"{outcome.piece}.json").write_text(text, encoding="utf-8")


def kept(name: str, folder: Path) -> Outcome | None:
    """What this commit's campaign says of a piece that ended; None where it was cut short."""
    file = folder / f"{name}.json"
    try:
        return Outcome(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else None
    except ValueError:
        return None


def row(outcome: Outcome) -> str:
    """A line of the table."""
    how = "passed" if outcome.passed else "**failed**"
    took = f"{outcome.wall_s:.0f} | {outcome.processor_s:.0f} | {outcome.load:.1f}"
    return f"| {outcome.piece} | {how} | {outcome.says} | {outcome.began[:16]} | {took} |"


def commit() -> str:
    """The commit that is tried; ``DIRTY`` ends it where it has changes, which no name tells apart."""
    words = ("git", "describe", "--always", f"--dirty={DIRTY}", "--exclude=*")
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    """Run what has not passed yet, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.soak")
    parser.add_argument("--list", action="store_true", help="what there is, and what it took")
    parser.add_argument("--again", action="store_true", help="also what has passed on this commit")
    parser.add_argument("piece", nargs="*")
    options = parser.parse_args()
    all_of_them = pieces()
    if unknown := [name for name in options.piece if name not in all_of_them]:
        parser.error(f"no piece {unknown[0]!r}: {', '.join(all_of_them)}")
    folder = PLACE / commit()
    folder.mkdir(parents=True, exist_ok=True)
    again = options.again or folder.name.endswith(DIRTY)
    for name in options.piece or all_of_them:
        before = kept(name, folder)
        if not options.list and (again or before is None or not before.passed):
            print(row(run(name, all_of_them[name], folder)), flush=True)
    print(f"\n{folder.name}\n\n{HEAD}")
    outcomes = [kept(name, folder) for name in all_of_them]
    for outcome in outcomes:
        if outcome:
            print(row(outcome))
    if missing := [name for name, outcome in zip(all_of_them, outcomes, strict=True) if outcome is None]:
        print(f"\nnot run: {', '.join(missing)}")
    return int(any(outcome is not None and not outcome.passed for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
