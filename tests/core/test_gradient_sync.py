"""The gradient-sync calculator as a whole: figures, laws, refusals."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import catalog
from core.calculators import training
from core.calculators.gradient_sync import STRATEGIES, USUAL_MFU, Scenario, answer
from core.calculators.gradient_sync.compare import (
    by_algorithm,
    by_network,
    by_ranks,
    powers_of_two,
)
from core.calculators.question import Question, TrainingJob
from core.catalog.calibrations.training import OVERLAP_COST
from core.checks import InputError
from core.collectives.rates import Rates
from core.parallel.layout import Layout
from core.provenance import Origin
from core.systems import configure
from tests.each import table

H100 = catalog.system("dgx-h100")
SPEC = Rates(Origin.SPEC)
WIRE = Rates(Origin.SPEC, latency_s=0.0, bytes_per_s=450e9)
CLUSTER = configure(H100, domains=64)
RANKS = st.sampled_from([1, 2, 3, 6, 8, 16, 24, 64, 512])
JOB = st.builds(
    Scenario,
    params=st.floats(1, 1e12),
    system=st.just(CLUSTER),
    ranks=RANKS,
    strategy=st.sampled_from(STRATEGIES[:-1]),
    accumulation=st.integers(1, 8),
    whole_gradients=st.booleans(),
    backward_s=st.floats(0, 10),
    rates=st.just(SPEC),
)


def test_a_70b_model_on_eight_gpus():
    """245 GB leave each GPU, 0.544 s at 450 GB/s; busbw is the link rate, algbw 4/7 of it."""
    result = answer(Scenario(H100, 70e9, 8, rates=WIRE, algorithm="ring"))

    assert result.time_s == pytest.approx(0.5444444444444444)
    assert result.wire_bytes == pytest.approx(245e9)
    assert result.algbw_bytes_per_s == pytest.approx(257.14285714285717e9)
    assert result.busbw_bytes_per_s == pytest.approx(450e9)
    assert result.transfer_s == pytest.approx(result.time_s)
    assert any("hypothetical" in line for line in result.warnings)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_single_rank_is_free(strategy):
    """Nothing is sent, no rate is defined, and nothing is NaN."""
    result = answer(Scenario(H100, 7e9, 1, strategy=strategy, backward_s=1.0, rates=SPEC))

    assert result.wire_bytes == result.time_s == result.exposed_s == 0
    assert result.algbw_bytes_per_s is None
    assert result.busbw_bytes_per_s is None


def test_no_parameters_cost_nothing():
    """An empty model has no gradients to synchronize."""
    assert answer(Scenario(H100, 0, 8, backward_s=1.0, rates=SPEC)).exposed_s == 0


@given(JOB)
def test_exposed_time_lies_between_nothing_and_everything(job):
    """Whatever the strategy, no more is exposed than is sent, and overlapped plus exposed is all of it."""
    result = answer(job)

    assert 0 <= result.exposed_s <= result.comm_s * (1 + 1e-9) + 1e-12
    assert result.hidden_s + result.exposed_s == pytest.approx(result.comm_s, rel=1e-9, abs=1e-12)
    assert result.step_s == pytest.approx(
        job.accumulation * 1.5 * job.backward_s + result.exposed_s, rel=1e-9, abs=1e-12
    )


@given(JOB, st.floats(1, 100))
def test_more_parameters_never_take_less_time(job, factor):
    """Time, traffic and memory grow with the model."""
    small, large = answer(job), answer(replace(job, params=job.params * factor))

    assert large.time_s >= small.time_s * (1 - 1e-9)
    assert large.wire_bytes >= small.wire_bytes * (1 - 1e-12)
    assert large.memory.total_bytes >= small.memory.total_bytes * (1 - 1e-12)


@given(JOB, st.floats(0, 1))
def test_a_fraction_that_may_overlap_never_overlaps_more_than_backward(job, share):
    """Fraction mode: exposed is the communication less at most the backward that it overlaps with."""
    result = answer(replace(job, overlap=share))
    times = max((part.phase.times for part in result.phases if part.phase.when == "backward"), default=1)

    assert result.overlap_mode == "fraction"
    assert result.exposed_s == pytest.approx(
        result.comm_s - min(share * result.comm_s, times * job.backward_s), rel=1e-9, abs=1e-9
    )


def test_without_a_backward_all_is_exposed_and_the_answer_says_so():
    """No compute is known that could overlap with it."""
    result = answer(Scenario(H100, 7e9, 8, rates=SPEC))

    assert result.overlap_mode == "none"
    assert result.exposed_s == result.comm_s == result.time_s
    assert result.step_s is None
    assert any("exposed" in line for line in result.assumptions)


def test_a_share_that_overlaps_needs_no_backward():
    """Without a backward time it is taken as long enough, and the answer says so."""
    result = answer(Scenario(H100, 7e9, 8, overlap=0.9, rates=SPEC))

    assert result.exposed_s == pytest.approx(0.1 * result.time_s)
    assert any("long enough" in line for line in result.assumptions)


def test_smaller_buckets_trade_latency_for_overlap():
    """One bucket overlaps with nothing; many overlap most; too many pay for their latency."""
    job = Scenario(CLUSTER, 7e9, 512, backward_s=2.0, rates=SPEC, algorithm="ring")
    single, some, many = (answer(replace(job, bucket_bytes=size)).exposed_s for size in (14e9, 500e6, 1e6))

    assert some < single
    assert some < many


def test_an_answer_says_how_its_buckets_are_priced():
    """Of the default size they take the time of one message; stated ones that of their own, latency included."""
    job = Scenario(CLUSTER, 7e9, 512, backward_s=2.0, rates=SPEC, algorithm="ring")
    usual = answer(job)
    stated = answer(replace(job, bucket_bytes=usual.bucket_bytes))

    assert usual.comm_s == pytest.approx(usual.time_s)
    assert stated.comm_s > usual.comm_s
    assert [
        any("as long as one message" in line for line in item.assumptions) for item in (usual, stated)
    ] == [
        True,
        False,
    ]


def test_hybrid_sharding_keeps_parameters_off_the_network():
    """HSDP's gathers stay in the domain: only the replica all-reduce crosses it, on a share of the bytes."""
    result = answer(Scenario(CLUSTER, 70e9, 512, strategy="hsdp", rates=SPEC))
    across = next(part for part in result.phases if part.phase.group == "replica")

    assert result.shard_ranks == 8
    assert across.phase.ranks == 64
    assert across.phase.size_bytes == pytest.approx(140e9 / 8)
    assert across.transfer_s == pytest.approx(2 * 63 / 64 * 140e9 / 8 / 50e9, rel=0.05)


