"""The terms of the compute model that depend on size: tails of products, adding up gradients, jitter, unfused attention."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import catalog
from core.calculators.training import Layout, Scenario, answer, pass_times, with_fastest_micro_batch
from core.calculators.training.attention import kernel_share
from core.calculators.training.comm import LayerCalls
from core.calculators.training.compute import compute
from core.calculators.training.efficiency import expert_share
from core.calculators.training.price import price_s
from core.calculators.training.stage_params import first_stage_params, mean_stage_params
from core.calculators.training.stragglers import straggler_s
from core.calculators.training.wave_quantization import Gemm, TailFlop, tail_flop
from core.calculators.training.work import layer_work
from core.catalog.calibrations.training import MOE_BAND
from core.systems import configure
from core.workload.transformer import parameters

A100 = configure(catalog.system("dgx-a100"), domains=64)
GPT = replace(catalog.model("llama-3.1-70b"), heads=64, head_dim=128)
JOB = Scenario(model=GPT, system=A100, layout=Layout(tp=8, dp=8), global_batch=256, seq=2048)


def test_a_tail_does_not_grow_with_the_rows_of_a_gemm():
    """A forward loses the same part of a wave whether a GEMM has many rows or few."""
    few, many = (tail_flop(A100.gpu, (Gemm(rows, 4096, 8192),)).forward for rows in (512, 65536))

    assert few == many > 0


def test_a_gemm_loses_about_half_a_wave():
    """The last wave over 108 multiprocessors is half empty on average: one GEMM forward, two in backward."""
    gemm = Gemm(2048, 4096, 8192)
    wave_results = 128 * 256 * 108
    tail = tail_flop(A100.gpu, (gemm,))
    backward_flop = 2 * wave_results * (gemm.rows + gemm.columns)

    assert 0.5 <= tail.forward / (2 * wave_results * gemm.inner) <= 0.6
    assert 0.5 <= tail.backward / backward_flop <= 0.6
    assert tail_flop(A100.gpu, (gemm, gemm)) == TailFlop(2 * tail.forward, 2 * tail.backward)


def test_fewer_multiprocessors_lose_less_in_the_last_wave():
    """H20 has 78 multiprocessors where H100 has 132; a GPU that states none is taken as the latter."""
    gemms = (Gemm(2048, 4096, 8192),)
    h20, h100 = (tail_flop(catalog.gpu(name), gemms).forward for name in ("h20", "h100-sxm"))

    assert h20 / h100 == pytest.approx(78 / 132)
    assert tail_flop(replace(catalog.gpu("h20"), multiprocessors=None), gemms).forward == h100


def test_larger_micro_batches_waste_less_of_a_gpu():
    """A sequence takes less compute time the more of them one micro-batch holds."""
    small, large = (compute(replace(JOB, micro_batch=size)) for size in (1, 4))

    assert large.layer_forward_s < 4 * small.layer_forward_s
    assert large.layer_backward_s < 4 * small.layer_backward_s


def test_gradients_are_accumulated_only_over_several_micro_batches():
    """One micro-batch a step writes its gradients once; a second makes each backward longer."""
    single = compute(replace(JOB, global_batch=8))
    several = compute(JOB)

    assert single.layer_forward_s == several.layer_forward_s
    assert single.layer_backward_s < several.layer_backward_s


@given(st.integers(1, 12).map(lambda power: 2**power))
def test_waiting_grows_with_the_ranks_and_starts_beyond_one_node(ranks):
    """No waiting is added up to eight GPUs; each doubling from there adds to it."""
    system = configure(catalog.system("dgx-h100"), domains=1024)
    jobs = [
        replace(JOB, system=system, layout=Layout(dp=size), global_batch=8192, strategy="fsdp")
        for size in (ranks, 2 * ranks)
    ]
    less, more = (straggler_s(job, 10.0) for job in jobs)

    assert (less == 0) == (ranks <= 8)
    assert more > less or more == 0


def test_meeting_in_every_layer_waits_longer_than_once_a_step():
    """FSDP's ranks wait for the slowest in each layer, ZeRO-1's in each step."""
    often, once = (straggler_s(replace(JOB, strategy=name), 10.0) for name in ("fsdp", "zero1"))

    assert often > 2.5 * once > 0


def test_waiting_is_part_of_exposed_dp_communication():
    """The parts of a step still add up, and one copy of the model waits for nobody."""
    result, alone = answer(JOB), answer(replace(JOB, layout=Layout(tp=8, pp=8)))

    assert 0 < result.waiting_s <= result.exposed_s.dp <= result.comm_s.dp
    assert result.step_s == pytest.approx(result.compute_s + result.exposed_s.total_s + result.bubble_s)
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
    """126 layers with an embedding and a head make 16 stages of 8 virtual stages, as the model was trained."""
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


def test_tp_overlaps_only_inside_a_domain():
    """Kernels that overlap TP write to a neighbour's memory, which a network does not offer."""
    job = replace(JOB, system=configure(catalog.system("dgx-h100"), domains=64))
    inside, across = (replace(job, layout=Layout(tp=tp, dp=4)).overlap.tp for tp in (8, 16))

    assert inside > across == 0


