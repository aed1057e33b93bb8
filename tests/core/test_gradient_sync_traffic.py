"""What each strategy sends, and what stays in memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import catalog
from core.calculators.gradient_sync import Scenario as GradientSync
from core.calculators.gradient_sync import answer as gradient_sync
from core.calculators.gradient_sync.memory import memory
from core.calculators.training import Layout
from core.calculators.training import Scenario as Training
from core.calculators.training import answer as training
from core.catalog.calibrations.training import DP_CONTENTION
from core.checks import InputError
from core.collectives.rates import Rates
from core.parallel.traffic import STRATEGIES, Volume, phases, wire_bytes
from core.provenance import Origin
from core.systems import configure
from core.workload.transformer import parameters

RANKS = st.integers(2, 40_000)
BYTES = st.floats(1, 1e14)


def _sent(strategy, volume, ranks, shard=None):
    return wire_bytes(phases(strategy, volume, ranks, shard))


@given(RANKS, BYTES)
def test_ddp_sends_at_least_the_gradients_and_less_than_twice(ranks, gradient_bytes):
    """A ring all-reduce moves between M and 2M per GPU, never the 2M that is often quoted."""
    sent = _sent("ddp", Volume(gradient_bytes, gradient_bytes), ranks)

    assert gradient_bytes * (1 - 1e-12) <= sent < 2 * gradient_bytes


@given(RANKS, BYTES)
def test_equal_bytes_make_the_known_ratios(ranks, size):
    """With gradients as large as parameters: 2, 2, 2 and 3 times (n-1)/n of the model."""
    unit = (ranks - 1) / ranks * size

    sent = [_sent(name, Volume(size, size), ranks) / unit for name in ("ddp", "zero1", "zero2", "zero3")]

    assert sent == pytest.approx([2, 2, 2, 3])


@given(RANKS, BYTES, BYTES, st.integers(1, 64))
def test_accumulation_costs_what_the_strategy_repeats(ranks, gradient_bytes, parameter_bytes, steps):
    """DDP and ZeRO-1 communicate once per step, ZeRO-2 repeats the gradients, ZeRO-3 repeats everything."""
    volume = Volume(gradient_bytes, parameter_bytes, steps)
    f = (ranks - 1) / ranks

    assert _sent("ddp", volume, ranks) == pytest.approx(2 * f * gradient_bytes)
    assert _sent("zero1", volume, ranks) == pytest.approx(f * (gradient_bytes + parameter_bytes))
    assert _sent("zero2", volume, ranks) == pytest.approx(f * (steps * gradient_bytes + parameter_bytes))
    assert _sent("zero3", volume, ranks) == pytest.approx(steps * f * (2 * parameter_bytes + gradient_bytes))
    assert _sent("fsdp", volume, ranks) == _sent("zero3", volume, ranks)


def test_whole_gradients_are_scattered_once():
    """Without gradient sharding until the last accumulation step FSDP sends A * 2fp + fg, and ZeRO-2 what ZeRO-1 does."""
    volume = Volume(100.0, 50.0, 4, whole_gradients=True)

    assert _sent("fsdp", volume, 8) == pytest.approx(4 * 2 * 0.875 * 50 + 0.875 * 100)
    assert _sent("zero2", volume, 8) == _sent("zero1", volume, 8)


@given(st.integers(1, 64), st.integers(1, 64), BYTES)
def test_hybrid_sharding_is_fsdp_inside_and_ddp_outside(shard, replicas, size):
    """HSDP over one copy is FSDP; over shards of one rank it is DDP."""
    volume = Volume(size, size)
    ranks = shard * replicas
    inside = 3 * (shard - 1) / shard * size
    outside = 2 * (replicas - 1) / replicas * size / shard

    assert _sent("hsdp", volume, ranks, shard) == pytest.approx(inside + outside)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_rank_sends_nothing(strategy):
    """There is no other rank to synchronize with."""
    assert _sent(strategy, Volume(1e9, 1e9, 3), 1) == 0


@pytest.mark.parametrize(
    ("strategy", "ranks", "shard", "names"),
    [("zero4", 8, None, "zero1"), ("ddp", 0, None, "ranks"), ("hsdp", 12, 8, "shard_ranks")],
)
def test_nonsense_is_refused_by_name(strategy, ranks, shard, names):
    """Unknown strategies list the known ones; a shard group must divide the ranks."""
    with pytest.raises(InputError, match=names):
        phases(strategy, Volume(1.0, 1.0), ranks, shard)


def test_a_70b_replica_does_not_fit_one_80_gb_gpu():
    """140 GB of BF16 weights alone exceed the memory: pure data parallelism is hypothetical."""
    states = memory("ddp", Volume(140e9, 140e9), 70e9, 8, 80e9)

    assert states.parameter_bytes == 140e9
    assert not states.fits
    assert "hypothetical" in (states.warning("ddp", "H100") or "")


@given(st.integers(1, 4096), st.floats(1e6, 1e12))
def test_each_zero_stage_holds_no_more_than_the_one_before(ranks, params):
    """Sharding more never costs memory; with everything sharded the sum is the replica's over n."""
    volume = Volume(2 * params, 2 * params)
    sizes = [
        memory(name, volume, params, ranks, 80e9).total_bytes for name in ("ddp", "zero1", "zero2", "zero3")
    ]

    assert sizes == sorted(sizes, reverse=True)
    assert sizes[3] * ranks == pytest.approx(sizes[0])


@pytest.mark.parametrize(
    ("strategy", "published_gb"), [("ddp", 120), ("zero1", 31.4), ("zero2", 16.6), ("zero3", 1.9)]
)
def test_states_of_the_zero_paper(strategy, published_gb):
    """Rajbhandari et al., figure 1: 7.5B parameters on 64 GPUs, 2 + 2 + 12 bytes a parameter."""
    volume = Volume(15e9, 15e9)

    assert memory(strategy, volume, 7.5e9, 64, 80e9).total_bytes == pytest.approx(
        published_gb * 1e9, rel=0.02
    )


def test_unsharded_gradients_stay_whole_in_memory():
    """What FSDP saves in traffic until the last accumulation step it pays in memory."""
    sharded, whole = (
        memory("fsdp", Volume(160.0, 80.0, 4, whole_gradients=flag), 40, 8, 80e9) for flag in (False, True)
    )

    assert (sharded.gradient_bytes, whole.gradient_bytes) == (20, 160)
    assert sharded.parameter_bytes == whole.parameter_bytes == 10


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_both_calculators_count_the_same_states_and_the_same_communication(strategy):
    """Data parallelism alone: the training step holds what gradient sync says and sends it, all groups at once."""
    system, model = configure(catalog.system("dgx-h100"), domains=2), catalog.model("llama-3.1-8b")
    rates = Rates(Origin.SPEC)
    job = Training(
        system, model, Layout(dp=16), global_batch=64, strategy=strategy, rates=rates, dp_overlap=False
    )
    sync = GradientSync(
        system,
        parameters(model).total,
        strategy=strategy,
        accumulation=job.micro_batches,
        rates=rates,
    )
    step, expected = training(job), gradient_sync(sync)

    for name in ("parameter_bytes", "gradient_bytes", "optimizer_bytes"):
        assert getattr(step.memory, name) == pytest.approx(getattr(expected.memory, name))
    assert job.micro_batches == 4
    assert step.comm_s.dp - step.waiting_s == pytest.approx(DP_CONTENTION * expected.time_s)
    assert step.exposed_s.dp == step.comm_s.dp
