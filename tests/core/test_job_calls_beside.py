"""Bytes and calls of a traced step beside those of a calculated one, and the sentences on what differs."""

import pytest

from core.calculators.question import Question, TrainingJob
from core.calculators.training import Layout, Scenario, answer, step_calls
from core.calculators.training.comm import calls_of_layers
from core.calculators.training.price import price_s
from core.catalog import MODELS, SYSTEMS
from core.job.calls_beside import differences, sent_beside
from core.job.explain import explain
from core.systems import configure
from tests.core.jobs import data_parallel, tensor_parallel


def scenario_of(layout, model="llama-3.1-8b"):
    """A training job on thirty-two GPUs."""
    question = Question(
        system=configure(SYSTEMS["dgx-h100"], domains=4),
        model=MODELS[model],
        gpus=32,
        job=TrainingJob(global_batch=128, seq=8192),
    )
    return Scenario.of(question, layout=layout)


@pytest.mark.parametrize(
    ("layout", "model"),
    [
        (Layout(tp=4, pp=2, dp=4), "llama-3.1-8b"),
        (Layout(tp=2, cp=2, dp=8), "llama-3.1-8b"),
        (Layout(dp=32, ep=8), "mixtral-8x7b"),
    ],
)
def test_calls_take_the_time_that_the_step_says(layout, model):
    """Calls times the price of one are all communication of the step, for every parallelism of the layers."""
    scenario = scenario_of(layout, model)
    comm = answer(scenario).comm_s
    counted = {}
    for part in step_calls(scenario):
        if part.calls is not None:
            counted[part.parallelism] = counted.get(part.parallelism, 0) + part.calls
    for part in calls_of_layers(scenario):
        one_s = sum(price_s(scenario, call) for call in part.calls) / len(part.calls)
        assert counted[part.parallelism] * one_s == pytest.approx(getattr(comm, part.parallelism.lower()))


def test_bytes_of_a_step():
    """Llama 8B over TP4 PP2: 16 layers of 32 micro-batches, four blocks' all-gathers of 64 MiB each."""
    by_call = {
        (part.parallelism, part.operation): part for part in step_calls(scenario_of(Layout(tp=4, pp=2, dp=4)))
    }

    assert by_call["TP", "all_gather"].calls == 16 * 32 * 4
    assert by_call["TP", "all_gather"].bytes == 2048 * 8192 * 4096 * 2
    assert by_call["PP", "send_recv"].calls == 2 * 32
    assert by_call["DP", "reduce_scatter"].calls is None
    assert by_call["DP", "reduce_scatter"].bytes == pytest.approx(4 * 8.03e9 / 8, rel=0.01)


def test_what_only_one_side_sends_stands_alone():
    """The traced parallelism comes first; where one side has no such call, it has no numbers."""
    told = explain(data_parallel(ranks=16, traced=2))
    rows = sent_beside(told, [step_calls(scenario_of(Layout(tp=2, dp=16)))])
    table = {(row.parallelism, row.operation): row for row in rows}

    assert table["DP", "all_reduce"].traced.calls > 0
    assert table["DP", "all_reduce"].calculated == (None,)
    assert table["TP", "all_gather"].traced is None
    assert table["TP", "all_gather"].calculated[0].calls > 0
    assert [row.parallelism for row in rows] == ["DP", "DP", "DP", "TP", "TP"]
    assert any(line.startswith("Only the calculated step sends for TP: ") for line in differences(rows))


def test_a_sentence_says_what_may_be_why():
    """Amounts that differ have a sentence each; the same amounts have none."""
    told = explain(tensor_parallel(layers=2))
    steps = step_calls(scenario_of(Layout(tp=4, pp=2, dp=4)))
    rows = sent_beside(told, [steps])
    lines = differences(rows)

    assert any(line.startswith("TP sends ") and "sequence parallelism" in line for line in lines)
    alike = [row for row in rows if row.parallelism == "TP" and row.traced is not None]
    assert differences([row.__class__("TP", row.operation, row.traced, (row.traced,)) for row in alike]) == ()
