"""The database lost in the middle of a visit: a message on the page, never an error box."""

import sqlite3

import pytest

from pages.ui.shared.stored import store
from tests.gpu_probe.formats import nccl_tests, text


def log(**options):
    """A log as nccl-tests prints it, sixteen GPUs on two hosts."""
    return text(nccl_tests(ranks=16, **options))


@pytest.fixture
def measurements(visit):
    """The page Measurements with a stored run on its chart."""
    app = visit("measurements")
    app.file_uploader(key="_logs").upload("a.log", log())
    app.run()
    next(button for button in app.button if button.label == "Save").click()
    return app.run()


@pytest.fixture
def lose(tmp_path):
    """Take a table away from the store, as a damaged file would."""

    def losing(table):
        (file,) = tmp_path.glob("*.db")
        with sqlite3.connect(file) as connection:
            connection.execute(f"ALTER TABLE {table} RENAME TO gone")
        connection.close()

    return losing


@pytest.mark.parametrize("table", ["tags", "runs"])
def test_delete_says_that_the_database_is_lost(measurements, lose, table):
    """Whether the click or the list after it fails: one message."""
    lose(table)
    measurements.button(key="_delete").click().run()

    assert not measurements.exception
    assert any("no such table" in box.value for box in measurements.error)


def test_undo_says_that_the_database_is_lost(measurements, lose):
    """Undo that cannot be done is a message."""
    measurements.button(key="_delete").click().run()
    lose("runs")
    measurements.button(key="_undo").click().run()

    assert not measurements.exception
    assert measurements.error


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("measurements", {"runs": ["1"]}),
        ("check", {"check_run": "1"}),
        ("my_cluster", {"cluster_runs": ["1"]}),
        ("compare", {"first": "1", "second": "1"}),
        ("topology", {"topo_run": "1"}),
    ],
)
def test_a_run_lost_after_the_list_is_a_message(measurements, visit, lose, page, query):
    """The list answers, the run does not: every page that opens it says so."""
    assert not measurements.exception
    lose("samples")
    app = visit(page, **query)

    assert not app.exception
    assert any("no such table" in box.value for box in app.error)


def test_drift_lost_after_the_list_of_systems_is_a_message(measurements, visit, lose):
    """Two runs of one system, whose samples are lost: Compare says so where the drift would stand."""
    measurements.file_uploader(key="_logs").upload("b.log", log(sizes=(1024, 1048576)))
    measurements.run()
    next(button for button in measurements.button if button.label == "Save").click()
    measurements.run()
    lose("samples")
    app = visit("compare")

    assert not app.exception
    assert any("no such table" in box.value for box in app.error)


def test_a_fit_that_another_window_deleted_is_a_message(visit):
    """Delete of a fit that is gone already says that there is none of that name."""
    app = visit("my_cluster", fit_name="rack 7")
    app.file_uploader(key="_cluster_runs_file").upload("a.log", log())
    app.run()
    app.button(key="_fit_save").click().run()
    store().delete_fit("rack 7")
    app.button(key="_fit_delete").click().run()

    assert not app.exception
    assert any("rack 7" in box.value for box in app.error)
