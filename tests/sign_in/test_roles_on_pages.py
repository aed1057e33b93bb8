"""What each role may do on the real pages, and what a click does that should not have been possible."""

import time
from dataclasses import replace as changed

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager

from db.acting import ActingStore
from db.acting_jobs import ActingJobs
from db.acting_past import ActingPast
from db.acting_scenarios import ActingScenarios
from db.errors import NotAllowedError
from db.kept_jobs import Jobs
from db.past import Past
from db.people import Person, Role
from db.saved import Scenarios
from db.scenarios import SavedScenario
from db.store import Store
from pages.http.sign_in.session import Session, of_text
from pages.ui.shared.person import SESSION
from tests.db.examples import simple
from tests.db.test_fits import FIT
from tests.pages.test_trash import button

ADA, BOB, VERA, ROOT = (f"{name}@example.com" for name in ("ada", "bob", "vera", "root"))
UPLOADER = Person(ADA, Role.UPLOADER)


@pytest.fixture
def number(store):
    """A run that Ada keeps."""
    (saved,) = store.seen_by(UPLOADER).save([simple()])
    return saved.id


def listed(store):
    """The numbers of the runs in the list."""
    return [row.id for row in store.runs().runs]


@pytest.mark.parametrize(
    ("email", "seconds"), [("", 1e6), ("stranger@example.com", 1e6), (ADA, -1), ("root@example.com ", 1e6)]
)
def test_nobody_without_a_session_or_a_role_runs_a_page(visit, number, email, seconds):
    """Not one element of the page is there, only the way to sign in."""
    app = visit("measurements", email, seconds=seconds, runs=number)

    assert [item.value for item in app.title] == ["Wirespeed"]
    assert (len(app.button), len(app.dataframe), app.exception) == (0, 0, [])
    assert "sign in again" in app.info[0].value


def test_a_viewer_reads_and_every_button_that_changes_something_says_why_it_is_disabled(visit, store, number):
    """Vera sees the run and who keeps it; delete, note, save and keep are disabled with a reason."""
    store.seen_by(UPLOADER).save_fit(FIT)
    app = visit("measurements", VERA, runs=number)

    assert not app.exception
    assert any(ADA in list(frame.value.get("uploaded by", [])) for frame in app.dataframe)
    reason = "This needs the role of an uploader; yours is viewer."
    for key in ("_delete", "_annotate"):
        assert (button(app, key).disabled, button(app, key).help) == (True, reason)
    saving = button(visit("collectives", VERA), "_save_scenario")
    assert (saving.disabled, saving.help) == (True, reason)
    fits = button(visit("my_cluster", VERA), "_fit_delete")
    assert (fits.disabled, fits.help) == (True, reason)


def test_an_uploader_deletes_their_own_run_and_restores_it(visit, store, number):
    """Ada's run goes and comes back; its owner stays Ada."""
    app = visit("measurements", ADA, runs=number)
    button(app, "_delete").click().run()
    assert listed(store) == []

    button(visit("measurements", ADA), "_trash_run_back").click().run()
    assert listed(store) == [number]
    assert store.run(number).row.uploaded_by == ADA


def test_another_uploader_may_not_and_an_admin_may(visit, store, number):
    """Bob reads who keeps the run; Root deletes it, and Bob cannot restore it either."""
    app = visit("measurements", BOB, runs=number)
    refused = button(app, "_delete")
    assert (refused.disabled, refused.help) == (True, f"Kept by {ADA}: an admin may do this.")
    assert not button(app, "_annotate").disabled

    button(visit("measurements", ROOT, runs=number), "_delete").click().run()
    assert listed(store) == []
    assert button(visit("measurements", BOB), "_trash_run_back").disabled


def test_a_session_that_ends_while_its_page_is_open_changes_nothing_more(visit, store, number):
    """The click of a page that was drawn in time reaches the store too late."""
    app = visit("measurements", ADA, runs=number)
    app.user = {SESSION: Session(ADA, frozenset(), time.time() - 1).text()}
    button(app, "_delete").click().run()

    assert listed(store) == [number]
    assert "sign in again" in app.info[0].value


def test_an_open_page_does_nothing_more_after_signing_out_elsewhere(visit, store, number):
    """A second tab of the browser that signed out reads and changes nothing."""
    app = visit("measurements", ADA, runs=number)
    of_text(app.user[SESSION]).end()
    button(app, "_delete").click().run()

    assert listed(store) == [number]
    assert (len(app.dataframe), "sign in again" in app.info[0].value) == (0, True)


def test_a_role_that_is_taken_away_counts_at_the_next_click(visit, store, number, monkeypatch):
    """The settings are asked at every act, not at sign-in."""
    app = visit("measurements", ADA, runs=number)
    monkeypatch.setenv("WIRESPEED_UPLOADERS", BOB)
    monkeypatch.setenv("WIRESPEED_VIEWERS", ADA)
    button(app, "_delete").click().run()

    assert listed(store) == [number]
    assert any("role of an uploader" in item.value for item in app.error)


@pytest.fixture
def files(monkeypatch):
    """What makes the files of stored runs; Streamlit calls it at a click, outside the page's script."""
    makers = []

    def add(_manager, data, *_args, **options):
        if options["element_id"].endswith(("_export_csv", "_export_parquet", "_export_json")):
            makers.append(data)
        return str(len(makers))

    monkeypatch.setattr(MediaFileManager, "add_deferred", add)
    return makers


def test_stored_runs_are_exported_where_people_sign_in(visit, number, files, monkeypatch):
    """Each format, as whoever drew the page, for as long as their session and their role last."""
    visit("measurements", VERA, runs=number)

    assert [len(make()) > 100 for make in files] == [True] * 3
    monkeypatch.setenv("WIRESPEED_VIEWERS", BOB)
    for make in files:
        with pytest.raises(NotAllowedError, match="sign in again"):
            make()


