"""What is computed side by side, or without its words, is what is computed one by one."""

from dataclasses import replace

import numpy as np
import pytest

from core import catalog
from core.calculators.capacity import Scenario as Memory
from core.calculators.capacity import capacity, usage
from core.calculators.layouts import mfus, rank_training
from core.calculators.layouts.by_batch import fastest_by_batch
from core.calculators.layouts.inputs import NETWORK_LATENCY, NETWORK_RATE, SCALE_UP_RATE
from core.calculators.layouts.many_steps import alike, steps_s
from core.calculators.layouts.repriced import Repriced
from core.calculators.layouts.serving_step import serving_step, serving_steps, steps_of_degrees
from core.calculators.tensor_parallel import Scenario as Serving
from core.calculators.tensor_parallel import by_tokens
from core.calculators.training import Scenario, answer, speed
from core.catalog import PRECISIONS
from core.collectives.cost_model import Setting
from core.collectives.cost_model.compiler import compiled, compiled_times
from core.systems import configure

GPUS = 64
CLUSTER = configure(catalog.system("dgx-h100"), domains=8)
DENSE = Scenario(CLUSTER, catalog.model("llama-3.1-70b"), global_batch=128)
EXPERTS = Scenario(CLUSTER, catalog.model("mixtral-8x7b"), global_batch=128)


@pytest.fixture(scope="module", params=[DENSE, EXPERTS], ids=["dense", "experts"])
def ranking(request):
    """Layouts of a job on 64 GPUs."""
    return rank_training(request.param, GPUS)


@pytest.mark.parametrize("changed", [NETWORK_RATE, SCALE_UP_RATE, NETWORK_LATENCY])
def test_repriced_steps_are_steps_on_other_links(ranking, changed):
    """Work once and collectives anew give the seconds that the whole step on the changed links gives."""
    scenarios = [layout.scenario for layout in ranking.layouts]
    places = np.arange(0, len(scenarios), 3)
    repriced_s = Repriced.of(scenarios).steps_s(changed.scaled(ranking.scenario, 0.4), places)
    steps = steps_s(alike(scenarios), lambda job: changed.scaled(job, 0.4))

    assert repriced_s.tolist() == steps[places].tolist()


def test_the_fastest_layout_of_each_batch_is_the_first_of_its_ranking(ranking):
    """Batches side by side have the winners that a ranking of each alone has."""
    jobs = [ranking.at_batch(batch) for batch in (32, 96, 512)]
    fastest = fastest_by_batch(jobs, GPUS)

    assert fastest == {job.global_batch: rank_training(job, GPUS).ranked[0].scenario for job in jobs}


def test_a_batch_that_nothing_fits_has_no_fastest_layout():
    """A global batch of one sequence leaves most replicas without work; none of 405B fits two nodes."""
    job = replace(DENSE, model=catalog.model("llama-3.1-405b"), global_batch=1)

    assert fastest_by_batch([job], 16) == {}


def test_a_ranked_layout_with_sharded_parameters_is_the_one_asked_alone():
    """Its gradients are BF16, as FSDP's are where nobody says; those that a job states stay."""
    job = replace(DENSE, model=catalog.model("llama-3.1-8b"))
    own, stated = (
        next(layout.scenario for layout in rank_training(each, GPUS).layouts if layout.sharded)
        for each in (job, replace(job, grad_bytes=1.0))
    )

    assert own == replace(own, strategy="fsdp", grad_bytes=None)
    assert (own.grad_bytes, stated.grad_bytes) == (2.0, 1.0)


def test_mfu_of_ranked_layouts_is_that_of_their_answers(ranking):
    """The table of layouts shows the interval that the training calculator gives each of them."""
    layouts = ranking.ranked[:6]

    for layout, mfu in zip(layouts, mfus(layouts), strict=True):
        full = answer(layout.scenario)
        assert (mfu.usual, mfu.low, mfu.high) == pytest.approx((full.mfu, full.mfu_low, full.mfu_high))


