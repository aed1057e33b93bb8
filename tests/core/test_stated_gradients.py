"""Bytes of a gradient that a job states stay with it whatever the strategy; silence takes each strategy's own."""

from dataclasses import replace

import pytest

from core import catalog
from core.calculators.question import Question, TrainingJob
from core.calculators.training import Layout, Scenario


@pytest.mark.parametrize(("strategy", "other"), [("zero1", "fsdp"), ("fsdp", "zero1"), ("ddp", "zero1")])
def test_a_stated_default_is_not_silence(strategy, other):
    """Two or four bytes that are said stay, be they the strategy's own or not; unsaid they change with it."""
    silent = TrainingJob(strategy=strategy)
    stated = TrainingJob(strategy=strategy, grad_bytes=silent.grad_bytes)

    assert stated.by_strategy(other)["grad_bytes"] == silent.grad_bytes
    assert silent.by_strategy(other)["grad_bytes"] == TrainingJob(strategy=other).grad_bytes


def test_a_change_of_something_else_keeps_the_silence():
    """A job without a word on gradients has none after another batch or another strategy and back."""
    job = replace(TrainingJob(), micro_batch=4)
    there = replace(job, **job.by_strategy("fsdp"))
    back = replace(there, **there.by_strategy("zero1"))

    assert (there.grad_bytes, back.grad_bytes) == (2.0, 4.0)


def test_a_question_hands_it_to_its_scenario():
    """Four bytes stated for ZeRO-1 stay four where a layout takes FSDP."""
    question = Question(system=catalog.system("dgx-h100"), model=catalog.model("llama-3.1-8b"))
    loud = replace(question, job=TrainingJob(grad_bytes=4.0))
    scenarios = (Scenario.of(item, layout=Layout(dp=8), strategy="fsdp") for item in (question, loud))

    assert [scenario.grad_bytes for scenario in scenarios] == [2.0, 4.0]
