"""A clock that is set forwards and back under the server, which reads it through libfaketime."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.soak.team import Team, listed, settled, whole

LIBRARIES = ("/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib*/faketime/libfaketimeMT.so.1")
STEPS = ("+0", "+1d", "-2d", "+20d", "-400d", "+0", "+3650d", "-1")


@pytest.fixture
def clock(tmp_path):
    """Sets the clock of a server that is started with its settings."""
    found = [path for pattern in LIBRARIES for path in Path("/").glob(pattern[1:])]
    if not found:
        pytest.skip("libfaketime is not installed")
    file = tmp_path / "clock"
    file.write_text("+0\n")
    return file, {
        "LD_PRELOAD": str(found[0]),
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_CACHE_DURATION": "1",
        # no clock of a machine that is set moves the monotonic one
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def test_a_clock_that_jumps_loses_and_hides_nothing(engine, clock, serve, figures, length):
    """Days forwards and back, between and under uploads: all acknowledged, all listed in the order of arrival."""
    file, environment = clock
    server = serve(**engine, **environment)
    team = Team(server)
    steps = STEPS * length
    for step in steps:
        with team.uploading(25):
            team.wait_for(len(team.acknowledged) + 10)
            file.write_text(f"{step}\n")
        settled(server)
    rows = listed(server, limit=7)
    moments = sorted(row["measured_at"] for row in rows)

    assert (team.strange, team.refused, team.unanswered, server.starts) == ([], 0, 0, 1)
    assert all(later["id"] > earlier["id"] for later, earlier in pairwise(rows))
    assert len({moment[:4] for moment in moments}) >= 3
    assert server.get("/metrics").status_code in {200, 401, 403, 404}
    whole(server, team.acknowledged)
    figures(
        f"{len(team.acknowledged)} uploads over {len(steps)} steps ({', '.join(STEPS)}), all acknowledged and listed "
        f"in the order of their arrival, dated {moments[0][:10]} to {moments[-1][:10]}"
    )
