"""The page Compare: two runs side by side, and one machine over time."""

from db.acting import ActingStore
from pages.ui.compare.summary import apart
from tests.gpu_probe.formats import nccl_tests, text
from tests.pages.charts import drawn


def log(**options):
    """A log as nccl-tests prints it, sixteen GPUs on two hosts."""
    return text(nccl_tests(**{"ranks": 16, **options}))


def both(app, first, second):
    """Upload a log on each side."""
    app.file_uploader(key="_first_file").upload("before.log", first)
    app.file_uploader(key="_second_file").upload("after.log", second)
    return app.run()


def test_a_run_against_itself_is_the_same(visit, headline):
    """The same log on both sides differs nowhere, and opens no second copy of a widget."""
    app = both(visit("compare"), log(), log())

    assert not app.exception
    assert "is the same as" in headline(app)
    assert set(app.dataframe[0].value["verdict"]) == {"same"}


def test_runs_of_one_machine_and_minute_are_told_apart_by_their_number():
    """A sentence does not say twice what two names share; other names stand whole."""
    assert apart("pasted · 16 × H100 · 15:01 run 1", "pasted · 16 × H100 · 15:01 run 2") == ("run 1", "Run 2")
    assert apart("before.log", "after.log") == ("before.log", "after.log")
    assert apart("a · run 1", "b · run 2") == ("a · run 1", "b · run 2")


def test_faster_is_one_number_on_every_page(visit, headline):
    """Measurements says of two runs what Compare says, word for word."""
    first, second = log(), log(sizes=(1024, 1048576))
    compared = headline(both(visit("compare"), first, second))
    app = visit("measurements")
    for name, data in (("before.log", first), ("after.log", second)):
        app.file_uploader(key="_logs").upload(name, data)
    app.run()

    told = next(line.value for line in app.markdown if "common samples" in line.value)
    assert told.partition("** ")[2] in compared


def test_the_stored_runs_are_asked_for_once(visit, monkeypatch):
    """Both sides offer the same list: a store of many runs names each once a page, not once a side."""
    lists, labels = [], ActingStore.labels
    monkeypatch.setattr(ActingStore, "labels", lambda store: lists.append(store) or labels(store))

    app = visit("compare")

    assert not app.exception
    assert len(lists) == 1
    assert app.selectbox(key="first").options == app.selectbox(key="second").options


def test_unnamed_logs_ask_on_each_side(visit):
    """Logs that name no collective ask for it once on each side, without clashing."""
    app = both(visit("compare"), log(named=False), log(named=False))

    assert not app.exception
    assert sum("Which collective" in box.label for box in app.selectbox) == 2


def test_another_question_is_refused_in_words(visit):
    """Eight ranks against sixteen are never compared."""
    app = both(visit("compare"), log(), log(ranks=8))

    assert not app.exception
    assert any("never compared" in box.value for box in app.warning)


def test_before_two_runs_the_page_asks(visit):
    """With nothing chosen the page says what it needs; drift says when it will show."""
    app = visit("compare")
    said = " ".join(box.value for box in app.info)

    assert not app.exception
    assert "two runs" in said
    assert "measured again" in said


def test_drift_of_a_machine_over_time(visit):
    """Two stored runs of one machine draw its drift."""
    app = visit("measurements")
    for name, data in (("a.log", log()), ("b.log", log(sizes=(1024, 1048576, 33554432)))):
        app.file_uploader(key="_logs").upload(name, data)
        app.run()
        for button in [button for button in app.button if button.label == "Save"]:
            button.click()
            app.run()
    page = visit("compare", first="1", second="2")

    assert not page.exception
    assert any(line.value.startswith("The newest run is as fast as the first") for line in page.caption)
    assert any("relative to the first run" in chart.words for chart in drawn(page))


def test_two_logs_of_one_name_are_told_apart(visit, headline):
    """Two logs that were pasted are the first and the second run, in the headline and over what differs."""
    app = visit("compare")
    for side, library in (("first", "22902"), ("second", "22703")):
        app.text_area(key=f"_{side}_text").input(log().decode().replace("22902", library))
    app.run()

    assert not app.exception
    assert "The second run is the same as the first run" in headline(app)
    assert apart("pasted · 16 × H100", "pasted · 16 × H100") == ("the first run", "The second run")
    [differing] = [table.value for table in app.dataframe if "setting" in table.value]
    assert list(differing.columns) == ["setting", "the first run", "the second run"]
