"""Topology: pairs, domains and oddities of a matrix, and the machine made from it."""

import json
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog import GPUS
from core.catalog.wiring import WIRINGS
from core.checks import InputError
from core.collectives.pricing import Scenario, answer
from core.hardware import Topology
from core.measurement import Matrix
from core.systems import hop_for, read_system, system_json
from core.systems.topology import (
    PCIE_WORDS,
    devices_of,
    path_rate,
    strange_triples,
    survey,
    system_of,
)
from gpu_probe.parsers import read

LOGS = Path(__file__).resolve().parents[3] / "shared" / "data" / "logs"
H100, A100, V100, L40S = (GPUS[key] for key in ("h100-sxm", "a100-sxm-80gb", "v100-sxm", "l40s"))


def matrix(word, gpus, nics=(), rows=None):
    """A topology matrix of so many GPUs; ``word(i, j)`` is the path of devices i < j."""
    names = [*(f"GPU{i}" for i in range(gpus)), *nics]
    cells = [
        tuple("X" if i == j else word(min(i, j), max(i, j)) for j in range(len(names)))
        for i in range(len(names))
    ]
    kept = len(names) if rows is None else rows
    return Matrix("topo -m", "topology", None, None, tuple(names[:kept]), tuple(names), tuple(cells[:kept]))


def socketed(i, j):
    """Eight GPUs on two sockets, each four behind two switches of two."""
    if i // 2 == j // 2:
        return "PIX"
    return "NODE" if i // 4 == j // 4 else "SYS"


def test_a_switch_shows_all_links_to_every_gpu():
    """NV18 between all eight H100 is a switch of 450 GB/s unidirectional, and no pair is weak."""
    surveyed = survey(matrix(lambda _i, _j: "NV18", 8), H100)
    machine = system_of(surveyed, H100)

    assert surveyed.layout.topology is Topology.SWITCH
    assert not surveyed.weak
    assert surveyed.pairs[0].rate.link_bytes_per_s == 450e9
    assert hop_for(machine, 8).bytes_per_s == 450e9
    assert machine.yours


def test_nv4_between_four_is_a_mesh():
    """Four A100 with four links a pair: 100 GB/s a pair, 300 GB/s a GPU, 200 GB/s among three."""
    surveyed = survey(matrix(lambda _i, _j: "NV4", 4), A100)
    machine = system_of(surveyed, A100)

    assert surveyed.layout.topology is Topology.FULL_MESH
    assert surveyed.pairs[0].rate.link_bytes_per_s == pytest.approx(100e9)
    assert [hop_for(machine, n).bytes_per_s for n in (2, 3, 4)] == pytest.approx([100e9, 200e9, 300e9])


def test_the_cube_of_a_dgx1_is_known_by_its_links():
    """The links of a DGX-1 are recognised pair by pair; single links and PCIe pairs are its weak ones."""
    wiring = WIRINGS["dgx-1-v100"]
    surveyed = survey(matrix(lambda i, j: f"NV{wiring[i][j]}" if wiring[i][j] else "SYS", 8), V100)
    machine = system_of(surveyed, V100, network="ib-edr", nics=4)

    assert surveyed.layout.topology is Topology.CUBE_MESH
    assert machine.wiring == wiring
    assert hop_for(machine, 8).bytes_per_s == 150e9
    assert {(pair.first, pair.second) for pair in surveyed.weak} == {
        (f"GPU{i}", f"GPU{j}") for i, j in combinations(range(8), 2) if wiring[i][j] < 2
    }


def test_bridged_pairs_are_rated_by_the_bridge_and_else_by_pcie():
    """Four RTX A6000 with two bridges: a pair has NVLink, four have PCIe; the far pairs are named."""
    card = GPUS["rtx-a6000"]
    surveyed = survey(matrix(lambda i, j: "NV4" if i // 2 == j // 2 else "PHB", 4), card)
    machine = system_of(surveyed, card)

    assert surveyed.layout.topology is Topology.BRIDGE
    assert hop_for(machine, 2).bytes_per_s == card.scale_up.bytes_per_s
    assert hop_for(machine, 4).bytes_per_s < 33e9
    assert len(surveyed.weak) == 4
    assert [domain.gpus for domain in surveyed.domains] == [("GPU0", "GPU1"), ("GPU2", "GPU3")]


def test_pcie_alone_is_shared_behind_its_switches():
    """Without NVLink the GPUs behind one switch share its uplink, and pairs across sockets are weak."""
    surveyed = survey(matrix(socketed, 8), L40S)
    machine = system_of(surveyed, L40S)

    assert surveyed.layout.topology is Topology.PCIE_SWITCH
    assert machine.gpus_per_uplink == 2
    assert {pair.word for pair in surveyed.weak} == {"SYS"}
    assert [domain.kind for domain in surveyed.domains].count("PCIe switch") == 4
    assert [domain.kind for domain in surveyed.domains].count("NUMA node") == 2
    assert answer(Scenario(machine, "all_reduce", 8, 2**28)).busbw_bytes_per_s > 1e9


def test_nics_behind_the_switch_are_counted_and_distant_gpus_named():
    """Two of eight NICs sit behind no GPU's switch, and GPU7 has none: it is named."""

    def word(i, j):
        if j < 8:
            return "NV18"
        if i >= 8:
            return "SYS"
        return "PIX" if j - 8 == i and i < 7 else "SYS"

    surveyed = survey(matrix(word, 8, [f"NIC{k}" for k in range(9)]), H100)
    machine = system_of(surveyed, H100, network="ib-ndr")

    assert machine.nics_per_domain == 7
    assert any("GPU7" in line and "NIC" in line for line in surveyed.findings)
    assert surveyed.near_nics["GPU3"] == ("NIC3",)


def test_an_impossible_matrix_is_named():
    """Switch siblings at different distances from a third GPU cannot be: PIX, PHB, SYS (claim C085)."""
    words = {(0, 1): "PIX", (0, 2): "PHB", (1, 2): "SYS"}
    surveyed = survey(matrix(lambda i, j: words[i, j], 3), L40S)

    assert len(surveyed.strange) == 1
    assert "GPU0-GPU1 PIX, GPU0-GPU2 PHB, GPU1-GPU2 SYS" in surveyed.strange[0].text
    assert any(line.startswith("Impossible") for line in surveyed.findings)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6))
