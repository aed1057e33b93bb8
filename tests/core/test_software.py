"""Software presets: what engines and frameworks do about communication, and what replaces it."""

import pytest

from core.calculators import training
from core.calculators.question import Question, TrainingJob
from core.calculators.software import preset, training_job, trains
from core.calculators.tensor_parallel import Scenario, answer
from core.catalog import model, system
from core.catalog.calibrations.training import FSDP, MEGATRON
from core.catalog.software import (
    COMMUNICATION_DEFAULT,
    PRESETS,
    SERVING_DEFAULT,
    SHARDING_DEFAULT,
    TRAINING_DEFAULT,
)
from core.checks import InputError
from core.collectives.question import Software


def test_every_preset_has_a_source_and_a_note():
    """No preset without a document and a sentence on what it stands for."""
    for entry in PRESETS.values():
        assert entry.sources
        assert all(source.where.startswith("https://") for source in entry.sources)
        assert entry.note


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_modelled(name):
    """Library, launch and training job of each preset are values that the calculators take."""
    assert isinstance(preset(name), Software)
    assert isinstance(training_job(name), TrainingJob)


def test_plain_nccl_is_what_no_preset_means():
    """A question without a preset is answered as by plain NCCL."""
    assert preset("nccl") == Software()
    assert training_job("nccl") == TrainingJob()


def test_megatron_is_the_job_as_it_was():
    """The distributed optimizer with gradients in FP32 is what a training job stands for."""
    assert training_job("megatron", seq=4096) == TrainingJob(seq=4096, framework="megatron")


def test_a_field_replaces_that_of_the_preset():
    """An engine with NCCL in place of its own all-reduce keeps its launch."""
    assert preset("vllm", implementation="nccl") == Software(implementation="nccl", launch="graph")
    assert training_job("fsdp", strategy="hsdp").grad_bytes == 2.0


def test_an_engines_own_all_reduce_is_faster_for_small_messages():
    """A decode step of 32 requests at TP8 on an H100 node spends less on vLLM's all-reduce than on NCCL's."""
    question = Question(system=system("dgx-h100"), model=model("llama-3.1-70b"))
    plain = answer(Scenario.of(question, tp=8, tokens=32))
    engine = answer(Scenario.of(question, tp=8, tokens=32, **vars(preset("vllm"))))

    assert engine.per_step.share < plain.per_step.share


def test_an_unknown_preset_is_refused():
    """One line names the argument."""
    with pytest.raises(InputError, match="software"):
        preset("vllm2")


def test_auto_stands_for_presets():
    """What the word auto means is a preset for every kind of calculator."""
    assert {SERVING_DEFAULT, TRAINING_DEFAULT, SHARDING_DEFAULT, COMMUNICATION_DEFAULT} <= set(PRESETS)


def test_a_default_names_no_framework():
    """Where nobody chose Megatron, sharded parameters of a dense model run FSDP's kernels, in shell and page alike."""
    default = trains(PRESETS["megatron"], chosen=False)
    sharded = {
        "system": system("dgx-h100"),
        "model": model("llama-3.1-8b"),
        "layout": training.Layout(dp=8),
        "global_batch": 64,
    }

    def kernels(**job):
        return training.Scenario(**sharded, **job).kernels

    assert "framework" not in default
    assert kernels(**default | {"strategy": "fsdp"}) == FSDP
    assert kernels(**default) == kernels(**trains(PRESETS["megatron"], chosen=True)) == MEGATRON
    assert kernels(**trains(PRESETS["megatron"], chosen=True) | {"strategy": "fsdp"}) == MEGATRON
