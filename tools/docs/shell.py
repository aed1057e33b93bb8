"""Reference of the shell, made from the option parsers of core and gpu_probe."""

import argparse
from collections.abc import Iterator, Mapping

import core.shell.main
import gpu_probe.__main__

OPENING = """# Shell

Every command and option, from the option parsers of the programs. The meaning of questions and answers,
key by key, is in [SHELL](../SHELL.md); measuring and verdicts are in [PROBE](../PROBE.md).
"""


def reference() -> str:
    """The page in Markdown: a section for each program, one below it for each command."""
    programs = (core.shell.main.parser(), gpu_probe.__main__.parser(tuple(gpu_probe.__main__.COMMANDS)))
    return "\n".join([OPENING, *(line for program in programs for line in _program(program))]) + "\n"


def commands(program: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """The parser of each command by name."""
    actions = program._actions  # noqa: SLF001 - argparse has no other way to list what a parser knows
    return next(dict(action.choices) for action in actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001


def _program(program: argparse.ArgumentParser) -> Iterator[str]:
    yield f"## {program.prog}\n\n{_cell(program.description or '')}\n"
    for name, parser in commands(program).items():
        yield f"### {name}\n\n{_sentence(parser.description or '')}\n"
        yield "| option | values | meaning |\n|---|---|---|"
        yield from (_row(action) for action in parser._actions if action.dest != "help")  # noqa: SLF001
        yield ""


def _row(action: argparse.Action) -> str:
    names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
    choices = ", ".join(str(choice) for choice in action.choices) if action.choices else ""
    values = choices or ("" if action.nargs == 0 or not action.option_strings else str(action.metavar or ""))
    stated = action.default not in (None, False, argparse.SUPPRESS, "") and "default" not in (
        action.help or ""
    )
    default = f" (default {action.default})" if stated else ""
    needed = " (required)" if action.required and action.option_strings else ""
    return f"| `{names}` | {_cell(values)} | {_cell((action.help or '') % vars(action))}{default}{needed} |"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{_cell(text[1:])}."


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