def test_fewer_nics_than_gpus_slow_every_replica_group():
    """With half of the NICs, the eight replica groups of a domain have half the rate each."""
    half = configure(H100, domains=64, nics_per_domain=4)
    job = Scenario(CLUSTER, 70e9, 512, strategy="hsdp", rates=SPEC, algorithm="ring")
    full_s, half_s = (
        next(part.transfer_s for part in answer(scenario).phases if part.phase.group == "replica")
        for scenario in (job, replace(job, system=half))
    )

    assert half_s == pytest.approx(2 * full_s)


def test_money_counts_the_exposed_share_of_the_step():
    """Exposed over step, times GPUs, times price."""
    result = answer(Scenario(CLUSTER, 7e9, 512, backward_s=0.2, usd_per_gpu_hour=3, rates=SPEC))

    assert result.step_s is not None
    assert result.loss is not None
    assert result.one_percent is not None
    assert result.loss.usd_per_day == pytest.approx(result.exposed_s / result.step_s * 512 * 24 * 3)
    assert result.one_percent.idle_gpus == pytest.approx(5.12)


def test_tokens_give_throughput_and_backward():
    """With tokens and an MFU of compute, the step and the MFU reached follow."""
    job = Scenario(H100, 7e9, 8, tokens_per_rank=8192, mfu=0.5, rates=SPEC)
    result = answer(job)

    assert result.backward_s == pytest.approx(4 * 7e9 * 8192 / (0.5 * (H100.gpu.bf16_flop_per_s or 0)))
    assert result.step_s is not None
    assert result.tokens_per_s == pytest.approx(8 * 8192 / result.step_s)
    assert result.mfu is not None
    assert result.mfu < 0.5


