"""Speculative decoding: tokens of a verification, TPOT with it, and the acceptance from which it pays."""

from dataclasses import dataclass, replace

import numpy as np

from core.calculators.serving.engine import Engine
from core.calculators.serving.mixed import Load, check_priced_by_shape, mixed_step
from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import terms
from core.checks import Floats

HALVINGS = 60


@dataclass(frozen=True, slots=True)
class Speculative:
    """
    A decode step with drafted tokens, at the scenario's batch.

    Attributes:
        tokens_per_step: Tokens that a verification yields on average.
        decode_step_s: The target alone, one token of each request.
        verify_step_s: The target over the drafted tokens and one more.
        draft_s: Drafting.
        tpot_s: Verification and drafting over the tokens they yield.
        speedup: ``decode_step_s`` / ``tpot_s``.
        tokens_per_s_per_gpu: Output tokens.
        break_even_acceptance: Acceptance from which it is faster; None where no acceptance is.
    """

    draft_tokens: int
    acceptance: float
    tokens_per_step: float
    decode_step_s: float
    verify_step_s: float
    draft_s: float
    tpot_s: float
    speedup: float
    tokens_per_s_per_gpu: float
    break_even_acceptance: float | None


def tokens_per_step(draft_tokens: int, acceptance: float) -> float:
    """Tokens of a verification: accepted ones in a row, and the target's own; (1 - a^(k+1)) / (1 - a)."""
    return float(sum(acceptance**place for place in range(draft_tokens + 1)))


def output_tokens(engine: Engine) -> float:
    """Tokens that a step yields for each running request."""
    return tokens_per_step(engine.draft_tokens, engine.acceptance)


def drafting_s(scenario: Scenario, engine: Engine, requests: Floats, context: Floats) -> Floats:
    """Seconds of drafting in a step: for each token a share of the decode step; 0 without requests."""
    if not engine.draft_tokens:
        return np.zeros_like(requests)
    decode = replace(scenario, phase="decode", context=None)
    target_s = terms(decode, np.maximum(requests, 1.0), context, scenario.tp).step_s
    return np.where(requests > 0, engine.draft_tokens * engine.draft_cost * target_s, 0.0)


def speculative(scenario: Scenario, engine: Engine) -> Speculative | None:
    """
    Speculative decoding of a decode step; None where nothing is drafted or the scenario prefills.

    Raises:
        InputError: Compute or messages of the scenario are overridden.
    """
    if not engine.draft_tokens or scenario.phase != "decode":
        return None
    check_priced_by_shape(scenario, "draft_tokens")
    steps = drafting_steps(scenario, engine, np.array([float(scenario.tokens)]))
    decode_s, verify_s, draft_s = (first(step) for step in steps)
    drafted, tokens = engine.draft_tokens, output_tokens(engine)
    tpot_s = (verify_s + draft_s) / tokens
    groups = max(1.0, scenario.ep / scenario.tp)
    return Speculative(
        draft_tokens=drafted,
        acceptance=engine.acceptance,
        tokens_per_step=tokens,
        decode_step_s=decode_s,
        verify_step_s=verify_s,
        draft_s=draft_s,
        tpot_s=tpot_s,
        speedup=decode_s / tpot_s,
        tokens_per_s_per_gpu=groups * scenario.tokens / tpot_s / max(scenario.tp, scenario.ep),
        break_even_acceptance=_break_even(drafted, (verify_s + draft_s) / decode_s),
    )


def drafting_steps(scenario: Scenario, engine: Engine, requests: Floats) -> tuple[Floats, Floats, Floats]:
    """Seconds of a step without drafts and of a verification, both with host time, and of the drafting."""
    context, drafted = np.full_like(requests, float(scenario.cached)), engine.draft_tokens
    host_s = engine.host_s(requests, scenario)
    plain_s = mixed_step(scenario, Load(requests, context, 0 * requests)).time_s
    verify = Load(requests, context + drafted, 0 * requests, verified=drafted + 1.0)
    verify_s = mixed_step(scenario, verify).time_s + host_s
    return plain_s + host_s, verify_s, drafting_s(scenario, engine, requests, context)


def _break_even(drafted: int, needed: float) -> float | None:
    """The acceptance that yields ``needed`` tokens a step, by halving; None above drafted + 1."""
    if needed > drafted + 1:
        return None
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if tokens_per_step(drafted, middle) < needed else (low, middle)
    return high
