"""Stored runs that came without their reader: drawn by their printed rates, named in links."""

from dataclasses import replace

from db.store import shared
from gpu_probe.parsers.worker import read_upload
from tests.pages.test_measurements import log


def pushed(run):
    """The number under which the store holds a run that came without its reader, as by curl."""
    return str(shared().save([run])[0].id)


def test_a_link_names_several_runs_with_commas(visit):
    """Two stored runs in a link that someone typed are both on the chart, and a third that is not there is said."""
    visit("measurements")
    (run,) = read_upload("a.log", log())
    pushed(run)
    pushed(replace(run, samples=run.samples[1:]))

    app = visit("measurements", runs="1,2")
    assert (app.multiselect(key="runs").value, len(app.warning)) == (["1", "2"], 0)
    app = visit("measurements", runs="2, 9")
    assert app.multiselect(key="runs").value == ["2"]
    assert any("asks for 2, 9 as Runs on the chart" in box.value for box in app.warning)


def test_a_stored_run_without_a_name_is_drawn_as_its_rates_say(visit, headline):
    """A log that names no collective, stored over HTTP, is judged as what its rates fit, and that is said."""
    visit("measurements")
    (run,) = read_upload("old.log", log(named=False))
    app = visit("measurements", runs=[pushed(run)])

    assert run.collective is None
    assert app.get("vega_lite_chart")
    assert "old.log" in headline(app)
    assert any("names no collective; taken for all-reduce" in line.value for line in app.caption)


def test_a_stored_run_that_nothing_names_is_said_not_to_be_drawn(visit):
    """A run that neither its log nor its rates name is not an empty page without a word."""
    visit("measurements")
    (run,) = read_upload("old.log", log(named=False))
    app = visit("measurements", runs=[pushed(replace(run, collective_guess=None))])

    assert not app.exception
    assert any("old.log" in line.value and "not drawn" in line.value for line in app.caption)
