"""An uploader outside of a project neither hides, replaces, restores nor silences what its members keep."""

from dataclasses import replace

import pytest

from db.acting import ActingStore
from db.drift_alerts import shown_by
from db.errors import NotAllowedError
from db.people import Person, Role
from db.scenarios import SavedScenario
from tests.db.examples import simple
from tests.db.test_drift_alerts import Receiver, at, telling
from tests.db.test_fits import FIT

ROOT = Person("root@example.com", Role.ADMIN)
ADA = Person("ada@example.com", Role.UPLOADER)
BOB = Person("bob@example.com", Role.UPLOADER)
STRANGER = Person("eve@example.net", Role.UPLOADER)
pytestmark = pytest.mark.parametrize("url", ["sqlite"], indirect=True)


@pytest.fixture
def hands(store):
    """The store in the hands of each person; ada and bob are members of the project alpha."""
    store.projects.make("alpha", [ADA.name, BOB.name])
    return {person: ActingStore(store, lambda person=person: person) for person in (ROOT, ADA, BOB, STRANGER)}


def keep(view, query, *, project=None, replaced=False):
    """A fit and a scenario of one name, with a word to know them by."""
    view.save_fit(replace(FIT, created_by=None, name="lab", note=query), replace=replaced, project=project)
    view.scenarios.keep(SavedScenario("lab", "cost", query), replace=replaced, project=project)


def shown(view):
    """The words of the fit and scenario of that name, by name and in the lists."""
    named = {view.fit("lab").note, view.scenarios.named("lab").query}
    listed = {item.note for item in view.fits()} | {item.query for item in view.scenarios.listed()}
    return named, listed


def test_a_name_that_an_outsider_takes_later_hides_nothing_of_a_project(hands):
    """Members and admins get, list, replace and delete the project's own; the outsider has theirs."""
    keep(hands[ADA], "ours", project="alpha")
    keep(hands[STRANGER], "theirs")

    assert shown(hands[ADA]) == shown(hands[BOB]) == shown(hands[ROOT]) == ({"ours"}, {"ours"})
    assert shown(hands[STRANGER]) == ({"theirs"}, {"theirs"})
    keep(hands[ADA], "ours anew", project="alpha", replaced=True)
    keep(hands[ROOT], "everyone's", replaced=True)
    assert shown(hands[ADA]) == ({"ours anew"}, {"ours anew"})
    assert shown(hands[STRANGER]) == ({"everyone's"}, {"everyone's"})
    hands[ADA].delete_fit("lab")
    hands[ADA].scenarios.delete("lab")
    assert shown(hands[ADA]) == ({"everyone's"}, {"everyone's"})


@pytest.mark.parametrize("kind", ["fit", "scenario"])
def test_a_former_version_replaces_nothing_of_another_in_its_project(hands, kind):
    """Whoever owns what everyone sees under that name owns nothing that a member keeps under it."""
    keep(hands[BOB], "first", project="alpha")
    hands[BOB].delete_fit("lab")
    hands[BOB].scenarios.delete("lab")
    keep(hands[ADA], "second", project="alpha")
    hands[STRANGER].save_fit(replace(FIT, created_by=None, name="lab", note="theirs"))
    hands[STRANGER].scenarios.keep(SavedScenario("lab", "cost", "theirs"))
    former = hands[BOB].past.versions(kind)[0].id

    with pytest.raises(NotAllowedError, match=f"{kind} lab is kept by {ADA.name}"):
        hands[BOB].past.bring_back(former)
    hands[ADA].delete_fit("lab")
    hands[ADA].scenarios.delete("lab")
    hands[BOB].past.bring_back(former)


def test_who_owns_everyones_owns_nothing_of_the_same_name_in_a_project(hands):
    """A member who keeps a name for everyone replaces no colleague's of that name in the project."""
    keep(hands[ADA], "ours", project="alpha")
    keep(hands[STRANGER], "theirs")

    with pytest.raises(NotAllowedError, match=f"fit lab is kept by {ADA.name}"):
        keep(hands[BOB], "mine", project="alpha", replaced=True)
    with pytest.raises(NotAllowedError, match=f"fit lab is kept by {STRANGER.name}"):
        keep(hands[BOB], "mine", replaced=True)


def test_an_upload_restores_no_run_that_an_admin_deleted(hands):
    """Neither by a stranger nor with tags; by who keeps the run it does. What it changes is logged."""
    ((run,), admin) = hands[ADA].save([simple(1)], tags=["rack"]), hands[ROOT]
    admin.delete(run.id)

    (again,) = hands[STRANGER].save([simple(1)], tags=["theirs"])
    assert (again.id, again.deleted, again.restored, again.tagged) == (run.id, True, False, False)
    row = admin.run(run.id).row
    assert (row.deleted_at is not None, row.tags) == (True, ("rack",))
    (back,) = hands[ADA].save([simple(1)], tags=["rack", "new"])
    assert (back.deleted, back.restored, back.tagged) == (False, True, True)
    assert admin.run(run.id).row.deleted_at is None
    assert [(entry.actor, entry.action) for entry in admin.audit.entries()[:4]] == [
        (ADA.name, "change note"),
        (ADA.name, "restore run"),
        (ADA.name, "upload"),
        (STRANGER.name, "upload"),
    ]


def test_an_outsider_silences_no_alert_of_a_project(store, hands):
    """Neither by an alert of their own for the same machine, nor by a date of the future."""
    ada, stranger = hands[ADA], hands[STRANGER]
    with Receiver() as receiver, telling(store, receiver) as alerts:
        ada.save([at(2), at(3)], project="alpha")
        stranger.save([at(day) for day in (5, 6)])
        (theirs,) = stranger.save([at(7, 5.0)])
        alerts.settle()
        (future,) = stranger.save([at(1, started_at="2099-01-01T00:00:00")])
        (ours,) = ada.save([at(4, 1.5)], project="alpha")
        alerts.settle()

    assert [body["run"]["id"] for body in receiver.bodies] == [theirs.id, ours.id]
    assert receiver.bodies[-1]["slowdown"]["earlier_runs"] == 2
    row = store.run(future.id).row
    assert row.measured_at == row.uploaded_at
    assert len(shown_by(store, store.run(ours.id))) == 1
