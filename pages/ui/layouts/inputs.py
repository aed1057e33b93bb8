"""Inputs of the page Parallelism layouts: a training job, or a model to serve."""

from collections.abc import Callable
from dataclasses import dataclass

from core.calculators.question import Question, ServingLoad
from core.calculators.tensor_parallel import Scenario as Serving
from core.calculators.training import Scenario as Training
from core.workload import Model, Precision
from pages.ui.shared import bound, job
from pages.ui.shared.layers import with_layers
from pages.ui.shared.machine import SystemChoice
from pages.ui.shared.question.record import SharedInputs
from pages.ui.shared.question.software import SoftwareChoice
from pages.ui.shared.rates import RateChoice

TRAIN, LATENCY, THROUGHPUT = "train", "latency", "throughput"
GOALS = (TRAIN, LATENCY, THROUGHPUT)
GOAL_HELP = (
    "**train**: shortest training step. **latency**: serve with the shortest TPOT (time per output token). "
    "**throughput**: serve with the most tokens/s per GPU."
)


@dataclass(frozen=True, slots=True)
class ServingQuery:
    """
    A model to serve on so many GPUs.

    Attributes:
        goal: ``latency`` or ``throughput``.
        sequences: Concurrent requests of all replicas together.
        context: Context length in tokens.
    """

    goal: str
    model: Callable[[], Model | None]
    gpus: int
    sequences: int
    context: int
    weights: Precision
    kv: Precision
    software: SoftwareChoice


def question(shared: SharedInputs) -> job.Job | ServingQuery:
    """The widget of the goal; what is trained or served is the question's."""
    goal = bound.switch("Goal", "goal", GOALS, TRAIN, help=GOAL_HELP)
    if goal == TRAIN:
        return shared.job
    load = shared.load
    return ServingQuery(
        goal=goal,
        model=shared.model.model,
        gpus=shared.job.gpus,
        sequences=max(1, load.requests),
        context=max(1, load.tokens),
        weights=load.weights,
        kv=load.kv,
        software=shared.software,
    )


def training(question: job.Job, system_choice: SystemChoice, rates: RateChoice) -> Training:
    """The job as core takes it; the layout is what is searched."""
    return job.scenario(question, system_choice, rates)


def serving(question: ServingQuery, system_choice: SystemChoice, rates: RateChoice) -> Serving:
    """The serving load as core takes it; the layout is what is searched."""
    system = system_choice.with_gpus(question.gpus)
    shared = Question(
        system=system,
        rates=rates.on(system, question.gpus),
        software=question.software.software,
        model=with_layers(question.model),
        load=ServingLoad(
            context=question.context, weights=question.weights, kv=question.kv, **question.software.serving
        ),
        **question.software.memory,
    )
    return Serving.of(shared, tp=1)
