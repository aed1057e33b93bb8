"""The best layout of a search: its training step, or the decode step of its stage."""

from dataclasses import replace

from core.calculators.comparison.explanation import (
    BYTES,
    COUNT,
    SECONDS,
    SHARE,
    Explanation,
    Figure,
    Part,
    Quantity,
)
from core.calculators.comparison.facts import option
from core.calculators.comparison.tensor_parallel import rates, step, work
from core.calculators.comparison.training import training
from core.calculators.layouts import Ranking, ServingLayout, ServingRanking
from core.calculators.tensor_parallel import Scenario


def training_layout(ranking: Ranking) -> Explanation:
    """The fastest layout's step."""
    winner = ranking.ranked[0]
    explained = training(winner.scenario, ranking.best)
    place = f"{ranking.gpus:,} x {winner.scenario.system.gpu.name}"
    return replace(explained, subject=f"{winner.scenario.model.name}, {winner.name()} on {place}")


def serving_layout(scenario: Scenario, gpus: int, sequences: int, ranking: ServingRanking) -> Explanation:
    """The best layout's decode step: of one stage where the replica is a pipeline."""
    best = ranking.best
    at = _stage_step(scenario, best)
    asked = work(at) | {
        "goal": ranking.goal,
        "GPUs": f"{gpus:,}",
        "concurrent requests": f"{sequences:,}",
    }
    del asked["batched tokens"]
    return Explanation(
        subject=f"{scenario.model.name}, {best.name()} on {gpus:,} x {scenario.system.gpu.name}",
        work=asked,
        quantities=(_token(at, best),),
        figures=(
            Figure("TPOT", best.token_s, SECONDS, more=False),
            Figure("Tokens/s", best.tokens_per_s, COUNT, more=True),
            Figure("Tokens/s per GPU", best.tokens_per_s_per_gpu, COUNT, more=True),
            Figure("Exposed communication", best.share, SHARE, more=False),
            Figure("Free memory per GPU", best.free_bytes_per_gpu, BYTES, more=True),
        ),
        rates=rates(at),
        sources=(*scenario.model.sources, *scenario.system.sources),
    )


def _stage_step(scenario: Scenario, layout: ServingLayout) -> Scenario:
    """The decode step of one stage, its requests in as many batches as there are stages."""
    requests = layout.sequences // layout.degrees.attention_replicas
    return replace(scenario, tp=layout.tp, ep=layout.ep, tokens=max(1, -(-requests // layout.pp)))


def _token(at: Scenario, layout: ServingLayout) -> Quantity:
    """The time of a token: the step's terms, and the way through the stages of a pipeline."""
    inside = step(at, "TPOT")
    between = Part("between pipeline stages", layout.token_s - inside.total, (option("PP", layout.pp),))
    return inside if layout.pp == 1 else replace(inside, parts=(*inside.parts, between))
