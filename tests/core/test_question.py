"""One question, several calculators: what they share is stated once and reaches each of them."""

from dataclasses import replace

import pytest

from core import catalog
from core.calculators import bandwidth_hierarchy, capacity, gradient_sync, tensor_parallel, training
from core.calculators.question import Question, ServingLoad, TrainingJob
from core.checks import InputError
from core.collectives import pricing
from core.collectives.question import Software
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import configure
from tests.each import table

LLAMA = catalog.model("llama-3.1-70b")
FP8 = catalog.precision("fp8")
QUESTION = Question(
    system=configure(catalog.system("dgx-h100"), domains=4),
    rates=Rates(Origin.SPEC),
    software=Software(implementation="rccl", launch="graph"),
    algorithm="ring",
    model=LLAMA,
    gpus=16,
    job=TrainingJob(global_batch=64, seq=8192, strategy="fsdp", grad_bytes=2.0),
    load=ServingLoad(sequences=12, context=2048, weights=FP8, usable=0.8),
)
CALCULATORS = (bandwidth_hierarchy, capacity, gradient_sync, tensor_parallel, training)


@pytest.mark.parametrize("calculator", CALCULATORS)
def test_a_scenario_takes_over_what_it_shares_with_the_question(calculator):
    """The scenario is the one that naming each shared input by hand gives."""
    shared = {"system": QUESTION.system, "rates": QUESTION.rates}
    software = {"implementation": "rccl", "launch": "graph"}
    serving = {"context": 2048, "weights": FP8, "usable": 0.8}
    own = {
        bandwidth_hierarchy: {},
        capacity: software | {"model": LLAMA, "gpus": 16, "sequences": 12, **serving},
        gradient_sync: software
        | {"params": LLAMA.params, "ranks": 16, "strategy": "fsdp", "grad_bytes": 2.0, "algorithm": "ring"},
        tensor_parallel: software | {"model": LLAMA, "algorithm": "ring", **serving},
        training: software
        | {"model": LLAMA, "global_batch": 64, "seq": 8192, "strategy": "fsdp", "grad_bytes": 2.0},
    }
    assert calculator.Scenario.of(QUESTION) == calculator.Scenario(**shared, **own[calculator])


def test_inputs_of_a_calculator_go_first():
    """What the caller states for one calculator overrides the shared question there alone."""
    scenario = tensor_parallel.Scenario.of(QUESTION, tp=4, context=99)
    assert (scenario.tp, scenario.context) == (4, 99)
    silent = replace(QUESTION, job=TrainingJob(global_batch=64, seq=8192, strategy="fsdp"))
    for calculator in (training, gradient_sync):
        assert calculator.Scenario.of(silent, strategy="zero1").grad_bytes == 4
        assert calculator.Scenario.of(QUESTION, strategy="zero1").grad_bytes == 2
        assert calculator.Scenario.of(QUESTION, strategy="zero1", grad_bytes=2.0).grad_bytes == 2
        with pytest.raises(InputError, match="strategy"):
            calculator.Scenario.of(QUESTION, strategy="zero9")
    assert QUESTION.scenario(pricing.Scenario, collective="all_reduce", ranks=8).algorithm == "ring"


def test_a_question_that_leaves_inputs_open_keeps_the_defaults():
    """A system alone is a question: capacity keeps its own context, and a missing model is asked for."""
    bare = Question(system=QUESTION.system)
    assert capacity.Scenario.of(bare, params=7e9) == capacity.Scenario(system=bare.system, params=7e9)
    for calculator in (tensor_parallel, training):
        with pytest.raises(InputError, match=r"^model: give a model"):
            calculator.Scenario.of(bare)
    with pytest.raises(InputError, match=r"^params: give a number"):
        gradient_sync.Scenario.of(bare)


@table(
    ("part", "change", "name"),
    [
        (TrainingJob, {"strategy": "zero9"}, "strategy"),
        (TrainingJob, {"grad_bytes": 17}, "grad_bytes"),
        (TrainingJob, {"precision": "int3"}, "precision"),
        (TrainingJob, {"recompute": "some"}, "recompute"),
        (TrainingJob, {"efficiency": 1.2}, "efficiency"),
        (TrainingJob, {"seq": 0}, "seq"),
        (ServingLoad, {"sequences": -1}, "sequences"),
        (ServingLoad, {"context": -1}, "context"),
        (ServingLoad, {"usable": 0}, "usable"),
        (Software, {"implementation": "mpi"}, "implementation"),
        (Software, {"launch": "later"}, "launch"),
    ],
)
def test_a_part_refuses_what_no_calculator_could_use(part, change, name):
    """An impossible value is refused where it is stated, in one line that begins with its name."""
    with pytest.raises(InputError, match=f"^{name}: "):
        part(**change)


def test_a_scenario_is_checked_again_when_it_changes():
    """The checks of the shared parts hold for every scenario that inherits them, and for its copies."""
    scenario = training.Scenario.of(QUESTION)
    for change in ({"recompute": "some"}, {"launch": "later"}, {"grad_bytes": 0}):
        with pytest.raises(InputError, match=f"^{next(iter(change))}: "):
            replace(scenario, **change)
