"""The probe's shell: run, read, check, accept, fit, push, profile, trace and job."""

import importlib
import os
import sys
from collections.abc import Collection

from core.command_line import Parser

COMMANDS = {
    "run": "measure this node or job and write a run file",
    "read": "print what a tool's output holds",
    "check": "compare a measurement with what the system should do",
    "accept": "judge the logs of a whole cluster: weak nodes, weak links, what to swap",
    "fit": "fit the cost model to your own runs",
    "push": "send run files, or the traces of a job, to a server",
    "trace": "print the collectives of a job's traces, or write them as a job file",
    "job": "the same, under the name that the core shell has for a job",
    "profile": "run a training program and write traces of its steps",
}

MODULES = {"job": "trace"}
"""Commands whose module bears the name of another."""


def _missing_module(command: str, module: str) -> str:
    """What to do where a module is not here: the single file has no `check`, a bare Python no numpy."""
    if module.startswith("gpu_probe"):
        return f"{command} is not in this file; a checkout of Wirespeed has it"
    lacks = f"{command} needs {module}, which {sys.executable} has not"
    return f"{lacks}; in a checkout `make run` builds .venv with it"


def parser(loaded: Collection[str]) -> Parser:
    """The command line; only commands in ``loaded`` get options: the single file holds not all of them."""
    root = Parser(prog="python -m gpu_probe", description=__doc__, allow_abbrev=True)
    commands = root.add_subparsers(dest="command", required=True, metavar="|".join(COMMANDS))
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text, allow_abbrev=True)
        if name in loaded:
            try:
                module = importlib.import_module(f"gpu_probe.commands.{MODULES.get(name, name)}")
            except ModuleNotFoundError as error:
                root.error(_missing_module(name, error.name or ""))
            module.add_options(sub)
            sub.set_defaults(run=module.run)
    return root


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit status: 2 where an input could not be used."""
    argv = sys.argv[1:] if arguments is None else arguments
    root = parser(argv[:1])
    options = root.parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return int(options.run(options)) if "run" in options else 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print(f"{root.prog}: stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