def test_tp_overlaps_as_the_framework_and_the_gpu_do():
    """Megatron's kernels hide most of it on Hopper, FSDP's asynchronous TP not quite half, software unknown or on A100 nothing."""
    job = replace(JOB, system=configure(catalog.system("dgx-h100"), domains=64))
    megatron, fsdp, any_ = (replace(job, framework=name).overlap.tp for name in ("megatron", "fsdp", "any"))

    assert (megatron, fsdp, any_) == (0.7, 0.45, 0.0)
    assert JOB.overlap.tp == 0.0
    assert replace(JOB, tp_overlap=0.3).overlap.tp == 0.3


def test_heads_of_64_take_longer_for_as_many_products():
    """Half as wide, twice as many: as many exponentials for half the products, which Hopper and Blackwell feel and A100 does not."""
    wide = catalog.model("llama-3.1-8b")
    narrow = replace(wide, heads=64, kv_heads=16, head_dim=64)
    for name, share in (("dgx-a100", 1.0), ("dgx-h100", 0.72), ("dgx-b200", 0.55)):
        job = replace(JOB, system=configure(catalog.system(name), domains=64), framework="megatron")
        shares = [kernel_share(replace(job, model=model)) for model in (narrow, wide)]
        assert shares[0] / shares[1] == pytest.approx(share)


def test_fsdp_beside_a_pipeline_gathers_once_a_step():
    """A stage keeps its gathered parameters for all micro-batches: less traffic, and its whole stage in memory."""
    job = replace(JOB, strategy="fsdp", layout=Layout(tp=8, pp=4, dp=8), global_batch=64)
    few, many = (answer(replace(job, global_batch=batch)) for batch in (64, 256))
    flat = answer(replace(job, layout=Layout(tp=8, dp=32), global_batch=256))

    assert many.comm_s.dp - many.waiting_s == pytest.approx(few.comm_s.dp - few.waiting_s)
    assert many.memory.gathered_bytes > 3 * flat.memory.gathered_bytes


def test_pipelined_jobs_wait_longer():
    """Stages wait for one another in every micro-batch: twice a step's deviation."""
    flat, pipelined = (
        replace(JOB, layout=layout) for layout in (Layout(tp=8, dp=64), Layout(tp=8, pp=8, dp=8))
    )

    assert straggler_s(pipelined, 10.0) == pytest.approx(2 * straggler_s(flat, 10.0))


def test_a_narrower_format_does_not_shorten_the_movement_of_experts():
    """FP8 doubles the rate of an expert's arithmetic and leaves part of what surrounds it."""
    job = replace(
        JOB,
        model=catalog.model("qwen3-235b-a22b"),
        system=configure(catalog.system("dgx-h100"), domains=4),
        layout=Layout(dp=32, ep=8),
    )

    assert expert_share(replace(job, precision="fp8")) < 0.9 * expert_share(job)


def test_recomputing_a_layer_communicates_again():
    """Full recomputation sends activations and tokens forward twice and back once."""
    moe = catalog.model("deepseek-v3-r1")
    job = Scenario(
        model=moe, system=configure(catalog.system("dgx-h100"), domains=8), layout=Layout(tp=2, dp=32, ep=8)
    )
    none, full = (answer(replace(job, recompute=name)).comm_s for name in ("none", "full"))

    assert full.ep == pytest.approx(1.5 * none.ep)
    assert full.tp == pytest.approx(1.5 * none.tp)


def test_the_fastest_micro_batch_beats_its_neighbours_and_fits():
    """Where none is given: the result fits and no other that fits has a shorter step."""
    fastest = with_fastest_micro_batch(JOB)
    others = [answer(replace(JOB, micro_batch=size)) for size in (1, 2, 4, 8, 16)]

    assert answer(fastest).fits
    assert answer(fastest).step_s == min(other.step_s for other in others if other.fits)


