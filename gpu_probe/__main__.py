"""The probe's shell: run, read, check and push."""

import argparse
import json
import sys
from pathlib import Path

from gpu_probe.parsers import ParseError, read
from gpu_probe.parsers.report import run_json


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is 2 where an input could not be used."""
    parser = argparse.ArgumentParser(prog="python -m gpu_probe")
    commands = parser.add_subparsers(dest="command", required=True)
    reading = commands.add_parser("read")
    reading.add_argument("files", nargs="+")
    reading.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found, bad = [], 0
    for name in options.files:
        try:
            found += read(Path(name).name, Path(name).read_bytes())
        except (ParseError, OSError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            bad = 2
    print(json.dumps([run_json(run) for run in found]))
    return bad


if __name__ == "__main__":
    sys.exit(main())
