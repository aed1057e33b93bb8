"""Uploaded files: kept once by their content, found by a short id, forgotten when unused for long."""

import hashlib
from datetime import UTC, datetime, timedelta

import pytest

from core.checks import InputError
from db import files
from db.errors import UnknownRunError
from db.store import Store

CONTENT = b'{"model_type": "llama"}'
SHORT = hashlib.sha256(CONTENT).hexdigest()[:12]


def test_a_file_comes_back_by_its_short_id_on_a_cold_server(store, url):
    """Another process that has never seen it gives its bytes and its name."""
    kept = store.keep_file(CONTENT, name="config.json", kind="config")
    cold = Store(url)
    opened = cold.file(SHORT)
    cold.close()

    assert kept.id == SHORT
    assert (opened.content, opened.name, opened.kind) == (CONTENT, "config.json", "config")


def test_the_same_content_is_kept_once(store):
    """A second upload is the first file; its uploader sees their own name for it, never another person's."""
    store.keep_file(CONTENT, name="config.json", kind="config")
    again = store.keep_file(CONTENT, name="copy.json", kind="system")

    assert (again.id, again.name) == (SHORT, "copy.json")
    assert (store.file(SHORT).name, store.file(SHORT).kind) == ("config.json", "system")


@pytest.mark.parametrize(
    ("limit", "most"), [("MOST_FILES", 3), ("MOST_STORED_BYTES", 35)], ids=["number", "bytes"]
)
def test_the_store_of_files_stays_small(store, monkeypatch, limit, most):
    """Beyond its limit the file that was used longest ago goes; the newest and a file in use stay."""
    monkeypatch.setattr(files, limit, most)
    begin = datetime.now(UTC) - timedelta(days=10)
    ids = []
    with store._connections.writing() as connection:
        for day in range(3):
            content = bytes([65 + day]) * 10
            moment = begin + timedelta(days=day)
            ids.append(files.keep(connection, content, name="a", kind="fit", now=moment).id)
    store.file(ids[0])
    ids.append(store.keep_file(b"Z" * 10, name="a", kind="fit").id)

    assert [store.file(short).id for short in (ids[0], *ids[2:])] == [ids[0], *ids[2:]]
    with pytest.raises(UnknownRunError):
        store.file(ids[1])


def test_every_byte_survives(store):
    """Bytes that are no text, and a name with what no database holds, cut where it is too long."""
    content = bytes(range(256))
    kept = store.keep_file(content, name="ab\ud800.json" * 100, kind="config")

    assert store.file(kept.id).content == content
    assert kept.name.startswith("ab?.json")
    assert len(kept.name) == 300


@pytest.mark.parametrize("name", ["a\n.json", "\x1b[2J.json", "nosj.\u202ea", "a\u2028b", "a\x00b", "a\x85b"])
def test_a_name_that_acts_is_refused(store, name):
    """Ends of lines, escapes and signs that turn the writing: one line, and no file."""
    with pytest.raises(InputError, match=r"^file: a name without control characters, not '") as refused:
        store.keep_file(CONTENT, name=name, kind="config")

    assert str(refused.value).isprintable()
    with pytest.raises(UnknownRunError):
        store.file(SHORT)


def test_a_file_that_nobody_uses_is_forgotten(store):
    """After ninety days it is not found, and the next upload deletes it; a use before renews it."""
    old = datetime.now(UTC) - files.UNUSED - timedelta(hours=1)
    with store._connections.writing() as connection:
        files.keep(connection, CONTENT, name="config.json", kind="config", now=old)
        files.keep(connection, b"used", name="system.json", kind="system", now=old + timedelta(days=80))
    with pytest.raises(UnknownRunError, match=f"^there is no file '{SHORT}'$"):
        store.file(SHORT)
    renewed = store.file(files.file_id(b"used"))
    store.keep_file(b"another", name="fit.json", kind="fit")

    assert store.file(renewed.id).used_at > renewed.used_at + timedelta(days=1)
    with store._connections.reading() as connection:
        assert connection.execute(files.schema.files.select()).all().__len__() == 2


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("content", "kind"), [(b"", "config"), (b"x" * (files.MOST_BYTES + 1), "fit"), (b"x", "virus")]
)
def test_what_is_no_such_file_is_refused(store, content, kind):
    """Empty, too large, or of a kind that nobody reads."""
    with pytest.raises(InputError, match="file: one of config, system"):
        store.keep_file(content, name="x", kind=kind)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_two_files_never_share_an_id(store, monkeypatch):
    """Where the short ids of two contents are equal, the second is refused and the first stays."""
    monkeypatch.setattr(files, "file_id", lambda _content: SHORT)
    store.keep_file(CONTENT, name="config.json", kind="config")
    with pytest.raises(InputError, match="another file has the id"):
        store.keep_file(b"other", name="config.json", kind="config")

    assert store.file(SHORT).content == CONTENT


@pytest.mark.parametrize("short", ["", "none", "'; drop table files", "a\x00b"])
def test_an_unknown_id_is_named(store, short):
    """One line, whatever the address says."""
    with pytest.raises(UnknownRunError, match="there is no file"):
        store.file(short)
