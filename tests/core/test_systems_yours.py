"""A machine of yours: from the inputs of a page, or from a system file."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog import GPUS, SYSTEMS, label, system
from core.checks import InputError
from core.collectives.pricing import Scenario, sweep
from core.hardware import Architecture, Topology
from core.systems import (
    CustomSystem,
    DomainSpec,
    NetworkSpec,
    configure,
    custom_gpu,
    custom_system,
    hop_for,
    outer_hop,
    read_system,
    route,
    split,
    system_json,
)
from core.units import GB
from tests.each import table

NODE = {"gpu": "h100-sxm", "domain": {"gpus": 8}}


def written(**changes):
    return json.dumps(NODE | changes)


def domain(**changes):
    return written(domain={"gpus": 8} | changes)


@table("machine", list(SYSTEMS.values()), ids=lambda machine: machine.id)
def test_a_catalog_machine_survives_its_file(machine):
    """Written and read back, every number of ranks sees the same hop; only the label is new."""
    again = read_system(json.dumps(system_json(machine)))

    ranks = sorted({1, 2, 3, 4, 8, machine.domain_gpus} & set(range(1, machine.domain_gpus + 1)))
    assert [hop_for(again, count) for count in ranks] == [hop_for(machine, count) for count in ranks]
    assert [outer_hop(again, count) for count in ranks] == [outer_hop(machine, count) for count in ranks]
    assert again.gpu is machine.gpu
    assert again.scale_up.in_network_reduction == machine.scale_up.in_network_reduction
    assert again.yours
    assert label(again) == "yours"
    assert system_json(read_system(json.dumps(system_json(again)))) == system_json(again)


@table("machine", list(SYSTEMS.values()), ids=lambda machine: machine.id)
def test_a_catalog_machine_costs_the_same_from_its_file(machine):
    """Written and read back, calibrated times are those of the catalog's machine, PCIe's too, to the digit."""
    again = read_system(json.dumps(system_json(machine)))
    ranks = min(8, machine.domain_gpus)
    before, after = (sweep(Scenario(node, "all_reduce", ranks), [1e3, 1e6, 1e9]) for node in (machine, again))

    assert list(after.time_s) == pytest.approx(list(before.time_s), rel=1e-9)
    assert after.basis.partition(":")[2].split()[-1:] == before.basis.partition(":")[2].split()[-1:]


def test_the_smallest_file_takes_the_rest_from_the_catalog():
    """A GPU id and a number of GPUs make a node without a network."""
    node = read_system(written())

    assert hop_for(node, 8) == hop_for(system("dgx-h100"), 8)
    assert outer_hop(node, 8) is None
    assert node.name == "yours"


def test_an_older_file_names_pcie_as_it_was_then():
    """Before PCIe switches were told apart the kind was called shared PCIe."""
    node = read_system(
        written(gpu="l40s", domain={"gpus": 8, "topology": "shared PCIe", "gpus_per_uplink": 2})
    )

    assert node.scale_up.topology is Topology.PCIE_HOST
    assert system_json(node)["domain"]["topology"] == "PCIe host"
    assert hop_for(node, 8).bytes_per_s == 16 * GB


def test_a_gpu_of_yours_may_name_its_architecture():
    """The generation goes into the file and comes back; an unknown one is refused by name."""
    gpu = {"name": "Mine", "memory_bytes": 8e10, "memory_bytes_per_s": 3e12, "scale_up_bytes_per_s": 4e11}
    node = read_system(written(gpu=gpu | {"architecture": "hopper"}))

    assert node.gpu.architecture is Architecture.HOPPER
    assert system_json(node)["gpu"]["architecture"] == "hopper"
    with pytest.raises(InputError, match="architecture: 'maxwell' is unknown; closest of"):
        read_system(written(gpu=gpu | {"architecture": "maxwell"}))


def test_null_is_not_given():
    """A name or a number of domains of null is as good as none, and 8.0 GPUs are 8."""
    node = read_system(
        json.dumps({"name": None, "gpu": "h100-sxm", "domain": {"gpus": 8.0}, "domains": None})
    )

    assert (node.name, node.domains) == ("yours", 1)
    assert isinstance(node.gpus, int)


def test_a_network_of_yours_needs_only_a_rate():
    """Four NICs of 40 GB/s for eight GPUs: 20 GB/s each."""
    node = read_system(
        written(network={"nics_per_domain": 4, "nic_bytes_per_s": 40e9, "latency_s": 2e-6}, domains=2)
    )

    assert outer_hop(node, 8).bytes_per_s == 20 * GB
    assert outer_hop(node, 8).latency_s == 2e-6
    assert split(node, 16) == (8, 2)
    doubled = configure(node, domains=4, nics_per_domain=8)
    assert outer_hop(doubled, 8).bytes_per_s == 40 * GB


def test_a_gpu_of_yours_is_an_object():
    """Memory and rates in SI; a full mesh follows from its pairs."""
    gpu = {"name": "Mine 1", "memory_bytes": 64e9, "memory_bytes_per_s": 3e12, "bf16_flop_per_s": 5e14}
    machine = read_system(
        json.dumps(
            {
                "gpu": gpu,
                "domain": {"gpus": 4, "topology": "full mesh", "pair_bytes_per_s": 25e9, "bytes_per_s": 75e9},
            }
        )
    )

    assert machine.gpu.id == "mine-1"
    assert machine.gpu.fp8_flop_per_s is None
    assert hop_for(machine, 2).bytes_per_s == 25 * GB
    assert hop_for(machine, 4).bytes_per_s == 75 * GB
    assert read_system(json.dumps(system_json(machine))).gpu == machine.gpu


@table(
    ("text", "message"),
    [
        ("", "system file: not JSON"),
        ("{", "system file: not JSON"),
        ("[" * 100_000, "system file: "),
        ("x" * 100_001, "system file: at most 100000 characters"),
        ("[]", "system file: a JSON object with name, gpu"),
        ("{}", "system file: gpu is missing"),
        (written(extra=1), "system file field: 'extra' is unknown; one of name"),
        (written(name=3), "system file: name is a word, not 3"),
        (written(gpu="h101"), f"gpu: 'h101' is unknown; closest of {len(GPUS)}: h100-"),
        (written(gpu=5), "gpu: a JSON object with name"),
        (written(gpu={"name": "x"}), "gpu: memory_bytes is missing"),
        (
            written(gpu={"name": "x", "memory_bytes": 0, "memory_bytes_per_s": 1}),
            "memory_bytes: a finite number at least 1",
        ),
        (
            written(gpu={"name": "x", "memory_bytes": 1, "memory_bytes_per_s": 1, "bf16_flop_per_s": "fast"}),
            "bf16_flop_per_s: a number",
        ),
        (
            written(gpu={"name": "x", "memory_bytes": 1, "memory_bytes_per_s": 1, "pcie_link": "isa"}),
            "pcie_link: 'isa' is unknown",
        ),
        (
            written(gpu={"name": "x", "memory_bytes": 1, "memory_bytes_per_s": 1, "in_network_reduction": 2}),
            "in_network_reduction is true or false",
        ),
        (written(domain=8), "domain: a JSON object with gpus"),
        (written(domain={}), "domain: gpus is missing"),
        (domain(gpus=0), "domain_gpus: a whole number from 1"),
        (domain(gpus=8.5), "domain_gpus: a whole number"),
        (domain(gpus=True), "domain_gpus: a whole number"),
        (domain(gpus=10**9), "domain_gpus: a whole number from 1 to 4096"),
        (domain(topology="star"), "topology: 'star' is unknown; one of switch"),
        (domain(topology="single GPU"), "topology: a single GPU, not 8"),
        (domain(topology=3), "domain: topology is a word"),
        (domain(link="wire"), "link: 'wire' is unknown"),
        (domain(link="nvswitch6"), "nvswitch6 has no rate of its own; give bytes_per_s"),
        ('{"gpu": "h100-sxm", "gpu": "b200-sxm", "domain": {"gpus": 8}}', "'gpu' stands there twice"),
        (domain(bytes_per_s=-1), "scale_up_bytes_per_s: a finite number at least 1"),
        (domain(bytes_per_s=math.nan), "scale_up_bytes_per_s: a finite number at least 1"),
        (domain(bytes_per_s="900 GB/s"), "scale_up_bytes_per_s: a number"),
        (domain(bytes_per_s=10**400), "scale_up_bytes_per_s: a finite number at least 1"),
        (domain(bytes_per_s=1e-320), "scale_up_bytes_per_s: a finite number at least 1"),
        (domain(bytes_per_s=1e308), "scale_up_bytes_per_s: a finite number at least 1 and at most 1e+18"),
        (domain(latency_s=1e308), "latency_s: a finite number at least 0 and at most 1000"),
        (written(network={"link": "ib-ndr", "nics_per_domain": 10**400}), "nics_per_domain: a whole number"),
        (domain(latency_s=-1), "latency_s: a finite number at least 0"),
        (domain(taper=0), "taper: a finite number at least 1"),
        (domain(pair_bytes_per_s=[1]), "pair_bytes_per_s: a number"),
        (domain(topology="full mesh", pair_bytes_per_s={}), "pair_bytes_per_s: a number"),
        (domain(gpus_per_uplink=0), "gpus_per_uplink: a whole number"),
        (domain(host_link="usb"), "host_link: 'usb' is unknown"),
        (domain(wiring="dgx-9"), "wiring: 'dgx-9' is unknown; one of dgx-1-p100"),
        (domain(gpus=4, wiring="dgx-1-p100"), "wiring: dgx-1-p100 joins 8 GPUs, not 4"),
        (written(network=5), "network: a JSON object with link"),
        (written(network={"link": "pigeon"}), "network: 'pigeon' is unknown; closest of 30:"),
        (written(network={"link": 5}), "network: link is a word"),
        (
            written(network={"nics_per_domain": 2}),
            "nic_bytes_per_s: a network of yours needs the unidirectional rate",
        ),
        (written(network={"nic_bytes_per_s": 0}), "nic_bytes_per_s: a finite number at least 1"),
        (written(network={"link": "ib-ndr", "oversubscription": 0}), "oversubscription"),
        (written(domains=2), "network: 2 domains need one"),
        (written(domains=0), "domains: a whole number"),
    ],
)
def test_a_bad_file_is_answered_in_one_line(text, message):
    """The line names the field and what is allowed; never a traceback."""
    with pytest.raises(InputError) as caught:
        read_system(text)
    assert str(caught.value).startswith(message) or message in str(caught.value)
    assert "\n" not in str(caught.value)


def attempt(text):
    try:
        return read_system(text)
    except InputError as error:
        return error


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = (
    "gpus",
    "topology",
    "link",
    "bytes_per_s",
    "latency_s",
    "pair_bytes_per_s",
    "taper",
    "wiring",
    "host_link",
)


@given(field=st.sampled_from(FIELDS), value=JSON)
def test_anything_in_a_field_is_a_machine_or_one_line(field, value):
    """Whatever stands in a field, the reader answers with a machine or an InputError."""
    answer = attempt(domain(**{field: value}))

    if isinstance(answer, InputError):
        assert "\n" not in str(answer)
    else:
        assert hop_for(answer, min(2, answer.domain_gpus)).bytes_per_s > 0


@given(value=JSON)
def test_any_json_is_a_machine_or_one_line(value):
    """No document breaks the reader."""
    with pytest.raises(InputError):
        read_system(json.dumps(value))


def test_a_page_builds_a_machine_from_gpu_rate_and_nics():
    """Eight B200 on links of half the rate with four NICs."""
    machine = custom_system(
        CustomSystem(
            "b200-sxm",
            DomainSpec(8, bytes_per_s=450e9, latency_s=2e-6),
            NetworkSpec("ib-ndr", nics_per_domain=4),
            name="Half a B200",
            domains=2,
        )
    )

    assert (machine.id, machine.yours, machine.gpus) == ("half-a-b200", True, 16)
    assert hop_for(machine, 8).bytes_per_s == 450 * GB
    assert hop_for(machine, 8).latency_s == 2e-6
    assert outer_hop(machine, 8).bytes_per_s == 25 * GB
    assert machine.scale_up.in_network_reduction


def test_cards_of_yours_share_pcie():
    """A GPU without a link of its own uses its slot."""
    machine = custom_system(CustomSystem("l40s", DomainSpec(4, gpus_per_uplink=2)))

    assert machine.scale_up.topology is Topology.PCIE_HOST
    assert hop_for(machine, 4).bytes_per_s == 16 * GB


def test_a_machine_of_yours_may_be_one_gpu():
    """One GPU has nobody to talk to, and no rate of zero either."""
    machine = custom_system(CustomSystem("h100-sxm", 1))

    assert hop_for(machine, 1).bytes_per_s > 0
    assert split(machine, 1) == (1, 1)


def test_a_gpu_without_any_link_needs_a_rate():
    """The line says which value is missing."""
    bare = custom_gpu("bare", memory_bytes=1e9, memory_bytes_per_s=1e11, pcie_link=None)

    with pytest.raises(InputError, match="scale_up_bytes_per_s: bare has no link of its own"):
        custom_system(CustomSystem(bare, 2))
    assert hop_for(custom_system(CustomSystem(bare, DomainSpec(2, bytes_per_s=1e10))), 2).bytes_per_s == 1e10


def test_nics_without_a_network_are_refused():
    """A number of NICs says nothing about their rate."""
    with pytest.raises(InputError, match="nic_bytes_per_s: a network of yours needs"):
        custom_system(CustomSystem("h100-sxm", 8, NetworkSpec(nics_per_domain=4)))


def test_a_known_cube_mesh_can_be_named():
    """Wiring of a DGX-1 on a machine of yours gives its routes."""
    machine = read_system(
        written(gpu="v100-sxm", domain={"gpus": 8, "topology": "cube mesh", "wiring": "dgx-1-v100"})
    )

    assert route(machine, 0, 5).via == (1, 4)
