"""Projects: what belongs to one is as if it were not there for whoever is no member."""

from dataclasses import replace
from datetime import UTC, datetime
from inspect import getmembers, isfunction
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from core.errors import InputError
from db import export
from db.administration import AuditLog, People, Projects, Tokens
from db.errors import NotAllowedError, UnknownRunError
from db.kept_jobs import Jobs
from db.past import Past
from db.people import Person, Role
from db.records import SeriesKey
from db.saved import Scenarios
from db.scenarios import SavedScenario
from db.store import Store
from tests.core.jobs import data_parallel, tensor_parallel
from tests.db.examples import simple
from tests.db.test_fits import FIT

SECRET = "SECRET"  # noqa: S105 - a word to look for
ADMIN = Person("root@example.com", Role.ADMIN)
ADA = Person("ada@example.com", Role.UPLOADER)
BOB = Person("bob@lab.example.org", Role.UPLOADER, frozenset({"beta people"}))
STRANGER = Person("eve@example.net", Role.UPLOADER)
MEMBERS = {"alpha": (ADA.name,), "beta": ("group:beta people",), "both": (ADA.name, "@lab.example.org")}
SEES = {
    ADMIN: {None, *MEMBERS},
    ADA: {None, "alpha", "both"},
    BOB: {None, "beta", "both"},
    STRANGER: {None},
}
QUICK = settings(
    max_examples=3,
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def team(store):
    """A store with three projects and their members."""
    for name, members in MEMBERS.items():
        store.projects.make(name, members)
    return store


def every_run(view, numbers):
    """The runs that each way of reading shows, by the name of the way."""
    numbers = sorted(numbers)

    def opened(number):
        try:
            return view.run(number).row.id
        except UnknownRunError:
            return None

    identities = {machine.identity for machine in view.machines()}
    table = export.as_table(view, numbers)
    return {
        "runs": {row.id for row in view.runs(limit=500).runs},
        "labels": {label.id for label in view.labels()},
        "rows": {row.id for row in view.rows(numbers)},
        "run": {opened(number) for number in numbers} - {None},
        "samples": set(view.samples(numbers)["run_id"].tolist()),
        "drift": {run_id for each in identities for run_id in view.drift(each)["run_id"].tolist()},
        "export": set(table.column("run_id").to_pylist()),
    }


def test_each_way_of_reading_shows_what_a_person_may_see(team):
    """Of random runs in random projects, two members, a stranger and an admin see theirs, everywhere."""
    kept: dict[int, str | None] = {}

    @QUICK
    @given(st.lists(st.tuples(st.integers(0, 12), st.sampled_from([None, *MEMBERS])), max_size=8))
    def check(uploads):
        for number, project in uploads:
            (saved,) = team.save([simple(number, samples=1)], project=project)
            assert kept.setdefault(saved.id, project) == project
        for person, projects in SEES.items():
            view = team.seen_by(person)
            visible = {number for number, project in kept.items() if project in projects}
            assert every_run(view, kept) == dict.fromkeys(every_run(view, ()), visible), person.name
            assert view.run_count() == view.facets().run_count == len(visible)
            assert sum(machine.run_count for machine in view.machines()) == len(visible)

    check()


def test_the_same_run_in_two_projects_is_two_runs(team):
    """Whoever uploads what a hidden project holds learns nothing of it, and changes nothing there."""
    (hidden,) = team.seen_by(BOB).save([simple(1)], tags=["theirs"], note="theirs", project="beta")
    team.seen_by(BOB).delete(hidden.id)
    ada = team.seen_by(ADA)

    mine = [ada.save([simple(1)], tags=["mine"], project=project)[0] for project in ("alpha", None)]
    assert all(saved.new and not saved.restored for saved in mine)
    assert [ada.save([simple(1)], project=project)[0].new for project in ("alpha", None)] == [False, False]
    row = team.run(hidden.id).row
    assert (row.tags, row.note, row.deleted_at is None) == (("theirs",), "theirs", False)
    assert {stored.sha256 for stored in team.rows([hidden.id, *(saved.id for saved in mine)])} == {row.sha256}


def test_one_name_in_two_projects_is_two_fits_and_two_scenarios(team):
    """A name that a hidden project uses is free; whoever sees both gets the project's."""
    bob, ada = team.seen_by(BOB), team.seen_by(ADA)
    bob.save_fit(replace(FIT, created_by=None, name="lab", note="hidden"), project="beta")
    bob.scenarios.keep(SavedScenario("plan", "collectives", "hidden"), project="beta")

    ada.save_fit(replace(FIT, created_by=None, name="lab", note="open"))
    ada.scenarios.keep(SavedScenario("plan", "collectives", "open"))
    assert (bob.fit("lab").note, [fit.note for fit in bob.fits()]) == ("hidden", ["hidden"])
    assert (bob.scenarios.named("plan").query, len(bob.scenarios.listed())) == ("hidden", 1)
    for view in (ada, bob):
        with pytest.raises(InputError, match="already"):
            view.save_fit(replace(FIT, created_by=None, name="lab"))
    ada.delete_fit("lab")
    assert bob.fit("lab").note == "hidden"
    assert ada.past.versions("fit")[0].name == "lab"
    bob.delete_fit("lab")
    assert len(ada.past.versions("fit")) == 1
    bob.past.bring_back(bob.past.versions("fit")[0].id)
    assert [fit.note for fit in ada.fits()] == []


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_nothing_of_a_project_becomes_everyones(team):
    """A replaced fit or scenario, and one that is brought back, stay in their project."""
    ada = team.seen_by(ADA)
    ada.save_fit(replace(FIT, name="lab", note="ours"), project="alpha")
    ada.scenarios.keep(SavedScenario("plan", "cost", "ours"), project="alpha")
    for target in (None, "both"):
        with pytest.raises(InputError, match="another project has"):
            ada.save_fit(replace(FIT, name="lab", note="more"), replace=True, project=target)
        with pytest.raises(InputError, match="another project has"):
            ada.scenarios.keep(SavedScenario("plan", "cost", "more"), replace=True, project=target)
    ada.delete_fit("lab")
    ada.scenarios.delete("plan")
    stranger = team.seen_by(STRANGER)
    stranger.save_fit(replace(FIT, name="lab", note="theirs"))
    stranger.scenarios.keep(SavedScenario("plan", "cost", "theirs"))

    for kind in ("fit", "scenario"):
        ada.past.bring_back(ada.past.versions(kind)[0].id)
    assert (stranger.fit("lab").note, stranger.scenarios.named("plan").query) == ("theirs", "theirs")
    stranger.delete_fit("lab")
    stranger.scenarios.delete("plan")
    assert (ada.fit("lab").note, ada.scenarios.named("plan").query) == ("ours", "ours")
    assert (stranger.fits(), stranger.scenarios.listed()) == ([], [])


@pytest.fixture
def secret(store):
    """
    The numbers of a run and a deleted one, of everything else one or two things, all in a project of strangers.

    Of jobs the first is there and the second deleted.
    """
    store.projects.make(SECRET, ["group:nobody"])
    machine = replace(
        simple().machine, gpus=(replace(simple().machine.gpus[0], name=SECRET),), hosts=(SECRET,)
    )
    runs = [replace(simple(number), file=SECRET, machine=machine, collective=SECRET) for number in (1, 2, 3)]
    shown, deleted, _again = (
        store.save([run], tags=[SECRET], note=SECRET, uploaded_by=SECRET, project=SECRET)[0].id
        for run in runs
    )
    store.annotate(shown, note=f"{SECRET} again")
    store.delete(deleted)
    scenario = SavedScenario(SECRET, SECRET, SECRET)
    for _ in range(2):
        store.save_fit(replace(FIT, created_by=None, name=SECRET), replace=True, project=SECRET)
        store.scenarios.keep(scenario, replace=True, project=SECRET)
    for job in (data_parallel(), tensor_parallel()):
        kept = store.jobs.save(job, file=SECRET, note=SECRET, project=SECRET)
    store.jobs.delete(kept.id)
    owner = store.seen_by(Person(f"{SECRET}@example.com".lower(), Role.ADMIN))
    owner.tokens.make(SECRET, "read", project=SECRET)
    owner.people.signed_in()
    return shown, deleted


def seen(store, person, secret):
    """What a method is tried on: a person's view of the store, and the numbers of what is hidden."""
    shown, deleted = secret
    identity = store.run(shown).row.identity
    view, job = store.seen_by(person), 1
    return SimpleNamespace(view=view, shown=shown, deleted=deleted, identity=identity, job=job)


SERIES = (8, "all_reduce", "out-of-place", "float", "")
READS = {
    "Store.runs": lambda at: (
        at.view.runs(),
        at.view.runs(deleted=True),
        at.view.runs(project=SECRET),
    ),
    "Store.labels": lambda at: at.view.labels(),
    "Store.rows": lambda at: at.view.rows([at.shown, at.deleted]),
    "Store.run": lambda at: at.view.run(at.shown),
    "Store.samples": lambda at: at.view.samples([at.shown, at.deleted])["run_id"].tolist(),
    "Store.facets": lambda at: at.view.facets(),
    "Store.run_count": lambda at: [SECRET] * at.view.run_count(),
    "Store.machines": lambda at: at.view.machines(),
    "Store.drift": lambda at: at.view.drift(at.identity)["run_id"].tolist(),
    "Store.repeated_series": lambda at: [SECRET] * len(at.view.repeated_series()),
    "Store.series_drift": lambda at: (
        [SECRET] * len(at.view.series_drift(SeriesKey(at.identity, *SERIES), 9)["run_id"])
    ),
    "Store.fits": lambda at: at.view.fits(),
    "Store.fit": lambda at: at.view.fit(SECRET),
    "Store.fit_keepers": lambda at: at.view.fit_keepers(SECRET, SECRET),
    "Past.runs": lambda at: at.view.past.runs(),
    "Past.versions": lambda at: [at.view.past.versions(kind) for kind in ("note", "fit", "scenario")],
    "Past.version": lambda at: at.view.past.version(1),
    "Past.keepers": lambda at: at.view.past.keepers(1),
    "Scenarios.listed": lambda at: at.view.scenarios.listed(),
    "Scenarios.named": lambda at: at.view.scenarios.named(SECRET),
    "Scenarios.keepers": lambda at: at.view.scenarios.keepers(SECRET, SECRET),
    "Jobs.page": lambda at: (at.view.jobs.page(), at.view.jobs.page(project=SECRET)),
    "Jobs.row": lambda at: at.view.jobs.row(at.job),
    "Jobs.opened": lambda at: at.view.jobs.opened(at.job).row,
    "Jobs.deleted": lambda at: at.view.jobs.deleted(),
    "Projects.listed": lambda at: at.view.projects.listed(),
    "Tokens.mine": lambda at: at.view.tokens.mine(),
    "Tokens.listed": lambda at: at.view.tokens.listed(),
    "People.listed": lambda at: at.view.people.listed(),
    "AuditLog.entries": lambda at: at.view.audit.entries(),
}
CHANGES = {
    "Store.save": lambda at: at.view.save([simple(9)], project=SECRET),
    "Store.delete": lambda at: at.view.delete(at.shown),
    "Store.undelete": lambda at: at.view.undelete(at.deleted),
    "Store.annotate": lambda at: at.view.annotate(at.shown, note="mine now"),
    "Store.save_fit": lambda at: at.view.save_fit(replace(FIT, created_by=None, name="x"), project=SECRET),
    "Store.delete_fit": lambda at: at.view.delete_fit(SECRET),
    "Past.restore_run": lambda at: at.view.past.restore_run(at.deleted),
    "Past.bring_back": lambda at: at.view.past.bring_back(1),
    "Scenarios.keep": lambda at: at.view.scenarios.keep(SavedScenario("x", "y", "z"), project=SECRET),
    "Scenarios.rename": lambda at: at.view.scenarios.rename(SECRET, "mine"),
    "Scenarios.delete": lambda at: at.view.scenarios.delete(SECRET),
    "Jobs.save": lambda at: at.view.jobs.save(data_parallel(), file="x", project=SECRET),
    "Jobs.delete": lambda at: at.view.jobs.delete(at.job),
    "Jobs.restore": lambda at: at.view.jobs.restore(at.job),
    "Projects.make": lambda at: at.view.projects.make("mine"),
    "Projects.change": lambda at: at.view.projects.change(SECRET, members=[STRANGER.name]),
    "Projects.delete": lambda at: at.view.projects.delete(SECRET),
    "Tokens.make": lambda at: at.view.tokens.make("t", "read", project=SECRET),
    "Tokens.revoke": lambda at: at.view.tokens.revoke(1),
}
NO_MATTER = {
    *("Store.prepare", "Store.obstacle", "Store.close", "Store.seen_by", "Store.claim_alert"),
    *(
        "Store.keep_file",
        "Store.file",
        "Tokens.bearer",
        "People.signed_in",
        "People.spend",
        "People.spent",
        "AuditLog.note",
    ),
}
"""Neither read nor change what belongs to a project; a file is for whoever knows its id."""


def test_no_method_of_the_store_is_left_out():
    """Whoever adds one says here how it keeps a project's secrets."""
    methods = {
        f"{kind.__name__}.{name}"
        for kind in (Store, Past, Scenarios, Jobs, Projects, Tokens, People, AuditLog)
        for name, _ in getmembers(kind, isfunction)
        if not name.startswith("_")
    }

    assert methods == READS.keys() | CHANGES.keys() | NO_MATTER


def test_a_stranger_reads_nothing_of_a_project(store, secret):
    """Whatever is asked, no answer holds a word of it; an admin's does."""
    for name, read in READS.items():
        try:
            said = read(seen(store, STRANGER, secret))
        except (UnknownRunError, NotAllowedError) as problem:
            said = str(problem).replace(f"'{SECRET}'", "what was asked for")
        assert SECRET not in repr(said), name
        assert said not in (secret[0], [secret[0]]), name
    nameless = {"Tokens.mine", "Store.samples", "Store.drift"}
    nameless |= {"Store.fit_keepers", "Past.keepers", "Scenarios.keepers"}
    for name in READS.keys() - nameless:
        assert SECRET in repr(READS[name](seen(store, ADMIN, secret))).upper(), name


def test_a_stranger_changes_nothing_of_a_project(store, secret):
    """What is hidden is unknown: the same error as for what never was."""
    at = seen(store, STRANGER, secret)
    before = store.audit.entries()

    for change in CHANGES.values():
        with pytest.raises((UnknownRunError, NotAllowedError)):
            change(at)
    assert store.audit.entries() == before


def test_whose_membership_ends_sees_no_more(team):
    """Members are looked up at every question, also of a view that was made before."""
    (saved,) = team.save([simple(1)], project="alpha")
    ada = team.seen_by(ADA)
    assert ada.run(saved.id).row.project == "alpha"

    team.projects.change("alpha", members=[])
    with pytest.raises(UnknownRunError):
        ada.run(saved.id)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "name", ["ADA@example.com", "ada@example.com.evil.org", "\u212aada@example.com", "@example.com", "token"]
)
def test_a_member_is_exactly_who_is_named(team, name):
    """Addresses are compared as sign-in writes them; nothing that looks alike is a member."""
    team.save([simple(1)], project="alpha")

    assert team.seen_by(Person(name, Role.UPLOADER)).run_count() == 0


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_project_with_something_in_it_is_not_deleted(team):
    """Not even where its run lies in the trash; an empty one goes."""
    (saved,) = team.save([simple(1)], project="alpha")
    team.delete(saved.id)
    with pytest.raises(InputError, match="1 runs belong to 'alpha'"):
        team.projects.delete("alpha")

    team.projects.delete("both")
    assert [project.name for project in team.projects.listed()] == ["alpha", "beta"]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", ["", "a,b", "Everyone", "alpha", "x" * 61, "a\nb"])
def test_names_that_no_project_has(team, name):
    """Empty, taken, or a word with another meaning."""
    with pytest.raises(InputError, match="name: "):
        team.projects.make(name)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "member", ["ada", "@", "group:", "a b@c.d", "group:a\0b", "group:\ud800", "group:" + "x" * 201]
)
def test_members_that_are_none(team, member):
    """An address, a domain or a group that both engines can keep; nothing is changed by what is none."""
    with pytest.raises(InputError, match="members: "):
        team.projects.change("alpha", members=[member])
    assert team.projects.listed()[0].members == MEMBERS["alpha"]


def test_a_project_may_be_renamed(team):
    """What belongs to it goes along."""
    (saved,) = team.save([simple(1)], project="alpha")
    team.projects.change("alpha", new="omega")

    assert team.run(saved.id).row.project == "omega"
    assert [row.id for row in team.runs(project="omega").runs] == [saved.id]
    assert team.runs(project="everyone").runs == ()
    assert team.projects.listed()[-1].created_at <= datetime.now(UTC)
