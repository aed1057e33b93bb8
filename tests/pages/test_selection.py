"""Chosen stored runs: exported, described, and found again however many there are."""

import pytest

from pages.ui.shared import stored
from tests.db.examples import simple
from tests.pages.test_measurements import log, save, upload


@pytest.fixture
def saved(visit):
    """The measurements page with one stored run, chosen."""
    return save(upload(visit("measurements"), ("a.log", log())))


def test_a_selection_is_taken_away_in_three_formats(saved):
    """CSV, Parquet and run file are offered for the chosen runs."""
    labels = {button.proto.label for button in saved.get("download_button")}

    assert {"CSV", "Parquet", "Run file"} <= labels


def test_nothing_is_offered_where_nothing_is_chosen(visit):
    """Without a chosen run there is nothing to take away."""
    offered = {button.proto.label for button in visit("measurements").get("download_button")}
    assert "Run file" not in offered


def test_a_note_and_tags_stay_with_the_run(saved):
    """What is written about the chosen runs stands in the list."""
    saved.text_input(key="_note").input("after the firmware update")
    saved.text_input(key="_tags").input("rack-4, acceptance")
    saved.button(key="_annotate").click().run()

    assert not saved.exception
    table = next(table.value for table in saved.dataframe if "tags" in table.value)
    assert table["note"].tolist() == ["after the firmware update"]
    assert table["tags"].tolist() == ["acceptance, rack-4"]


def test_old_runs_can_be_chosen(visit, saved, monkeypatch):
    """A run beyond the newest page is chosen by its name, and listed from there back."""
    monkeypatch.setattr(stored, "MOST_RUNS", 1)
    app = save(upload(saved, ("b.log", log(sizes=(1024, 1048576)))))

    assert any(name.startswith("a.log · ") for name in app.multiselect(key="runs").options)
    app.number_input(key="stored_from").set_value(1).run()
    assert next(table.value for table in app.dataframe if "tags" in table.value)["run"].tolist() == [1]
    options = visit("check").selectbox(key="check_run").options
    assert [name.partition(" · ")[0] for name in options] == ["upload or paste", "b.log", "a.log"]


def test_a_number_of_a_run_that_is_none_is_reported(visit, saved, monkeypatch):
    """The list begins at the newest run, and a line says that the address asks for another."""
    monkeypatch.setattr(stored, "MOST_RUNS", 1)
    newest = stored.store().save([simple()])[0].id
    for number in ("inf", "1e400", "nan", "0", "2.5", "9" * 400):
        app = visit("measurements", stored_from=number)

        assert not app.exception
        assert app.number_input(key="stored_from").value == newest
        assert any("Newest run listed" in box.value for box in app.warning)


def test_a_run_stands_beside_the_generations(saved):
    """The reader's best rate is drawn as a share of wire and model above the published ones."""
    assert any(part.value == "Share of link rate and model, by generation" for part in saved.subheader)


def test_published_systems_are_folded_away_once_there_are_runs(visit):
    """A first visit sees them; with runs stored, chosen or not, a section holds them, and its charts are the same."""
    title = "Share of link rate and model, by generation"
    folded = "Published systems, by generation"
    first = visit("measurements")
    assert folded not in [box.label for box in first.expander]
    assert title in [part.value for part in first.subheader]

    stored.store().save([simple()])
    later = visit("measurements")
    (section,) = (box for box in later.expander if box.label == folded)
    assert title in [part.value for part in section.subheader]
    assert "No run is stored yet" not in "".join(box.value for box in later.info)
