"""The training step of a whole layout: laws, parts, refusals."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import catalog
from core.calculators.training import Layout, Scenario, answer, bubble
from core.calculators.training.data_parallel import DataComm, Passes, exposed_s
from core.calculators.training.efficiency import efficiency
from core.calculators.training.step import SlowestStage, slowest_stage
from core.catalog.calibrations.training import ANY_BAND, BAND, UNMEASURED
from core.checks import InputError
from core.collectives.rates import Rates
from core.parallel.groups import group_view
from core.parallel.pipeline import bubble_over_work, in_flight
from core.provenance import Origin
from core.systems import configure, hop_for, outer_hop
from tests.each import table

H100 = configure(catalog.system("dgx-h100"), domains=128)
LLAMA = catalog.model("llama-3.1-70b")
SPEC = Rates(Origin.SPEC)
JOB = Scenario(H100, LLAMA, Layout(tp=4, pp=4, vpp=5, dp=2, cp=2), global_batch=128, seq=8192, rates=SPEC)
LAYOUTS = st.builds(
    Layout,
    tp=st.sampled_from([1, 2, 4, 8]),
    pp=st.sampled_from([1, 2, 4, 5]),
    dp=st.sampled_from([1, 2, 4]),
    cp=st.sampled_from([1, 2, 4]),
)


@given(st.integers(1, 64), st.integers(1, 512), st.integers(1, 8))
def test_the_bubble_is_a_share_that_shrinks_with_micro_batches_and_virtual_stages(stages, micro, vpp):
    """One stage has none; the share and its ratio to the work are two views of one thing."""
    share = bubble(stages, micro, vpp)

    assert 0 <= share < 1
    assert bubble(1, micro, vpp) == 0
    assert bubble(stages, micro + 1, vpp) <= share
    assert bubble(stages, micro, vpp + 1) <= share
    assert bubble_over_work(stages, micro, vpp) == pytest.approx(share / (1 - share))


@given(st.integers(1, 64), st.integers(1, 512), st.integers(1, 8))
def test_a_stage_holds_no_more_micro_batches_than_there_are(stages, micro, vpp):
    """The 1F1B schedule holds as many as stages; interleaving a few more."""
    stored = in_flight(stages, micro, vpp)

    assert 1 <= stored <= max(micro, 1)
    assert stored <= 2 * stages


@given(LAYOUTS, st.sampled_from(["none", "selective", "full"]), st.sampled_from(["bf16", "fp8"]))
def test_parts_add_up_and_none_is_negative(layout, recompute, precision):
    """The step is compute, exposed communication and bubble; MFU stays below one."""
    result = answer(replace(JOB, layout=layout, recompute=recompute, precision=precision))
    exposed = result.exposed_s

    assert min(exposed.tp, exposed.dp, exposed.pp, exposed.cp, exposed.ep, result.bubble_s) >= 0
    assert result.step_s == pytest.approx(result.compute_s + exposed.total_s + result.bubble_s)
    assert result.low_s <= result.step_s <= result.high_s
    assert 0 < result.mfu < 1
    assert result.tokens_per_s_per_gpu * layout.gpus == pytest.approx(128 * 8192 / result.step_s)


@given(LAYOUTS, st.floats(0.1, 0.9), st.floats(1.01, 1.2))
def test_better_kernels_never_make_a_step_longer(layout, efficiency, factor):
    """GEMM efficiency moves the step in one direction."""
    slow = answer(replace(JOB, layout=layout, efficiency=efficiency)).step_s

    assert answer(replace(JOB, layout=layout, efficiency=efficiency * factor)).step_s <= slow


@given(LAYOUTS)
def test_a_layout_that_does_not_communicate_exposes_nothing(layout):
    """Each kind of communication needs at least two ranks of its kind."""
    exposed = answer(replace(JOB, layout=layout)).exposed_s

    assert (exposed.tp == 0) == (layout.tp == 1)
    assert (exposed.pp == 0) == (layout.pp == 1)
    assert exposed.ep == 0
    if layout.dp * layout.cp == 1:
        assert exposed.dp == 0


def test_recomputing_costs_time_and_saves_memory():
    """A forward more, and only a layer's input stored."""
    none, full = (answer(replace(JOB, recompute=name)) for name in ("none", "full"))

    assert 1.2 < full.compute_s / none.compute_s < 1.4
    assert full.memory.activation_bytes < none.memory.activation_bytes / 5