def test_every_pcie_tree_passes_the_check(levels):
    """Distances read off any nested grouping of devices are an ultrametric: nothing is strange."""
    depth = [0]
    for level in levels:
        depth.append(depth[-1] + 1 + level)

    def word(i, j):
        return PCIE_WORDS[max(levels[k] for k in range(i, j))]

    assert strange_triples(devices_of(matrix(word, len(levels) + 1))) == ()


def test_nvlink_hides_what_lies_below():
    """Triples with an NVLink pair say nothing about the tree and are not called impossible."""
    words = {(0, 1): "NV2", (0, 2): "PHB", (1, 2): "SYS"}

    assert strange_triples(devices_of(matrix(lambda i, j: words[i, j], 3))) == ()


def test_a_matrix_cut_off_is_filled_by_symmetry():
    """Of five rows of eight the columns still tell most pairs; the rest is counted as unknown."""
    surveyed = survey(matrix(lambda _i, _j: "NV18", 8, rows=5), H100)

    assert len(surveyed.devices.unknown) == 3
    assert surveyed.layout.topology is Topology.SWITCH
    assert any("cut off" in line for line in surveyed.findings)


def test_rows_that_disagree_are_named():
    """GPU0 says PIX of GPU1, GPU1 says SYS of GPU0: both cannot be."""
    table = matrix(lambda _i, _j: "PIX", 2)
    lopsided = Matrix(
        table.name, table.kind, None, None, table.rows, table.columns, (("X", "PIX"), ("SYS", "X"))
    )

    assert any("GPU0 and GPU1 disagree" in line for line in survey(lopsided, L40S).findings)


def test_fewer_links_than_the_gpu_has_are_said():
    """NV16 of an H100's 18 links: two are down, and the machine made from it is slower."""
    surveyed = survey(matrix(lambda _i, _j: "NV16", 8), H100)

    assert any("NV16 of 18 links" in line for line in surveyed.findings)
    assert hop_for(system_of(surveyed, H100), 8).bytes_per_s == pytest.approx(400e9)
    assert any("another GPU" in line for line in survey(matrix(lambda _i, _j: "NV18", 8), A100).findings)


@pytest.mark.parametrize("gpu", [H100, A100, L40S])
def test_farther_is_never_faster(gpu):
    """From one switch to the other socket the expected rate falls, and its band holds it."""
    rates = [path_rate(word, gpu) for word in PCIE_WORDS]

    assert all(b.expected_bytes_per_s <= a.expected_bytes_per_s for a, b in pairwise(rates))
    for rate in rates:
        assert rate.low_bytes_per_s <= rate.expected_bytes_per_s <= rate.high_bytes_per_s
        assert rate.high_bytes_per_s <= rate.link_bytes_per_s


def test_unknown_words_promise_nothing():
    """A word that is no path, or NVLink on a GPU without one, has no expected rate."""
    assert path_rate("OK", H100) is None
    assert path_rate(None, H100) is None
    assert path_rate("NV4", L40S) is None


def test_the_system_file_holds_the_machine():
    """What is offered for download reads back as the machine on the page."""
    surveyed = survey(matrix(lambda _i, _j: "NV4", 4, ["NIC0", "NIC1"]), A100)
    machine = system_of(surveyed, A100, name="rack 7", network="ib-hdr", nics=2)

    assert read_system(json.dumps(system_json(machine))) == machine
    assert machine.scale_up.bytes_per_s == 300e9


@pytest.mark.parametrize(
    "table",
    [
        Matrix("topo -p2p r", "topology", None, True, ("GPU0",), ("GPU0",), (("X",),)),
        Matrix("P2P", "bandwidth", "one_way", True, ("0",), ("0",), ((1.0,),)),
        Matrix("topo -m", "topology", None, None, ("NIC0",), ("NIC0",), (("X",),)),
    ],
)
def test_another_table_is_refused(table):
    """Peer status, bandwidths or a table without GPUs are no topology; one line says so."""
    with pytest.raises(InputError, match="matrix"):
        survey(table, H100)


def test_captured_matrices_all_make_a_machine():
    """Every captured `topo -m` gives pairs, a layout and a machine whose all-reduce has a price."""
    files = sorted(LOGS.glob("topo_*.txt"))
    if not files:
        pytest.skip("captured logs are not here")
    seen = 0
    for file in files:
        for run in read(file.name, file.read_bytes()):
            table = run.matrices[0]
            if table.name != "topo -m":
                continue
            gpu = H100 if "h100" in file.name else A100
            surveyed = survey(table, gpu)
            machine = system_of(surveyed, gpu, network="ib-ndr" if surveyed.devices.nics else None)
            seen += 1

            assert surveyed.findings
            assert machine.domain_gpus == len(surveyed.layout.gpus)
            assert not surveyed.strange
            assert answer(Scenario(machine, "all_reduce", machine.domain_gpus, 2**26)).time_s > 0
    assert seen >= 10
