"""Disputes and switch anatomy: what sources say differently, and what adds up."""

import pytest

from core.calculators.capacity import fabric_figures
from core.catalog import (
    DISPUTES,
    GPUS,
    LINKS,
    MODELS,
    SOURCES,
    SWITCHES,
    SYSTEMS,
    disputes_about,
    mesh,
)
from core.checks import InputError
from core.units import GB, TB
from tests.core.golden import CASES
from tests.each import table

GOLDEN = {case.id: case for case in CASES}
KNOWN = GPUS | LINKS | MODELS | SYSTEMS


@table("dispute", DISPUTES, ids=lambda dispute: dispute.id)
def test_a_dispute_has_different_readings_with_sources_and_an_answer(dispute):
    """At least two readings that differ, each with its document, one used and a reason."""
    assert len({(item.value, item.unit) for item in dispute.readings}) > 1
    assert all(SOURCES[item.source.key] is item.source for item in dispute.readings)
    assert dispute.topic
    assert dispute.used
    assert dispute.why.endswith(".")
    assert set(dispute.about) <= set(KNOWN)


def test_disputes_have_names_of_their_own():
    """No two disputes share an id."""
    assert len({dispute.id for dispute in DISPUTES}) == len(DISPUTES)


@table(
    ("entry_id", "dispute_id"),
    [
        ("pcie5-x16", "pcie5-direction"),
        ("b200-sxm", "b200-memory"),
        ("gb200", "b200-memory"),
        ("gb200-nvl72", "nvl72-bisection"),
        ("b300-sxm", "b300-fp4"),
        ("rubin", "rubin-memory-rate"),
        ("nvlink6", "nvlink6-links"),
        ("gb200", "grace-blackwell-pcie"),
        ("gh200", "gh200-memory"),
        ("gaudi3", "gaudi3-peak"),
        ("rtx-3090", "rtx-3090-nvlink"),
        ("nvlink5", "nvlink5-per-link"),
        ("vera-rubin-nvl72", "nvl144-name"),
        ("dgx-gh200-256", "gh200-taper"),
    ],
)
def test_a_part_knows_its_disputes(entry_id, dispute_id):
    """The disputes of the specification are found from the part they concern."""
    assert dispute_id in {dispute.id for dispute in disputes_about(entry_id)}


def test_pcie5_was_printed_as_64_and_as_128_both_ways():
    """Both readings are kept; the catalog uses 64 one way."""
    dispute = next(item for item in DISPUTES if item.id == "pcie5-direction")

    assert {64, 128} <= {item.value for item in dispute.readings if item.unit == "GB/s bidirectional"}
    assert LINKS["pcie5-x16"].rate.bytes_per_s == 64 * GB


def test_used_readings_are_what_the_catalog_holds():
    """180, 186 and 96 GB, 1,677 TFLOP/s, 112.5 GB/s."""
    assert GPUS["b200-sxm"].memory_bytes == 180 * GB
    assert GPUS["gb200"].memory_bytes == 186 * GB
    assert GPUS["gh200"].memory_bytes == 96 * GB
    assert GPUS["gaudi3"].bf16_flop_per_s == 1677e12
    assert GPUS["rtx-3090"].scale_up.value == 112.5


@table("machine", list(SWITCHES.values()), ids=lambda machine: machine.id)
def test_ports_of_the_switches_carry_all_links_of_the_gpus(machine):
    """GPUs x links fit the ports of the chips, spread evenly, on the machine's own chip."""
    assert machine.gpu_ports == machine.gpus * machine.links_per_gpu
    assert machine.ports_used <= machine.ports
    assert machine.gpu_ports_per_chip == machine.gpu_ports // machine.chips
    assert machine.ports_per_chip == LINKS[machine.switch].links
    system = SYSTEMS[machine.id]
    assert (system.domain_gpus, system.gpu.scale_up_links) == (machine.gpus, machine.links_per_gpu)


def test_golden_d02_the_fabric_of_an_nvl72():
    """1,296 ports on 18 chips of 72; aggregate 129.6 TB/s, bisection half of it."""
    case = GOLDEN["D02"].expected
    rack = SWITCHES["gb200-nvl72"]
    totals = fabric_figures(72, SYSTEMS["gb200-nvl72"].scale_up.bytes_per_s, 1.0)

    assert (rack.gpu_ports, rack.chips, rack.ports_per_chip) == (
        case["ports"],
        case["chips"],
        case["ports_per_chip"],
    )
    assert rack.ports == rack.gpu_ports
    assert totals.aggregate_both_ways_bytes_per_s / TB == pytest.approx(case["aggregate_TBps"])
    assert totals.bisection_both_ways_bytes_per_s / TB == pytest.approx(case["bisection_bidir_TBps"])
    assert totals.bisection_one_way_bytes_per_s / TB == pytest.approx(case["bisection_per_dir_TBps"])


def test_a_dgx_h100_has_a_bisection_of_3_6_tb_per_s():
    """NVIDIA's figure counts both directions."""
    assert fabric_figures(8, 450 * GB, 1.0).bisection_both_ways_bytes_per_s == 3600 * GB


def test_an_odd_gpu_is_on_neither_side_of_a_bisection():
    """floor(n / 2) GPUs send across the cut."""
    assert fabric_figures(7, 1.0, 1.0).bisection_one_way_bytes_per_s == 3
    assert fabric_figures(1, 1.0, 1.0).bisection_one_way_bytes_per_s == 0


def test_where_a_point_to_point_mesh_stops():
    """28 links join 8 GPUs; 72 would take 2,556, 71 of each GPU, which has 18."""
    node, rack = mesh(8, 18), mesh(72, 18)

    assert (node.links, node.links_per_gpu, node.possible) == (28, 7, True)
    assert (rack.links, rack.links_per_gpu, rack.possible) == (2556, 71, False)
    assert node.pair_share == pytest.approx(1 / 7)
    with pytest.raises(InputError, match="gpus"):
        mesh(1, 18)