def test_interleaving_trades_bubble_for_sends():
    """Five virtual stages cut the bubble to a fifth and send five times as often."""
    plain, interleaved = (
        answer(replace(JOB, layout=Layout(tp=4, pp=4, vpp=vpp, dp=2, cp=2), pp_overlap=0.0)) for vpp in (1, 5)
    )

    assert interleaved.bubble_s < plain.bubble_s / 4
    assert interleaved.exposed_s.pp == pytest.approx(5 * plain.exposed_s.pp)


def test_sharding_more_holds_less():
    """DDP, ZeRO-1, ZeRO-2 and ZeRO-3 hold ever less of the model's states."""
    usages = [
        answer(replace(JOB, layout=Layout(tp=8, dp=8), strategy=name)).memory
        for name in ("ddp", "zero1", "zero2", "zero3")
    ]
    states = [usage.total_bytes - usage.activation_bytes for usage in usages]

    assert states == sorted(states, reverse=True)
    assert not usages[0].fits


def test_hybrid_sharding_holds_more_and_gathers_inside_the_domain():
    """HSDP keeps a copy per node: more memory than FSDP over all, less time on a thin network."""
    layout = Layout(dp=64)
    model = catalog.model("llama-3.1-8b")
    thin = configure(catalog.system("dgx-h100"), domains=8, oversubscription=4)
    job = replace(JOB, model=model, system=thin, layout=layout, global_batch=512, seq=4096)
    whole, hybrid = (answer(replace(job, strategy=name)) for name in ("fsdp", "hsdp"))

    assert hybrid.memory.optimizer_bytes == pytest.approx(8 * whole.memory.optimizer_bytes)
    assert hybrid.comm_s.dp < whole.comm_s.dp


