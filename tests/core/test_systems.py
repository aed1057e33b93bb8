"""What a hop of each machine is worth: by topology, by number of ranks, by NICs."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog import LINKS, SYSTEMS, system
from core.checks import InputError
from core.hardware import Topology
from core.measurement import Matrix
from core.provenance import Scope
from core.systems import (
    NETWORKS,
    CustomSystem,
    DomainSpec,
    configure,
    custom_system,
    hop_for,
    outer_hop,
    route,
    scale_up_path,
    split,
)
from core.systems.cube_mesh import ring_links
from core.units import GB
from core.verdict.pairs import judge_matrix
from core.verdict.records import Status
from tests.core.golden import CASES
from tests.each import each, table

GOLDEN = {case.id: case for case in CASES}
MACHINES = list(SYSTEMS.values())
NETWORKED = [machine for machine in MACHINES if machine.network]


def rate(machine, ranks):
    return hop_for(machine, ranks).bytes_per_s / GB


@each(MACHINES)
def test_tiers_from_the_inside_out(machine):
    """Domain, leaf, spine; a machine without a network has the domain alone."""
    expected = ["domain", "leaf", "spine"] if machine.network else ["domain"]

    assert [tier.tier for tier in machine.fabrics] == expected
    assert [tier.ranks for tier in machine.fabrics] == sorted(tier.ranks for tier in machine.fabrics)
    assert all(tier.oversubscription == 1 for tier in machine.fabrics)
    assert machine.scale_up.ranks == machine.domain_gpus
    assert machine.host_link in LINKS


@each(MACHINES)
def test_a_part_of_a_domain_never_has_more_than_all_of_it(machine):
    """No number of ranks sees more than the GPU's total, a bridge's pair apart; every hop has a latency."""
    for ranks in range(1, min(machine.domain_gpus, 80) + 1):
        hop = hop_for(machine, ranks)
        whole = machine.bridge if machine.bridge and ranks == 2 else machine.scale_up
        assert 0 < hop.bytes_per_s <= whole.bytes_per_s
        assert hop.latency_s > 0


@each(MACHINES)
def test_scale_up_is_faster_than_scale_out(machine):
    """Inside the domain a GPU has more than its share of the NICs."""
    outer = outer_hop(machine, machine.domain_gpus)

    assert outer is None or outer.bytes_per_s < hop_for(machine, machine.domain_gpus).bytes_per_s


def test_behind_a_switch_any_number_of_ranks_has_the_whole_rate():
    """Two H100 get 450 GB/s as eight do."""
    assert [rate(system("dgx-h100"), ranks) for ranks in (2, 3, 8)] == [450, 450, 450]


def test_in_a_full_mesh_a_pair_has_a_seventh():
    """Two MI300X get 64 GB/s, eight get 448; MI355X 76.5 and 535.5."""
    assert [rate(system("mi300x-x8"), ranks) for ranks in (2, 4, 8)] == [64, 192, 448]
    assert [rate(system("mi355x-x8"), ranks) for ranks in (2, 8)] == [76.5, 535.5]


def test_a_cube_mesh_has_all_links_at_eight_and_the_pair_s_at_two():
    """DGX-1: 150 and 50 GB/s with V100, 80 and 20 with P100."""
    assert [rate(system("dgx-1-v100"), ranks) for ranks in (2, 4, 8)] == [50, 100, 150]
    assert [rate(system("dgx-1-p100"), ranks) for ranks in (2, 4, 8)] == [20, 40, 80]


@pytest.mark.parametrize(("machine_id", "links"), [("dgx-1-p100", 4), ("dgx-1-v100", 6)])
def test_all_links_of_a_cube_mesh_are_used_by_rings(machine_id, links):
    """Each GPU has its links, wiring is the same in both directions, and rings through all eight use every link."""
    wiring = system(machine_id).wiring

    assert {sum(row) for row in wiring} == {links}
    assert wiring == tuple(zip(*wiring, strict=True))
    assert ring_links(wiring, 8) == links


def test_gpus_of_a_cube_mesh_that_are_no_neighbours_go_through_another():
    """GPU 0 and 3 share two links, 0 and 5 reach each other over 1 or 4."""
    machine = system("dgx-1-v100")

    assert route(machine, 0, 3).links == 2
    assert route(machine, 0, 5).links == 0
    assert route(machine, 0, 5).via == (1, 4)
    with pytest.raises(InputError, match="pair"):
        route(machine, 2, 2)
    with pytest.raises(InputError, match="no cube mesh"):
        route(system("dgx-h100"), 0, 1)


def test_a_cube_mesh_of_unknown_wiring_falls_back_to_pcie():
    """Without wiring, three GPUs are priced over the host."""
    machine = custom_system(
        CustomSystem("v100-sxm", DomainSpec(8, topology="cube mesh", pair_bytes_per_s=50e9))
    )

    assert rate(machine, 3) == 16
    assert rate(machine, 8) == 150


def test_a_bridge_joins_pairs_and_no_more():
    """Two RTX 3090 get 56.25 GB/s; four of them, in two bridged pairs, go over PCIe."""
    four = custom_system(
        CustomSystem("rtx-3090", DomainSpec(4, topology=Topology.BRIDGE, pair_bytes_per_s=56.25e9))
    )

    assert rate(system("rtx-3090-x2"), 2) == 56.25
    assert rate(four, 2) == 56.25
    assert rate(four, 4) == 32


def test_bridged_pairs_talk_over_pcie_beyond_the_pair():
    """Two neighbouring H100 PCIe have their bridge's 300 GB/s; two that are none, and eight, PCIe 5."""
    cards = system("h100-pcie-x8")
    pair, strangers, all_of_them = (
        scale_up_path(cards, 2),
        scale_up_path(cards, 2, stride=2),
        scale_up_path(cards, 8),
    )

    assert (pair.link, pair.topology, pair.bytes_per_s) == ("nvlink4", Topology.BRIDGE, 300 * GB)
    assert strangers.bytes_per_s == all_of_them.bytes_per_s == 64 * GB
    assert (all_of_them.link, all_of_them.topology) == ("pcie5-x16", Topology.PCIE_HOST)


