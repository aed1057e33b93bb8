"""Slow copies between GPUs and to the host: what their rate points at."""

import pytest

from core.catalog import SYSTEMS
from core.measurement import Matrix, Observation, Run
from core.verdict import Status, judge_run

NAMES = tuple("01234567")


def a_matrix(rate, name="device_to_device_memcpy_read_ce"):
    """All pairs at one rate; of host copies one row."""
    if name.startswith("host"):
        return Matrix(name, "bandwidth", "one_way", None, ("0",), NAMES, ((rate,) * 8,))
    cells = tuple(tuple(None if a == b else rate for b in NAMES) for a in NAMES)
    return Matrix(name, "bandwidth", "one_way", True, NAMES, NAMES, cells)


@pytest.mark.parametrize(
    ("system", "rate", "code"),
    [
        ("l40s-x8", 13.1e9, "pcie_path"),
        ("l40s-x8", 9e9, "staged_copies"),
        ("l40s-x8", 6.6e9, "pcie_path"),
        ("l40s-x8", 18.5e9, "numa"),
        ("dgx-h100", 45e9, "pcie_instead_of_nvlink"),
        ("dgx-h100", 12e9, "staged_copies"),
    ],
)
def test_a_rate_points_at_its_cause(system, rate, code):
    """Half a slot, a staged copy, another socket, PCIe for NVLink: named first, with a command."""
    verdict = judge_run(Run("f", "nvbandwidth-text", None, None, matrices=(a_matrix(rate),)), SYSTEMS[system])

    assert (verdict.status, verdict.causes[0].reason.code) == (Status.LOW, code)
    assert verdict.causes[0].test.command


def test_a_far_socket_may_leave_a_fifth_of_a_slot():
    """3 of 16 GB/s to the host is a slot of few lanes, or a process on the other socket."""
    run = Run("f", "nvbandwidth-text", None, None, matrices=(a_matrix(3.2e9, "host_to_device_memcpy_ce"),))

    verdict = judge_run(run, SYSTEMS["dgx-1-p100"])

    assert {"pcie_path", "numa"} <= {cause.reason.code for cause in verdict.causes}


def test_a_slot_at_half_its_rate_shows_in_copies_to_the_host():
    """12.5 of 32 GB/s to the host is a slot below its width or generation."""
    run = Run("f", "nvbandwidth-text", None, None, matrices=(a_matrix(12.5e9, "host_to_device_memcpy_ce"),))

    assert judge_run(run, SYSTEMS["dgx-a100"]).reason.code == "pcie_path"


def test_lspci_in_the_same_file_settles_it():
    """A downgraded link in the log outweighs the rate alone."""
    said = (Observation("pcie_link", "8 GT/s x16 of 16 GT/s x16: NVIDIA", line=3),)
    run = Run("f", "nvbandwidth-text", None, None, matrices=(a_matrix(10e9),), observations=said)
    first = judge_run(run, SYSTEMS["l40s-x8"]).causes[0]

    assert first.reason.code == "pcie_path"
    assert "line 3" in first.lines[0]


def test_copies_across_sockets_of_a_pcie_board_are_fine():
    """Two thirds of a slot between GPUs of two sockets is what such boards give."""
    run = Run("f", "nvbandwidth-text", None, None, matrices=(a_matrix(21.8e9),))

    assert judge_run(run, SYSTEMS["l40s-x8"]).status is Status.FINE


@pytest.mark.parametrize(
    ("name", "rate", "status"),
    [
        ("host_to_device_memcpy_ce", 346e9, Status.FINE),
        ("device_to_host_memcpy_ce", 297e9, Status.FINE),
        ("device_to_host_memcpy_ce", 200e9, Status.LOW),
    ],
)
def test_a_grace_writes_to_its_memory_at_two_thirds_of_the_link(name, rate, status):
    """297 of 450 GB/s back from a GH200 are what its C2C gives; half of that link is not."""
    matrix = Matrix(name, "bandwidth", "one_way", None, ("0",), ("0",), ((rate,),))

    assert judge_run(Run("f", "nvbandwidth-text", None, None, matrices=(matrix,)), SYSTEMS["gh200-x4"]).status is status  # fmt: skip


@pytest.mark.parametrize(
    ("system", "rate", "status"),
    [
        ("rtx-4090-x8", 30e9, Status.FINE),
        ("rtx-5090-x8", 34e9, Status.FINE),
        ("rtx-4090-x8", 5.4e9, Status.LOW),
        ("l40s-x8", 18e9, Status.LOW),
    ],
)
def test_cards_whose_driver_forbids_peer_access_are_fine_without_it(system, rate, status):
    """Both directions through the host are half a slot: right for RTX 4090, a defect where the driver copies."""
    cells = tuple(tuple(None if a == b else rate for b in NAMES) for a in NAMES)
    name = "Bidirectional P2P=Enabled Bandwidth"
    matrix = Matrix(name, "bandwidth", "both_ways", False, NAMES, NAMES, cells)

    verdict = judge_run(
        Run("f", "p2p-bandwidth-latency-test", None, None, matrices=(matrix,)), SYSTEMS[system]
    )

    assert verdict.status is status


@pytest.mark.parametrize("name", ["dgx-1-p100", "dgx-1-v100"])
def test_copies_that_no_link_of_a_cube_mesh_carries_go_through_the_host(name):
    """Healthy at half a slot; a linked pair at that rate is low, and so is an unlinked one far below it."""
    machine = SYSTEMS[name]
    per_link = machine.scale_up.bytes_per_s / sum(machine.wiring[0])

    def rates(a, b):
        return 0.95 * per_link * machine.wiring[a][b] or 9.9e9

    healthy = [[rates(a, b) if a != b else None for b in range(8)] for a in range(8)]
    linked, unlinked = machine.wiring[0].index(1), machine.wiring[0].index(0, 1)
    slow = [list(row) for row in healthy]
    slow[0][linked], slow[0][unlinked] = 9.9e9, 2e9

    def verdict(cells):
        title = "Unidirectional P2P=Enabled Bandwidth Matrix"
        matrix = Matrix(title, "bandwidth", "one_way", True, NAMES, NAMES, tuple(map(tuple, cells)))
        return judge_run(Run("f", "p2p-bandwidth-latency-test", None, None, matrices=(matrix,)), machine)

    assert verdict(healthy).status is Status.FINE
    low = {pair.column for pair in verdict(slow).pairs if pair.status is Status.LOW}
    assert low == {f"GPU{linked}", f"GPU{unlinked}"}
