"""Parameters that one GPU of a pipeline stage holds."""

from dataclasses import dataclass

from core.calculators.training.scenario import Scenario
from core.parallel.columns import where
from core.workload.transformer import parameters


@dataclass(frozen=True, slots=True)
class StageParams:
    """Parameters of one stage on one GPU: all but the routed experts, and those."""

    shared: float
    experts: float

    @property
    def total(self) -> float:
        """Both."""
        return self.shared + self.experts


def mean_stage_params(scenario: Scenario) -> StageParams:
    """A mean over stages: the embedding and the head are on the first and the last."""
    counted, pp = parameters(scenario.model), scenario.layout.pp
    ends = counted.embedding + counted.head
    return _stage(scenario, where(pp == 1, ends, ends / 2))


def first_stage_params(scenario: Scenario) -> StageParams:
    """The first stage, with the embedding; without a pipeline with the head too."""
    counted = parameters(scenario.model)
    return _stage(scenario, counted.embedding + where(scenario.layout.pp == 1, counted.head, 0.0))


def expert_shards(scenario: Scenario) -> int:
    """GPUs that the routed experts of a stage are divided among: EP, else TP."""
    return scenario.layout.ep if scenario.layout.ep > 1 else scenario.layout.tp


def _stage(scenario: Scenario, ends: float) -> StageParams:
    counted, layout = parameters(scenario.model), scenario.layout
    shared = (counted.in_layers - counted.experts) / layout.pp + ends
    return StageParams(shared / layout.tp, counted.experts / layout.pp / expert_shards(scenario))
