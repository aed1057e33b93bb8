"""What is deleted or replaced comes back, in any session, for thirty days."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.errors import InputError
from db import schema, versions
from db.errors import UnknownRunError
from db.scenarios import SavedScenario
from db.store import Store
from tests.db.examples import simple
from tests.db.test_fits import FIT, SLOWER

QUESTION = SavedScenario("our rack", "nvl72", "model=deepseek-v3-r1", "fits", (("GPUs", "72"),), "1.2.0")


def age(store, table, column, days):
    """Make every row of a table so many days older."""
    with store._connections.writing() as connection:
        connection.execute(table.update().values({column: datetime.now(UTC) - timedelta(days=days)}))


def test_a_deleted_run_is_restored_by_anyone(store, url):
    """The trash lists it for every session, with when it was deleted; it comes back whole."""
    (saved,) = store.save([simple()], tags=["rack"])
    store.delete(saved.id)
    other = Store(url)

    assert [row.id for row in other.past.runs()] == [saved.id]
    other.past.restore_run(saved.id)
    assert other.past.runs() == []
    assert store.run(saved.id).run.samples == simple().samples
    assert store.run(saved.id).row.tags == ("rack",)
    other.close()


def test_the_trash_is_emptied_after_thirty_days(store):
    """A run that was deleted long ago goes for good when another is deleted."""
    first, second = (saved.id for saved in store.save([simple(1), simple(2)]))
    store.delete(first)
    age(store, schema.runs, "deleted_at", 31)
    store.undelete(second)
    store.delete(second)

    assert [row.id for row in store.past.runs()] == [second]
    with pytest.raises(UnknownRunError):
        store.past.restore_run(first)


def test_former_notes_and_tags_come_back(store):
    """Each change keeps what was there before; bringing it back keeps the change too."""
    (saved,) = store.save([simple()], note="first", tags=["a"])
    store.annotate(saved.id, note="second")
    store.annotate(saved.id, tags=["b", "c"])
    store.annotate(saved.id, note="second")

    former = store.past.versions(versions.NOTE, str(saved.id))
    assert [version.content for version in former] == [
        {"note": "second", "tags": ["a"]},
        {"note": "first", "tags": ["a"]},
    ]
    store.past.bring_back(former[-1].id)
    row = store.run(saved.id).row
    assert (row.note, row.tags) == ("first", ("a",))
    assert store.past.versions(versions.NOTE)[0].content == {"note": "second", "tags": ["b", "c"]}


def test_a_deleted_or_replaced_fit_comes_back(store):
    """A fit's constants and runs return to the last digit, under their name; those of others are not among them."""
    store.save_fit(replace(FIT, name="another"))
    store.delete_fit("another")
    store.save_fit(FIT)
    store.save_fit(replace(FIT, machines=SLOWER), replace=True)
    store.delete_fit(FIT.name)
    deleted, replaced = store.past.versions(versions.FIT, FIT.name)

    assert (deleted.reason, replaced.reason) == ("deleted", "replaced")
    store.past.bring_back(replaced.id)
    assert store.fits() == [FIT]
    store.past.bring_back(deleted.id)
    assert store.fit(FIT.name).machines == SLOWER


def test_what_ended_long_ago_is_gone(store):
    """After thirty days a former version is neither listed nor brought back."""
    store.save_fit(FIT)
    store.delete_fit(FIT.name)
    (former,) = store.past.versions(versions.FIT)
    age(store, schema.versions, "ended_at", 31)

    assert store.past.versions(versions.FIT) == []
    with pytest.raises(UnknownRunError):
        store.past.bring_back(former.id)


def test_scenarios_are_kept_renamed_and_deleted(store):
    """A question has one name; another needs a word to take it, and nothing is lost by it."""
    store.scenarios.keep(QUESTION)
    with pytest.raises(InputError, match="already"):
        store.scenarios.keep(replace(QUESTION, query="model=llama-3.1-70b"))
    store.scenarios.keep(replace(QUESTION, query="model=llama-3.1-70b"), replace=True)
    store.scenarios.rename("our rack", "their rack")

    (scenario,) = store.scenarios.listed()
    assert (scenario.name, scenario.query, scenario.figures) == (
        "their rack",
        "model=llama-3.1-70b",
        (("GPUs", "72"),),
    )
    store.scenarios.delete("their rack")
    assert store.scenarios.listed() == []
    deleted, replaced = store.past.versions(versions.SCENARIO)
    store.past.bring_back(deleted.id)
    store.past.bring_back(replaced.id)
    assert {item.name for item in store.scenarios.listed()} == {"their rack", "our rack"}


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_a_scenario_needs_a_name(store, name):
    """Nothing and novels are no names."""
    with pytest.raises(InputError, match="name"):
        store.scenarios.keep(replace(QUESTION, name=name))
    with pytest.raises(UnknownRunError):
        store.scenarios.delete("nobody's")
