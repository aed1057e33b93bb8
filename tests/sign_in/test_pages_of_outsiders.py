"""What belongs to a project reaches no page of whoever is no member, whatever the address asks for."""

from dataclasses import replace

import pytest

from db.people import Person, Role
from db.scenarios import SavedScenario
from tests.core.jobs import data_parallel
from tests.db.examples import simple
from tests.db.test_fits import FIT

WORD = "zq7word"
ADA = Person("ada@example.com", Role.UPLOADER)
OUTSIDERS = ("bob@example.com", "vera@example.com")
WITHOUT_RUNS = {"home"}
"""Pages that show nothing stored to anybody."""
ADDRESSES = {
    "home": {"q": WORD},
    "measurements": {"runs": 1, "search": WORD, "project": WORD},
    "compare": {"a": 1, "b": 1},
    "check": {"runs": 1, "run": 1},
    "my_cluster": {"runs": 1, "fit": WORD},
    "topology": {"run": 1, "runs": 1},
    "job": {"job": 1},
    "scenarios": {"a": WORD, "b": WORD},
    "collectives": {"rates": "fitted", "fit": WORD, "scenario": WORD, "runs": 1},
    "training": {"job": 1, "scenario": WORD},
    "access": {"subject": WORD},
}


def hide(store):
    """A run, a deleted one, a fit, a scenario and a job of a project, each with one word everywhere."""
    store.projects.make(WORD, [ADA.name])
    view = store.seen_by(ADA)
    machine = replace(simple().machine, hosts=(WORD,), gpus=(replace(simple().machine.gpus[0], name=WORD),))
    runs = [replace(simple(number), file=WORD, machine=machine) for number in (1, 2, 3)]
    saved = [view.save([run], tags=[WORD], note=WORD, project=WORD)[0].id for run in runs]
    view.delete(saved[-1])
    view.save_fit(replace(FIT, created_by=None, name=WORD, note=WORD), project=WORD)
    view.scenarios.keep(SavedScenario(WORD, "collectives", f"system={WORD}"), project=WORD)
    view.jobs.save(data_parallel(), file=WORD, note=WORD, project=WORD)


def told(app):
    """All that a page sends to the browser, as text."""
    return "\n".join(str(getattr(node, "proto", "")) for node in app.main) + "\n".join(
        str(getattr(node, "proto", "")) for node in app.sidebar
    )


def echoes(app):
    """What a page says with the word in it."""
    assert not app.exception
    return [line for line in told(app).splitlines() if WORD in line]


@pytest.mark.parametrize("name", ADDRESSES)
def test_no_page_tells_an_outsider_of_a_project(visit, store, name):
    """A page says to them what it says where there is no project; to a member it shows the word."""
    query = ADDRESSES[name]
    asked = {key: value for key, value in query.items() if value != WORD}
    before = [echoes(visit(name, email, **query)) for email in OUTSIDERS]
    hide(store)

    shown = echoes(visit(name, ADA.name, **query))
    assert (len(shown) > len(before[0])) == (name not in WITHOUT_RUNS)
    assert [echoes(visit(name, email, **query)) for email in OUTSIDERS] == before
    assert [echoes(visit(name, email, **asked)) for email in OUTSIDERS] == [[], []]


def test_who_is_in_no_project_is_not_told_that_there_is_none(visit, store):
    """An admin sees all of them; anyone else hears of their own alone, not that every run is everyone's."""
    visited = visit("access", OUTSIDERS[0], section="Projects")
    assert [info.value for info in visited.info] == ["You are in no project: you see what belongs to none."]

    hide(store)
    visited = visit("access", OUTSIDERS[0], section="Projects")
    assert [info.value for info in visited.info] == ["You are in no project: you see what belongs to none."]
