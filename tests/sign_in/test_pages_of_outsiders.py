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


@pytest.fixture
def hidden(store):
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
    return saved


def told(app):
    """All that a page sends to the browser, as text."""
    return "\n".join(str(getattr(node, "proto", "")) for node in app.main) + "\n".join(
        str(getattr(node, "proto", "")) for node in app.sidebar
    )


def places(app):
    return [name for name in ("main", "sidebar") if WORD in told(app)]


@pytest.mark.parametrize("name", ADDRESSES)
def test_no_page_tells_an_outsider_of_a_project(visit, hidden, name):
    """The same address shows it to a member: so the word would be seen."""
    query = ADDRESSES[name]
    asked = {key: value for key, value in query.items() if value != WORD}
    print(
        name,
        "member",
        WORD in told(visit(name, ADA.name, **query)),
        WORD in told(visit(name, ADA.name, **asked)),
    )
    for email in ("bob@example.com", "vera@example.com"):
        app = visit(name, email, **asked)
        assert not app.exception
        assert WORD not in told(app)
        app = visit(name, email, **query)
        text = told(app)
        assert text.count(WORD) <= 12, [line for line in text.splitlines() if WORD in line]
        print(name, email, [line[:200] for line in text.splitlines() if WORD in line])
