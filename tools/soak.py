"""
The long campaigns, piece by piece: what has passed on this commit is not run again, unless it has changes.

usage: python -m tools.soak [--list] [--again] [--limit-min 180] [PIECE ...]

Each piece is a process of its own; what it printed and what it took is kept in `build/soak/COMMIT`, so that a
campaign that was stopped goes on where it was. Ctrl-C and SIGTERM end it with its processes; a piece that
never ends is ended so too, and one whose tests were all skipped has not passed. At the end a table of all
pieces; 1 where one failed.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from tools.campaign import ROOT, Stopped, ended, stoppable

PLACE = ROOT / "build" / "soak"
DIRTY = "-dirty"
MUTATED = ("sign-in", "door", "settings", "store", "collectives", "parallel", "calculators")
NEW_EXAMPLES = {"WIRESPEED_EXAMPLES": "soak"}
LAWS = {
    "collectives": ("collective", "cost_model", "moe_", "my_cluster", "topology", "hierarchy"),
    "training": ("gradient_sync", "training", "strategy", "layout", "transformer", "crossovers"),
    "serving": ("service", "tensor_parallel", "nvl72", "cost", "verdict"),
    "files": (),
}
"""Parts of the models by how their tests' names begin, the first that fits; the last takes the rest."""
LAST_LINE = re.compile(r"^(?:.*\d+ (?:passed|failed|skipped|error).*|all: .*)$", re.MULTILINE)
BAD = ("failed", "stopped")
STOPPED = 130
"""Exit of who was ended by a signal, as a shell says it of Ctrl-C."""
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
        result: One of ``passed``, ``failed``, ``skipped`` and ``stopped``, which did not end by itself.
        says: The last line that counts its tests.
        began: When, in UTC.
        wall_s: Seconds that went by.
        processor_s: Seconds of processor time, of all its processes that were waited for.
        load: The machine's load average of a minute when it began.
    """

    piece: str
    result: str
    says: str
    began: str
    wall_s: float
    processor_s: float
    load: float


def _slow(*places: str) -> Piece:
    return Piece(("-m", "pytest", "-q", "-m", "slow", *places), {})


def _laws(part: str) -> Piece:
    """The tests of a part of the models that make their own examples."""
    places = []
    for path in sorted((ROOT / "tests" / "core").rglob("test_*.py")):
        name = path.stem.removeprefix("test_")
        owner = next(key for key, beginnings in LAWS.items() if not beginnings or name.startswith(beginnings))
        if owner == part and "@given" in path.read_text(encoding="utf-8"):
            places.append(path.relative_to(ROOT).as_posix())
    return Piece(("-m", "pytest", "-q", "-m", "hypothesis and not slow", *places), NEW_EXAMPLES)


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
        **{f"laws-{part}": _laws(part) for part in LAWS},
        "killed": _slow("tests/soak/test_killed.py"),
        "reruns": _slow("tests/http/test_frames.py", "-k", "ten_thousand"),
        **{f"mutation-{area}": Piece(("-m", "tools.mutate", area), {}) for area in MUTATED},
    }


def run(name: str, piece: Piece, folder: Path, limit_s: float) -> Outcome:
    """Run a piece to its end or its limit; what it prints goes into a file of its name."""
    began, load = datetime.now(UTC), os.getloadavg()[0]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    log = folder / f"{name}.txt"
    with log.open("w", encoding="utf-8") as file:
        status = ended(piece.words, piece.settings, file, limit_s)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = LAST_LINE.findall(log.read_text(encoding="utf-8", errors="replace"))
    says = lines[-1].strip("= ") if lines else f"exit {status}"
    outcome = Outcome(
        name,
        result(status, says),
        f"ended after {limit_s:.0f} s" if status is None else says,
        began.isoformat(timespec="seconds"),
        round(time.monotonic() - start, 1),
        round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        round(load, 1),
    )
    keep(outcome, folder)
    return outcome


def result(status: int | None, says: str) -> str:
    """What an exit and the line that counts the tests mean; a piece that has tested nothing did not pass."""
    if status is None:
        return "stopped"
    if status:
        return "failed"
    return "passed" if " passed" in says or "killed" in says else "skipped"


def keep(outcome: Outcome, folder: Path) -> None:
    """Note what a piece took."""
    text = json.dumps(asdict(outcome), indent=1) + "\n"
    (folder / f"{outcome.piece}.json").write_text(text, encoding="utf-8")


def kept(name: str, folder: Path) -> Outcome | None:
    """What this commit's campaign says of a piece that ended; None where it was cut short."""
    file = folder / f"{name}.json"
    try:
        return Outcome(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else None
    except (ValueError, TypeError):
        return None


def row(outcome: Outcome) -> str:
    """A line of the table."""
    how = outcome.result if outcome.result == "passed" else f"**{outcome.result}**"
    took = f"{outcome.wall_s:.0f} | {outcome.processor_s:.0f} | {outcome.load:.1f}"
    return f"| {outcome.piece} | {how} | {outcome.says} | {outcome.began[:16]} | {took} |"


def commit() -> str:
    """The commit that is tried; ``DIRTY`` ends it where it has changes, which no name tells apart."""
    words = ("git", "describe", "--always", f"--dirty={DIRTY}", "--exclude=*")
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    """Run what has not passed yet, and print the table; 130 where Ctrl-C or SIGTERM ended it."""
    parser = argparse.ArgumentParser(prog="python -m tools.soak")
    parser.add_argument("--list", action="store_true", help="what there is, and what it took")
    parser.add_argument("--again", action="store_true", help="also what has passed on this commit")
    parser.add_argument("--limit-min", type=float, default=180, help="minutes after which a piece is ended")
    parser.add_argument("piece", nargs="*")
    options = parser.parse_args()
    all_of_them = pieces()
    if unknown := [name for name in options.piece if name not in all_of_them]:
        parser.error(f"no piece {unknown[0]!r}: {', '.join(all_of_them)}")
    folder = PLACE / commit()
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {} if options.list else {name: all_of_them[name] for name in options.piece or all_of_them}
    try:
        with stoppable():
            _run_all(wanted, folder, 60 * options.limit_min, again=options.again)
    except Stopped as stopped:
        print(f"soak: ended by {stopped}; what has passed is kept", file=sys.stderr)
        return STOPPED
    return _told(folder, [kept(name, folder) for name in all_of_them])


def _run_all(wanted: Mapping[str, Piece], folder: Path, limit_s: float, *, again: bool) -> None:
    """Run the pieces that have not passed on this commit, and print a line of each."""
    again = again or folder.name.endswith(DIRTY)
    for name, piece in wanted.items():
        before = kept(name, folder)
        if again or before is None or before.result != "passed":
            print(row(run(name, piece, folder, limit_s)), flush=True)


def _told(folder: Path, outcomes: list[Outcome | None]) -> int:
    """Print the table of a commit; 1 where a piece failed."""
    print(f"\n{folder.name}\n\n{HEAD}")
    for outcome in filter(None, outcomes):
        print(row(outcome))
    if missing := [name for name, outcome in zip(pieces(), outcomes, strict=True) if outcome is None]:
        print(f"\nnot run: {', '.join(missing)}")
    return int(any(outcome is not None and outcome.result in BAD for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
