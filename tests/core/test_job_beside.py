"""A traced step beside a calculated one: the same parts, in the same seconds, and what differs in words."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from core.calculators.question import Question, TrainingJob
from core.calculators.training import Layout, Scenario, answer
from core.catalog import MODELS, SYSTEMS
from core.errors import InputError
from core.job.beside import beside, degrees, exposed_by_parallelism, unlike
from core.job.explain import explain
from core.systems import configure
from core.traces.detect import read_job
from tests.core.jobs import data_parallel, tensor_parallel
from tests.core.test_job_hang import recorded

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples" / "job"


def calculated_scenario():
    """An 8B model on sixteen GPUs, data parallel."""
    question = Question(
        system=configure(SYSTEMS["dgx-h100"], domains=2),
        model=MODELS["llama-3.1-8b"],
        gpus=16,
        job=TrainingJob(global_batch=128, seq=8192),
    )
    return Scenario.of(question, layout=Layout(dp=16))


@pytest.fixture(scope="module")
def calculated():
    """A step of it."""
    return answer(calculated_scenario())


def test_parts_add_up_on_both_sides(calculated):
    """Compute, exposed communication and idle make the step, traced and calculated."""
    parts = {part.name: part for part in beside(explain(data_parallel(ranks=16, traced=2)), [calculated])}
    step, *_ = parts.values()
    sum_of = ("compute", "exposed communication", "idle, pipeline bubble")

    assert step.measured_s == pytest.approx(sum(parts[name].measured_s for name in sum_of))
    assert step.calculated_s[0] == pytest.approx(sum(parts[name].calculated_s[0] for name in sum_of))
    assert parts["exposed DP"].measured_s == pytest.approx(1e-3, rel=0.01)


def test_a_calculated_step_with_offload_adds_up(calculated):
    """The wait for the host is a part of its own, which a trace does not tell from idle time."""
    scenario, told = calculated_scenario(), explain(data_parallel(ranks=16, traced=2))
    offloaded = answer(replace(scenario, offload_optimizer=1.0))
    parts = {part.name: part for part in beside(told, [calculated, offloaded])}
    step, *_ = parts.values()

    sum_of = ("compute", "exposed communication", "idle, pipeline bubble", "offload")
    for place, whole_s in enumerate(step.calculated_s):
        assert whole_s == pytest.approx(sum(parts[name].calculated_s[place] for name in sum_of))
    assert parts["offload"].measured_s is None
    assert "offload" not in {part.name for part in beside(told, [calculated])}


def test_calls_at_once_share_their_exposed_time():
    """Two streams of gloo run at once: by parallelism no more is exposed than in all."""
    files = [(path.name, BytesIO(path.read_bytes())) for path in sorted(EXAMPLES.glob("*.json.gz"))]
    told = explain(read_job(files))
    shares = told.per_step

    mean_s = sum(share.exposed_s for share in shares) / len(shares)
    assert sum(exposed_by_parallelism(told).values()) == pytest.approx(mean_s)


def test_groups_that_differ_are_said(calculated):
    """World size and group sizes of both, a sentence each; a like job has none."""
    told = explain(tensor_parallel(layers=2))

    assert degrees(told)["TP"] == 8
    assert any("TP group has 8 ranks, the calculated one 1." in line for line in unlike(told, calculated))
    assert unlike(explain(data_parallel(ranks=16, traced=2)), calculated) == ()


def test_a_trace_without_times_is_refused(calculated):
    """A flight recorder tells no compute: no step to lay beside another."""
    job = data_parallel(ranks=2)
    told = explain(type(job)("flight-recorder", (recorded(0, [1]), recorded(1, [1])), job.groups))

    with pytest.raises(InputError, match="no times of compute"):
        beside(told, [calculated])
