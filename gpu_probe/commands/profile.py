"""``profile``: run a training program and write a trace of some of its steps, one file a rank."""

import argparse
import pkgutil
import subprocess
import sys
import tempfile
from pathlib import Path

from core.command_line import one_line
from gpu_probe.profiling import SKIPPED, STEPS

_LAUNCHERS = ("torch.distributed.run", "torch.distributed.launch", "accelerate", "deepspeed")
_MOST = 10_000


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``profile``."""
    parser.add_argument("-o", "--output", default="traces", metavar="FOLDER", help="where the traces go")
    parser.add_argument("--steps", type=int, default=STEPS, metavar="N", help=f"steps to keep ({STEPS})")
    parser.add_argument(
        "--skip", type=int, default=SKIPPED, metavar="N", help=f"steps to let pass first ({SKIPPED})"
    )
    parser.add_argument(
        "program", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="torchrun ... train.py, or the like"
    )


def run(options: argparse.Namespace) -> int:
    """The program's own status; 1 where it ended well and left no trace, 2 where it cannot start."""
    program = options.program[1:] if options.program[:1] == ["--"] else options.program
    place = _script(program)
    if place is None:
        return _refuse(
            "a command with a Python script: torchrun --nproc-per-node 8 train.py, or python -m ..."
        )
    if not (1 <= options.steps <= _MOST and 1 <= options.skip <= _MOST):
        return _refuse(f"--steps and --skip: whole numbers from 1 to {_MOST}")
    folder = Path(options.output).absolute()
    before = _traces(folder)
    with tempfile.TemporaryDirectory(prefix="wirespeed-") as directory:
        runner = Path(directory) / "wirespeed_profile.py"
        runner.write_bytes(pkgutil.get_data("gpu_probe", "profiling.py") or b"")
        inserted = [str(runner), str(folder), str(options.steps), str(options.skip)]
        try:
            status = subprocess.call([*program[:place], *inserted, *program[place:]])  # noqa: S603 (the user's own command)
        except OSError as error:
            return _refuse(f"{program[0]}: {error.strerror or error}")
    return _report(folder, before, status)


def _script(program: list[str]) -> int | None:
    """Where the program's own script or ``-m module`` stands in its launcher's command."""
    for place, word in enumerate(program):
        if place and word.endswith(".py"):
            return place
        named = program[place + 1] if word == "-m" and place + 1 < len(program) else ""
        if place and named and not named.startswith(_LAUNCHERS):
            return place
    return None


def _traces(folder: Path) -> dict[Path, int]:
    """The traces in a folder, each with the time of its last change."""
    return {path: path.stat().st_mtime_ns for path in sorted(folder.glob("rank*.json.gz"))}


def _report(folder: Path, before: dict[Path, int], status: int) -> int:
    made = [path for path, changed in _traces(folder).items() if before.get(path) != changed]
    if made:
        print(f"{len(made)} traces in {folder}" if len(made) > 1 else f"a trace in {folder}")
        return status
    print(
        "python -m gpu_probe profile: no trace was made: the program took too few optimizer steps; "
        "mark its steps with gpu_probe.record_step(), or lower --skip and --steps",
        file=sys.stderr,
    )
    return status or 1


def _refuse(text: str) -> int:
    print(f"python -m gpu_probe profile: {one_line(text)}", file=sys.stderr)
    return 2
