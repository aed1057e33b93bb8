"""Process groups on a system: what they see of it, and which the edge of a domain cuts."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import catalog
from core.calculators.layouts import best_by_gpus, crossover_map, rank_serving, rank_training
from core.calculators.layouts.inputs import NETWORK_RATE, SCALE_UP_RATE
from core.calculators.layouts.scaled_system import with_scale_up_rate
from core.calculators.tensor_parallel import Scenario as Serve
from core.calculators.training import Layout, Scenario, answer, neighbours, step
from core.calculators.training.compute import compute
from core.checks import InputError
from core.collectives.rates import Rates
from core.parallel.groups import Group, group_system, split_group_system, straddles
from core.parallel.grow import domains_for, grow_to
from core.parallel.prices import Latency, collective_s
from core.provenance import Origin
from core.systems import configure, scale_up_path
from tests.each import table

H100 = configure(catalog.system("dgx-h100"), domains=8)
RACKS = configure(catalog.system("gb200-nvl72"), domains=2)
SPEC = Rates(Origin.SPEC)
DEEPSEEK = Scenario(RACKS, catalog.model("deepseek-v3-r1"), global_batch=4608, seq=4096, precision="fp8")
LAYOUT = Layout(tp=4, pp=4, vpp=5, cp=2, dp=2)
JOB = Scenario(H100, catalog.model("llama-3.1-70b"), layout=LAYOUT, global_batch=128, seq=8192)


def test_groups_are_cut_only_where_no_gpu_may_idle():
    """EP16 fits racks of 72 while some GPUs idle; two full racks leave none."""
    assert straddles(16, 144, 72, 2)
    assert not straddles(16, 144, 72, 3)
    assert not straddles(16, 128, 72, 2)
    assert not straddles(8, 144, 72, 2)
    assert not straddles(72, 144, 72, 2)
    assert not straddles(16, 72, 72, 1)


@pytest.mark.parametrize(("size", "half"), [(16, 8), (9, 5)])
def test_a_group_that_is_cut_has_half_of_its_ranks_on_either_side(size, half):
    """Two domains with half of the group and one NIC for each of its ranks, whatever the racks hold."""
    view = split_group_system(RACKS, Group(size, 1))

    assert (view.domains, view.domain_gpus, view.nics_per_domain) == (2, half, half)
    assert view.scale_out == RACKS.scale_out


def test_a_group_in_one_domain_has_no_network_and_one_across_domains_has():
    """Eight neighbours share a node; eight ranks of eight nodes have a GPU in each."""
    inside, across = (group_system(H100, Group(8, stride)) for stride in (1, 8))

    assert (inside.domains, inside.domain_gpus, inside.scale_out) == (1, 8, None)
    assert (across.domains, across.domain_gpus) == (8, 1)
    assert across.scale_up.bytes_per_s == across.scale_out.bytes_per_s


@given(st.integers(0, 7), st.integers(1, 64))
def test_powers_of_two_in_nodes_of_eight_are_never_cut(power, domains):
    """Nodes of eight GPUs hold groups of any power of two whole."""
    assert not straddles(2**power, 8 * domains, 8, domains)


def test_experts_across_the_edge_of_a_rack_cost_more():
    """The group that the edge cuts pays the network, and sets the pace of all."""
    job = replace(DEEPSEEK, layout=Layout(pp=9, dp=16, ep=16), recompute="full")
    spare = replace(job, system=configure(RACKS, domains=3))

    assert step(job).comm.ep > 2 * step(spare).comm.ep


def test_experts_are_ranked_where_racks_do_not_cut_them():
    """On two full racks the best layouts keep each expert group inside one rack, training and serving."""
    best = rank_training(DEEPSEEK, 144).best
    served = rank_serving(
        Serve(RACKS, DEEPSEEK.model, tp=1, weights=catalog.precision("fp8")), 144, 4608
    ).layouts

    assert 72 % best.ep == 0
    assert all(72 % max(item.tp, item.ep) == 0 for item in served if max(item.tp, item.ep) <= 72)


def test_a_pipeline_over_several_racks_crosses_their_edge():
    """Some stage hands over across the network, however small the stages."""
    job = replace(DEEPSEEK, layout=Layout(pp=9, dp=16, ep=8), recompute="full")
    inside = replace(DEEPSEEK, layout=Layout(pp=9, dp=8, ep=8), recompute="full")

    assert step(job).comm.pp / job.micro_batches > 2 * step(inside).comm.pp / inside.micro_batches


@pytest.mark.parametrize("rates", [Rates(), SPEC])
def test_a_group_inside_a_domain_ignores_the_network(rates):
    """The same price on any network."""
    price = [
        collective_s(system, Group(8, 1), "all_reduce", 1e8, rates)
        for system in (H100, configure(H100, domains=8, network="roce-100"))
    ]

    assert price[0] == price[1] > 0


def test_a_latency_factor_acts_where_the_group_communicates():
    """Only exchanges across domains feel a slower network, only those inside a slower switch."""
    across, inside = Latency(across=10.0), Latency(inside=10.0)
    near, far = Group(8, 1), Group(8, 8)

    def price(group, latency):
        return collective_s(H100, group, "all_reduce", 1e5, Rates(), latency=latency)

    assert price(near, across) == price(near, Latency())
    assert price(far, inside) == price(far, Latency())
    assert price(near, inside) > price(near, Latency())
    assert price(far, across) > price(far, Latency())


def test_neighbours_change_one_thing_and_keep_the_gpus():
    """What can be is sorted by its step, what cannot be says why and comes last."""
    changes = neighbours(JOB)
    able = [item for item in changes if item.step_s is not None and item.fits]

    assert [item.step_s for item in able] == sorted(item.step_s for item in able)
    assert len({item.change for item in changes}) == len(changes)
    assert any("DP" in item.change for item in able)
    assert all(item.reason for item in changes if item.step_s is None)
    twice = next(item for item in changes if item.change == "micro-batch 2")
    assert twice.step_s == pytest.approx(answer(replace(JOB, micro_batch=2)).step_s)


def test_a_system_grows_to_the_job_and_never_shrinks():
    """As many domains as the GPUs need; its network and oversubscription stay."""
    thin = configure(catalog.system("dgx-h100"), domains=2, oversubscription=4.0)

    assert grow_to(thin, 100).domains == 13
    assert grow_to(thin, 8) is thin
    assert grow_to(thin, 100).fabrics == thin.fabrics
    assert domains_for(thin, 100) == 13
    with pytest.raises(InputError, match="network: rtx-4090-x8 has none"):
        grow_to(catalog.system("rtx-4090-x8"), 9)


def test_the_crossover_map_names_the_fastest_and_its_margin():
    """In the middle of the map stands the ranking's first."""
    ranked = rank_training(replace(JOB, rates=SPEC), 64).ranked
    cells = crossover_map(ranked, NETWORK_RATE, SCALE_UP_RATE, (0.25, 1.0), (1.0, 4.0))
    here = next(cell for cell in cells if cell.across == cell.up == 1.0)

    assert len(cells) == 4
    assert here.winner == 0
    assert here.step_s == pytest.approx(ranked[0].step_s)
    assert all(cell.margin >= 0 for cell in cells)


