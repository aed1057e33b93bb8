"""Two versions on one database: the former one runs while the new one brings the schema up to date."""

import pytest

from tests.soak.history import migration, unpacked
from tests.soak.team import Supervised, Team, post, settled, whole


@pytest.fixture(scope="session")
def former(tmp_path_factory):
    """The whole program as it was just before the newest migration came."""
    return unpacked(tmp_path_factory.mktemp("former")), migration(None).name


class Former(Supervised):
    """A server of the former version."""

    def __init__(self, folder, program, **settings):
        super().__init__(folder, **settings)
        self._environment |= {"PYTHONPATH": str(program)}
        self._program = program


def test_a_former_version_goes_on_while_the_new_one_migrates(former, engine, tmp_path, serve, figures):
    """Uploads to both: what either acknowledged is there; the former one never writes what the new cannot read."""
    program, migration = former
    old_folder = tmp_path / "old"
    old_folder.mkdir()
    where = {"WIRESPEED_DATA_DIR": str(tmp_path / "data"), **engine}
    old = Former(old_folder, program, **where)
    old.start()
    settled(old)
    before = Team(old)
    before.upload(40)
    with before.uploading(40):
        before.wait_for(50)
        new = serve(**where)
    after = Team(new, first=1000)
    after.upload(40)
    status = post(old, 5000).status_code
    old.stop()
    settled(new)

    assert (before.strange, after.strange, new.starts) == ([], [], 1)
    assert status in {200, 201, 503}
    sent = before.acknowledged | after.acknowledged
    whole(new, sent, unsure=1)
    figures(
        f"{len(sent)} uploads acknowledged by two versions around migration {migration}, 0 lost; the former version "
        f"answered {status} after it ({before.refused} of 503, {before.unanswered} unanswered, all sent again)"
    )


def test_a_former_version_started_on_the_newer_schema_says_so(former, tmp_path, serve, figures):
    """Going back by accident: the older program is not ready, names the version it needs and spoils nothing."""
    program, _ = former
    new = serve()
    team = Team(new)
    team.upload(20)
    old_folder = tmp_path / "old"
    old_folder.mkdir()
    old = Former(old_folder, program, WIRESPEED_DATA_DIR=str(tmp_path / "data"))
    old.start()
    settled(old, 503)
    answer = post(old, 5000)
    log = old.written()
    old.stop()

    assert "newer than this program" in log
    kept = {5000: answer.json()["id"]} if answer.status_code == 201 else {}
    whole(new, team.acknowledged | kept)
    figures(
        f"/readyz 503, the newer schema named, an upload answered {answer.status_code}; 20 of 20 runs unchanged"
    )
