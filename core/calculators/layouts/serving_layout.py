"""One serving layout: its degrees, its inter-token latency and throughput."""

from dataclasses import dataclass, replace

from core.calculators.tensor_parallel import Scenario
from core.parallel.layout import serving_layout


@dataclass(frozen=True, slots=True)
class ServingDegrees:
    """TP, EP and PP degrees of one replica."""

    tp: int
    ep: int
    pp: int

    @property
    def stage_gpus(self) -> int:
        """GPUs of a pipeline stage."""
        return max(self.tp, self.ep)

    @property
    def gpus(self) -> int:
        """GPUs of a replica."""
        return self.stage_gpus * self.pp

    @property
    def attention_replicas(self) -> int:
        """Replicas of attention in a stage (DP attention), where EP is wider than TP."""
        return max(1, self.ep // self.tp)


@dataclass(frozen=True, slots=True)
class ServingLayout:
    """
    One serving layout.

    Attributes:
        replicas: Copies of the model on all GPUs.
        sequences: Concurrent requests of each replica.
        token_s: Inter-token latency (TPOT) in seconds.
        share: Exposed communication as a share of a step.
        binding: What bounds a step.
        free_bytes_per_gpu: Memory left beside weights and KV cache.
    """

    tp: int
    ep: int
    pp: int
    replicas: int
    sequences: int
    token_s: float
    tokens_per_s: float
    tokens_per_s_per_gpu: float
    share: float
    binding: str
    free_bytes_per_gpu: float

    @property
    def degrees(self) -> ServingDegrees:
        """TP, EP and PP."""
        return ServingDegrees(self.tp, self.ep, self.pp)

    def step(self, scenario: Scenario) -> Scenario:
        """The decode step of one stage's batch in this layout, of a scenario of the same load."""
        tokens = max(1, self.sequences // self.degrees.attention_replicas // self.pp)
        return replace(scenario, tp=self.tp, ep=self.ep, tokens=tokens)

    def name(self) -> str:
        """Degrees above one and the replicas."""
        return serving_layout(tp=self.tp, ep=self.ep, pp=self.pp, replicas=self.replicas)


def cost_s(layout: ServingLayout, goal: str) -> float:
    """What the goal minimizes: the inter-token latency, or the GPU-seconds of a token."""
    return layout.token_s if goal == "latency" else 1 / layout.tokens_per_s_per_gpu
