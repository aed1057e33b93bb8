"""A database server that is stopped, or whose disk is full: uploads wait for it, none is lost."""

import pytest

from tests.soak.team import Team, settled, whole
from tests.soak.test_disk import lines_about

pytestmark = pytest.mark.postgres


def test_postgresql_stopped_and_started_again(postgres, serve, figures, length):
    """An administrator restarts the database under uploads; no connection of ours needs a restart."""
    server = serve(WIRESPEED_DATABASE_URL=postgres.url)
    team = Team(server)
    times, recoveries = 5 * length, []
    for _ in range(times):
        with team.uploading(60):
            team.wait_for(len(team.acknowledged) + 15)
            postgres.stop()
            team.wait_for_refusals(team.refused + 8)
            settled(server, 503)
            postgres.start()
            recoveries.append(settled(server))

    assert (team.strange, team.unanswered, server.starts) == ([], 0, 1)
    assert lines_about(server, "cannot be used")
    assert ":password@" not in server.written()
    whole(server, team.acknowledged)
    figures(
        f"{len(team.acknowledged)} acknowledged over {times} stops, 0 lost, {team.refused} refused with 503; "
        f"ready at most {max(recoveries):.1f} s after PostgreSQL was"
    )


def test_a_server_that_starts_before_its_database(postgres, serve, figures):
    """Neither order of a start is wrong: the server waits, says so once, and needs no restart."""
    postgres.stop()
    server = serve(settled_at=503, WIRESPEED_DATABASE_URL=postgres.url)
    postgres.start()
    ready_s = settled(server)
    team = Team(server)
    team.upload(20)

    assert server.starts == 1
    whole(server, team.acknowledged)
    figures(f"ready {ready_s:.1f} s after the database, 20 of 20 acknowledged")