def test_where_no_micro_batch_fits_it_is_one():
    """A model far too large is answered with one sequence at a time, and does not fit."""
    large = replace(JOB, layout=Layout(dp=8), global_batch=64)
    smallest = with_fastest_micro_batch(large)

    assert smallest.micro_batch == 1
    assert not answer(smallest).fits


def test_the_band_of_experts_reaches_down_to_full_overlap():
    """Where the EP overlap is not stated, the lower end lies beyond the step that overlaps all; a stated share leaves the plain band."""
    rack = configure(catalog.system("gb200-nvl72"), domains=4)
    job = Scenario(
        model=catalog.model("qwen3-235b-a22b"),
        system=rack,
        layout=Layout(pp=8, dp=32, ep=32),
        global_batch=2048,
        efficiency=0.7,
        cuda_graphs="partial",
        dispatcher="deepep",
    )
    unstated, stated, overlapped = (answer(replace(job, ep_overlap=share)) for share in (None, 0.0, 1.0))

    assert unstated.step_s == stated.step_s > overlapped.step_s
    assert overlapped.low_s < unstated.low_s < min(overlapped.step_s, stated.low_s)
    assert stated.low_s == pytest.approx(stated.step_s / (1 + MOE_BAND))
    assert unstated.high_s == stated.high_s == pytest.approx((1 + MOE_BAND) * stated.step_s)
    assert any("lower end of the band" in line for line in unstated.assumptions)


@pytest.mark.parametrize("pp", [1, 2, 4])
def test_the_stages_of_a_pipeline_hold_the_model_once(pp):
    """On average: the embedding and the head are on the first stage and the last."""
    job = replace(JOB, layout=Layout(tp=8, pp=pp, dp=8 // pp))
    ends = (parameters(GPT).embedding + parameters(GPT).head) / 8
    stage = mean_stage_params(job).total
    layers = parameters(GPT).in_layers / 8 / pp

    assert stage - layers == pytest.approx(ends if pp == 1 else ends / 2)
    assert first_stage_params(job).total >= layers + parameters(GPT).embedding / 8


@pytest.mark.parametrize("gated", [True, False])
def test_the_gemms_of_a_dense_layer_do_its_flop(gated):
    """Two FLOPs a multiply-add, over projections and MLP, with a gate or without."""
    work = layer_work(replace(JOB, model=replace(GPT, gated_mlp=gated)))
    flop = sum(2 * gemm.rows * gemm.inner * gemm.columns for gemm in work.gemms)

    assert flop == pytest.approx(work.dense_flop, rel=2e-3)


def test_backward_passes_keys_values_and_their_gradients_round_the_ring():
    """CP sends twice as much in backward as in forward; TP as much in both."""
    job = replace(JOB, layout=Layout(tp=4, cp=2, dp=8))
    layer = LayerCalls.of(job)
    comm = layer.comm([price_s(job, call) for call in layer.calls])

    assert comm.context_backward_s == 2 * comm.context_forward_s > 0
    assert comm.tensor_backward_s == comm.tensor_forward_s > 0


@pytest.mark.parametrize("pp", [1, 4])
def test_the_passes_of_a_micro_batch_add_up_to_the_compute_of_the_step(pp):
    """Forward and backward of every micro-batch on the slowest stage, and the optimizer once."""
    job = replace(JOB, layout=Layout(tp=4, pp=pp, dp=16 // pp), recompute="full")
    passes, ours = pass_times(job), answer(job)

    assert ours.compute_s == pytest.approx(
        job.micro_batches * (passes.forward_s + passes.backward_s) + ours.optimizer_s
    )
    assert passes.backward_s > 2.9 * passes.forward_s


def test_a_layer_that_waits_for_its_launch_is_a_window_for_gradients():
    """TP of FSDP over nodes: until the host no longer sets the pace, twice the tokens never take less time."""
    nodes = configure(catalog.system("dgx-h100"), domains=2)
    job = replace(JOB, system=nodes, layout=Layout(tp=8, dp=2), global_batch=4, strategy="fsdp")
    for recompute in ("none", "selective", "full"):
        steps = [answer(replace(job, seq=1 << power, recompute=recompute)).step_s for power in range(7, 15)]
        assert steps == sorted(steps), recompute