def test_the_best_layout_by_size_of_the_cluster():
    """Where nothing fits, the reason stands in its place."""
    small, large = best_by_gpus(JOB, (4, 64))

    assert small.best is None
    assert "no layout" in small.reason
    assert large.tokens_per_s_per_gpu == pytest.approx(JOB.tokens / large.best.step_s / 64)


@table("name", ["dgx-h100", "gb200-nvl72", "mi300x-x8", "mi355x-x8", "rtx-3090-x2", "l40s-x8"])
@table("rates", [Rates(), SPEC])
def test_a_rate_scaled_by_one_changes_nothing(name, rates):
    """A custom system with the catalog's figures is priced as the catalog's, all of it or a part; PCIe's rate is rounded there."""
    job = replace(JOB, system=catalog.system(name))
    own = SCALE_UP_RATE.scaled(job, 1.0).system

    for group in (Group(2, 1), Group(4, 1), Group(8, 1), Group(2, 4), Group(2, 2)):
        if group.size * group.stride <= job.system.domain_gpus:
            for collective in ("all_reduce", "all_gather", "send_recv"):
                if collective == "send_recv" and group.size > 2:
                    continue
                price = [collective_s(system, group, collective, 1e8, rates) for system in (job.system, own)]
                assert price[0] == pytest.approx(price[1], rel=0.02), (group, collective)


def test_two_cards_without_a_network_serve():
    """No stage boundary is priced where there is one stage."""
    system = catalog.system("rtx-3090-x2")
    job = Serve(system, catalog.model("llama-3.1-8b"), tp=1, context=4096, weights=catalog.precision("fp8"))

    assert rank_serving(job, 2, 8, "latency").best.tp == 2


def test_faster_scale_up_links_include_the_bridges_of_pairs():
    """A what-if of the scale-up rate speeds the bridge of a PCIe card up as well as the slots."""
    pairs = catalog.system("h100-pcie-x8")
    faster = with_scale_up_rate(pairs, 2.0)

    for ranks in (2, 8):
        now, then = scale_up_path(pairs, ranks).bytes_per_s, scale_up_path(faster, ranks).bytes_per_s
        assert then == pytest.approx(2 * now)


def test_hsdp_updates_the_states_of_its_own_shard():
    """Under HSDP a rank's optimizer touches the share of a scale-up domain, as FSDP on that domain alone."""
    model = catalog.model("llama-3.1-8b")
    wide = configure(catalog.system("dgx-h100"), domains=4)

    def optimizer_s(system, strategy):
        job = Scenario(model=model, system=system, layout=Layout(dp=system.gpus), strategy=strategy)
        return compute(job).optimizer_s

    assert optimizer_s(wide, "hsdp") == pytest.approx(optimizer_s(catalog.system("dgx-h100"), "fsdp"))
    assert optimizer_s(wide, "fsdp") == pytest.approx(optimizer_s(wide, "hsdp") / 4)
