"""When the database goes away under the store: nothing is acknowledged that is not kept, and it recovers."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from core.errors import InputError
from core.measurement import GpuCount, Machine, Sample
from db.errors import StoreError
from db.store import Store
from tests.db.examples import simple
from tests.db.recycled import address, administrator

sqlite_only = pytest.mark.parametrize("url", ["sqlite"], indirect=True)


def path_of(store):
    """The file behind a store."""
    return Path(store.url.database)


@sqlite_only
def test_a_deleted_folder_is_an_outage(url, store):
    """No upload is taken once the data folder is gone, and the store says why."""
    store.save([simple()])
    shutil.rmtree(path_of(store).parent)

    with pytest.raises(StoreError, match="is gone"):
        store.save([simple(1)])
    assert "is gone" in store.obstacle()


@sqlite_only
def test_a_file_that_comes_back_is_used_again(url, store, tmp_path):
    """A volume that was away and is mounted again needs no restart."""
    store.save([simple()])
    store.close()
    path, away = path_of(store), tmp_path / "away.db"
    path.rename(away)
    with pytest.raises(StoreError):
        store.labels()
    away.rename(path)

    assert store.obstacle() is None
    assert len(store.labels()) == 1


@sqlite_only
def test_another_file_in_its_place_is_brought_up_to_date(url, store):
    """A file that replaces the database under a running server is prepared and used."""
    store.save([simple()])
    path = path_of(store)
    path.rename(path.with_suffix(".old"))
    path.touch()

    assert store.labels() == []
    assert store.save([simple()])[0].new


@sqlite_only
def test_a_corrupt_file_is_not_ready(url, store):
    """A database that cannot give its rows is not called ready."""
    for number in range(30):
        store.save([simple(number)])
    store.close()
    path = path_of(store)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)

    assert Store(str(store.url)).obstacle()


@sqlite_only
def test_a_file_that_is_damaged_under_the_store_takes_nothing_until_it_is_whole(url, store, tmp_path):
    """Some connections still hold good pages: what they would write nobody could read later."""
    store.save([simple(number) for number in range(40)])
    path, copy = path_of(store), tmp_path / "whole.db"
    with store._connections._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(path, copy)
    store.save([simple(50)])
    damaged = bytearray(path.read_bytes())
    damaged[4096:] = b"\xff" * (len(damaged) - 4096)
    path.write_bytes(damaged)
    with store._connections.reading(), pytest.raises(StoreError):
        store.run_count()
    for number in range(60, 70):
        with pytest.raises(StoreError, match="malformed"):
            store.save([simple(number)])
    for part in path.parent.glob(f"{path.name}*"):
        part.rename(tmp_path / f"damaged-{part.name}")
    shutil.copy(copy, path)

    assert store.obstacle() is None
    assert store.save([simple(70)])[0].new
    assert len(store.runs(limit=500).runs) == 41


@sqlite_only
def test_an_acknowledged_upload_is_on_the_disk(url, store):
    """SQLite syncs each commit: an acknowledgement outlives a power loss."""
    with store._connections.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_words_too_long_to_be_found_by_are_refused(store):
    """A tag or detail that PostgreSQL cannot index is an error of the sender, not an outage."""
    with pytest.raises(InputError, match="tags: at most 200"):
        store.save([simple()], tags=["x" * 9000])
    with pytest.raises(InputError, match="dtype: at most 200"):
        store.save([simple(dtype="f" * 2000)])
    with pytest.raises(InputError, match="detail: at most 200"):
        store.save(
            [replace(simple(), samples=(Sample("all_reduce", 8, 1e-5, None, None, detail="d" * 2000),))]
        )


def test_gpus_beyond_every_number_are_refused(store):
    """Counts that together exceed what a column holds are named."""
    machine = Machine((GpuCount("H100", 2**31 - 1), GpuCount("A100", 5)), ())

    with pytest.raises(InputError, match=r"gpus\.count"):
        store.save([simple(machine=machine)])


def test_filters_hold_any_text(store):
    """NUL and half characters in a filter find nothing and break nothing."""
    store.save([simple()], tags=["rack"])

    for strange in ("\x00", "\ud800", "a\x00b"):
        assert store.runs(gpu=strange + "none").runs == ()
        assert store.runs(tag=strange + "none").runs == ()
        assert store.runs(operation=strange + "none").runs == ()


@pytest.mark.postgres
def test_a_database_without_an_encoding_is_refused_in_one_line(postgres_uri):
    """`initdb` without a locale makes one: no run is kept there, and the reason says what to do."""
    with administrator(postgres_uri) as connection:
        connection.execute(
            sa.text(
                "CREATE DATABASE plain ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
            )
        )
    store = Store(address(postgres_uri, "plain"))

    with pytest.raises(StoreError, match="plain has the encoding SQL_ASCII: make it with CREATE DATABASE"):
        store.prepare()
    assert "SQL_ASCII" in str(store.obstacle())
    store.close()