def test_an_mfu_nobody_stated_has_the_interval_of_frameworks():
    """A usual MFU may be off; the same MFU stated leaves the interval of communication alone."""
    job = Scenario(H100, 7e9, 8, tokens_per_rank=8192, mfu=USUAL_MFU, mfu_stated=False, rates=SPEC)
    usual, stated, near = (
        answer(replace(job, **change))
        for change in ({}, {"mfu_stated": True}, {"mfu_stated": True, "mfu": USUAL_MFU - 0.001})
    )

    assert usual.mfu_low < usual.mfu < usual.mfu_high
    assert usual.step_high_s / usual.step_low_s > stated.step_high_s / stated.step_low_s > 1
    assert stated.step_low_s == pytest.approx(near.step_low_s, rel=0.01)
    assert usual.mfu_low == pytest.approx(usual.mfu * usual.step_s / usual.step_high_s)
    assert answer(replace(job, mfu=None)).step_low_s is None


def test_exposed_communication_and_its_dollars_have_one_interval():
    """A third to either side and a point of the step; a share that the reader knows has none."""
    job = Scenario(H100, 70e9, 8, backward_s=0.2, usd_per_gpu_hour=3.0, rates=SPEC)
    result, known = answer(job), answer(replace(job, lost_share=0.2))
    money = result.loss

    assert result.exposed_low_s < result.exposed_s < result.exposed_high_s
    assert money.share_high == pytest.approx(result.exposed_high_s / result.step_s)
    assert money.usd_per_month_low / money.usd_per_month == pytest.approx(money.share_low / money.share)
    assert result.step_high_s - result.step_s == pytest.approx(result.exposed_high_s - result.exposed_s)
    assert known.loss.usd_per_day_low == known.loss.usd_per_day == known.loss.usd_per_day_high


def test_communication_beside_a_stated_backward_slows_it():
    """43 % of what overlaps counts as exposed where backward is timed alone; a stated share is what the job has."""
    timed = answer(Scenario(H100, 7e9, 8, rates=SPEC, backward_s=1.0))
    shared = answer(Scenario(H100, 7e9, 8, rates=SPEC, backward_s=1.0, overlap=1.0))
    uncovered_s = sum(item.exposed_s for item in timed.passes)

    assert timed.exposed_s == pytest.approx(uncovered_s + OVERLAP_COST * (timed.comm_s - uncovered_s))
    assert shared.exposed_s == 0


def test_stragglers_add_waiting_at_a_stated_percentile():
    """A spread of 1 % over 512 ranks costs about three deviations of backward."""
    result = answer(Scenario(CLUSTER, 7e9, 512, backward_s=1.0, spread=0.01, rates=SPEC))

    assert 0.028 < result.straggler_s < 0.033
    assert any("slowest" in line for line in result.assumptions)


@table(
    ("change", "names"),
    [
        ({"params": math.nan}, "params"),
        ({"params": -1}, "params"),
        ({"params": True}, "params"),
        ({"ranks": 9}, "ranks"),
        ({"ranks": 0}, "ranks"),
        ({"ranks": 1.5}, "ranks"),
        ({"strategy": "zero4"}, "zero3"),
        ({"grad_bytes": 0}, "grad_bytes"),
        ({"accumulation": 0}, "accumulation"),
        ({"bucket_bytes": 0}, "bucket_bytes"),
        ({"overlap": -0.5}, "overlap"),
        ({"backward_s": 1.0, "overlap": 1.5}, "overlap"),
        ({"backward_s": math.inf}, "backward_s"),
        ({"percentile": 1.0}, "percentile"),
        ({"percentile": 0.9}, "goes with a spread"),
        ({"strategy": "hsdp", "shard_ranks": 3}, "shard_ranks"),
        ({"algorithm": "magic"}, "algorithm"),
    ],
)
def test_nonsense_is_refused_by_name(change, names):
    """One line that names the argument and what is allowed."""
    with pytest.raises(InputError, match=names) as refused:
        answer(replace(Scenario(H100, 7e9, 8), **change))

    assert "\n" not in str(refused.value)


def test_from_two_gpus_to_thirty_two_thousand():
    """Traffic per GPU rises towards twice the gradients; time never falls when domains are added."""
    ranks = powers_of_two(2, 32768)
    results = by_ranks(Scenario(H100, 7e9, rates=SPEC, algorithm="auto"), ranks)
    sent = [result.wire_bytes for result in results.values()]

    assert list(results) == [2**n for n in range(1, 16)]
    assert sent == sorted(sent)
    assert all(14e9 <= size_bytes < 28e9 for size_bytes in sent)
    assert results[32768].domains == 4096
    assert results[32768].time_s > results[8].time_s


