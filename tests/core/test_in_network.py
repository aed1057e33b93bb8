"""In-network reduction of the network: where it is, how it is asked for, what it changes."""

import json

import pytest

from core import catalog
from core.calculators.gradient_sync import Scenario, answer
from core.checks import InputError
from core.collectives.cost_model import Setting, predict
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import answer as collective_answer
from core.collectives.rates import Rates
from core.parallel.groups import group_view
from core.provenance import Origin
from core.systems import CustomSystem, NetworkSpec, configure, custom_system, read_system, system_json

H100 = catalog.system("dgx-h100")
ADDING = configure(H100, domains=64, in_network_reduction=True)
SPEC = Rates(Origin.SPEC)


def test_infiniband_from_hdr_on_adds_when_asked():
    """Off unless asked for; then every tier of the network adds, and a group that shares it too."""
    assert not any(tier.in_network_reduction for tier in configure(H100, domains=64).fabrics[1:])
    assert all(tier.in_network_reduction for tier in ADDING.fabrics[1:])
    assert group_view(ADDING, 8).scale_out.in_network_reduction


@pytest.mark.parametrize("network", ["roce-400", "ib-edr", "efa-v2"])
def test_other_networks_are_refused(network):
    """One line names the networks that can."""
    with pytest.raises(InputError, match=f"ib-hdr.*not those of {network}"):
        configure(H100, domains=64, network=network, in_network_reduction=True)


def test_another_network_does_not_inherit_it():
    """A machine moved to Ethernet has switches that only forward; fewer domains keep theirs."""
    assert not configure(ADDING, domains=64, network="roce-400").scale_out.in_network_reduction
    assert configure(ADDING, domains=2).scale_out.in_network_reduction


def test_a_system_file_says_it_and_reads_it_back():
    """The file's network has the flag; a machine of yours with a wire of its own is not refused."""
    document = system_json(ADDING)
    custom = {
        "gpu": "h100-sxm",
        "domain": {"gpus": 8},
        "network": {"nic_bytes_per_s": 5e10, "in_network_reduction": True},
    }

    assert document["network"]["in_network_reduction"] is True
    assert read_system(json.dumps(document)).scale_out.in_network_reduction
    assert read_system(json.dumps(custom)).scale_out.in_network_reduction
    with pytest.raises(InputError, match="in_network_reduction"):
        read_system(json.dumps(custom | {"network": {"link": "roce-400", "in_network_reduction": True}}))


def test_the_network_carries_each_gradient_once():
    """SHARP: a ring inside, then the NIC sends its share once: 70B BF16 gradients over 64 x 8 H100."""
    result = answer(Scenario(ADDING, 70e9, rates=SPEC, algorithm="sharp"))
    inside, across = 2 * 7 / 8 * 140e9 / 450e9, 140e9 / 8 / 50e9

    assert result.time_s == pytest.approx(inside + across, rel=1e-3)


@pytest.mark.parametrize("params", [5e5, 70e9])
def test_switches_that_add_beat_a_ring_across(params):
    """With the same ring inside the domains, adding on the way is faster than a ring across, small or large."""
    ring, adding = (
        answer(Scenario(system, params, rates=SPEC, algorithm=name)).time_s
        for system, name in ((configure(H100, domains=64), "two-level"), (ADDING, "sharp"))
    )

    assert adding < ring


def test_without_the_flag_sharp_does_not_apply():
    """Asked for on a network that does not add, it is refused with what does apply."""
    with pytest.raises(InputError, match="sharp does not apply"):
        answer(
            Scenario(
                custom_system(CustomSystem("h100-sxm", 8, NetworkSpec(nic_bytes_per_s=5e10), domains=4)),
                70e9,
                algorithm="sharp",
                rates=SPEC,
            )
        )


@pytest.mark.parametrize(
    ("algorithm", "inside"), [("sharp-pipelined", 2 * 7 / 8 / 450e9), ("nvls-sharp", 9 / 8 / 450e9)]
)
def test_both_levels_at_once_take_the_slower_one(algorithm, inside):
    """Cut small, the wires inside and the NICs work at once: the larger of the two times counts."""
    result = answer(Scenario(ADDING, 70e9, rates=SPEC, algorithm=algorithm))

    assert result.time_s == pytest.approx(140e9 * max(inside, 1 / 8 / 50e9), rel=1e-3)


def test_the_toggle_changes_a_large_answer():
    """Left to choose, datasheet rates take in-network reduction; without it in the domain, a ring inside."""
    plain, adding = (
        answer(Scenario(system, 70e9, rates=SPEC)) for system in (configure(H100, domains=64), ADDING)
    )
    mesh = configure(catalog.system("mi300x-x8"), domains=64, network="ib-ndr", in_network_reduction=True)

    assert adding.algorithm == "nvls-sharp"
    assert adding.time_s < 0.6 * plain.time_s
    assert answer(Scenario(mesh, 70e9, rates=SPEC)).algorithm == "sharp-pipelined"


def test_calibrated_rates_compose_what_nobody_measured_here():
    """Reduction in the network is its formula, short of itself as others are; wider, and said so."""
    adding, plain = (answer(Scenario(system, 70e9)) for system in (ADDING, configure(H100, domains=64)))

    assert (adding.algorithm, adding.basis) == ("nvls-sharp", "parts:nvls-sharp")
    assert adding.time_s != plain.time_s
    assert adding.high_s / adding.low_s > 1.3 * plain.high_s / plain.low_s
    assert any("no measurement of it here" in line for line in adding.warnings)
    assert not any("no measurement of it here" in line for line in plain.warnings)


@pytest.mark.parametrize(
    ("size_bytes", "measured_us", "within"),
    [(2**20, 177.0, 0.25), (2**23, 387.0, 0.11), (2**28, 5207.5, 0.11), (2**31, 38180.0, 0.11)],
)
def test_measured_in_network_reduction_is_met(size_bytes, measured_us, within):
    """
    ABCI, two nodes of eight A100 with SHARP on over four HDR NICs: in the interval, 10 % off from 8 MiB on.

    Its NCCL is of 2.8, which takes longer for middle sizes than those that the constants are of.
    """
    nodes = configure(
        catalog.system("dgx-a100"), domains=2, network="ib-hdr", nics_per_domain=4, in_network_reduction=True
    )
    result = collective_answer(Collective(nodes, "all_reduce", 16, size_bytes))

    assert result.time_s * 1e6 == pytest.approx(measured_us, rel=within)
    assert result.low_s <= measured_us * 1e-6 <= result.high_s


@pytest.mark.parametrize("size_bytes", [2.0**14, 2.0**20, 2.0**30])
def test_what_comes_next_to_the_switches_could_be_run(size_bytes):
    """The runner-up of an all-reduce that switches of both levels reduce is the chain in the protocol of its size."""
    setting = Setting("h100-sxm", "nvlink4", 8, 4, "ib-ndr", in_network_reduction=True)
    answer = predict(setting, size_bytes)

    assert answer.runner_up_time_s < 2.5 * answer.time_s
