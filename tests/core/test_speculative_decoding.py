"""Speculative decoding: tokens of a verification, the acceptance that breaks even, and what it cannot go with."""

from dataclasses import replace

import pytest

from core.calculators.serving import (
    Engine,
    engine_of,
    offline,
    prefix,
    speculative,
    tokens_per_step,
)
from core.catalog.software import PRESETS
from core.checks import InputError
from tests.core.serving_scenarios import NODE, RACK


def test_tokens_of_a_verification():
    """Three drafted at 0.5: 1 + 1/2 + 1/4 + 1/8; certain acceptance yields all and one more."""
    assert tokens_per_step(3, 0.5) == 1.875
    assert tokens_per_step(3, 1.0) == 4
    assert tokens_per_step(3, 0.0) == 1


def test_the_break_even_acceptance_is_even():
    """At it, speculative decoding is as fast as without; above it faster."""
    drafting = Engine(draft_tokens=4)
    pays = speculative(NODE, drafting).break_even_acceptance

    assert speculative(NODE, replace(drafting, acceptance=pays)).speedup == pytest.approx(1, rel=1e-6)
    assert speculative(NODE, replace(drafting, acceptance=pays + 0.1)).speedup > 1
    assert speculative(NODE, replace(drafting, draft_cost=1.0)).break_even_acceptance is None


def test_drafting_pays_less_in_a_large_batch():
    """Verification is free while weights bound the step, and costs compute once tokens do."""
    gains = [speculative(replace(NODE, tokens=n), Engine(draft_tokens=3)).speedup for n in (1, 64, 1024)]

    assert gains[0] > gains[1] > gains[2]


def test_drafts_are_verified_in_the_latent_space():
    """DeepSeek's two queries a sequence cost MLA twice the FLOPs of one: the step grows where attention binds."""
    wide = replace(RACK, tokens=512, context=16384)
    drafted = speculative(wide, Engine(draft_tokens=1, acceptance=0.85, draft_cost=0.0))

    assert drafted.tokens_per_step == pytest.approx(1.85)
    assert 1.3 < drafted.verify_step_s / drafted.decode_step_s < 2


def test_an_overridden_step_is_refused_by_name():
    """Compute of one's own knows no drafted tokens and no cached prefix."""
    own = replace(NODE, compute_s=1e-4)

    with pytest.raises(InputError, match=r"^draft_tokens: "):
        speculative(own, Engine(draft_tokens=2))
    with pytest.raises(InputError, match=r"^prefix_hit: "):
        prefix(own, Engine(prefix_hit=0.5), 100)
    assert offline(own, 1000, 1000, engine=engine_of(PRESETS["trtllm"])).mixed_step_s is None


def test_drafts_are_what_an_overridden_step_cannot_have():
    """Where the question states the seconds of compute, the refusal names the drafts and not a chunk."""
    own = replace(NODE, compute_s=1e-4)

    with pytest.raises(InputError, match=r"^draft_tokens: "):
        offline(own, 2048, 256, engine=Engine(draft_tokens=3))