def test_the_speed_of_a_step_is_that_of_its_answer(ranking):
    """Without memory and words a step takes as long."""
    scenario = ranking.ranked[0].scenario
    pace, full = speed(scenario), answer(scenario)

    assert (pace.step_s, pace.mfu) == (full.step_s, full.mfu)
    assert pace.tokens_per_s_per_gpu == full.tokens_per_s_per_gpu


@pytest.mark.parametrize("domains", [1, 4])
@pytest.mark.parametrize("collective", ["all_reduce", "all_gather", "send_recv"])
def test_times_without_a_band_are_those_of_the_whole_curve(domains, collective):
    """A search reads the same time and latency at every size as an answer with its interval."""
    network = CLUSTER.network if domains > 1 else None
    setting = Setting(CLUSTER.gpu.id, CLUSTER.scale_up.link, 8, domains, network, collective=collective)
    curve, times = compiled(setting), compiled_times(setting)

    assert np.array_equal(curve.log_time, times.log_time)
    assert np.array_equal(curve.latency_share, times.latency_share)
    assert curve.basis == times.basis


def test_serving_steps_of_several_batches_are_each_batchs_own():
    """Layouts that share TP and EP are priced together, and cost what each costs alone."""
    load = Serving(CLUSTER, catalog.model("mixtral-8x7b"), tokens=1, tp=4, ep=8, context=4096)
    together = serving_steps(load, [1, 32, 257])

    assert together == [serving_step(replace(load, tokens=tokens)) for tokens in (1, 32, 257)]


@pytest.mark.parametrize("model", ["mixtral-8x7b", "deepseek-v3-r1", "llama-3.1-70b"])
def test_steps_of_several_degrees_are_each_degrees_own(model):
    """Degrees are priced side by side, and a step is to the last bit the one that is priced alone."""
    load = Serving(CLUSTER, catalog.model(model), tokens=1, tp=1, context=4096, weights=PRECISIONS["fp8"])
    wanted = {(1, 1): [3, 96], (2, 8): [1, 32], (4, 8): [32, 257], (8, 1): [8], (1, 16): [2]}
    if not load.model.moe_layers:
        wanted = {degrees: counts for degrees, counts in wanted.items() if degrees[1] == 1}
    by_tokens._known.cache_clear()
    together = steps_of_degrees(load, wanted)

    by_tokens._known.cache_clear()
    for (tp, ep), counts in wanted.items():
        for tokens in counts:
            alone = serving_step(replace(load, tp=tp, ep=ep, tokens=tokens))
            assert together[tp, ep][tokens] == alone, (tp, ep, tokens)


@pytest.mark.parametrize("requests", [1, 7, 300])
def test_the_most_requests_are_the_last_that_fit(requests):
    """One more than the most does not fit, wherever the limit lies; a model of no cache has no limit of its own."""
    held = usage(Memory(CLUSTER, catalog.model("llama-3.1-70b"), context=8192, sequences=1, gpus=8, tp=8))
    each = held.cache_bytes + held.state_bytes
    for beside in (-0.5, -1e-9, 0.0, 1e-9, 0.5):
        limited = replace(held, limit_bytes=held.before_bytes + each * (requests + beside))
        fitting = [count for count in range(requests + 2) if replace(limited, requests=count).fits]
        assert limited.most_requests(1000) == max(fitting)
    assert replace(held, limit_bytes=held.before_bytes / 2).most_requests(1000) == 0
    assert replace(held, cache_bytes=0.0, state_bytes=0.0).most_requests(1000) == 1000


def test_memory_without_words_is_that_of_the_capacity_answer():
    """A search sees a GPU as full as the answer does."""
    question = Memory(CLUSTER, catalog.model("llama-3.1-70b"), context=8192, sequences=64, gpus=8, tp=8)
    memory, full = usage(question), capacity(question)

    assert (memory.used_bytes, memory.free_bytes) == (full.used_bytes_per_gpu, full.free_bytes_per_gpu)
    assert memory.fits == full.fits
