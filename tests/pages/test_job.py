"""The page Job: traces uploaded, explained, and replayed on another machine."""

import json
from dataclasses import replace
from io import BytesIO

import pytest

from core.job.explain import explain
from core.traces.building import collectives
from core.traces.detect import read_job
from core.traces.job_json import job_to_json
from core.traces.records import Group, Job
from db import schema
from db.store import shared
from pages.ui.job import plots, summary
from pages.ui.shared import kept_jobs
from tests.core.jobs import data_parallel, tensor_parallel
from tests.core.test_job_hang import recorded


def trace(job):
    """A job as a file."""
    return json.dumps(job_to_json(job)).encode()


@pytest.fixture
def opened(visit):
    """The page with a job of two late-comers' ranks uploaded."""

    def upload(job, **query):
        app = visit("job", **query)
        app.file_uploader(key="_job_traces").upload("job.json", trace(job))
        return app.run()

    return upload


def expected_there(app):
    """Expected microseconds of the first kind of call there and here."""
    assert not app.exception
    row = next(frame.value for frame in app.dataframe if "ratio" in frame.value).iloc[0]
    return row["expected there (µs)"], row["expected here (µs)"]


def test_before_a_trace_the_page_says_how_one_is_made(visit):
    """An empty page shows PyTorch's profiler, and answers nothing."""
    app = visit("job")

    assert not app.exception
    assert any("No trace yet" in box.value for box in app.info)
    (recipe,) = [box.value for box in app.code if "export_chrome_trace" in box.value]
    assert "repeat=1" in recipe
    assert "python -m gpu_probe profile -- torchrun train.py" in recipe


def test_the_recipe_keeps_its_trace(tmp_path, monkeypatch):
    """PyTorch's profiler over more steps than one cycle of its schedule still exports the steps it recorded."""
    torch = pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)

    exec(  # noqa: S102 (the page's own lines, as a user runs them)
        compile(summary.PROFILE, "recipe", "exec"),
        {"torch": torch, "batches": range(25), "rank": 0, "train": lambda batch: torch.ones(8) + batch},
    )

    job = read_job([("rank0.json.gz", BytesIO((tmp_path / "rank0.json.gz").read_bytes()))])
    assert [step.name for step in job.ranks[0].steps] == [f"ProfilerStep#{number}" for number in (7, 8, 9)]


def test_a_trace_is_explained_and_replayed(opened, headline):
    """The headline is the exposed share; the calls have verdicts; another machine gives another step."""
    job = data_parallel(ranks=2, steps=1, late_rank=1)
    (timeline,) = opened(job).get("vega_lite_chart")
    assert timeline.proto.alt.startswith("Rank 0, ProfilerStep")
    app = opened(job, tab="What if", job_to="dgx-b200", job_dp=16)

    assert not app.exception
    assert "exposed communication takes" in headline(app)
    assert "Straggler: rank 1" in headline(app)
    assert len(app.get("vega_lite_chart")) == 2
    assert any("× as fast" in part.value for part in app.markdown)
    assert all(any(letter.isdigit() for letter in chart.proto.alt) for chart in app.get("vega_lite_chart"))


def test_library_and_switches_of_the_other_machine(opened):
    """Another library and switches that add are priced, and the waterfall says what is slower there."""
    job = data_parallel(ranks=16, traced=2, steps=1, call_s=0.1e-3)
    there = {"job_to": "dgx-b200", "job_compute": 2}
    app = opened(job, tab="What if", **there)
    adding = opened(job, tab="What if", job_to_sharp="true", **there)
    library = opened(data_parallel(ranks=8, traced=2, steps=1), tab="What if", job_to_library="nvls-multimem")

    assert expected_there(adding)[0] != expected_there(app)[0]
    assert expected_there(library)[0] != expected_there(library)[1]
    assert "slower there" in app.get("vega_lite_chart")[0].proto.spec


def test_a_timeline_of_many_calls_goes_to_its_end():
    """A thousand calls of a step are drawn joined, not the first eight hundred of them."""
    told = explain(tensor_parallel(layers=500))
    trace = told.job.ranks[0]
    frame = plots._tracks(told, trace, trace.start_s, trace.end_s)
    drawn = frame[frame["track"].str.startswith("TP")]

    assert len(frame) <= 4 * plots.BARS
    assert drawn["end_s"].max() == pytest.approx(trace.end_s, rel=0.01)
    assert set(drawn["what"]) == {"1,000 calls"}


def test_sizes_that_differ_are_the_headline(opened, headline):
    """Nobody is behind, and two ranks give one all-reduce different sizes: that is what is wrong."""
    ranks = (recorded(0, [1], size=1 << 20), recorded(1, [1], size=1 << 21))
    app = opened(Job("flight-recorder", ranks, (Group("7", (0, 1), 2),), world_size=2))

    assert not app.exception
    assert "Ranks call with different sizes" in headline(app)
    assert list(app.dataframe[0].value["size"]) == ["1 MiB", "2 MiB"]


def test_calls_have_verdicts(opened):
    """Each kind of call stands in the table with expectation, verdict and reason."""
    app = opened(data_parallel(ranks=2, steps=1), tab="Calls against the model")

    assert not app.exception
    table = next(frame.value for frame in app.dataframe if "verdict" in frame.value)
    assert list(table["verdict"]) == ["low"]


def test_a_job_leads_to_its_cost(opened):
    """The bytes of a step stand by group, with a link to what the exposed share costs."""
    app = opened(data_parallel(ranks=2, steps=1), tab="Bytes per step")

    assert not app.exception
    assert list(app.dataframe[0].value["per step (MB)"]) == [268]
    link = app.get("page_link")[0].proto
    assert "lost_percent=10" in str(link)


def test_what_is_no_trace_is_one_line(visit):
    """A text that no profiler wrote is refused in a line, never with a traceback."""
    app = visit("job")
    app.text_area(key="_job_traces_text").input("lorem ipsum")
    app.run()

    assert not app.exception
    assert any("no trace of a known kind" in box.value for box in (*app.error, *app.warning))


def test_a_kept_job_opens_from_its_link_in_a_cold_session(opened, visit, headline):
    """Keep writes the collectives, the address names the job, and another session draws the same answer."""
    app = opened(data_parallel(ranks=2, steps=1, late_rank=1))
    told = headline(app)
    app.button(key="_job_keep").click().run()
    assert not app.exception
    (row,) = shared().jobs.page().jobs
    assert (row.file, row.uploaded_by) == ("job.json", "this machine")
    assert app.query_params["job"] == str(row.id)
    assert "job_traces" not in app.query_params
    assert not any("the answer stays the same" in part.value for part in app.caption)

    cold = visit("job", job=row.id)
    assert headline(cold) == headline(app) == told
    assert any(f"Job {row.id}, kept" in part.value for part in cold.caption)


def test_a_kept_job_stands_beside_the_calculated_step(visit):
    """Job leads to Training step with its GPUs and groups; parts of both steps stand in one table."""
    visit("job")
    saved = shared().jobs.save(data_parallel(ranks=16, traced=2, steps=2), file="job.json")
    app = visit("job", job=saved.id, tab="Bytes per step")
    (link,) = [part.proto for part in app.get("page_link") if "Beside" in part.proto.label]
    assert "gpus=16" in link.query_string
    assert "train_tp=1" in link.query_string

    asked = {"job": saved.id, "tab": "Your job", "gpus": 16, "model": "llama-3.1-8b", "batch": 128}
    plain = {"train_tp": 1, "train_pp": 1, "train_vpp": 1, "train_cp": 1}
    training = visit("training", **asked, **plain)
    assert not training.exception
    table = next(frame.value for frame in training.dataframe if "traced (ms)" in frame.value)
    rows = table.set_index("part")
    assert rows.loc["step", "traced (ms)"] == pytest.approx(10, rel=0.05)
    assert rows.loc["exposed DP", "traced (ms)"] == rows.loc["exposed communication", "traced (ms)"]
    assert rows.loc["step", "calculated (ms)"] > 0
    assert any("times the calculated one" in part.value for part in training.markdown)
    both = next(frame.value for frame in training.dataframe if "calculated (MB)" in frame.value)
    assert both.set_index(["parallelism", "call"]).loc[("DP", "reduce-scatter"), "calculated (MB)"] > 0
    assert any("DP sends" in part.value for part in training.caption)

    layouts = visit("layouts", **asked)
    assert not layouts.exception
    table = next(frame.value for frame in layouts.dataframe if "traced (ms)" in frame.value)
    assert [name for name in table.columns if "as traced" in name]


def test_pages_without_kept_jobs_have_no_tab_of_them(visit):
    """Training step and Layouts are as they were for who keeps no job."""
    app = visit("training")

    assert "Your job" not in app.segmented_control(key="tab").options


def test_a_deleted_job_leaves_the_page_and_comes_back(visit, headline):
    """Delete empties the page and fills the trash; restore brings it back; its link says what is wrong between."""
    visit("job")
    saved = shared().jobs.save(data_parallel(ranks=2, steps=1), file="job.json")
    app = visit("job", job=saved.id)
    app.button(key="_job_delete").click().run()
    assert not app.exception
    assert any("No trace yet" in box.value for box in app.info)
    assert any(str(saved.id) in box.value for box in visit("job", job=saved.id).warning)

    app.button(key="_trash_job_back").click().run()
    assert headline(visit("job", job=saved.id))


def test_a_restore_that_fails_is_told_where_it_was_clicked(visit):
    """A job that left the trash in the meantime: the page Job says so, no other page does."""
    visit("job")
    saved = shared().jobs.save(data_parallel(ranks=2, steps=1), file="job.json")
    shared().jobs.delete(saved.id)
    app = visit("job")
    with shared()._connections.writing() as connection:
        connection.execute(schema.jobs.delete().where(schema.jobs.c.id == saved.id))
    app.button(key="_trash_job_back").click().run()

    assert [box.value for box in app.error] == [f"there is no job {saved.id}"]


def test_a_link_to_a_number_of_no_job_is_explained(visit, monkeypatch):
    """Where more jobs are kept than are listed, a link with thousands of digits is a warning."""
    monkeypatch.setattr(kept_jobs, "MOST_LISTED", 1)
    visit("job")
    shared().jobs.save(data_parallel(ranks=2, steps=1), file="job.json")
    app = visit("job", job="9" * 5000)

    assert not app.exception
    assert app.warning


def test_the_note_of_a_kept_job_is_shown(visit):
    """What a program said of the job it sent stands beside its number."""
    visit("job")
    saved = shared().jobs.save(data_parallel(ranks=2, steps=1), file="job.json", note="before the *driver*")

    assert any("Note: before the \\*driver\\*" in box.value for box in visit("job", job=saved.id).caption)


def test_an_upload_takes_the_place_of_a_kept_job(visit, headline):
    """What the reader did last is shown: the kept job first, then the traces uploaded beside it."""
    visit("job")
    saved = shared().jobs.save(data_parallel(ranks=2, steps=1), file="job.json")
    app = visit("job", job=saved.id)
    before = headline(app)
    app.file_uploader(key="_job_traces").upload("other.json", trace(tensor_parallel(layers=2))).run()

    assert not app.exception
    assert headline(app) != before
    assert "job" not in app.query_params


def test_a_job_without_collectives_is_not_kept_and_says_so(opened):
    """The refusal of the store stands beside the inputs, and nothing is kept."""
    ranks = tuple(replace(rank, collectives=collectives([])) for rank in data_parallel(ranks=1).ranks)
    app = opened(replace(data_parallel(ranks=1), ranks=ranks))
    app.button(key="_job_keep").click().run()

    assert any("no collectives" in box.value for box in app.error)
    assert shared().jobs.page().jobs == ()
