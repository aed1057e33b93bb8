"""What the page shows: a ranking of layouts with the question it answers."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.calculators.layouts import Ranking, ServingRanking, rank_serving, rank_training
from core.calculators.tensor_parallel import Scenario as Serving
from core.calculators.tensor_parallel.terms import terms
from core.calculators.training import Scenario as Training
from core.collectives.pricing.answered import answered
from pages.ui.layouts import inputs
from pages.ui.layouts.inputs import ServingQuery
from pages.ui.shared import job
from pages.ui.shared.machine import SystemChoice
from pages.ui.shared.rates import RateChoice


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """Training layouts of a job on ``gpus`` GPUs, fastest first."""

    scenario: Training
    gpus: int
    ranking: Ranking


@dataclass(frozen=True, slots=True)
class ServingResult:
    """Serving layouts for so many concurrent requests on ``gpus`` GPUs, best first by the goal."""

    scenario: Serving
    gpus: int
    sequences: int
    goal: str
    ranking: ServingRanking

    def ranked(self, *, gpus: float = 1.0, sequences: float = 1.0, context: float = 1.0) -> ServingRanking:
        """The ranking with GPUs, requests and context length multiplied; InputError where nothing fits."""
        scenario = replace(self.scenario, context=max(1, round(self.scenario.cached * context)))
        return rank(
            scenario,
            max(1, round(self.gpus * gpus)),
            max(1, round(self.sequences * sequences)),
            self.goal,
        )


Result = TrainingResult | ServingResult


def ask(question: job.Job | ServingQuery, system_choice: SystemChoice, rates: RateChoice) -> Result:
    """The ranking of layouts; InputError where nothing fits."""
    if isinstance(question, ServingQuery):
        load = inputs.serving(question, system_choice, rates)
        ranking = rank(load, question.gpus, question.sequences, question.goal)
        return ServingResult(load, question.gpus, question.sequences, question.goal, ranking)
    scenario = inputs.training(question, system_choice, rates)
    return TrainingResult(scenario, question.gpus, _rank_training(scenario, question.gpus))


@lru_cache(maxsize=64)
def _rank_training(scenario: Training, gpus: int) -> Ranking:
    return rank_training(scenario, gpus)


@lru_cache(maxsize=1024)
def rank(scenario: Serving, gpus: int, sequences: int, goal: str) -> ServingRanking:
    """Serving layouts, best first, remembered."""
    return rank_serving(scenario, gpus, sequences, goal)


def rates(result: Result) -> str:
    """Labels of the rates that answered for the best layout, as ``calibrated, spec``."""
    if isinstance(result, TrainingResult):
        return result.ranking.best.rates
    best, scenario = result.ranking.best, result.scenario
    tokens, context = np.array([float(best.sequences)]), np.array([float(scenario.cached)])
    priced = terms(replace(scenario, tp=best.tp, ep=best.ep), tokens, context, best.tp)
    return answered(scenario.rates, priced.exchange.basis.split(", "))
