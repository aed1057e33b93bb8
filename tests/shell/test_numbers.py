"""Numbers at the edge of what a float holds, in every option of every command: one line, or a finite answer."""

import io
import re
from contextlib import redirect_stderr, redirect_stdout

import pytest

from core.checks import SMALLEST, InputError, number
from core.shell import options
from core.shell.call import FieldError, answer
from core.shell.commands import COMMANDS
from core.shell.main import main, parser
from tests.each import table
from tests.shell.test_shell import QUESTIONS

EDGES = ("0", "1e-320", "1e308", "-1", "nan", "inf")
BEYOND = re.compile(r"(?<![\w.-])(inf|nan|infinity)(?![\w-])", re.IGNORECASE)
NUMBERS = (options.Real, options.OneOrTwo)


def numeric(name):
    """The options of a command that take a number with a fraction."""
    commands = next(action for action in parser([name])._actions if action.dest == "command")
    actions = commands.choices[name]._actions
    return [action.option_strings[0] for action in actions if isinstance(action.type, NUMBERS)]


def without(words, option):
    """A question without one of its options."""
    place = words.index(option) if option in words else len(words)
    return [*words[:place], *words[place + 2 :]]


def typed(*words):
    """Status, stdout and stderr; a warning of numpy is an error of this test."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(words)
        except SystemExit as left:
            status = left.code
    return status, out.getvalue(), err.getvalue()


@table("name", [name for name in QUESTIONS if numeric(name)])
def test_a_number_at_the_edge_is_refused_in_one_line_or_answered_finitely(name):
    """Zero, the smallest and largest floats, minus one, NaN and infinity, one option after another."""
    for option in numeric(name):
        for edge in EDGES:
            status, out, err = typed(name, *without(QUESTIONS[name], option), f"{option}={edge}")
            assert status in {0, 2}, (option, edge)
            if status == 0:
                assert (err, BEYOND.search(out)) == ("", None), (option, edge)
            else:
                assert (out, len(err.splitlines()), "Traceback" in err) == ("", 1, False), (option, edge)


def test_every_command_with_numbers_is_asked():
    """A new command with an option of this kind needs a question here."""
    assert {module.NAME for module in COMMANDS if numeric(module.NAME)} <= set(QUESTIONS)


def test_a_step_that_takes_no_time_is_refused():
    """Compute of no time would make infinitely many tokens a second."""
    status, out, err = typed("tp", "--tokens", "8", "--tp", "1", "--compute-us", "0")

    assert (status, out) == (2, "")
    assert (
        err == "python -m core tp: argument --compute-us: a finite number above 0 and at most 1e+18, not 0\n"
    )


def test_another_program_meets_the_same_bounds():
    """What the shell refuses is refused over HTTP and MCP too, with the field's name."""
    with pytest.raises(FieldError, match=r"^compute_us: .*at least 1e-18") as refused:
        answer("tp", {"tokens": 8, "tp": 1, "compute_us": 1e-320})
    assert refused.value.field == "compute_us"


def test_what_is_above_zero_can_be_divided_by():
    """A number that is subnormal, or nearly, is none above zero."""
    assert number("rate", SMALLEST, above=0) == SMALLEST
    with pytest.raises(InputError, match="rate: a finite number at least 1e-30, not 1e-40"):
        number("rate", 1e-40, above=0)
