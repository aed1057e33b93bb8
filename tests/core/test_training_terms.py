"""The terms of the compute model that depend on size: tails of products, adding up gradients, jitter, unfused attention."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import catalog
from core.calculators.training import Layout, Scenario, answer, with_fastest_micro_batch
from core.calculators.training.compute import compute
from core.calculators.training.slowest import slowest_s
from core.calculators.training.waves import Product, tail_flop
from core.systems import configure

A100 = configure(catalog.system("dgx-a100"), domains=64)
GPT = replace(catalog.model("llama-3.1-70b"), heads=64, head_dim=128)
JOB = Scenario(model=GPT, system=A100, layout=Layout(tp=8, dp=8), global_batch=256, seq=2048)


def test_a_tail_does_not_grow_with_the_rows_of_a_product():
    """A forward loses the same part of a wave whether a product has many rows or few."""
    few, many = (tail_flop(A100.gpu, (Product(rows, 4096, 8192),))[0] for rows in (512, 65536))

    assert few == many > 0


def test_larger_micro_batches_waste_less_of_a_gpu():
    """A sequence takes less compute time the more of them one micro-batch holds."""
    one, four = (compute(replace(JOB, micro_batch=size)) for size in (1, 4))

    assert four.layer_forward_s < 4 * one.layer_forward_s
    assert four.layer_backward_s < 4 * one.layer_backward_s


def test_gradients_are_added_up_only_over_several_micro_batches():
    """One micro-batch a step writes its gradients once; a second makes each backward longer."""
    single = compute(replace(JOB, global_batch=8))
    several = compute(JOB)

    assert single.layer_forward_s == several.layer_forward_s
    assert single.layer_backward_s < several.layer_backward_s


@given(st.integers(1, 12).map(lambda power: 2**power))
def test_waiting_grows_with_the_ranks_and_starts_beyond_one_board(ranks):
    """No waiting is added up to eight GPUs; each doubling from there adds to it."""
    system = configure(catalog.system("dgx-h100"), domains=1024)
    jobs = [
        replace(JOB, system=system, layout=Layout(dp=size), global_batch=8192, strategy="fsdp")
        for size in (ranks, 2 * ranks)
    ]
    less, more = (slowest_s(job, 10.0) for job in jobs)

    assert (less == 0) == (ranks <= 8)
    assert more > less or more == 0


def test_meeting_in_every_layer_waits_longer_than_once_a_step():
    """FSDP's ranks wait for the slowest in each layer, ZeRO-1's in each step."""
    often, once = (slowest_s(replace(JOB, strategy=name), 10.0) for name in ("fsdp", "zero1"))

    assert often > 3 * once > 0


def test_waiting_is_part_of_what_data_parallelism_shows():
    """The parts of a step still add up, and one copy of the model waits for nobody."""
    found, alone = answer(JOB), answer(replace(JOB, layout=Layout(tp=8, pp=8)))

    assert 0 < found.waiting_s <= found.exposed_s.dp <= found.comm_s.dp
    assert found.step_s == pytest.approx(found.compute_s + found.exposed_s.total_s + found.bubble_s)
    assert alone.waiting_s == 0


def test_attention_without_flash_takes_longer_and_more_memory():
    """Scores that pass through memory cost time in proportion to the square of the sequence, and room."""
    fused, unfused = (answer(replace(JOB, flash=flash)) for flash in (True, False))

    assert unfused.step_s > fused.step_s
    assert unfused.memory_bytes_per_gpu > fused.memory_bytes_per_gpu


def test_heads_off_the_tensor_cores_are_slow_and_said():
    """108 values a head, no multiple of 8: unfused attention falls to the vector units, with a note."""
    odd = replace(GPT, heads=128, kv_heads=128, head_dim=108, hidden=13824)
    even = replace(GPT, heads=96, kv_heads=96, head_dim=144, hidden=13824)
    slow, fast = (answer(replace(JOB, model=model, flash=False)) for model in (odd, even))

    assert slow.step_s > 1.15 * fast.step_s
    assert any("108" in line for line in slow.warnings)
    assert not any("tensor cores" in line for line in fast.warnings)


def test_llama_3s_own_layout_can_be_asked():
    """126 layers with an embedding and a head make 16 stages of 8 pieces, as the model was trained."""
    system = configure(catalog.system("dgx-h100"), domains=1024)
    job = Scenario(
        model=catalog.model("llama-3.1-405b"),
        system=system,
        layout=Layout(tp=8, pp=16, vpp=8, dp=64),
        global_batch=2048,
        seq=8192,
    )
    half = replace(job, layout=replace(job.layout, dp=32), global_batch=2048)

    assert answer(job).tokens_per_s_per_gpu < answer(half).tokens_per_s_per_gpu


def test_tp_hides_only_inside_a_domain():
    """Kernels that overlap TP write to a neighbour's memory, which a network does not offer."""
    inside, across = (replace(JOB, layout=Layout(tp=tp, dp=4)).hidden.tp for tp in (8, 16))

    assert inside > across == 0


def test_computing_a_layer_again_exchanges_again():
    """Full recomputation sends activations and tokens forward twice and back once."""
    moe = catalog.model("deepseek-v3-r1")
    job = Scenario(
        model=moe, system=configure(catalog.system("dgx-h100"), domains=8), layout=Layout(tp=2, dp=32, ep=8)
    )
    none, full = (answer(replace(job, recompute=name)).comm_s for name in ("none", "full"))

    assert full.ep == pytest.approx(1.5 * none.ep)
    assert full.tp == pytest.approx(1.5 * none.tp)


def test_the_fastest_micro_batch_beats_its_neighbours_and_fits():
    """Nobody stated one: the chosen one fits and no other that fits has a shorter step."""
    chosen = with_fastest_micro_batch(JOB)
    others = [answer(replace(JOB, micro_batch=size)) for size in (1, 2, 4, 8, 16)]

    assert answer(chosen).fits
    assert answer(chosen).step_s == min(other.step_s for other in others if other.fits)


def test_where_no_micro_batch_fits_it_is_one():
    """A model far too large is answered with one sequence at a time, and does not fit."""
    large = replace(JOB, layout=Layout(dp=8), global_batch=64)
    chosen = with_fastest_micro_batch(large)

    assert chosen.micro_batch == 1
    assert not answer(chosen).fits


def test_the_band_of_experts_reaches_down_to_hidden_exchanges():
    """Where nobody says how much hides, the lower end hides all; a stated share leaves the plain band."""
    rack = configure(catalog.system("gb200-nvl72"), domains=4)
    job = Scenario(
        model=catalog.model("qwen3-235b-a22b"),
        system=rack,
        layout=Layout(pp=8, dp=32, ep=32),
        global_batch=2048,
        efficiency=0.7,
    )
    unsaid, said, hidden = (answer(replace(job, ep_overlap=share)) for share in (None, 0.0, 1.0))

    assert unsaid.step_s == said.step_s > hidden.step_s
    assert unsaid.low_s == pytest.approx(0.8 * hidden.step_s)
    assert said.low_s == pytest.approx(0.8 * said.step_s)
    assert unsaid.high_s == said.high_s == pytest.approx(1.2 * said.step_s)
    assert any("lower end hides" in line for line in unsaid.assumptions)
