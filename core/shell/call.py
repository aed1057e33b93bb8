"""A command called by another program: its options as a JSON object in, its answer as JSON values out."""

import re
from collections.abc import Mapping
from types import ModuleType
from typing import Any, NoReturn

from core.checks import InputError, alternatives, choice
from core.command_line import Parser, one_line
from core.shell import read
from core.shell.commands import COMMANDS
from core.shell.fields import Field, fields_of
from core.shell.output import plain

Json = dict[str, Any]
LONGEST = 1000
"""Characters of an error; what it quotes is cut."""


class FieldError(InputError):
    """A field that cannot be used: one line that begins with its name."""

    def __init__(self, text: str, field: str | None) -> None:
        super().__init__(text)
        self.field = field


class _Strict(Parser):
    """The parser of a command, raising what it would print."""

    def error(self, message: str) -> NoReturn:
        raise InputError(one_line(message))


def names() -> tuple[str, ...]:
    """The commands whose question is a JSON object, in the order of the help."""
    return tuple(module.NAME for module in COMMANDS if not getattr(module, "FILES_ONLY", False))


def sentence(name: str) -> str:
    """What a command answers, as its help says."""
    return str(_command(name).HELP)


def inputs(name: str) -> Json:
    """
    JSON Schema of what a command takes, made from its option parser.

    Raises:
        InputError: No such command.
    """
    known = fields_of(_parser(_command(name)))
    required = [field.name for field in known.values() if field.is_required]
    return {
        "type": "object",
        "properties": {name: field.schema for name, field in known.items()},
        "additionalProperties": False,
    } | ({"required": required} if required else {})


def answer(name: str, values: Mapping[str, Any]) -> Any:
    """
    What ``python -m core NAME --json`` prints for these options; no file is read.

    Args:
        name: A command.
        values: Options by name with ``_`` for ``-``; files as JSON objects.

    Raises:
        FieldError: A field that is unknown or cannot be used.
        InputError: No such command.
    """
    command = _command(name)
    parser = _parser(command)
    known = fields_of(parser)
    try:
        arguments, texts = _arguments(known, values)
        with read.only(texts):
            return plain(command.run(parser.parse_args(arguments)).data)
    except InputError as problem:
        raise _named(str(problem), known, values) from None
    except (ArithmeticError, RecursionError):
        message = f"{name}: a value beyond what can be computed"
        raise FieldError(message, None) from None


def _command(name: str) -> ModuleType:
    choice("calculator", name, names())
    return next(module for module in COMMANDS if name == module.NAME)


def _parser(command: ModuleType) -> Parser:
    parser = _Strict(prog=command.NAME, add_help=False)
    command.add(parser)
    parser.set_defaults(json=True)
    return parser


def _arguments(known: Mapping[str, Field], values: Mapping[str, Any]) -> tuple[list[str], dict[str, str]]:
    """The command line of the values, and the texts of the files that it names."""
    arguments: list[str] = []
    texts: dict[str, str] = {}
    for name, value in values.items():
        if name not in known:
            message = f"{name[:80]}: an unknown field; {alternatives(name, list(known))}"
            raise InputError(message)
        if value is None:
            message = f"{name}: not null; a field that is left out has its default"
            raise InputError(message)
        more, files = known[name].arguments(value)
        arguments += more
        texts |= files
    _check_once(known, values)
    return arguments, texts


def _check_once(known: Mapping[str, Field], values: Mapping[str, Any]) -> None:
    """Refuse one option under two names, and a question without what it needs."""
    actions = [known[name].action for name in values]
    for name in values:
        if actions.count(known[name].action) > 1:
            message = f"{name}: given twice, under two names"
            raise InputError(message)
    for field in known.values():
        if field.is_required and field.name not in values:
            message = f"{field.name}: is needed"
            raise InputError(message)


def _named(text: str, known: Mapping[str, Field], values: Mapping[str, Any]) -> FieldError:
    """The shell's line about an option, about the field of that name."""
    for field in sorted(known.values(), key=lambda item: -len(item.option)):
        text = re.sub(rf"(argument )?{re.escape(field.option)}(/--[a-z-]+)*(?![a-z-])", field.name, text)
    name: str | None = text.partition(":")[0]
    if name not in values and name not in known:
        # what is wrong with a file stands under the file's own keys
        files = [key for key, value in values.items() if isinstance(value, dict)]
        name = files[0] if len(files) == 1 else None
    return FieldError(one_line(text)[:LONGEST], name)
