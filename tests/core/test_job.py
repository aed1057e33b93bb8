"""A traced job explained and replayed: where its time goes, what each call should take, what would change it."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core import catalog
from core.checks import InputError
from core.collectives.question import FabricQuestion
from core.job.change import Change
from core.job.dependencies import dependencies
from core.job.explain import explain
from core.job.parallelism import Parallelism, by_name
from core.job.replay import replay
from core.job.trace_fit import LONE_DEVIATION, fit_trace
from core.job.traffic import traffic
from core.job.what_if import what_if
from core.traces.building import Call
from core.traces.records import Group, Job
from core.verdict import Status
from tests.core.jobs import MIB, MS, data_parallel, random_job, rank_trace, tensor_parallel, without_bytes
from tests.each import table


def on(system_id, **options):
    """The question on a catalog system."""
    return FabricQuestion(catalog.system(system_id), **options)


HERE = on("dgx-h100")


def test_a_step_is_compute_exposed_and_idle_time():
    """The parts of a step add up to it, and the last bucket of a backward pass is what shows."""
    told = explain(data_parallel())

    assert told.step_s == pytest.approx(10 * MS)
    for shares in (*told.ranks, *told.steps):
        parts = shares.compute_s + shares.exposed_s + shares.idle_s
        assert parts == pytest.approx(shares.duration_s)
        assert shares.overlapped_s + shares.exposed_s == pytest.approx(shares.communication_s)
    assert told.exposed_share == pytest.approx(0.1)
    assert told.steps[0].exposed_s == pytest.approx(1 * MS)


def test_calls_are_counted_once_a_rank():
    """Eight ranks make eight calls each, not sixty-four."""
    total = explain(data_parallel()).totals[0]

    assert total.calls == 8
    assert total.total_s == pytest.approx(8 * MS)
    assert total.bus_bytes_per_s == pytest.approx(2 * 7 / 8 * 64 * MIB / (1 * MS))


@table(
    ("name", "parallelism"),
    [
        ("TENSOR_MODEL_PARALLEL_GROUP", Parallelism.TENSOR),
        ("mesh_tp", Parallelism.TENSOR),
        ("DATA_PARALLEL_GROUP_WITH_CP", Parallelism.DATA),
        ("CONTEXT_PARALLEL_GROUP", Parallelism.CONTEXT),
        ("TENSOR_AND_DATA_PARALLEL_GROUP_WITH_CP", Parallelism.UNKNOWN),
        ("EXPERT_MODEL_PARALLEL_GROUP", Parallelism.EXPERT),
        ("EXPERT_DATA_PARALLEL_GROUP", Parallelism.DATA),
        ("pp:0", Parallelism.PIPELINE),
        ("mesh_fsdp", Parallelism.DATA),
    ],
)
def test_a_group_is_known_by_its_name(name, parallelism):
    """Megatron, device meshes and vLLM write into a group's name what it is for."""
    assert by_name((name,)).parallelism is parallelism


def test_a_group_is_known_by_what_it_sends():
    """Hidden buckets are data parallelism; many exposed calls of one size in a step are layers."""
    unnamed = tensor_parallel()
    unnamed = replace(unnamed, groups=(replace(unnamed.groups[0], description=""),))

    assert explain(data_parallel()).table.uses[0].parallelism is Parallelism.DATA
    assert explain(unnamed).table.uses[0].parallelism is Parallelism.TENSOR
    few = tensor_parallel(layers=2)
    few = replace(few, groups=(replace(few.groups[0], description=""),), world_size=64)
    assert explain(few).table.uses[0].parallelism is Parallelism.UNKNOWN


def test_the_rank_that_comes_late_is_named():
    """Others wait for the last rank to come; the time on the wire is that rank's."""
    told = explain(data_parallel(late_rank=3))

    assert told.straggler.rank == 3
    assert told.straggler.waited_s == pytest.approx(8 * 0.5 * MS)
    assert told.straggler.share == 1
    assert told.totals[0].time_s == pytest.approx(1 * MS)
    assert told.totals[0].waiting_s == pytest.approx(7 / 8 * 8 * 0.5 * MS)


def test_one_rank_cannot_tell_waiting_from_the_wire():
    """A lone rank has no straggler and a reason that says so."""
    told = explain(data_parallel(traced=1), HERE)

    assert told.straggler is None
    assert not told.matches.complete
    assert any("one rank alone" in remark for remark in told.remarks)
    assert told.totals[0].verdict.status is Status.LOW
    assert "waits for other ranks" in told.totals[0].verdict.reason.text