def test_only_copies_over_a_bridge_are_judged_by_its_rate():
    """Of four H100 PCIe the pairs 0-1 and 2-3 copy at 250 GB/s, the others at 52: all as they should."""
    rates = [[None if i == j else 250.0 if i // 2 == j // 2 else 52.0 for j in range(4)] for i in range(4)]
    names = ("0", "1", "2", "3")
    cells = tuple(tuple(None if rate is None else rate * GB for rate in row) for row in rates)
    matrix = Matrix("Unidirectional P2P=Enabled", "bandwidth", "one_way", True, names, names, cells)

    verdicts = judge_matrix(matrix, custom_system(CustomSystem("h100-pcie", 4)))
    assert len(verdicts) == 12
    assert {verdict.status for verdict in verdicts} == {Status.FINE}


def test_a_custom_system_joins_gpus_as_their_machines_do():
    """By default bridge pairs for H100 PCIe, a mesh for MI300X, PCIe for L40S, switches for H100 SXM."""
    kinds = {
        gpu: custom_system(CustomSystem(gpu, 8)).scale_up.topology
        for gpu in ("h100-pcie", "mi300x", "l40s", "h100-sxm")
    }

    assert list(kinds.values()) == [
        Topology.BRIDGE,
        Topology.FULL_MESH,
        Topology.PCIE_HOST,
        Topology.SWITCH,
    ]
    assert rate(custom_system(CustomSystem("h100-pcie", 8)), 8) == 64
    assert rate(custom_system(CustomSystem("mi300x", 8)), 2) == 64


def test_the_kind_of_a_custom_system_can_be_stated():
    """Eight H100 SXM on PCIe alone, in a mesh of fours; a PCIe kind refuses an NVLink."""
    pcie = custom_system(CustomSystem("h100-sxm", DomainSpec(8, topology=Topology.PCIE_HOST)))
    mesh = custom_system(CustomSystem("a100-sxm-80gb", DomainSpec(4, topology="full mesh")))

    assert (pcie.scale_up.link, rate(pcie, 8)) == ("pcie5-x16", 64)
    assert [rate(mesh, ranks) for ranks in (2, 4)] == [100, 300]
    with pytest.raises(InputError, match="link: PCIe switch needs a PCIe link, not nvlink4"):
        custom_system(CustomSystem("h100-sxm", DomainSpec(8, topology="PCIe switch", link="nvlink4")))


def test_gpus_behind_one_pcie_switch_have_their_slots_whole():
    """Four of eight L40S behind a switch copy at 32 GB/s; eight share its uplink; RTX 4090 pass the host."""
    behind = DomainSpec(8, topology=Topology.PCIE_SWITCH, gpus_per_uplink=4)
    cards = custom_system(CustomSystem("l40s", behind))

    assert [rate(cards, ranks) for ranks in (2, 4, 8)] == [32, 32, 8]
    assert rate(custom_system(CustomSystem("rtx-4090", behind)), 4) == 8


def test_cards_share_the_slot_of_their_uplink():
    """Eight L40S have 32 GB/s each, 16 when two share an uplink, 8 when four do."""
    cards = system("l40s-x8")

    assert rate(cards, 8) == 32
    assert rate(configure(cards, gpus_per_uplink=2), 8) == 16
    assert rate(configure(cards, gpus_per_uplink=4), 8) == 8
    assert rate(configure(cards, gpus_per_uplink=4), 2) == 16


def test_a_taper_holds_beyond_a_chassis():
    """A DGX GH200 tapered by 2: 450 GB/s within eight, 225 across."""
    tapered = configure(system("dgx-gh200-256"), taper=2)

    assert [rate(tapered, ranks) for ranks in (8, 9, 256)] == [450, 225, 225]
    assert rate(system("dgx-gh200-256"), 256) == 450


def test_golden_a10_share_of_the_network():
    """6.25, 25, 50, 50, 100 and 6.25 GB/s a GPU with all GPUs taking part."""
    machines = [system(name) for name in ("dgx-1-v100", "dgx-a100", "dgx-h100", "dgx-b200", "dgx-b300")]
    p4d = configure(system("dgx-a100"), domains=2, network="efa-400")

    shares = [outer_hop(machine, 8).bytes_per_s / GB for machine in (*machines, p4d)]
    assert shares == pytest.approx(GOLDEN["A10"].expected["GBps_per_dir"], rel=1e-9)


def test_nics_are_shared_when_there_are_fewer_than_gpus():
    """A DGX-1's four EDR ports: 12.5 GB/s for up to four GPUs, 6.25 for eight."""
    machine = system("dgx-1-v100")

    assert [outer_hop(machine, ranks).bytes_per_s / GB for ranks in (1, 2, 4, 8)] == [12.5, 12.5, 12.5, 6.25]


def test_one_gpu_of_a_node_uses_its_own_nic_only():
    """One H100 of a node has 50 GB/s, not the node's 400."""
    assert outer_hop(system("dgx-h100"), 1).bytes_per_s == 50 * GB
    assert outer_hop(configure(system("dgx-h100"), network="efa-3200"), 1).bytes_per_s == pytest.approx(
        50 * GB
    )


def test_oversubscription_divides_what_leaves_a_domain():
    """A leaf with half as much up as down halves the rate between domains, not inside one."""
    plain = configure(system("dgx-h100"), domains=4)
    half = configure(system("dgx-h100"), domains=4, oversubscription=2)

    assert outer_hop(half, 8).bytes_per_s == outer_hop(plain, 8).bytes_per_s / 2
    assert hop_for(half, 8) == hop_for(plain, 8)
    assert [tier.oversubscription for tier in half.fabrics] == [1, 2, 1]
    assert half.fabrics[2].bytes_per_s == 25 * GB


@table("network", NETWORKS)
def test_any_network_can_join_h100_nodes(network):
    """Each network gives eight H100 what its row says of a node or a port."""
    link = LINKS[network]
    machine = configure(system("dgx-h100"), domains=2, network=network)
    share = link.rate.bytes_per_s / (8 if link.rate.scope is Scope.NODE else 1)

    assert outer_hop(machine, 8).bytes_per_s == pytest.approx(share)
    assert machine.network == network


@each(NETWORKED)
def test_configuring_nothing_changes_nothing(machine):
    """Defaults keep the catalog's machine."""
    again = configure(machine)

    assert [tier.bytes_per_s for tier in again.fabrics] == pytest.approx(
        [tier.bytes_per_s for tier in machine.fabrics]
    )
    assert (again.network, again.nics_per_domain, again.domains) == (
        machine.network,
        machine.nics_per_domain,
        1,
    )


def test_more_nics_bring_more():
    """Sixteen NICs of a node of eight give each GPU two."""
    machine = configure(system("dgx-h100"), domains=2, nics_per_domain=16)

    assert [outer_hop(machine, ranks).bytes_per_s / GB for ranks in (1, 8)] == [100, 100]


def test_an_nvl72_keeps_its_nics_on_efa():
    """A network quoted for eight GPUs scales with the domain."""
    machine = configure(system("gb200-nvl72"), domains=2, network="efa-3200")

    assert outer_hop(machine, 72).bytes_per_s == pytest.approx(50 * GB)


@given(ranks=st.integers(1, 64))
def test_ranks_fill_the_fewest_domains(ranks):
    """Local ranks x domains hold the ranks, with no domain to spare."""
    machine = configure(system("dgx-h100"), domains=8)
    local, domains = split(machine, ranks, uneven=True)

    assert domains == math.ceil(ranks / 8)
    assert local * domains >= ranks > (local - 1) * domains
    assert local <= 8


def test_ranks_spread_evenly_or_the_answer_says_what_would():
    """12 of 8-GPU nodes are 6 and 6; 13 are refused by name, unless uneven is asked for."""
    machine = configure(system("dgx-h100"), domains=2)

    assert split(machine, 8) == (8, 1)
    assert split(machine, 12) == (6, 2)
    assert split(machine, 16) == (8, 2)
    assert split(machine, 13, uneven=True) == (7, 2)
    with pytest.raises(InputError, match=r"ranks: 13 do not spread evenly over 2 domains; take 12 or 14"):
        split(machine, 13)


def test_more_ranks_than_gpus_are_refused():
    """The message names the machine, its GPUs and the way out."""
    with pytest.raises(
        InputError, match=r"ranks: at most 8 \(dgx-h100 has 8 GPUs; ask for more domains\), not 9"
    ):
        split(system("dgx-h100"), 9)
    with pytest.raises(InputError, match="ranks: a whole number from 1 to 8, not 9"):
        hop_for(system("dgx-h100"), 9)
    with pytest.raises(InputError, match="local_ranks"):
        outer_hop(system("dgx-h100"), 9)


@pytest.mark.parametrize("ranks", [0, -1, 1.5, True, float("nan"), float("inf"), "8"])
def test_odd_numbers_of_ranks_are_refused(ranks):
    """Zero, negative, fractional, not finite, not a number."""
    for ask in (split, hop_for, outer_hop):
        with pytest.raises(InputError, match="ranks: a whole number"):
            ask(system("dgx-h100"), ranks)


@table(
    ("options", "message"),
    [
        ({"domains": 0}, "domains: a whole number"),
        ({"domains": 2.5}, "domains: a whole number"),
        ({"oversubscription": 0.5}, "oversubscription: a finite number at least 1"),
        ({"oversubscription": float("nan")}, "oversubscription"),
        ({"nics_per_domain": 0}, "nics_per_domain: a whole number"),
        ({"network": "nvlink4"}, "network: 'nvlink4' is unknown; closest of 30:"),
        ({"taper": 0.5}, "taper"),
        ({"gpus_per_uplink": 0}, "gpus_per_uplink"),
    ],
)
def test_impossible_machines_are_refused_by_name(options, message):
    """One line that names the value and what is allowed."""
    with pytest.raises(InputError, match=message) as caught:
        configure(system("dgx-h100"), **options)
    assert "\n" not in str(caught.value)


def test_a_machine_without_network_needs_one_for_two_domains():
    """The message lists the networks, then asks for the NICs."""
    cards = system("l40s-x8")

    with pytest.raises(InputError, match="network: l40s-x8 has none; name one, such as ib-ndr"):
        configure(cards, domains=2)
    with pytest.raises(InputError, match="nics_per_domain: l40s-x8 has no NICs in the catalog"):
        configure(cards, domains=2, network="roce-400")
    with pytest.raises(InputError, match="nics_per_domain: l40s-x8 has no network"):
        configure(cards, nics_per_domain=2)
    assert outer_hop(cards, 8) is None
    assert (
        outer_hop(configure(cards, domains=2, network="roce-400", nics_per_domain=2), 8).bytes_per_s
        == 12.5 * GB
    )