def test_every_strategy_side_by_side():
    """ZeRO-3 sends half as much again as DDP and keeps less memory."""
    job = Scenario(CLUSTER, 7e9, 64, rates=SPEC)
    results = {strategy: answer(replace(job, strategy=strategy)) for strategy in STRATEGIES}

    assert results["zero3"].wire_bytes == pytest.approx(1.5 * results["ddp"].wire_bytes)
    assert results["zero3"].memory.total_bytes < results["ddp"].memory.total_bytes


def test_roce_is_slower_by_its_headers_and_its_latency():
    """At equal line rate the difference is the payload share and a few microseconds, not a factor of three."""
    ib, roce = by_network(Scenario(CLUSTER, 70e9, 512, rates=SPEC, algorithm="ring"))

    assert ib.slowdown == 1
    assert 1.0 < roce.slowdown < 1.06
    assert roce.latency_s > ib.latency_s
    assert ib.cost_factor > roce.cost_factor


def test_algorithms_side_by_side():
    """A ring and a tree apply to any machine with a network."""
    sweeps = by_algorithm(Scenario(CLUSTER, 7e9, 64, rates=SPEC), [1e3, 1e6, 1e9])

    assert {"ring", "tree"} <= set(sweeps)
    assert all(sweep.time_s.shape == (3,) for sweep in sweeps.values())


def test_states_that_fill_the_memory_exactly_fit():
    """A sixteenth as many parameters as the GPU has bytes fill it at 16 bytes each; one more does not fit."""
    room = 81_559 * 2**20
    most = room / 16
    exact, over = (answer(Scenario(H100, params, 8, rates=SPEC)).memory for params in (most, most + 1))

    assert exact.total_bytes == exact.available_bytes == room
    assert exact.fits
    assert not over.fits


@pytest.mark.parametrize("strategy", ["ddp", "fsdp"])
def test_compute_is_what_the_training_calculator_computes(strategy):
    """Llama 8B on 64 H100, one sequence a GPU: the MFU of the training step within three points, not 40 %."""
    question = Question(
        system=configure(H100, domains=8),
        model=catalog.model("llama-3.1-8b"),
        gpus=64,
        job=TrainingJob(strategy=strategy, seq=8192, global_batch=64),
    )
    step = training.answer(training.Scenario.of(question, layout=Layout(dp=64)))
    usual = answer(Scenario.of(question, tokens_per_rank=8192))
    stated = answer(Scenario.of(question, tokens_per_rank=8192, mfu=0.4))

    assert usual.mfu == pytest.approx(step.mfu, abs=0.03)
    assert usual.mfu_low < usual.mfu < usual.mfu_high
    assert usual.compute.startswith("as in the training step, GEMM efficiency")
    assert stated.compute == "40 % of the BF16 peak, as stated"
    assert stated.mfu == pytest.approx(0.4, rel=0.01)


def test_a_number_of_parameters_alone_runs_at_the_usual_mfu():
    """Without layers there are no GEMMs to price: 40 % of the BF16 peak, and the answer says so."""
    result = answer(Scenario.of(Question(system=H100, gpus=8), params=8e9, tokens_per_rank=8192))

    assert result.compute.startswith("40 % of the BF16 peak")
    assert answer(Scenario.of(Question(system=H100, gpus=8), params=8e9)).compute == ""


@pytest.mark.parametrize(("efficiency", "mfu"), [(0.2, 0.2), (0.8, 0.8), (1.05, 1.0)])
def test_a_number_of_parameters_runs_at_the_stated_efficiency(efficiency, mfu):
    """What a job says of its GEMMs counts without layers too, up to the peak, and leaves no doubt of its own."""
    job = TrainingJob(strategy="ddp", grad_bytes=2.0, efficiency=efficiency)
    scenario = Scenario.of(Question(system=H100, gpus=8, job=job), params=8e9, tokens_per_rank=8192)

    assert (scenario.mfu, scenario.mfu_stated) == (mfu, True)
    assert answer(scenario).compute == f"{100 * mfu:g} % of the BF16 peak, as stated"
