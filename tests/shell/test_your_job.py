"""``--job``: a traced step beside calculated ones, in lines, as JSON and as a field."""

import json
from pathlib import Path

import pytest

from core.calculators.training import Layout, step_calls
from core.job.calls_beside import sent_beside
from core.job.explain import explain
from core.shell import call
from core.traces.job_json import job_to_json
from tests.core.jobs import data_parallel
from tests.core.test_job_calls_beside import scenario_of
from tests.shell.commands import answer, ask

LAYOUT = ("--model", "llama-3.1-8b", "--gpus", "8", "--micro-batch", "1")


@pytest.fixture
def job(tmp_path):
    """The file of a job that eight H100 ran."""
    path = tmp_path / "job.json"
    path.write_text(json.dumps(job_to_json(data_parallel())))
    return str(path)


def test_a_traced_step_beside_a_calculated_one(capsys, job):
    """Parts add up on both sides; what the trace sends is what the page shows of it."""
    beside = answer(capsys, "train", *LAYOUT, "--job", job)["job"]
    _, out, _ = ask(capsys, "train", *LAYOUT, "--job", job)
    parts = {part["name"]: part for part in beside["parts"]}
    told = explain(data_parallel())
    traced = {
        (row.parallelism, row.operation): row.traced
        for row in sent_beside(told, [step_calls(scenario_of(Layout(dp=8)))])
    }
    sent = {(row["parallelism"], row["operation"]): row for row in beside["sent"]}

    assert parts["step"]["traced_s"] == pytest.approx(told.step_s)
    assert sent["DP", "all_reduce"]["traced"]["bytes"] == traced["DP", "all_reduce"].bytes
    assert sent["DP", "reduce_scatter"]["calculated"][0]["bytes"] > 0
    assert sent["DP", "all_reduce"]["calculated"] == [None]
    for side in (lambda part: part["traced_s"], lambda part: part["calculated_s"][0]):
        whole = [side(parts[name]) for name in ("compute", "exposed communication", "idle, pipeline bubble")]
        assert sum(whole) == pytest.approx(side(parts["step"]))
    assert "Your job beside calculated:" in out
    assert "DP all_reduce" in out


def test_a_traced_step_beside_layouts(capsys, job):
    """The fastest layout, and the fastest with the groups of the trace; a field takes the job file itself."""
    options = {"model": "llama-3.1-8b", "gpus": 8, "global_batch": 64}
    field = call.answer("strategy", options | {"job": json.loads(Path(job).read_text())})["job"]
    words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    shell = answer(capsys, "strategy", *words, "--job", job)["job"]

    assert shell == field
    assert shell["steps"][0] == "fastest layout"
    assert shell["steps"][1].endswith("as traced")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("train", "--job", __file__), "no trace of a known kind"),
        (("train", "--job", "missing.json"), "no such file"),
        (("strategy", "--goal", "latency", "--job", "missing.json"), "--goal train"),
    ],
)
def test_a_job_that_cannot_be_read(capsys, words, line):
    """Exit 2 and one line."""
    status, out, err = ask(capsys, *words)

    assert (status, out, err.count("\n")) == (2, "", 1)
    assert line in err


def test_a_field_that_is_no_job():
    """A name of a file, or an object that is no job file: a line with the field's name."""
    for value in ("/etc/passwd", {"job": 1}, []):
        with pytest.raises(call.FieldError) as refused:
            call.answer("train", {"job": value})
        assert refused.value.field == "job"
