"""What one process has ended, every process refuses: sessions that were signed out of, sign-ins that were used."""

import time

import pytest

from db.store import Store
from pages.http.sign_in import ended
from pages.http.sign_in.ended import ENDED, Ended
from pages.http.sign_in.session import Session
from pages.ui.shared.person import SESSION as SESSION_KEY
from tests.sign_in.test_guard import PAGE, signed_in

SESSION = '["ada@example.com", [], 2e9]'


@pytest.fixture
def pair(store, monkeypatch):
    """What two processes on one database know, each read anew at every question."""
    monkeypatch.setattr(ended, "FRESH_S", 0.0)
    stores = (store, Store(str(store.url)))
    processes = tuple(Ended() for _ in stores)
    for process, own in zip(processes, stores, strict=True):
        process.share(own.people)
    yield processes
    stores[1].close()


def test_a_session_ended_by_one_process_is_ended_in_the_other(pair):
    """The cookie's copy is refused where its owner never was, and after a restart."""
    here, there = pair
    here.add(SESSION, time.time() + 60)
    there.recall()

    assert SESSION in here
    assert SESSION in there
    assert SESSION + " " not in there


@pytest.fixture
def elsewhere(store, monkeypatch):
    """Another process beside this one, whose pages and guard go by the same store."""
    monkeypatch.setattr(ended, "FRESH_S", 0.0)
    ENDED.share(store.people)
    other = Ended()
    other.share(store.people)
    yield other
    ENDED.share(None)


def test_guard_and_open_pages_hear_of_a_sign_out_elsewhere(elsewhere, visit):
    """A browser signs out at another process: its cookie opens nothing here, and an open page says so."""
    session = Session("ada@example.com", frozenset(), time.time() + 3e6)
    browser, page = signed_in(session), visit("cost", session.email)
    page.user = {SESSION_KEY: session.text()}
    assert browser.get("/", headers=PAGE).status_code == 200
    elsewhere.add(session.text(), session.ends_at)

    assert browser.get("/", headers=PAGE).status_code == 303
    assert "sign in again" in page.run().info[0].value


def test_a_used_sign_in_counts_in_no_other_process(pair):
    """The first to use a state is the only one, though neither has read what the other knows."""
    here, there = pair

    assert [process.add("sign-in s", time.time() + 60) for process in (here, there, here)] == [
        True,
        False,
        False,
    ]


def test_what_would_have_ended_anyway_is_forgotten(pair, store):
    """A session past its end needs no row: the next note removes it."""
    here, there = pair
    here.add(SESSION, time.time() - 1)
    here.add("another", time.time() + 60)
    there.recall()

    assert len(store.people.spent()) == 1
    assert SESSION not in there


def test_without_a_store_each_process_goes_by_what_it_knows(pair, tmp_path):
    """Signing out works in an outage, what was known is known still, and the store is left alone for a while."""
    here, there = pair
    here.add(SESSION, time.time() + 60)
    there.recall()
    away = Store(f"sqlite:///{tmp_path / 'nowhere' / 'w.db'}")
    there.share(away.people)

    assert there.add("another", time.time() + 60)
    there.recall()
    assert not there.is_due()
    assert SESSION in there
    assert "another" in there
    assert "another" not in here
    away.close()
