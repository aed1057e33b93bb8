"""One test for all entries of a table: where a check takes microseconds, a test of its own for each costs more."""

import functools
import inspect

import pytest

FAILURES = (Exception, BaseExceptionGroup, pytest.fail.Exception)
"""What a row may raise: ``pytest.raises`` that sees nothing raised, and a group with it, are no ``Exception``."""


def each(values):
    """A test of one entry becomes one of all these; its failure says of which, all of them."""
    assert values
    names = [value["id"] if isinstance(value, dict) else value.id for value in values]

    def repeated(test):
        key = next(iter(inspect.signature(test).parameters))
        return _every(test, [(name, {key: value}) for name, value in zip(names, values, strict=True)])

    return repeated


def table(keys, rows, ids=None):
    """The same for the rows of a table, with the arguments of ``pytest.mark.parametrize``."""
    keys = [key.strip() for key in keys.split(",")] if isinstance(keys, str) else list(keys)
    cases = [_case(keys, row) for row in rows]
    assert cases
    if ids is not None and not callable(ids):
        cases = [(name, values) for name, (_, values) in zip(ids, cases, strict=True)]
    return lambda test: _every(test, cases)


def _case(keys, row):
    """The name of a row and its values by argument."""
    name = getattr(row, "id", None)
    if hasattr(row, "marks"):  # of pytest.param
        assert not row.marks
        row = row.values if len(keys) > 1 else row.values[0]
    values = dict(zip(keys, row if len(keys) > 1 else [row], strict=True))
    return name or ", ".join(f"{key}={value!r:.80}" for key, value in values.items()), values


def _named(problem, name):
    """A failure that says of which row it is."""
    problem.add_note(f"of {name}")
    return problem


def _every(test, cases):
    """The test of all these cases, with the arguments that they leave to it."""

    @functools.wraps(test)
    def every(**others):
        problems = []
        for name, values in cases:
            try:
                test(**values, **others)
            except pytest.skip.Exception as skip:  # it would skip the rows after it as well
                problems.append(_named(AssertionError(f"a row is never skipped: {skip.msg}"), name))
            except FAILURES as problem:
                problems.append(_named(problem, name))
        if problems:
            told = f"{test.__name__}: {len(problems)} of {len(cases)} entries"
            raise BaseExceptionGroup(told, problems)

    parameters = inspect.signature(test).parameters
    taken = cases[0][1]
    every.__signature__ = inspect.Signature(
        [value for name, value in parameters.items() if name not in taken]
    )
    return every
