"""Calibrated answers follow the scale-up kind: uplinks, meshes without switches, bridged pairs."""

import io

import pytest

from core.catalog import system
from core.checks import InputError
from core.collectives.cost_model.table import answer_table
from core.collectives.pricing import Scenario, answer
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import CustomSystem, DomainSpec, custom_system
from tests.each import table

HEADER = "gpu,scale_up_link,domain_gpus,domains,collective,size_bytes,scale_out_link\n"


def all_reduce(gpu, *, gpus=8, **domain):
    """All-reduce of 256 MiB over all GPUs of a custom domain."""
    system = custom_system(CustomSystem(gpu, DomainSpec(gpus, **domain)))
    return answer(Scenario(system, "all_reduce", gpus, 2**28))


def row(text):
    """The answer of `predict` to one row, by column."""
    table = answer_table(io.StringIO(HEADER + text))
    return dict(
        zip(("predicted_us", "low_us", "high_us", "algorithm", "basis"), table.answers[0], strict=True)
    )


def test_gpus_behind_one_uplink_share_it_at_calibrated_rates_too():
    """Four cards behind one uplink are no faster than with a slot each, and the basis says what was changed."""
    alone, shared = all_reduce("l40s"), all_reduce("l40s", topology="PCIe host", gpus_per_uplink=4)

    assert shared.time_s > 2 * alone.time_s
    assert (alone.basis.split(":")[0], shared.basis.split(":")[0]) == ("calibrated", "parts")


@pytest.mark.parametrize("domain", [{"topology": "full mesh"}, {"in_network_reduction": False}])
def test_nothing_adds_where_no_switch_does(domain):
    """Without in-network reduction there is no NVLS, and no calibration of machines that have it."""
    switched, plain = all_reduce("h100-sxm"), all_reduce("h100-sxm", **domain)

    assert switched.algorithm == "nvls"
    assert plain.algorithm != "nvls"
    assert plain.time_s > switched.time_s
    assert plain.basis.split(":")[0] != "calibrated"


@pytest.mark.parametrize("gpu", ["gaudi3", "mi455x", "tpu7x"])
def test_only_gpus_with_such_switches_add_in_them(gpu):
    """A part of another vendor is never given NVLink's in-switch reduction."""
    assert all_reduce(gpu).algorithm != "nvls"


def test_more_than_a_bridged_pair_talks_over_pcie_in_a_table():
    """Eight H100 PCIe on 'nvlink4' cost what they cost over their slots; a pair uses its bridge."""
    bridged, slots = (
        row("h100-pcie,nvlink4,8,1,all_reduce,1e8,\n"),
        row("h100-pcie,pcie5-x16,8,1,all_reduce,1e8,\n"),
    )
    pair = row("h100-pcie,nvlink4,2,1,all_reduce,1e8,\n")

    assert bridged["predicted_us"] == slots["predicted_us"]
    assert float(pair["predicted_us"]) < float(slots["predicted_us"]) / 4


def test_a_scale_up_link_is_no_network():
    """NVLink between domains is refused as an unknown network, not priced."""
    assert row("h100-sxm,nvlink4,8,4,all_reduce,1e9,nvlink5\n")["basis"].startswith("error: scale_out_link")


@pytest.mark.parametrize(
    "domain", [{"topology": "switch"}, {"topology": "full mesh"}, {"topology": "bridge"}, {"link": "ib-ndr"}]
)
def test_a_card_without_direct_links_is_joined_by_pcie_alone(domain):
    """Switches, meshes and bridges of a card without a GPU-to-GPU link are refused, as is a network as one."""
    with pytest.raises(InputError, match=r"topology: .* PCIe switch, PCIe host"):
        custom_system(CustomSystem("rtx-4090", DomainSpec(8, **domain)))


@pytest.mark.parametrize("rates", [Rates(), Rates(Origin.SPEC)])
@pytest.mark.parametrize("name", ["hgx-a100-x4", "gh200-x4", "mi300x-x8"])
def test_a_message_to_one_peer_of_a_mesh_has_the_links_to_that_peer(name, rates):
    """Without switches a GPU's links lead elsewhere: in a ring of send_recv each pair is as fast as alone."""
    mesh = system(name)
    pair, ring = (
        answer(Scenario(mesh, "send_recv", ranks, 2**30, rates=rates)).time_s
        for ranks in (2, mesh.domain_gpus)
    )
    assert ring == pytest.approx(pair, rel=0.01)
    assert 2**30 / ring < 1.01 * mesh.scale_up.bytes_per_s / (mesh.domain_gpus - 1)


MESH = "a100-sxm-80gb,nvlink3,{gpus},1,{collective},1073741824,,{kind}\n"


@table("collective", ["all_reduce", "all_to_all", "send_recv"])
@table("gpus", [2, 3, 4])
def test_a_row_of_a_mesh_is_the_system_without_switches(collective, gpus):
    """HGX A100 4-GPU has no NVSwitch: a row that says so gets what the shell answers for the system."""
    text = f"{HEADER.strip()},scale_up_topology\n{MESH.format(gpus=gpus, collective=collective, kind='mesh')}"
    time_us, *_, basis = answer_table(io.StringIO(text)).answers[0]
    shown = answer(Scenario(system("hgx-a100-x4"), collective, gpus, 2**30))

    assert float(time_us) == pytest.approx(1e6 * shown.time_s, rel=1e-4)
    assert basis == shown.basis


def test_a_switched_row_is_the_usual_one_and_other_joins_are_refused():
    """``switch`` changes no NVLink answer; PCIe has no mesh, AMD no switch, and eight GPUs no mesh of NVLink."""
    lines = [
        MESH.format(gpus=2, collective="all_reduce", kind="switch"),
        MESH.format(gpus=2, collective="all_reduce", kind=""),
        MESH.format(gpus=8, collective="all_reduce", kind="mesh"),
        MESH.format(gpus=2, collective="all_reduce", kind="star"),
        "l40s,pcie4-x16,2,1,all_reduce,1024,,mesh\n",
        "mi300x,if-mi300x,8,1,all_reduce,1024,,switch\n",
    ]
    answers = answer_table(io.StringIO(f"{HEADER.strip()},scale_up_topology\n{''.join(lines)}")).answers

    assert answers[0] == answers[1]
    assert [cells[-1].partition(": ")[2].partition(":")[0] for cells in answers[2:]] == [
        "scale_up_topology"
    ] * 4
