"""Causes that several lines or runs of one paste tell together: bonds, lost packets, fewer nodes, channels per peer."""

from dataclasses import replace

import pytest

from core.catalog import SYSTEMS
from core.measurement import GpuCount, Machine, Observation, Run, Sample
from core.measurement.bus_factor import bus_factor
from core.systems import configure
from core.verdict import Status, judge_run, judge_runs

A100 = SYSTEMS["dgx-a100"]
LARGE = (1 << 28, 1 << 30, 1 << 32)


def on(system, network=None, nics=None, domains=2):
    """So many nodes of a system on a network."""
    return configure(SYSTEMS[system], domains=domains, network=network, nics_per_domain=nics)


def a_run(rates, nodes=2, collective="all_reduce", said=(), env=None):
    """A log of eight GPUs a node with a bus bandwidth (GB/s) for each size."""
    ranks = 8 * nodes
    factor = bus_factor(collective, ranks)
    samples = tuple(
        Sample(collective, size, factor * size / (rate * 1e9), "out-of-place", 0) for size, rate in rates
    )
    machine = Machine(
        (GpuCount("NVIDIA", ranks),), tuple(f"node{index}" for index in range(nodes)), env=env or {}
    )
    lines = tuple(Observation(kind, value, "node0", 7) for kind, value in said)
    return Run(
        "log", "nccl-tests-text", collective, ranks, machine, samples, dtype="float", observations=lines
    )


def flat(rate):
    """The same rate at all large sizes."""
    return [(size, rate) for size in LARGE]


@pytest.mark.parametrize(
    ("system", "network", "nics", "rate"),
    [("dgx-a100", "ib-hdr", 4, 92), ("dgx-a100", "roce-100", 8, 97), ("dgx-h100", None, None, 365)],
)
def test_rings_that_fill_the_nics_of_two_nodes_are_fine(system, network, nics, rate):
    """A tree may show twice the NICs' rate between two nodes; rings at that rate are as healthy, and the answer says so."""
    verdict = judge_run(a_run(flat(rate)), on(system, network, nics))

    assert verdict.status is Status.FINE
    assert verdict.reason.code in ("rings_between_two", "as_expected")


def test_rings_at_half_the_nics_are_low():
    """What forgives rings forgives no missing half."""
    assert judge_run(a_run(flat(55)), on("dgx-a100", "ib-hdr", 4)).status is Status.LOW


@pytest.mark.parametrize(
    ("said", "certain"),
    [
        ({}, False),
        ({"said": [("nics", "mlx5_0:1/IB mlx5_1:1/IB mlx5_2:1/IB mlx5_3:1/IB")]}, True),
        ({"env": {"NCCL_ALGO": "Ring"}}, True),
        ({"env": {"NCCL_ALGO": "Tree"}}, False),
    ],
)
def test_rings_are_certain_where_the_log_says_so(said, certain):
    """A tree over half of the NICs has the rate of rings over all: without a line, the answer says both and what tells."""
    reason = judge_run(a_run(flat(92), **said), on("dgx-a100", "ib-hdr", 4)).reason

    assert reason.code == "rings_between_two"
    assert ("or a tree over half of them" in reason.short) != certain
    assert ("grep 'NET/IB : Using' (or a run on 3 nodes) tells" in reason.text) != certain


def test_a_tree_over_half_of_the_nics_is_no_ring_over_all():
    """Both show the same rate between two nodes: where the log names half of the NICs, half are missing."""
    named = [("nics", "mlx5_0:1/IB")]
    system = on("dgx-a100", "ib-hdr", 2)

    assert judge_run(a_run(flat(46)), system).status is Status.FINE
    assert judge_run(a_run(flat(46), said=named), system).reason.code == "fewer_nics"


NICS = "mlx5_bond_0:1/RoCE mlx5_bond_1:1/RoCE mlx5_bond_2:1/RoCE mlx5_bond_3:1/RoCE"


@pytest.mark.parametrize(
    "said",
    [
        {"said": [("nics", NICS)], "env": {"NCCL_IB_QPS_PER_CONNECTION": "1"}},
        {
            "env": {
                "NCCL_IB_HCA": "mlx5_bond_0,mlx5_bond_1,mlx5_bond_2,mlx5_bond_3",
                "NCCL_IB_QPS_PER_CONNECTION": "1",
            }
        },
    ],
)
def test_half_the_rate_over_bonds_is_one_port_of_each(said):
    """A single queue pair keeps to one port of a bond; the next test is more queue pairs."""
    verdict = judge_run(a_run(flat(46), **said), on("dgx-a100", "roce-200", 4))

    assert verdict.reason.code == "bonded_port"
    assert "NCCL_IB_QPS_PER_CONNECTION=4" in verdict.causes[0].test.command


