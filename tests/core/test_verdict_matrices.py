"""Is my number OK? The verdict on matrices of pairs, counts of links and topologies."""

import pytest

from core.catalog import SYSTEMS
from core.measurement import Matrix, Run
from core.verdict import Status, judge_run
from tests.core.test_verdict import H100


def square(
    value, *, name="Unidirectional P2P=Enabled Bandwidth (P2P Writes)", peer=True, direction="one_way", n=8
):
    names = tuple(str(i) for i in range(n))
    values = tuple(tuple(1.5e12 if i == j else value(i, j) for j in range(n)) for i in range(n))
    matrix = Matrix(name, "bandwidth", direction, peer, names, names, values)
    return Run("log", "p2p-bandwidth-latency-test", None, None, matrices=(matrix,))


def test_a_healthy_matrix_is_fine():
    """Pairs at 0.9 of a unidirectional NVLink are what it gives."""
    assert judge_run(square(lambda *_: 400e9), H100).status is Status.FINE


@pytest.mark.parametrize(
    "name", ["Bidirectional P2P=Enabled Bandwidth", "P2P copy, bidirectional", "P2P copy, both ways"]
)
def test_bidirectional_copies_count_twice(name):
    """Twice the unidirectional rate is right for both directions and impossible for one, under any tool's name."""
    both = square(lambda *_: 800e9, name=name, direction="both_ways")
    assert judge_run(both, H100).status is Status.FINE
    assert judge_run(square(lambda *_: 800e9), H100).status is Status.IMPOSSIBLE


def test_a_slow_gpu_is_found_in_the_matrix():
    """All pairs of GPU 3 slow: that GPU is named."""
    verdict = judge_run(square(lambda i, j: 200e9 if 3 in (i, j) else 400e9), H100)

    assert (verdict.status, verdict.reason.code) == (Status.LOW, "slow_gpu")
    assert "GPU3" in verdict.reason.text


def test_a_slow_link_is_found_in_the_matrix():
    """One slow pair among 28 is a bad link, and fails the gate."""
    verdict = judge_run(square(lambda i, j: 150e9 if {i, j} == {2, 5} else 400e9), H100)
    low = {(p.row, p.column) for p in verdict.pairs if p.status is Status.LOW}

    assert (verdict.status, verdict.reason.code) == (Status.LOW, "slow_link")
    assert low == {("GPU2", "GPU5"), ("GPU5", "GPU2")}


def test_a_matrix_without_peer_access_is_staged():
    """Peer access missing explains slow pairs by itself."""
    assert judge_run(square(lambda *_: 20e9, peer=False), H100).reason.code == "staged_copies"


def test_links_that_are_down_are_counted():
    """An A100 with 11 of 12 links is low, with the count."""
    row = (25e9,) * 12
    matrix = Matrix(
        "nvlink -s",
        "links",
        "one_way",
        None,
        ("GPU 0", "GPU 1"),
        tuple(map(str, range(12))),
        (row, (None, *row[1:])),
    )
    verdict = judge_run(Run("log", "nvlink-s", None, None, matrices=(matrix,)), SYSTEMS["dgx-a100"])

    assert (verdict.status, verdict.reason.text) == (Status.LOW, "11 of 12 links are up")


def test_a_topology_without_nvlink_is_seen():
    """GPUs joined by PCIe in a machine that should have NVLink."""
    names = ("GPU0", "GPU1")
    matrix = Matrix("topo -m", "topology", None, None, names, names, (("X", "PIX"), ("PIX", "X")))

    assert (
        judge_run(Run("log", "topo-m", None, None, matrices=(matrix,)), H100).reason.code
        == "pcie_instead_of_nvlink"
    )


@pytest.mark.parametrize(
    ("word", "system", "verdict", "code"),
    [
        ("NV18", "dgx-h100", Status.FINE, "as_expected"),
        ("NV8", "dgx-h100", Status.LOW, "links_inactive"),
        ("NV18", "dgx-a100", Status.IMPOSSIBLE, "another_gpu"),
        ("NV1", "dgx-1-v100", Status.FINE, "as_expected"),
    ],
)
def test_links_of_a_topology_are_counted(word, system, verdict, code):
    """Behind switches every pair shows all links of a GPU: fewer are down, more are another GPU's."""
    names = ("GPU0", "GPU1")
    matrix = Matrix("topo -m", "topology", None, None, names, names, (("X", word), (word, "X")))
    answer = judge_run(Run("log", "topo-m", None, None, matrices=(matrix,)), SYSTEMS[system])

    assert (answer.status, answer.reason.code) == (verdict, code)
