"""kill -9 at random points of five hundred uploads: the server's, PostgreSQL's, and PostgreSQL's backends'."""

import os
import random
import signal
import statistics
import time

import pytest

from tests.soak.team import Team, settled, whole

UPLOADS, KILLS = 500, 12


def points(seed, length, kills=KILLS):
    """After how many acknowledged uploads to strike."""
    chance = random.Random(seed)  # noqa: S311 - chance, not a secret
    return chance, sorted(chance.sample(range(1, UPLOADS * length), kills * length))


def summary(team, strikes, recoveries):
    """The figures of a campaign."""
    return (
        f"{len(team.acknowledged)} uploads acknowledged over {strikes} SIGKILLs, 0 lost, 0 half, 0 twice; "
        f"{team.refused} answers of 503, {team.unanswered} requests unanswered and sent again; "
        f"next acknowledgement after {statistics.median(recoveries):.1f} s (median), {max(recoveries):.1f} s at most"
    )


def strike(team, at, blow, chance, recoveries):
    """Wait for a point, strike a moment later, and take the time to the next acknowledgement."""
    team.wait_for(at)
    time.sleep(chance.uniform(0.0, 0.03))
    before = len(team.acknowledged)
    start = time.monotonic()
    blow()
    # four people may each have an answer on the way
    team.wait_for(min(before + 5, UPLOADS))
    recoveries.append(time.monotonic() - start)


def test_kill_9_of_the_server_loses_nothing(engine, serve, figures, length):
    """Twelve kills in five hundred uploads on each engine: what was acknowledged is there, whole, once."""
    server, recoveries = serve(**engine), []
    team = Team(server)
    chance, strikes = points(1, length)
    with team.uploading(UPLOADS * length):
        for at in strikes:
            settled(server)
            strike(team, at, lambda: os.kill(server.process.pid, signal.SIGKILL), chance, recoveries)
    settled(server)

    assert team.strange == []
    assert server.starts == 1 + len(strikes)
    whole(server, team.acknowledged)
    figures(summary(team, len(strikes), recoveries))


@pytest.mark.postgres
def test_kill_9_of_postgresqls_postmaster_loses_nothing(postgres, serve, figures, length):
    """The whole database dies in the middle of uploads and is started again; the server is never restarted."""
    server, recoveries = serve(WIRESPEED_DATABASE_URL=postgres.url), []
    team = Team(server)
    chance, strikes = points(2, length)

    def blow():
        postgres.kill()
        postgres.start()

    with team.uploading(UPLOADS * length):
        for at in strikes:
            strike(team, at, blow, chance, recoveries)

    assert team.strange == []
    assert server.starts == 1
    whole(server, team.acknowledged)
    figures(summary(team, len(strikes), recoveries))


@pytest.mark.postgres
def test_kill_9_of_postgresqls_backends_loses_nothing(postgres, serve, figures, length):
    """A process that serves a connection is killed: PostgreSQL ends all sessions, recovers, and so do we."""
    server, recoveries = serve(WIRESPEED_DATABASE_URL=postgres.url), []
    team = Team(server)
    chance, strikes = points(3, length)
    with team.uploading(UPLOADS * length):
        for at in strikes:
            strike(team, at, lambda: postgres.kill_backend(chance), chance, recoveries)

    assert team.strange == []
    assert server.starts == 1
    whole(server, team.acknowledged)
    figures(summary(team, len(strikes), recoveries))
