"""One line of a log at a time: it is read, said with the cause, and moves the weight of that cause the right way."""

import pytest

from tests.bench.causes.single_lines import DOWN, RCCL, UP, held, sides, weights
from tests.each import table


@table(("name", "system", "factor", "line", "code"), UP)
def test_a_line_raises_its_cause_and_is_quoted(name, system, factor, line, code):
    """The same slow run without and with the line: the cause weighs more, and the line stands beside it."""
    before, after = weights(system, factor, **sides(system)), weights(system, factor, line, **sides(system))

    assert held(after, code) > held(before, code)
    assert after[code].lines


@table(("name", "system", "factor", "line", "code"), RCCL)
def test_a_line_of_rccl_raises_its_cause(name, system, factor, line, code):
    """RCCL prints NCCL's lines with its own names of adapters and warnings of its own."""
    before, after = weights(system, factor, **sides(system)), weights(system, factor, line, **sides(system))

    assert held(after, code) > held(before, code)
    assert after[code].lines


@table(("name", "system", "factor", "line", "code"), DOWN)
def test_a_line_of_a_sound_machine_lowers_a_cause(name, system, factor, line, code):
    """What the line rules out weighs less."""
    before, after = weights(system, factor, **sides(system)), weights(system, factor, line, **sides(system))

    assert held(before, code) > 0
    assert held(after, code) < held(before, code)


@pytest.mark.parametrize("factor", [1.0])
@pytest.mark.parametrize("row", UP, ids=lambda row: row[0])
def test_no_line_makes_a_sound_run_slow(row, factor):
    """At its expected rate a run has no cause, whatever stands in its log."""
    _, system, _, line, _ = row

    assert weights(system, factor, line, **sides(system)) == {}
