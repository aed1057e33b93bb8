"""What links between GPUs are worth: this machine against the same GPUs joined otherwise."""

from dataclasses import replace

import pytest

from core.calculators.layouts import rank_training, serving_link_value, training_link_value
from core.calculators.layouts.joined import joined
from core.calculators.layouts.placement import verdict
from core.calculators.tensor_parallel import Scenario, answer
from core.calculators.training import Scenario as Training
from core.catalog import SYSTEMS, model, system
from core.hardware import Topology
from core.systems import CustomSystem, DomainSpec, configure, custom_system
from tests.each import table

SMALL = Scenario(system("rtx-4090-x4"), model("llama-3.1-8b"), tp=4)


@table("name", SYSTEMS)
def test_every_system_stands_first_and_the_same_gpus_otherwise(name):
    """The system comes first; the alternative has the same GPUs, domains and network, and another link."""
    current, *others = joined(SYSTEMS[name])
    assert current.system is SYSTEMS[name]
    for other in others:
        assert other.linked != current.linked
        assert other.system.gpu == current.system.gpu
        assert (other.system.domain_gpus, other.system.network) == (
            current.system.domain_gpus,
            current.system.network,
        )


def test_eight_h100_over_pcie_take_what_their_step_takes_there():
    """The two times are the answers for the two systems, and the gain is their ratio."""
    scenario = Scenario(system("dgx-h100"), model("llama-3.1-70b"))
    value = serving_link_value(scenario)
    here, pcie = value.options
    over_pcie = joined(scenario.system)[1].system
    assert here.step_s == pytest.approx(answer(scenario).per_step.time_s)
    assert pcie.step_s == pytest.approx(answer(replace(scenario, system=over_pcie)).per_step.time_s)
    assert value.gain == pytest.approx(pcie.step_s / here.step_s)
    assert value.verdict == "needed"
    assert "NVLink 4 through switches" in value.text


def test_four_rtx_4090_have_no_nvlink_and_the_answer_says_what_it_could_give():
    """Nearly a third of the step communicates, so a link would be needed; the card has none."""
    value = serving_link_value(SMALL)
    share = value.options[0].share
    assert not value.available
    assert value.gain == pytest.approx(1 / (1 - share))
    assert share > 0.2
    assert value.verdict == "needed"
    assert "this GPU has none" in value.text


def test_a_gpu_alone_needs_no_link():
    """At TP1 nothing is sent."""
    value = serving_link_value(replace(SMALL, tp=1))
    assert value.verdict == "not needed"
    assert "no link is needed" in value.text


def test_a_bridge_helps_a_pair_and_no_wider_group():
    """On eight H100 PCIe a pair is faster over its bridge; eight go over PCIe, and the answer says so."""
    cards = Scenario(system("h100-pcie-x8"), model("llama-3.1-70b"), tp=2)
    assert serving_link_value(cards).gain > 1.02
    wide = serving_link_value(replace(cards, tp=8))
    assert wide.gain == pytest.approx(1)
    assert "a bridge joins two GPUs" in wide.text


def test_cards_on_pcie_are_told_what_their_bridges_would_give():
    """H100 PCIe without bridges: the alternative is bridged pairs."""
    bare = custom_system(CustomSystem("h100-pcie", DomainSpec(8, topology=Topology.PCIE_HOST)))
    value = serving_link_value(Scenario(bare, model("llama-3.1-70b"), tp=2))
    assert [option.linked for option in value.options] == [False, True]
    assert value.options[1].step_s < value.options[0].step_s


def test_training_over_nodes_keeps_its_network():
    """Two nodes on PCIe inside still reach each other over InfiniBand, slower than with NVLink."""
    job = Training(configure(system("dgx-h100"), domains=2), model("llama-3.1-8b"))
    value = training_link_value(rank_training(job, 16).ranked[0].scenario)
    assert value.gain > 1
    assert "training step" in value.text


def test_a_third_of_the_step_is_not_as_good():
    """An interconnect that is the only one is no better than its exposed communication."""
    assert verdict(0.0, 0.34) == "costly"
    assert verdict(0.0, 0.06) == "good enough"
    assert verdict(0.0, 0.01) == "as good"
    assert verdict(0.5, 0.01) == "avoid"


def test_an_algorithm_of_switches_gives_way_over_pcie():
    """NVLS runs behind switches only: over PCIe the library chooses, and the row says so."""
    job = Scenario(system("dgx-h100"), model("llama-3.1-70b"), algorithm="nvls")
    assert serving_link_value(job).options[1].name.endswith("(nvls does not run there: algorithm auto)")
