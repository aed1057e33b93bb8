"""A store that a former version filled is brought up to date by the commands of today: nothing in it is lost."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from db import versions
from db.store import Store
from tests.db.examples import simple
from tests.server import ROOT
from tests.soak.history import RELEASE, migration, unpacked

FORMER = ("0002", "0004", "0007", RELEASE)
"""The program before uploads had files, before people and projects, before jobs; and the last release."""
FILL = """
import json
from dataclasses import replace
from db.store import Store
from tests.db.examples import FULL, simple
from tests.db.test_fits import FIT

store = Store()
store.prepare()
saved = [store.save([run], note=f"note {number}", tags=["rack"])[0].id
         for number, run in enumerate([FULL, *(simple(number) for number in range(1, 40))])]
store.annotate(saved[0], note="a second note", tags=["rack", "new"])
store.delete(saved[5])
store.save_fit(FIT)
store.save_fit(replace(FIT, name="another"))
kept = {"deleted": saved[5], "scenarios": [], "jobs": [], "files": [], "trash": []}
if hasattr(store, "past"):  # deleted fits came back from then on
    store.delete_fit("another")
    kept["trash"] = ["another"]
if hasattr(store, "scenarios"):
    from tests.db.test_past import QUESTION
    store.scenarios.keep(QUESTION)
    store.scenarios.keep(replace(QUESTION, query="model=deepseek-v3-r1&domain=72"), replace=True)
    kept["scenarios"] = [scenario.name for scenario in store.scenarios.listed()]
if hasattr(store, "keep_file"):
    kept["files"] = [store.keep_file(b'{"a": 1}', name="config.json", kind="config").id]
if hasattr(store, "jobs"):
    from tests.core.jobs import data_parallel
    kept["jobs"] = [store.jobs.save(data_parallel(ranks=2, steps=3), file="job.json").id]
rows = {row.id: row for row in store.runs(limit=200).runs}
kept["fits"] = sorted(fit.name for fit in store.fits())
kept["runs"] = {number: [row.note, sorted(row.tags), row.gpu, len(store.run(number).run.samples),
                         sum(sample.time_s for sample in store.run(number).run.samples)]
                for number, row in rows.items()}
print(json.dumps(kept))
store.close()
"""


def words(program, *said, url, status=0):
    """A Python of a program at a database; what it printed."""
    done = subprocess.run(
        [sys.executable, *said],
        cwd=program,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(program), "WIRESPEED_DATABASE_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def held(store, kept):
    """What a store of today shows of what the former version kept."""
    rows = {row.id: row for row in store.runs(limit=200).runs}
    runs = {
        str(number): [
            row.note,
            sorted(row.tags),
            row.gpu,
            len(store.run(number).run.samples),
            sum(sample.time_s for sample in store.run(number).run.samples),
        ]
        for number, row in rows.items()
    }
    return {
        "deleted": store.past.runs()[0].id,
        "scenarios": [scenario.name for scenario in store.scenarios.listed()],
        "jobs": [row.id for row in store.jobs.page().jobs],
        "files": [store.file(short).id for short in kept["files"]],
        "fits": sorted(fit.name for fit in store.fits()),
        "runs": runs,
        "trash": [version.name for version in store.past.versions(versions.FIT)],
    }


@pytest.fixture(scope="module", params=FORMER)
def former(request, tmp_path_factory):
    """The whole program of a former version."""
    return unpacked(tmp_path_factory.mktemp("former"), request.param)


def test_a_store_of_a_former_version_is_upgraded_checked_backed_up_and_restored(
    former, engine, own_postgres, tmp_path, figures
):
    """`upgrade`, `check`, `backup`, `restore` of today on a store made by the program of then; then it is used."""
    url = engine.get("WIRESPEED_DATABASE_URL") or f"sqlite:///{tmp_path / 'then.db'}"
    kept = json.loads(words(former, "-c", FILL, url=url))
    newest = migration(None).relative_to(ROOT)
    words(ROOT, "-m", "db", "check", url=url, status=0 if (former / newest).exists() else 1)
    words(ROOT, "-m", "db", "upgrade", url=url)
    words(ROOT, "-m", "db", "check", url=url)
    words(ROOT, "-m", "db", "backup", str(tmp_path / "saved"), url=url)
    other = f"sqlite:///{tmp_path / 'restored.db'}"
    words(ROOT, "-m", "db", "restore", str(tmp_path / "saved"), url=other)
    words(ROOT, "-m", "db", "check", url=other)
    for place in (url, other):
        store = Store(place)
        assert held(store, kept) == kept
        store.past.restore_run(kept["deleted"])
        for version in store.past.versions(versions.FIT):
            store.past.bring_back(version.id)
        assert {fit.name for fit in store.fits()} == {*kept["fits"], *kept["trash"]}
        (again,) = store.save([simple(7)])
        (new,) = store.save([replace(simple(7), file="new.log", origin="of today")])
        assert (again.new, new.id > max(map(int, kept["runs"]))) == (False, True)
        store.close()
    figures(
        f"{len(kept['runs'])} runs, {len(kept['fits'])} fits, {len(kept['scenarios'])} scenarios, "
        f"{len(kept['jobs'])} jobs and the trash: all there after upgrade, and in the backup restored on SQLite"
    )
