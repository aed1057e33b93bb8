"""Compute in the gradient-sync calculator: the training step's where it is priced, else a stated or usual MFU."""

import pytest

from core import catalog
from core.calculators.gradient_sync import Scenario, answer
from core.calculators.question import Question, TrainingJob
from core.calculators.training import Layout
from core.calculators.training import Scenario as Training
from core.calculators.training import answer as training
from core.systems import configure
from tests.each import table

H100 = catalog.system("dgx-h100")


def test_mfu_of_a_stated_backward_is_that_of_the_training_step():
    """One backward time, one MFU: model FLOPs with attention over the peak of the job's own format."""
    job = TrainingJob(seq=8192, global_batch=64, precision="fp8")
    question = Question(
        system=configure(H100, domains=8), model=catalog.model("llama-3.1-8b"), gpus=64, job=job
    )
    usual = answer(Scenario.of(question, tokens_per_rank=8192))
    stated = answer(
        Scenario.of(question, tokens_per_rank=8192, backward_s=usual.backward_s, forward_s=usual.forward_s)
    )

    assert stated.mfu * stated.step_s == pytest.approx(usual.mfu * usual.step_s)


def test_a_model_that_is_not_priced_says_why():
    """DeepSeek-V3.2 runs at the usual MFU, and the line names its sparse attention."""
    question = Question(system=configure(H100, domains=8), model=catalog.model("deepseek-v3.2"), gpus=64)
    line = answer(Scenario.of(question, tokens_per_rank=8192)).compute

    assert "as no training step is computed for it: model: DeepSeek" in line
    assert "sparse attention" in line


@table(
    ("system", "strategy", "tokens", "grad_bytes"),
    [
        (*place, strategy, *load)
        for place in (("rtx-4090-x8",), ("dgx-h100",), ("mi300x-x8",))
        for strategy in ("ddp", "zero1", "fsdp")
        for load in ((8192, 2.0), (4096, 4.0))
    ],
)
def test_one_job_has_one_step_and_one_exposed_share(system, strategy, tokens, grad_bytes):
    """Data parallelism alone: gradient sync and the training step say the same but for the size of buckets."""
    system = catalog.system(system)
    job = TrainingJob(seq=tokens, global_batch=8, strategy=strategy, grad_bytes=grad_bytes)
    question = Question(system=system, model=catalog.model("llama-3.1-8b"), gpus=8, job=job)
    sync = answer(Scenario.of(question, tokens_per_rank=tokens))
    step = training(question.scenario(Training, layout=Layout(dp=8)))

    assert sync.step_s == pytest.approx(step.step_s, rel=0.05)
    assert sync.exposed_s / sync.step_s == pytest.approx(step.exposed_s.dp / step.step_s, abs=0.03)
    assert f"a gradient is sent in {grad_bytes:g} bytes" in set(sync.assumptions) & set(step.assumptions)
