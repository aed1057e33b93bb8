"""KV cache of a serving engine: what a request takes, what of a GPU may be used, and the largest batch in it."""

from dataclasses import replace

import pytest

from core.calculators.serving import (
    Engine,
    cache,
)
from core.calculators.tensor_parallel import answer, largest_batch
from core.checks import InputError
from tests.core.serving_scenarios import HYBRID, NODE


def test_room_for_the_whole_answer_runs_fewer_requests():
    """Reserved at their longest, requests of 100 in and 3,900 out take 4,000 tokens and not 2,050; blocks round up."""
    mean, longest = (
        cache(NODE, Engine(kv_reserve=kind, max_sequences=10**6), 100, 3900) for kind in ("mean", "longest")
    )
    blocks = cache(NODE, Engine(kv_reserve="longest", kv_block=64), 100, 3900)

    assert (mean.request_tokens, longest.request_tokens, blocks.request_tokens) == (2050, 4000, 4032)
    assert longest.requests == pytest.approx(mean.requests * 2050 / 4000, abs=1)


def test_what_the_usable_share_is_a_share_of():
    """Llama 70B in FP8 on one H100: 80 GB leave next to nothing, the driver's 80 GiB a few GB, as engines find."""
    one = replace(NODE, tp=1)
    left = {
        kind: cache(one, Engine(memory_of=kind), 128, 128).bytes for kind in ("datasheet", "driver", "free")
    }

    assert left["datasheet"] < left["driver"] < left["free"]
    assert left["free"] == pytest.approx(0.9 * (one.system.gpu.visible_memory_bytes - 70.55e9), rel=0.02)


@pytest.mark.parametrize("kind", ["datasheet", "driver", "free"])
def test_step_and_engine_have_one_usable_memory(kind):
    """What the step says weights and cache may take is what the engine's weights and KV blocks take."""
    step = replace(NODE, memory_of=kind, reserve_bytes=4e9)
    held = cache(NODE, Engine(memory_of=kind, reserve_bytes=4e9), 128, 128)

    assert answer(step).memory_limit_bytes == pytest.approx(held.bytes + held.weight_bytes)


@pytest.mark.parametrize(("kind", "most"), [("datasheet", 72.0), ("driver", 77.0), ("free", 85.5)])
def test_a_reserve_larger_than_what_may_be_used_is_refused(kind, most):
    """No GPU has room below zero: the line names the most that an H100 can set aside."""
    with pytest.raises(InputError, match=rf"^reserve_bytes: at most the {most:g} GB .* not 500 GB$"):
        replace(NODE, memory_of=kind, reserve_bytes=500e9)

    assert answer(replace(NODE, memory_of=kind, reserve_bytes=most * 0.99e9)).memory_limit_bytes > 0


def test_the_largest_batch_keeps_to_the_memory_limit():
    """The batch that a step finds fits by its own `fits`, and one more does not, reserve included."""
    step = replace(NODE, memory_of="free", reserve_bytes=8e9)
    largest = largest_batch(step).batch
    fits = [answer(replace(step, tokens=batch)).fits for batch in (largest, largest + 1)]

    assert fits == [True, False]


FOUR = replace(HYBRID, tp=4)


def test_states_in_a_pool_of_their_own_bound_the_requests():
    """
    Qwen3-Next in SGLang: 9/19 of what the weights leave holds states, five for each request, fewer with a flag.

    With drafted tokens each of them, and one more, keeps a state too; a model without states has one pool.
    """
    one, two = Engine(), Engine(state_ratio=0.9, state_slots=5)
    whole = cache(FOUR, one, 512, 64)
    state = cache(FOUR, one, 1, 1).request_bytes
    apart = cache(FOUR, two, 512, 64)

    assert apart.requests == int(whole.bytes * 0.9 / 1.9 // (5 * state)) < whole.requests
    assert cache(FOUR, replace(two, state_slots=3), 512, 64).requests == pytest.approx(
        apart.requests * 5 / 3, abs=2
    )
    assert cache(FOUR, replace(two, draft_tokens=3), 512, 64).requests == pytest.approx(
        apart.requests * 5 / 9, abs=2
    )
    assert cache(NODE, two, 512, 64) == cache(NODE, one, 512, 64)


def test_room_for_cache_bounds_the_requests_of_two_pools():
    """At a million tokens each request's KV blocks, not its states, fill their pool: 10/19 of the room."""
    long = cache(FOUR, Engine(state_ratio=0.9, state_slots=5), 1_000_000, 1024)
    each = long.request_bytes - cache(FOUR, Engine(), 1, 1).request_bytes

    assert long.requests == pytest.approx(long.bytes / 1.9 / each, abs=1)
