"""Other group sizes: where the ranks of every group go, and how many GPUs the job then has."""

import pytest

from core import catalog
from core.checks import InputError
from core.collectives.question import FabricQuestion
from core.job.change import Change
from core.job.explain import explain
from core.job.plan import plan_of
from core.traces.building import Call
from core.traces.records import Group, Job
from tests.core.jobs import MIB, MS, rank_trace

HERE = FabricQuestion(catalog.system("dgx-h100"))


def of_groups(*groups):
    """One rank that calls once in each group: description, first ranks and operation."""
    calls = [
        Call(operation, group=index, bytes_in=64 * MIB, bytes_out=64 * MIB, dtype="float",
             start_s=index * 10 * MS, duration_s=5 * MS)
        for index, (_, _, operation) in enumerate(groups)
    ]  # fmt: skip
    listed = tuple(
        Group(str(index), ranks and tuple(ranks), len(ranks) if ranks else 8, name)
        for index, (name, ranks, _) in enumerate(groups)
    )
    trace = rank_trace(
        0, calls, [(begin * 10 * MS + 5 * MS, (begin + 1) * 10 * MS) for begin in range(len(calls))]
    )
    return Job("kineto", (trace,), listed, world_size=64, device_name="NVIDIA H100 80GB HBM3")


TP_DP = (("tp", range(8), "all_reduce"), ("dp", range(0, 64, 8), "reduce_scatter"))
DP_EP = (("dp", range(8), "all_reduce"), ("ep", range(8), "all_to_all"))


def test_a_smaller_group_inside_brings_the_outer_ranks_nearer():
    """With TP from 8 to 4 the ranks of DP are 4 apart: two of them in a domain share its NICs."""
    plan = plan_of(explain(of_groups(*TP_DP)), Change(here=HERE, ranks={"TP": 4}))
    (tensor, data) = plan.kinds_there

    assert (tensor.ranks, tensor.stride, data.ranks, data.stride) == (4, 1, 8, 4)
    assert plan.gpus_there == 32
    assert plan.there.time_s[1] < 0.6 * plan.here.time_s[1]
    assert plan.remarks == ()
    both = plan_of(explain(of_groups(*TP_DP)), Change(here=HERE, ranks={"TP": 4, "DP": 32})).kinds_there
    assert [(kind.ranks, kind.stride) for kind in both] == [(4, 1), (32, 4)]


def test_a_stride_that_does_not_follow_is_told():
    """DP every sixth rank beside TP over eight: nobody knows where its ranks go."""
    odd = of_groups(TP_DP[0], ("dp", range(0, 48, 6), "reduce_scatter"))
    plan = plan_of(explain(odd), Change(here=HERE, ranks={"TP": 4}))

    assert plan.kinds_there[1].stride == 6
    assert plan.remarks == ("DP keeps its stride of 6: it is no multiple of TP",)


@pytest.mark.parametrize(
    ("groups", "ranks", "gpus"),
    [
        (DP_EP, {"DP": 16, "EP": 16}, 128),
        (DP_EP, {"EP": 4}, 64),
        (TP_DP, {"TP": 4, "DP": 16}, 64),
        ((("pp", range(0, 64, 16), "send"),), {"PP": 8}, 128),
    ],
)
def test_groups_over_the_same_ranks_count_once(groups, ranks, gpus):
    """Experts live on the ranks of data parallelism; a pipeline has its stages, not the two of a send."""
    assert plan_of(explain(of_groups(*groups)), Change(here=HERE, ranks=ranks)).gpus_there == gpus


def test_groups_without_lists_that_do_not_fit_apart_are_refused():
    """Eight times sixteen of 64 ranks overlap somewhere, and the trace does not tell where."""
    job = of_groups(("dp", None, "all_reduce"), ("ep", range(16), "all_to_all"))

    with pytest.raises(InputError, match="DP and EP share ranks that the trace does not list"):
        plan_of(explain(job), Change(here=HERE, ranks={"DP": 16, "EP": 16}))
