"""Inputs of the page Parallelism layouts: a training job, or a model to serve."""

from collections.abc import Callable
from dataclasses import dataclass

from core.calculators.question import Question, ServingLoad
from core.calculators.tensor_parallel import Scenario as Serving
from core.calculators.training import Scenario as Training
from core.catalog import PRECISIONS
from core.parallel.grow import sized_for
from core.workload import Model, Precision
from pages.ui.shared import bound, job, shape
from pages.ui.shared.layers import with_layers
from pages.ui.shared.machine import SystemChoice
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


def question() -> job.Job | ServingQuery:
    """The widgets of the goal, and of what is trained or served."""
    goal = bound.switch("Goal", "goal", GOALS, TRAIN, help=GOAL_HELP)
    if goal == TRAIN:
        return job.question("strategy", batch=512)
    model, _ = shape.choose("strategy_model", "llama-3.1-70b", shaped=True)
    return ServingQuery(
        goal=goal,
        model=model,
        gpus=bound.number("GPUs (all replicas)", "strategy_gpus", 64, low=1, step=8),
        sequences=bound.number(
            "Concurrent requests (all replicas)", "strategy_sequences", 512, low=1, step=64
        ),
        context=bound.number("Context length (tokens)", "strategy_context", 4096, low=1, step=1024),
        weights=PRECISIONS[bound.choice("Weight precision", "strategy_weights", PRECISIONS, "fp8")],
        kv=PRECISIONS[bound.choice("KV cache precision", "strategy_kv", PRECISIONS, "bf16")],
    )


def training(question: job.Job, system_choice: SystemChoice, rates: RateChoice) -> Training:
    """The job as core takes it; the layout is what is searched."""
    return job.scenario(question, system_choice, rates)


def serving(question: ServingQuery, system_choice: SystemChoice, rates: RateChoice) -> Serving:
    """The serving load as core takes it; the layout is what is searched."""
    system = sized_for(system_choice.system(), question.gpus)
    shared = Question(
        system=system,
        rates=rates.on(system, question.gpus),
        model=with_layers(question.model),
        load=ServingLoad(context=question.context, weights=question.weights, kv=question.kv),
    )
    return Serving.of(shared, tp=1)