def test_tensor_parallelism_across_nodes_costs_more_than_twice():
    """Sixteen GPUs of two nodes share a layer over the network: the step says so."""
    inside, across = (
        answer(replace(JOB, layout=Layout(tp=tp, dp=64 // tp), global_batch=64)) for tp in (8, 16)
    )

    assert across.exposed_s.tp > 2 * inside.exposed_s.tp
    assert any("spans several" in line for line in across.warnings)


def test_experts_travel_further_when_their_group_leaves_the_domain():
    """A MoE model on eight GPUs of one node, or on 64 of eight nodes."""
    model = catalog.model("deepseek-v3-r1")
    job = Scenario(H100, model, Layout(dp=64, pp=4), global_batch=256, rates=SPEC)
    near, far = (answer(replace(job, layout=Layout(dp=64, pp=4, ep=ep))).exposed_s.ep for ep in (8, 64))

    assert 0 < near < far


def test_the_126_layers_of_the_405b_leave_room_for_its_two_ends():
    """126 layers and two ends over 8 stages of 4 virtual stages are 16 a stage."""
    assert slowest_stage(126, 8, 4, 0.5) == SlowestStage(16, head=False)
    assert slowest_stage(126, 8, 4, 2.0) == SlowestStage(15, head=True)
    assert slowest_stage(80, 4, 5, 0.5) == SlowestStage(20, head=True)
    assert slowest_stage(81, 4, 1, 0.5) == SlowestStage(21, head=False)
    assert slowest_stage(7, 1, 1, 9.0) == SlowestStage(7, head=True)


@given(st.floats(0, 10), st.floats(0, 10), st.integers(1, 128))
def test_exposed_time_lies_between_the_last_bucket_and_everything(comm_s, compute_s, buckets):
    """The closed form of equal buckets obeys the timeline's laws."""
    exposed = exposed_s(comm_s, compute_s, buckets)

    assert comm_s / buckets * (1 - 1e-12) <= exposed <= comm_s * (1 + 1e-12)
    assert exposed >= comm_s - compute_s - 1e-9


def test_a_strided_group_shares_the_nics_and_has_its_own_scale_up_links():
    """Every eighth rank has one GPU a node and one NIC; every second has four, at the same share."""
    single, four = group_view(H100, 8), group_view(H100, 2)

    assert (single.domain_gpus, four.domain_gpus) == (1, 4)
    assert outer_hop(single, 1).bytes_per_s == outer_hop(four, 4).bytes_per_s == 50e9
    assert hop_for(four, 4).bytes_per_s == 450e9
    assert (single.nics_per_domain, four.nics_per_domain) == (1, 4)
    tapered = group_view(configure(catalog.system("nvlink5-576"), taper=2.0), 72)
    assert (tapered.domain_gpus, tapered.scale_up.taper) == (8, 1.0)
    shared = group_view(configure(catalog.system("dgx-1-v100"), domains=8), 8)
    assert outer_hop(shared, 1).bytes_per_s == pytest.approx(6.25e9)
    mesh = group_view(catalog.system("mi300x-x8"), 2)
    assert hop_for(mesh, 4).bytes_per_s == pytest.approx(3 * 64e9)


@table(
    ("change", "names"),
    [
        ({"layout": Layout(tp=3)}, "1, 2, 4, 8"),
        ({"layout": Layout(pp=81)}, "80 layers"),
        ({"layout": Layout(vpp=2)}, "vpp"),
        ({"layout": Layout(ep=2)}, "no experts"),
        ({"layout": Layout(dp=2048)}, "1024 GPUs"),
        ({"layout": Layout(tp=0)}, "tp"),
        ({"global_batch": 100}, "multiple"),
        ({"seq": 8191}, "cp"),
        ({"precision": "fp3"}, "bf16"),
        ({"recompute": "some"}, "selective"),
        ({"strategy": "zero9"}, "zero3"),
        ({"efficiency": 0.0}, "efficiency"),
        ({"tp_overlap": 1.5}, "tp_overlap"),
        ({"micro_batch": 0}, "micro_batch"),
    ],
)
def test_nonsense_is_refused_by_name(change, names):
    """One line that names the argument and what is allowed."""
    with pytest.raises(InputError, match=names) as refused:
        answer(
            replace(JOB, layout=Layout(tp=4, pp=4, dp=8, cp=2), **change)
            if "layout" not in change
            else replace(JOB, **change)
        )

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("micro_batches", [1, 4])
def test_overlapped_gradients_cost_some_compute(micro_batches):
    """Of ten equal buckets one is exposed; 43 % of the time of the other nine is lost to shared SMs and memory."""
    data = DataComm(Passes(1, 0.0, 0.0), Passes(micro_batches, 1.0, 0.0))

    assert data.exposed_s(10.0, 10.0, 10) == pytest.approx(micro_batches * (0.1 + 0.43 * 0.9))


@pytest.mark.parametrize(
    ("system", "precision", "line"),
    [("dgx-a100", "fp8", "computed in bf16"), ("dgx-1-v100", "bf16", "does not compute in bf16")],
)
def test_a_format_that_a_gpu_lacks_is_said(system, precision, line):
    """It is computed in another, at that one's constant, and a line says so."""
    machine = catalog.system(system)
    result = answer(Scenario(machine, catalog.model("llama-3.1-8b"), Layout(dp=8), precision=precision))

    assert any(line in warning for warning in result.warnings)
    assert efficiency(machine.gpu, "fp8" if precision == "fp8" else "fp16") == efficiency(machine.gpu, "bf16")


def test_a_generation_newer_than_the_tables_takes_the_newest_with_a_wider_span():
    """Rubin is taken as Blackwell where tables cover Blackwell; older generations are a guess."""
    rubin, blackwell, volta = (catalog.gpu(name) for name in ("rubin", "b200-sxm", "v100-sxm"))
    newer, newest = efficiency(rubin, "fp8"), efficiency(blackwell, "fp8")

    assert newest.fitted
    assert not newer.fitted
    assert newer.usual == newest.usual
    assert newer.band > newest.band
    assert efficiency(rubin, "bf16").band == UNMEASURED.band
    assert efficiency(volta, "fp16") == UNMEASURED


def test_tables_of_a_framework_leave_another_less_sure():
    """Blackwell's published rows are Megatron's on HBM: FSDP and any framework are no surer, GDDR a guess."""
    b200, rtx = catalog.gpu("b200-sxm"), catalog.gpu("rtx-5090")
    for precision in ("bf16", "fp8", "nvfp4"):
        known = efficiency(b200, precision, "megatron").band
        others = {efficiency(b200, precision, name).band for name in ("any", "fsdp", "megatron-2022")}
        assert BAND <= known <= min(others)
        assert ANY_BAND <= max(others) < UNMEASURED.band
        assert not efficiency(rtx, precision, "megatron").fitted
        assert efficiency(rtx, precision).band == UNMEASURED.band
