"""TTFT under load: a closed loop followed request by request, and its means beside each other."""

from dataclasses import replace

import numpy as np
import pytest

from core.calculators.serving import (
    ClosedLoop,
    Engine,
    Lengths,
    engine_of,
    measured,
    prompt_s,
    queue,
    ttft_interval,
)
from core.calculators.serving.cycle import cycle
from core.calculators.serving.interval import throughput_span
from core.catalog import precision
from core.catalog.software import PRESETS
from tests.core.serving_scenarios import LENGTHS, MIXED, NODE

SEPARATE = engine_of(PRESETS["sglang"])


def loop(clients, requests, *, varied=False, engine=MIXED, lengths=LENGTHS):
    """What a benchmark of Llama 70B on four H100 prints."""
    return measured(NODE, engine, lengths, ClosedLoop(clients=clients, requests=requests, varied=varied))


@pytest.mark.parametrize("engine", [MIXED, SEPARATE])
def test_a_client_alone_waits_for_its_own_prompt(engine):
    """One client of equal requests: every first token comes after one prefill, nothing beside it."""
    alone = loop(1, 5, engine=engine)

    assert len(alone.ttft_s) == len(alone.tpot_s) == 5
    assert alone.ttft_s == pytest.approx(prompt_s(NODE, engine, LENGTHS.input_tokens), rel=0.01)


@pytest.mark.parametrize("engine", [MIXED, SEPARATE])
@pytest.mark.parametrize("clients", [2, 16, 64])
def test_first_come_first_served(engine, clients):
    """All at once: the last first token comes after all prompts, the mean about halfway."""
    burst = loop(clients, clients, engine=engine).ttft_s

    assert np.all(np.diff(burst) >= 0)
    assert burst.mean() == pytest.approx(burst[-1] * (clients + 1) / (2 * clients), rel=0.35)
    assert burst[-1] >= clients * LENGTHS.input_tokens / engine.chunk_tokens * 0.5 * burst[0]


def test_every_request_is_answered_whatever_the_lengths():
    """As many first tokens and ends as requests, with outputs that vary and with fewer requests than clients."""
    for clients, requests, varied in ((8, 50, True), (8, 3, False), (1, 1, True)):
        run = loop(clients, requests, varied=varied)
        assert len(run.ttft_s) == requests
        assert len(run.tpot_s) <= requests
        assert run.duration_s >= run.ttft_s.max()


def test_outputs_that_vary_keep_their_mean():
    """From none to twice the mean, evenly; equal ones are all the same."""
    varied = ClosedLoop(clients=4, requests=1000, varied=True).outputs(256)

    assert varied.mean() == pytest.approx(256, rel=0.01)
    assert (varied.min() <= 2, varied.max() >= 510) == (True, True)
    assert set(ClosedLoop(clients=4, requests=9).outputs(256)) == {256.0}


def test_a_long_run_has_the_throughput_of_the_cycle():
    """Thirty waves of varied outputs: output tokens/s of the steady cycle that throughput is priced with."""
    run, clients = loop(32, 960, varied=True), 32
    at = cycle(NODE, MIXED, LENGTHS, np.array([float(clients)]))

    assert 960 * LENGTHS.output_tokens / run.duration_s == pytest.approx(
        clients / float(at.step_s[0]), rel=0.08
    )


def test_requests_beyond_the_memory_wait_for_it():
    """With room for eight, the ninth has its first token when one of the eight has ended, not when prompts are done."""
    small = replace(MIXED, max_sequences=8)
    free, held = (loop(16, 16, engine=engine).ttft_s for engine in (MIXED, small))

    assert held[:7] == pytest.approx(free[:7], rel=0.05)
    assert held[8] > free[8] + 200 * 0.012


def test_equal_requests_wait_longer_than_varied_ones():
    """Requests that end together arrive together: between one by one and all at once."""
    waits = queue(replace(NODE, tokens=32), MIXED, LENGTHS)

    assert prompt_s(NODE, MIXED, 2048) * 0.9 < waits.ttft_s < waits.equal_ttft_s < waits.burst_ttft_s
    low, high = ttft_interval(waits, throughput_span(NODE, MIXED))
    assert low < waits.ttft_s < waits.burst_ttft_s < high


@pytest.mark.parametrize(
    "other", [{"phase": "prefill", "context": None}, {"tokens": 1025}, {"compute_s": 1e-4}]
)
def test_no_queue_without_a_decode_batch(other):
    """Prefill, more than 1,024 clients and compute of one's own have none."""
    assert queue(replace(NODE, **other), MIXED, LENGTHS) is None


def test_an_engine_without_a_chunk_prefills_first():
    """Separate prefill steps: whoever waits goes before the next decode step, so that decoding pauses."""
    plain, lengths = Engine(), Lengths(input_tokens=2048, output_tokens=256)
    separate, mixed = (loop(32, 32, engine=engine, lengths=lengths) for engine in (plain, MIXED))

    assert separate.ttft_s.mean() < mixed.ttft_s.mean()


def test_no_request_waits_where_none_fits():
    """Llama 70B in BF16 does not fit one H100: no first token ever comes; on four GPUs the load has a queue."""
    wide = replace(NODE, weights=precision("bf16"))
    assert queue(wide, MIXED, LENGTHS) is not None
    assert queue(replace(wide, tp=1), MIXED, LENGTHS) is None


def test_clients_beyond_the_memory_keep_the_tpot_of_those_that_run():
    """With room for eight of sixteen, TPOT is that of eight, and the answer says how many run."""
    small = replace(MIXED, max_sequences=8)
    held, eight = (
        queue(replace(NODE, tokens=16), small, LENGTHS),
        queue(replace(NODE, tokens=8), MIXED, LENGTHS),
    )

    assert (held.clients, held.held) == (16, 8)
    assert held.tpot_s == pytest.approx(eight.tpot_s, rel=0.1)
    assert held.output_tokens_per_s == pytest.approx(eight.output_tokens_per_s, rel=0.15)
    assert held.equal_ttft_s > 5 * eight.equal_ttft_s