def pipeline(*, late_rank):
    """Two stages of two ranks: sends between stages, all-reduces within; one rank comes late to these."""
    groups = (
        Group("1", (0, 1), 2, "TENSOR_MODEL_PARALLEL_GROUP"),
        Group("2", (2, 3), 2, "TENSOR_MODEL_PARALLEL_GROUP"),
        Group("3", (0, 2), 2, "PIPELINE_MODEL_PARALLEL_GROUP"),
        Group("4", (1, 3), 2, "PIPELINE_MODEL_PARALLEL_GROUP"),
    )
    traces = []
    for rank in range(4):
        together_s = (1 if rank == late_rank else 2) * MS
        sizes = {"bytes_in": MIB, "bytes_out": MIB}
        calls = [
            Call("all_reduce", group=rank // 2, **sizes, start_s=2 * MS, duration_s=together_s),
            Call("send" if rank < 2 else "recv", group=2 + rank % 2, **sizes, start_s=5 * MS,
                 duration_s=(3 if rank < 2 else 4) * MS),
        ]  # fmt: skip
        traces.append(rank_trace(rank, calls, [(0, 2 * MS), (9 * MS, 10 * MS)]))
    device = "NVIDIA H100 80GB HBM3"
    return Job("kineto", tuple(traces), groups, world_size=4, device_name=device)


def test_a_whole_pipeline_is_complete():
    """A sender and its receiver make different calls; the collectives of a stage still tell who waits."""
    told = explain(pipeline(late_rank=1), HERE)
    together, sent, received = sorted(told.totals, key=lambda total: total.time_s)

    assert told.matches.complete
    assert not any("different calls" in remark for remark in told.remarks)
    assert told.straggler.rank == 1
    assert (together.time_s, together.waiting_s) == pytest.approx((1.5 * MS, 0.25 * MS))
    assert "waits for other ranks" not in together.verdict.reason.text
    assert "waits for other ranks" in sent.verdict.reason.text
    assert np.isnan([sent.waiting_s, received.waiting_s]).all()
    assert any("send or receive" in line for line in what_if(told.job, Change(), told).assumptions)


@pytest.mark.parametrize(
    ("call_ms", "status"), [(0.32, Status.FINE), (3, Status.LOW), (0.01, Status.IMPOSSIBLE)]
)
def test_each_kind_of_call_gets_a_verdict(call_ms, status):
    """A 64 MiB all-reduce over eight H100 takes a third of a millisecond; nothing does it in 10 us."""
    total = explain(data_parallel(call_s=call_ms * MS), HERE).totals[0]

    assert total.verdict.status is status
    assert (total.excess_s > 0) is (status is Status.LOW)


def test_another_gpu_than_the_systems_gets_no_verdict():
    """A trace of H100 held against an A100 system is no fault of its links."""
    told = explain(data_parallel(), on("dgx-a100"))

    assert told.totals[0].verdict.status is Status.UNKNOWN
    assert "name the system that was traced" in told.remarks[0]


def test_a_trace_without_bytes_is_explained_without_verdicts():
    """Old profilers write no bytes: time shares stand, bandwidth and verdicts do not."""
    told = explain(without_bytes(data_parallel()), HERE)

    assert told.exposed_share == pytest.approx(0.1)
    assert told.totals[0].verdict.status is Status.UNKNOWN
    assert np.isnan(told.totals[0].bus_bytes_per_s)
    assert any("no bytes" in remark for remark in told.remarks)


@table("seed", range(40))
def test_replay_with_nothing_changed_is_the_trace(seed):
    """Whatever lies on top of what, the same durations give the same timeline."""
    trace = random_job(seed).ranks[0]
    known = dependencies(trace)
    again = replay(known, known.duration_s)

    assert again.total_s == pytest.approx(trace.end_s, rel=1e-9)
    assert np.allclose(again.start_s, known.start_s, atol=1e-12)


@table("seed", range(40))
def test_faster_calls_never_make_a_step_slower(seed):
    """Free communication <= twice as fast <= today <= twice as slow."""
    known = dependencies(random_job(seed).ranks[0])
    totals = [replay(known, known.duration_s * factor).total_s for factor in (0, 0.5, 1, 2)]

    assert all(less <= more + 1e-12 for less, more in pairwise(totals))


def test_a_hidden_call_shows_once_it_outgrows_its_window():
    """The first bucket of a backward pass may take as long as its window; beyond that the step grows."""
    known = dependencies(data_parallel(steps=1, buckets=1, traced=1, call_s=0.1 * MS).ranks[0])
    hidden = dependencies(data_parallel(steps=1, buckets=4, traced=1, call_s=0.1 * MS).ranks[0])
    first_longer = hidden.duration_s.copy()
    first_longer[0] = 2.7 * MS
    much_longer = hidden.duration_s.copy()
    much_longer[0] = 4 * MS

    assert replay(known, known.duration_s * 3).total_s == pytest.approx(9.3 * MS)
    assert replay(hidden, first_longer).total_s == pytest.approx(9.1 * MS, rel=1e-3)
    assert replay(hidden, much_longer).total_s == pytest.approx(9 * MS + 1.3 * MS, rel=1e-3)


def test_the_same_machine_gives_the_same_step():
    """Asked for the machine that it ran on, the answer is the traced step without any interval."""
    for job in (data_parallel(late_rank=2), tensor_parallel()):
        answer = what_if(job, Change(here=HERE, there=HERE))

        assert answer.new.step_s == pytest.approx(answer.today.step_s, rel=1e-9)
        assert answer.low_s == pytest.approx(answer.high_s)
        assert abs(answer.replay_error) < 0.01


def test_bounds_of_any_machine_frame_today():
    """Free communication <= best overlap <= today, and only one parallelism is not more than all."""
    for job in (data_parallel(), tensor_parallel(), random_job(7)):
        answer = what_if(job, Change())

        assert answer.free_s <= answer.best_overlap_s <= answer.today.step_s + 1e-12
        assert all(answer.free_s <= only <= answer.today.step_s + 1e-12 for only in answer.only_s.values())


def test_the_waterfall_adds_up():
    """Its terms lead from today's step to the new one."""
    change = Change(here=HERE, there=on("dgx-a100"), ranks={"DP": 32}, bucket_bytes=16 * MIB)
    answer = what_if(data_parallel(late_rank=0), change)

    assert sum(term.change_s for term in answer.terms) == pytest.approx(
        answer.new.step_s - answer.today.step_s
    )
    assert answer.low_s <= answer.new.step_s <= answer.high_s
    assert answer.new.gpus == 32


def test_a_faster_machine_shortens_the_step_and_its_price():
    """B200 after H100: compute by the roofline, calls by the model, dollars by GPU-hour."""
    change = Change(here=HERE, there=on("dgx-b200"), usd_per_gpu_hour=2.0, usd_per_gpu_hour_there=4.0)
    answer = what_if(tensor_parallel(), change)

    assert answer.new.step_s < answer.today.step_s
    assert 0.3 < answer.compute.factor < 0.6
    per_hour = answer.new.usd_per_1000_steps / answer.today.usd_per_1000_steps
    assert per_hour == pytest.approx(2 * answer.new.step_s / answer.today.step_s)


def test_buckets_of_the_traced_size_change_nothing():
    """64 MiB buckets again are the same step; one large bucket hides nothing."""
    same = what_if(data_parallel(), Change(here=HERE, bucket_bytes=64 * MIB))
    one = what_if(data_parallel(), Change(here=HERE, bucket_bytes=256 * MIB))

    assert same.new.step_s == pytest.approx(same.today.step_s, rel=1e-6)
    assert one.new.step_s > same.new.step_s + 1 * MS


def test_fewer_buckets_wait_less_often():
    """Each call waits 0.5 ms for the late rank: one bucket instead of four waits once, and ends last."""
    job = data_parallel(ranks=2, steps=1, late_rank=0)
    one = what_if(job, Change(bucket_bytes=256 * MIB))

    # 8 ms of compute, 4 ms of one call, its wait on the rank that is in time, 1 ms of optimizer
    assert one.new.step_s == pytest.approx(np.mean([13 * MS, 13.5 * MS]), rel=1e-3)


def test_without_a_system_the_trace_prices_itself():
    """A line through the calls of two sizes knows other group sizes, and no other machine."""
    small = data_parallel(bucket_bytes=8 * MIB, call_s=0.3 * MS)
    large = data_parallel(bucket_bytes=64 * MIB, call_s=2 * MS)
    told = explain(replace(small, ranks=small.ranks[:4] + large.ranks[4:]))
    fit = fit_trace(explain(small).totals + explain(large).totals)

    assert fit.bytes_per_s == pytest.approx(2 * 7 / 8 * 56 * MIB / (1.7 * MS), rel=0.01)
    # it meets both sizes, which says nothing of how far off it is elsewhere
    assert fit.deviation == LONE_DEVIATION
    assert told.totals
    with pytest.raises(InputError, match="name the system of the trace"):
        Change(there=HERE)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"compute_factor": 0}, "compute_factor"),
        ({"ranks": {"XP": 2}}, "XP"),
        ({"ranks": {"DP": 0}}, "ranks of DP"),
        ({"bucket_bytes": 0}, "bucket_bytes"),
        ({"usd_per_gpu_hour": -1}, "usd_per_gpu_hour"),
    ],
)
def test_a_change_that_cannot_be_is_one_line(change, line):
    """The line names what is wrong."""
    with pytest.raises(InputError, match=line):
        Change(**change)


def test_a_trace_of_no_length_is_one_line():
    """All in one instant: there is no step, whatever compute would take."""
    trace = rank_trace(0, [Call("all_reduce", start_s=0.0, duration_s=0.0)], [(0, 0)])

    with pytest.raises(InputError, match="it has no length, so there is no step to replay"):
        what_if(Job("kineto", (trace,), world_size=2), Change(compute_factor=2))


def test_a_parallelism_that_the_trace_does_not_show_cannot_change():
    """The line says what the trace shows."""
    with pytest.raises(InputError, match="no EP group"):
        what_if(data_parallel(), Change(here=HERE, ranks={"EP": 4}))


def test_a_job_is_a_model_of_its_communication():
    """Two steps of four buckets of 64 MiB are four calls and 256 MiB a step."""
    (part,) = traffic(explain(data_parallel()))

    assert (part.calls, part.bytes) == (4, 256 * MIB)
    assert part.exposed_s == pytest.approx(1 * MS)
