"""A disk that is full, read-only or away, and a file that is damaged: said clearly, and well again by itself."""

import shutil
import subprocess
import sys

from db.store import Store
from tests.server import ROOT
from tests.soak.team import Team, post, settled, whole

BLOCK = b"\0" * 65536


def fill(path):
    """Write a file until the disk is full."""
    with path.open("wb", buffering=0) as file:
        try:
            while file.write(BLOCK):
                pass
        except OSError:
            return


def lines_about(server, words):
    """The lines of the server's log with those words."""
    return [line for line in server.written().splitlines() if words in line]


def test_a_full_disk_takes_no_upload_and_loses_none(volume, serve, figures, length):
    """Until the disk is full, while it is, and after room was made."""
    server = serve(WIRESPEED_DATA_DIR=str(volume))
    team = Team(server)
    for _ in range(length):
        with team.uploading(80):
            team.wait_for(len(team.acknowledged) + 20)
            fill(volume / "ballast")
            team.wait_for_refusals(team.refused + 12)
            settled(server, 503)
            assert server.get("/api/v1/runs").status_code == 200
            (volume / "ballast").unlink()
    recovered_s = settled(server)

    assert (team.strange, team.unanswered, server.starts) == ([], 0, 1)
    assert lines_about(server, "disk is full")
    whole(server, team.acknowledged)
    figures(
        f"{len(team.acknowledged)} acknowledged around {length} full disks, 0 lost, {team.refused} refused with 503; "
        f"lists stayed readable; ready {recovered_s:.1f} s after room was made, without a restart"
    )


def test_a_read_only_disk_is_not_ready_until_it_can_be_written(volume, serve, figures):
    """A volume mounted read-only: the server starts, says why it takes nothing, and takes it once it may."""
    before = Store(f"sqlite:///{volume / 'wirespeed.db'}")
    before.prepare()
    before.close()
    subprocess.run(["mount", "-o", "remount,ro", volume], check=True)
    server = serve(settled_at=503, WIRESPEED_DATA_DIR=str(volume))
    refused = [post(server, number).status_code for number in range(10)]
    subprocess.run(["mount", "-o", "remount,rw", volume], check=True)
    recovered_s = settled(server)
    team = Team(server)
    team.upload(20)

    assert refused == [503] * 10
    assert lines_about(server, "readonly") or lines_about(server, "Read-only")
    whole(server, team.acknowledged)
    figures(f"10 of 10 refused with 503 while read-only; ready {recovered_s:.1f} s after, without a restart")


def test_a_corrupt_database_is_refused_and_a_restored_one_is_used(tmp_path, serve, figures):
    """Pages of the file are overwritten under the server; the backup is put in its place under it, too."""
    server = serve()
    team = Team(server)
    team.upload(80)
    settings = {"WIRESPEED_DATA_DIR": str(tmp_path / "data")}
    shell(settings, "backup", str(tmp_path / "saved"))
    database = tmp_path / "data" / "wirespeed.db"
    shell(settings, "check")
    size = database.stat().st_size
    with database.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    refused = [post(server, 1000 + number).status_code for number in range(10)]
    not_ready_s = settled(server, 503)
    problems = shell(settings, "check", status=2)
    for path in (tmp_path / "data").glob("wirespeed.db*"):
        path.rename(path.with_name(f"damaged-{path.name}"))
    shell(settings, "restore", str(tmp_path / "saved"))
    recovered_s = settled(server)

    assert refused == [503] * 10
    assert "malformed" in problems
    assert lines_about(server, "malformed")
    assert server.starts == 1
    whole(server, team.acknowledged)
    figures(
        f"10 of 10 refused with 503, /readyz 503 after {not_ready_s:.1f} s; 80 of 80 there {recovered_s:.1f} s "
        "after the backup was restored, without a restart"
    )


def test_a_data_folder_that_went_away_and_came_back(tmp_path, serve, figures, length):
    """A volume that is unmounted under uploads: no upload is taken meanwhile, and all are there once it is back."""
    server = serve()
    team = Team(server)
    data, away = tmp_path / "data", tmp_path / "away"
    times = 4 * length
    for _ in range(times):
        with team.uploading(40):
            team.wait_for(len(team.acknowledged) + 10)
            data.rename(away)
            team.wait_for_refusals(team.refused + 8)
            settled(server, 503)
            shutil.rmtree(data, ignore_errors=True)
            away.rename(data)
    settled(server)

    assert (team.strange, team.unanswered, server.starts) == ([], 0, 1)
    assert lines_about(server, "is gone")
    whole(server, team.acknowledged)
    figures(
        f"{len(team.acknowledged)} acknowledged over {times} times away, 0 lost, {team.refused} refused with 503"
    )


def test_a_deleted_data_folder_takes_nothing_until_the_backup_is_back(tmp_path, serve, figures):
    """The folder is removed under the server: not one upload is acknowledged into a file that nobody can open."""
    server = serve()
    team = Team(server)
    team.upload(60)
    settings = {"WIRESPEED_DATA_DIR": str(tmp_path / "data")}
    shell(settings, "backup", str(tmp_path / "saved"))
    shutil.rmtree(tmp_path / "data")
    refused = [post(server, 1000 + number).status_code for number in range(20)]
    settled(server, 503)
    shell(settings, "restore", str(tmp_path / "saved"))
    recovered_s = settled(server)
    more = Team(server, first=2000)
    more.upload(20)

    assert refused == [503] * 20
    assert server.starts == 1
    whole(server, team.acknowledged | more.acknowledged)
    figures(f"20 of 20 refused; 60 of 60 there {recovered_s:.1f} s after the restore, without a restart")


def shell(settings, *words, status=0):
    """``python -m db`` as an administrator types it; what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "db", *words],
        cwd=ROOT, env={"PATH": "/usr/bin:/bin", **settings}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr
