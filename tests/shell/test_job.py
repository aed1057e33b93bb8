"""The shell's ``job``: lines for people, JSON for programs, one line for what cannot be."""

import json

import pytest

from core.traces.job_json import job_to_json
from tests.core.jobs import data_parallel
from tests.shell.commands import ROOT, answer, ask

TRACES = [str(path) for path in sorted((ROOT / "docs" / "examples" / "job").glob("rank*.json.gz"))]


@pytest.fixture
def job(tmp_path):
    """The file of a job that eight H100 ran."""
    path = tmp_path / "job.json"
    path.write_text(json.dumps(job_to_json(data_parallel(late_rank=3))))
    return str(path)


def test_a_trace_of_every_rank_becomes_shares_and_calls(capsys):
    """Two files are two ranks; a step is its compute, exposed and idle time."""
    told = answer(capsys, "job", *TRACES)

    assert told["ranks"] == [0, 1]
    for shares in told["step_shares"]:
        parts = shares["compute_s"] + shares["exposed_s"] + shares["idle_s"]
        assert parts == pytest.approx(shares["end_s"] - shares["start_s"])
    assert {part["operation"] for part in told["step_traffic"]} == {"all_reduce"}


def test_another_system_is_a_new_step(capsys, job):
    """The answer has interval, waterfall and dollars; the human lines say the same step."""
    options = ("--system", "dgx-h100", "--to", "dgx-b200", "--usd-per-gpu-hour", "2,3")
    new = answer(capsys, "job", job, *options)["what_if"]
    status, out, _ = ask(capsys, "job", job, *options)

    assert status == 0
    assert new["low_s"] <= new["new"]["step_s"] <= new["high_s"]
    assert sum(term["change_s"] for term in new["waterfall"]) == pytest.approx(
        new["new"]["step_s"] - new["today"]["step_s"]
    )
    assert new["new"]["usd_per_1000_steps"] > 0
    assert f"What if: a step takes {1e3 * new['new']['step_s']:.3g} ms" in out
    assert "Straggler: rank 3" in out


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["missing.json"], "missing.json: no such file"),
        ([__file__], "no trace of a known kind"),
        ([*TRACES, "--system", "dgx-h100"], "no GPU"),
        ([*TRACES, "--to", "dgx-h100"], "--system"),
        ([*TRACES, "--to-ranks", "XP=2"], "DP=64"),
        ([*TRACES, "--to-ranks", "EP=2"], "no EP group"),
        ([TRACES[0], TRACES[0]], "two files are rank 0"),
    ],
)
def test_what_cannot_be_is_one_line(capsys, options, line):
    """Exit 2 and a line that says what is wrong."""
    status, out, err = ask(capsys, "job", *options)

    assert (status, out) == (2, "")
    assert line in err
    assert err.count("\n") == 1