def test_who_is_here_and_the_way_out_stand_on_every_page(visit):
    """Address, role and Sign out; the address cannot carry markup."""
    texts = [part.value for part in visit("home", VERA).html]

    (line,) = [text for text in texts if "vera@example.com" in text]
    assert "viewer" in line
    assert 'href="./sign-out"' in line


@pytest.mark.parametrize("how", ["read", "write"])
def test_an_open_server_says_so_and_gives_everyone_one_role(visit, store, number, monkeypatch, how):
    """read: nobody changes anything; write: everyone uploads, and deletes only what everyone keeps."""
    for name in ("WIRESPEED_OIDC_ISSUER", "WIRESPEED_OIDC_CLIENT_ID", "WIRESPEED_OIDC_CLIENT_SECRET"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("WIRESPEED_OPEN", how)
    app = visit("measurements", runs=number)

    assert not app.exception
    assert button(app, "_delete").disabled
    assert button(app, "_annotate").disabled is (how == "read")
    if how == "write":
        (open_run,) = store.seen_by(Person("anyone", Role.UPLOADER)).save([simple(1)])
        assert not button(visit("measurements", runs=open_run.id), "_delete").disabled


ACTS = {
    "save": lambda store, _: store.save([simple(1)]),
    "annotate": lambda store, number: store.annotate(number, note="x"),
    "delete": lambda store, number: store.delete(number),
    "undelete": lambda store, number: store.undelete(number),
    "restore": lambda store, number: store.past.restore_run(number),
    "save a fit": lambda store, _: store.save_fit(changed(FIT, name="another")),
    "replace a fit": lambda store, _: store.save_fit(FIT, replace=True),
    "delete a fit": lambda store, _: store.delete_fit(FIT.name),
    "keep a file": lambda store, _: store.keep_file(b"{}", name="x.json", kind="system"),
    "save a scenario": lambda store, _: store.scenarios.keep(SavedScenario("other", "cost", "")),
    "replace a scenario": lambda store, _: store.scenarios.keep(
        SavedScenario("kept", "cost", ""), replace=True
    ),
    "rename a scenario": lambda store, _: store.scenarios.rename("kept", "kept"),
    "delete a scenario": lambda store, _: store.scenarios.delete("kept"),
    "bring a note back": lambda store, _: store.past.bring_back(version(store, "note")),
    "bring a fit back": lambda store, _: store.past.bring_back(version(store, "fit")),
    "bring a scenario back": lambda store, _: store.past.bring_back(version(store, "scenario")),
}
FOR_UPLOADERS = {"save", "annotate", "save a fit", "keep a file", "save a scenario", "bring a note back"}


def version(store, kind):
    """The number of the latest former version of a kind."""
    return store.past.versions(kind)[0].id


def tried(store, person, act, number):
    """Whether somebody's act was not refused."""
    try:
        ACTS[act](ActingStore(store, lambda: person), number)
    except NotAllowedError:
        return False
    return True


def test_only_who_may_keep_a_run_is_told_how(visit):
    """Where none is stored, an uploader reads the command, a viewer that there is none."""
    told = {
        email: [info.value for info in visit("measurements", email).info if "No run" in info.value]
        for email in (ADA, VERA)
    }

    assert "push nccl.log" in told[ADA][0]
    assert told[VERA] == ["No run is stored yet."]


def test_a_note_and_tags_are_replaced_as_they_were_given(store):
    """By whoever may keep runs: what is not named stays as it is."""
    mine = ActingStore(store, lambda: UPLOADER)
    (run,) = mine.save([simple(7)], tags=["old"], note="first")

    mine.annotate(run.id, tags=["rack 4", "new"])
    (kept,) = mine.rows([run.id])
    assert (kept.note, set(kept.tags)) == ("first", {"rack 4", "new"})
    mine.annotate(run.id, note="second")
    (kept,) = mine.rows([run.id])
    assert (kept.note, set(kept.tags)) == ("second", {"rack 4", "new"})


def test_every_changing_method_asks_for_the_role_and_the_owner(store, number):
    """Viewers change nothing, another uploader nothing of Ada's; what is not refused is done."""
    mine = ActingStore(store, lambda: UPLOADER)
    mine.annotate(number, note="first")
    for _ in range(2):
        mine.save_fit(FIT, replace=True)
        mine.scenarios.keep(SavedScenario("kept", "cost", ""), replace=True)
    viewer, bob = Person(VERA, Role.VIEWER), Person(BOB, Role.UPLOADER)

    assert [act for act in ACTS if tried(store, viewer, act, number)] == []
    assert [act for act in ACTS if act not in FOR_UPLOADERS and tried(store, bob, act, number)] == []
    assert all(tried(store, bob, act, number) for act in sorted(FOR_UPLOADERS))
    assert all(tried(store, UPLOADER, act, number) for act in ACTS if act not in FOR_UPLOADERS)
    assert store.audit.entries(action="refused") != []


def test_no_changing_method_was_forgotten():
    """Every public method of the store that somebody can reach is one that asks; a new one has to as well."""

    def public(kind):
        return {name for name in vars(kind) if not name.startswith("_")}

    of_the_server = {"seen_by", "prepare", "obstacle", "close", "claim_alert", "drift", "fit_keepers"}
    assert public(Store) - public(ActingStore) == of_the_server
    assert public(Past) - public(ActingPast) == {"version", "keepers"}
    assert public(Scenarios) - public(ActingScenarios) == {"keepers"}
    assert public(Jobs) == public(ActingJobs)