@pytest.mark.parametrize(("rate", "status"), [(340, Status.FINE), (310, Status.LOW), (180, Status.LOW)])
def test_the_name_of_a_bond_is_no_defect(rate, status):
    """Healthy clusters print mlx5_bond_0 too: the name turns no run low, and is no cause of one that is."""
    system = on("dgx-h100")
    plain, named, spread = (
        judge_run(a_run(flat(rate), said=said, env=env), system)
        for said, env in (
            ((), {}),
            ([("nics", NICS)], {}),
            ([("nics", NICS)], {"NCCL_IB_QPS_PER_CONNECTION": "4"}),
        )
    )

    assert plain.status is named.status is spread.status is status
    assert plain.reason.code == named.reason.code == spread.reason.code


@pytest.mark.parametrize(
    ("system", "nodes", "best"), [("dgx-h100", 2, 480), ("dgx-h100", 1, 480), ("dgx-a100", 4, 190)]
)
def test_a_faster_run_is_never_worse(system, nodes, best):
    """From a third of the best rate to all of it a run is low, then fine: one limit, and no way back."""
    machine = on(system, domains=nodes) if nodes > 1 else SYSTEMS[system]
    rates = [best * (0.3 + 0.02 * step) for step in range(36)]
    low = [judge_run(a_run(flat(rate), nodes), machine).status is Status.LOW for rate in rates]

    assert low[0]
    assert not low[-1]
    assert low == sorted(low, reverse=True)


def test_hosts_that_ran_by_themselves_are_told():
    """Without MPI=1 each process of mpirun prints a table of its own; one run over all hosts is no such thing."""
    one = a_run(flat(230), nodes=1)
    both = [replace(one, machine=replace(one.machine, hosts=(host,))) for host in ("a", "b")]
    alone = judge_runs(both, SYSTEMS["dgx-a100"])
    together = judge_runs([a_run(flat(230), nodes=2)], on("dgx-a100"))
    single = judge_run(replace(one, ranks=1), SYSTEMS["dgx-a100"])

    assert all("MPI=1" in verdict.warnings[0] for verdict in alone)
    assert not any("MPI=1" in warning for warning in together[0].warnings)
    assert "MPI=1" in single.reason.text


def test_a_rate_that_collapses_with_size_is_the_network():
    """Lost packets cost more than any path in a node: from 29 to 5 GB/s is no TCP and no missing NIC."""
    rates = [(1 << 25, 29.5), (1 << 26, 5.3), (1 << 28, 4.1), (1 << 30, 5.2)]
    verdict = judge_run(a_run(rates), on("dgx-h100", "roce-400"))

    assert verdict.reason.code == "oversubscribed"
    assert "as where packets are lost" in verdict.reason.text


def test_a_sound_run_of_fewer_nodes_leaves_the_network_between_many():
    """Two nodes at full rate and six at less than half, in one paste: nodes and NICs are sound."""
    slow = a_run(flat(40), nodes=6)
    system = on("dgx-a100", "roce-100", 8)
    alone, together = judge_runs([slow], system)[0], judge_runs([a_run(flat(98)), slow], system)[1]

    assert alone.reason.code != "oversubscribed"
    assert together.reason.code == "oversubscribed"
    assert together.causes[0].lines == ("the run on 2 nodes is as expected",)


@pytest.mark.parametrize(
    ("env", "rate", "named"), [({"NCCL_NCHANNELS_PER_NET_PEER": "1"}, 50, True), ({}, 40, False)]
)
def test_a_slow_exchange_with_few_channels_set_names_them(env, rate, named):
    """All-to-all over the network, slow: few channels to a peer are the cause where a setting makes them few."""
    verdict = judge_run(a_run(flat(rate), collective="all_to_all", env=env), on("dgx-h100"))

    assert verdict.status is Status.LOW
    assert (verdict.reason.code == "few_channels") == named
    assert not named or verdict.causes[0].test.brief == "NCCL_NCHANNELS_PER_NET_PEER=4"
