"""One file of very many runs: written in a few statements, so that the writer is free again soon."""

import sqlalchemy as sa

from tests.db.examples import simple

RUNS = 2000


def test_a_file_of_many_runs_takes_few_statements(store):
    """Round trips do not grow with the runs, or a file of 20,000 would hold the writer for half a minute."""
    statements = []

    def note(_connection, _cursor, statement, *_):
        statements.append(statement)

    sa.event.listen(store._connections._engine, "before_cursor_execute", note)
    saved = store.save([simple(number) for number in range(RUNS)])

    assert len({run.id for run in saved}) == RUNS
    assert len(statements) < RUNS / 20
