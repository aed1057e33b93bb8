"""The shell's main: parse, run one command, print its answer or one line of error."""

import os
import sys
from collections.abc import Collection, Sequence

from core.checks import InputError
from core.command_line import FAILED, Parser, harmless, one_line
from core.shell.commands import COMMANDS
from core.shell.output import Reply, as_json

PROG = "python -m core"


def parser(asked: Collection[str] | None = None) -> Parser:
    """The command line; only commands in ``asked`` get options, all of them where nothing is said."""
    root = Parser(prog=PROG, description="What an interconnect costs a model. JSON is in SI units.")
    commands = root.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for module in COMMANDS:
        command = commands.add_parser(module.NAME, help=module.HELP, description=module.HELP)
        if asked is None or module.NAME in asked:
            module.add(command)
    return root


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 answered, 2 a value that cannot be used (one line on stderr says which)."""
    words = sys.argv[1:] if arguments is None else arguments
    root = parser(words)
    args = root.parse_args(words)
    if args.command is None:
        names = ", ".join(module.NAME for module in COMMANDS)
        root.error(f"a command is needed: {names} (--help explains)")
    command = next(module for module in COMMANDS if args.command == module.NAME)
    try:
        reply = command.run(args)
    except InputError as problem:
        root.exit(FAILED, f"{PROG} {args.command}: {one_line(problem)}\n")
    except ArithmeticError:
        root.exit(FAILED, f"{PROG} {args.command}: a value beyond what can be computed\n")
    return _print(reply, as_data=getattr(args, "json", False))


def _print(reply: Reply, *, as_data: bool) -> int:
    """Print; a reader that closed the pipe is no error."""
    if reply.remark:
        sys.stderr.write(f"{one_line(reply.remark)}\n")
    text = as_json(reply.data) if as_data else reply.text
    try:
        sys.stdout.write(text if reply.verbatim else f"{harmless(text)}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return reply.code
