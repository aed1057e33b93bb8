"""Serving figures of a step under an engine: host time, prefix cache, drafts, and the requests it holds."""

from dataclasses import replace

import numpy as np

from core.calculators.serving.engine import Engine
from core.calculators.serving.memory import cache
from core.calculators.serving.mixed import check_priced_by_shape, priced_by_shape
from core.calculators.serving.speculative import drafting_steps, output_tokens
from core.calculators.serving.throughput import prompt_s
from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.service import Objective, Running, Service, service
from core.calculators.tensor_parallel.terms import Terms, step
from core.checks import Floats


def engine_service(scenario: Scenario, engine: Engine, objective: Objective | None = None) -> Service:
    """
    The serving figures of a scenario under an engine, which also bounds the largest batch.

    ``ttft_s`` and ``tpot_s`` stay those of the GPUs; ``engine_ttft_s`` and ``engine_tpot_s`` add the engine.

    Raises:
        InputError: A value that cannot be used.
    """
    if engine.draft_tokens:
        check_priced_by_shape(scenario, "draft_tokens")
    held = cache(scenario, engine, max(1, scenario.cached), 0)
    running = Running(held.requests, held.limit, lambda requests, at: tpot_s(scenario, engine, requests, at))
    figures = service(scenario, objective, running=running)
    if not engine.adds_time:
        return figures
    priced = figures.ttft_s is not None and priced_by_shape(scenario)
    decodes = scenario.phase == "decode"
    batch = np.array([float(scenario.tokens)])
    return replace(
        figures,
        engine_ttft_s=prompt_s(scenario, engine, figures.input_tokens) if priced else None,
        engine_tpot_s=first(tpot_s(scenario, engine, batch, step(scenario, scenario.tp)))
        if decodes
        else None,
    )


def tpot_s(scenario: Scenario, engine: Engine, requests: Floats, at: Terms) -> Floats:
    """Seconds per output token by concurrent requests and their decode step, with the engine's part."""
    if engine.draft_tokens:
        _, verify_s, draft_s = drafting_steps(scenario, engine, requests)
        return np.asarray((verify_s + draft_s) / output_tokens(engine))
    return at.step_s + engine.host_s(requests, scenario)
