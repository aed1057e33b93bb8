"""Machines of other kinds than those measured: what is physics, what is another kind, how wide the band is."""

from dataclasses import replace

import numpy as np
import pytest

from core.collectives.cost_model import Point, Setting, predict
from core.collectives.formulas import MEASURED_COLLECTIVES, busbw_factor
from core.units import GB, GIB, KIB, MIB
from tests.each import table

RACKS = Setting("gb300", "nvlink5", 64, 2, "roce-400", 100e9)
H200_NODES = Setting("h200-sxm", "nvlink4", 8, 2, "efa-3200", 50e9)
MI300X = Setting("mi300x", "if-mi300x", 8, implementation="rccl")
MI350X = Setting("mi350x", "if-mi355x", 8, implementation="rccl")


def test_a_tree_waits_for_the_chain_inside_each_domain():
    """Without NVLS a tree passes the GPUs beyond a node's one by one: 64 wait ten times as long as 8."""
    waits = [
        float(
            predict(replace(RACKS, domain_gpus=gpus, algorithm="tree"), KIB).latency_s
            - predict(replace(RACKS, domain_gpus=2, algorithm="tree"), KIB).latency_s
        )
        for gpus in (8, 64)
    ]
    assert waits[1] / waits[0] == pytest.approx((62 - 1) / (6 - 1), rel=0.01)


@pytest.mark.parametrize(
    ("gpus", "measured_ms", "off"),
    [(32, 203.8, 0.42), (72, 262.5, 0.3)],
    ids=["32 of a rack", "72 of a rack"],
)
def test_an_exchange_between_racks_drives_most_of_a_port_a_gpu(gpus, measured_ms, off):
    """Google's A4X, 16 GiB between two racks of GB200: within 42 %, where a quarter of the NICs took 2.2 times."""
    racks = Setting("gb200", "nvlink5", gpus, 2, "roce-400", 50e9, "all_to_all")
    two_ports = replace(racks, scale_out_bytes_per_s_per_gpu=100e9)
    times_ms = [float(predict(item, 16 * GIB).time_s) * 1e3 for item in (racks, two_ports)]

    assert times_ms[0] == pytest.approx(measured_ms, rel=off)
    assert times_ms[1] == pytest.approx(times_ms[0], rel=0.01)


def test_two_racks_of_64_take_half_a_millisecond_for_small_messages():
    """Oracle's GB300: 484 to 510 us up to 16 MiB; the band reaches there."""
    answer = predict(RACKS, np.array([1.0, 4.0, 16.0]) * MIB)
    assert (answer.low_s < 484e-6).all()
    assert (answer.high_s > 510e-6).all()


def test_points_of_two_racks_leave_their_other_collectives_alone():
    """The network of racks was fitted: an all-reduce that takes 1.4 times as long says little about all-to-all."""
    exchange = replace(RACKS, collective="all_to_all")
    sizes = np.geomspace(MIB, 16 * GIB, 9)
    usual = predict(RACKS, sizes).time_s
    points = [
        Point(RACKS, float(size), 1.4 * float(time_s)) for size, time_s in zip(sizes, usual, strict=True)
    ]
    asked = np.array([MIB, 64 * MIB, GIB])
    np.testing.assert_allclose(
        predict(exchange, asked, points).time_s, predict(exchange, asked).time_s, rtol=0.08
    )


def test_one_gpu_a_node_is_a_kind_of_its_own():
    """Where only nodes of eight were measured, a network with one GPU a node is extrapolated and says so."""
    alone = predict(replace(H200_NODES, domain_gpus=1), MIB)
    assert predict(H200_NODES, MIB).basis == "calibrated:efa-3200/hopper"
    assert alone.basis == "extrapolated:efa-3200/hopper"
    assert any("one GPU a node" in warning for warning in alone.warnings)
    measured = Setting("h100-sxm", "nvlink4", 1, 10, "ib-ndr", 50e9)
    assert predict(measured, MIB).basis == "calibrated:ib/hopper"


def test_a_mesh_answers_small_messages_as_fast_as_eight_processes_do():
    """MI300X and MI350X take 13 to 14 us for 16 KiB (rccl-tests under mpirun); MI325X is of MI300X's kind."""
    times_us = [float(predict(setting, 16 * KIB).time_s) * 1e6 for setting in (MI300X, MI350X)]
    assert times_us[0] == pytest.approx(14, rel=0.35)
    assert times_us[1] == pytest.approx(14, rel=0.45)
    sibling = predict(replace(MI300X, gpu="mi325x"), 16 * KIB)
    assert float(sibling.time_s) * 1e6 == pytest.approx(times_us[0], rel=0.01)


@table("setting", [MI300X, replace(MI300X, domains=4, scale_out_link="ib-ndr")], ids=["a node", "nodes"])
def test_hosts_of_a_mesh_differ_in_small_messages(setting):
    """What another host or library takes for any small message: the band of large ones is less than half as wide."""
    answer = predict(setting, np.array([MIB, GIB]))
    small, large = np.log(answer.high_s / answer.low_s)

    assert large < small / 2


def test_one_process_starts_its_gpus_in_turn():
    """Small messages of ``-g 8``: 50 us on MI350X, 31 on H200, 24 on 4 H100; large ones take as long as ever."""
    for setting, least_us, most_us in (
        (MI350X, 33, 50),
        (Setting("h200-sxm", "nvlink4", 8), 28, 40),
        (Setting("h100-sxm", "nvlink4", 4), 17, 25),
    ):
        usual, in_turn = (
            predict(replace(setting, launch=launch), np.array([KIB, 4 * GIB])).time_s
            for launch in ("stream", "one-process")
        )
        assert least_us < in_turn[0] * 1e6 < most_us
        assert in_turn[0] > usual[0]
        assert in_turn[1] == pytest.approx(usual[1], rel=1e-3)


def test_a_collective_drives_ports_and_not_gpus():
    """A DGX-2's sixteen V100 share eight ports of 12.5 GB/s: 78.8 GB/s over sixteen nodes at 2 GiB."""
    dgx2 = Setting("v100-sxm", "nvlink2", 16, 16, "ib-edr", 6.25e9)
    busbw = 2 * 255 / 256 * 2 * GIB / float(predict(dgx2, 2 * GIB).time_s)
    assert busbw == pytest.approx(78.8e9, rel=0.15)


def test_bytes_add_less_to_each_further_domain():
    """1 MiB on 2, 4 and 8 nodes of H100: hosts take 72 to 93, 82 to 93 and 116 us, not twice and three times."""
    nodes = Setting("h100-sxm", "nvlink4", 8, 2, "ib-ndr", 50e9)
    two, eight = (float(predict(replace(nodes, domains=count), MIB).time_s) for count in (2, 8))
    assert two < eight < 2.4 * two


def test_constants_of_another_generation_leave_small_messages_open_to_both_sides():
    """Hopper's hosts start twice as fast as Blackwell's: a generation not measured may lie on either side."""
    known, unknown = (
        predict(Setting(gpu, link, 8), np.array([KIB, GIB]))
        for gpu, link in (("b200-sxm", "nvlink5"), ("rubin", "nvlink6"))
    )
    assert known.low_s[0] / known.time_s[0] > 0.75
    assert unknown.low_s[0] / unknown.time_s[0] < 0.62
    assert unknown.low_s[1] / unknown.time_s[1] > 0.75


def test_the_band_opens_beyond_the_sizes_measured():
    """Rows of one domain end at 512 MiB; the 273 GB/s that 8 A100 reach at 2 GiB and the 242 at 8 lie inside."""
    answer = predict(Setting("a100-sxm-80gb", "nvlink3", 8), np.array([2.0, 8.0]) * GIB)
    measured_s = 2 * 7 / 8 * np.array([2.0, 8.0]) * GIB / np.array([273e9, 242e9])
    assert (answer.low_s < measured_s).all()
    assert (measured_s < answer.high_s).all()


def test_exchanges_are_less_certain_than_rings():
    """How much of its NIC an all-to-all drives differs by host more than a ring's share does."""
    nodes = Setting("h100-sxm", "nvlink4", 8, 2, "ib-ndr", 50e9)
    widths = [
        float(answer.high_s / answer.time_s)
        for answer in (
            predict(replace(nodes, collective=name), 4 * GIB) for name in ("all_gather", "all_to_all")
        )
    ]
    assert widths[1] > 1.08 * widths[0]


def test_a_mesh_of_an_odd_number_of_gpus_carries_few_rings():
    """RCCL has rings for 2, 4 and 8 GPUs of a mesh: 5, 6 and 7 get 38 to 46 GB/s, a quarter of what 4 get."""
    four, *others = (_bus_gb_per_s(replace(MI350X, domain_gpus=gpus)) for gpus in (4, 5, 6, 7))
    assert all(other == pytest.approx(42, rel=0.1) for other in others)
    assert four > 3.5 * max(others)


def test_exchanges_on_a_mesh_use_every_link_between_their_gpus():
    """Only rings want for cycles: an all-to-all of 5 GPUs moves more per GPU than one of 4."""
    exchange = replace(MI350X, collective="all_to_all")
    rates = [GIB / float(predict(replace(exchange, domain_gpus=gpus), GIB).time_s) for gpus in (4, 5)]
    assert rates[1] > rates[0]


def test_in_switch_reduction_of_a_rack_starts_later_than_that_of_a_node():
    """4 MiB took 57, 75, 89 and 96 us on 8, 16, 32 and 60 GB300 of a rack: a quarter more a doubling, not twice."""
    starts = [
        float(predict(Setting("gb300", "nvlink5", gpus, algorithm="nvls"), 1.0).launch_s)
        for gpus in (8, 16, 32, 64)
    ]
    np.testing.assert_allclose(np.diff(starts), 0.25 * starts[0], rtol=0.02)


def test_gathers_between_racks_drive_more_ports_than_a_tree():
    """Two racks of 72 GB200 gather and scatter at 674 to 704 GB/s, as fast as inside a rack."""
    racks = Setting("gb200", "nvlink5", 72, 2, "roce-400", 50e9)
    for collective in ("all_gather", "reduce_scatter"):
        assert _bus_gb_per_s(replace(racks, collective=collective)) == pytest.approx(690, rel=0.08)
    assert _bus_gb_per_s(replace(racks, algorithm="ring")) < 500


def test_an_exchange_between_racks_drives_no_more_of_one_fast_port_than_of_a_slow_one():
    """Two racks of 64 GB300 with 100 GB/s a GPU exchanged at 47.7 GB/s, whatever ports they are made of."""
    exchange = replace(RACKS, collective="all_to_all")
    slow = _bus_gb_per_s(exchange)
    fast = _bus_gb_per_s(replace(exchange, scale_out_link="ib-xdr"))
    assert fast == pytest.approx(slow, rel=0.15)
    assert fast == pytest.approx(47.7, rel=0.35)


def test_an_exchange_over_ports_that_nobody_measured_may_drive_all_of_one():
    """Between racks on ports of 100 GB/s the answer is that of 50, and its interval holds the double rate."""
    exchange = replace(RACKS, collective="all_to_all")
    measured, unseen = (
        predict(replace(exchange, scale_out_link=link), GIB) for link in ("roce-400", "ib-xdr")
    )
    nodes = predict(replace(exchange, gpu="b300-sxm", scale_out_link="ib-xdr", domain_gpus=8), GIB)

    assert float(unseen.low_s) < float(unseen.time_s) / 2
    assert float(measured.low_s) > float(measured.time_s) / 2
    assert float(nodes.low_s) > float(nodes.time_s) / 2


@table(
    ("gpu", "inside", "most", "network", "rate"),
    [
        ("gb300", "nvlink5", 24, "ib-xdr", 100e9),
        ("vr200", "nvlink6", 24, "ib-xdr", 100e9),
        ("gb200", "nvlink5", 24, "ib-ndr", 50e9),
        ("h100-sxm", "nvlink4", 8, "ib-ndr", 50e9),
        ("mi300x", "if-mi300x", 8, "roce-400", 50e9),
    ],
)
def test_one_more_gpu_in_a_domain_moves_an_answer_by_a_tenth_beside_its_nics(
    gpu, inside, most, network, rate
):
    """From four GPUs a domain on no law begins with a step: answers and bands of nodes and racks meet smoothly."""
    more = np.log(np.arange(5, most + 1) / np.arange(4, most))[:, None]
    sizes = np.exp2(np.arange(10, 35, 4))
    for collective in MEASURED_COLLECTIVES:
        few = Setting(gpu, inside, 4, 2, network, rate, collective)
        answers = [predict(replace(few, domain_gpus=gpus), sizes) for gpus in range(4, most + 1)]
        for name in ("time_s", "low_s", "high_s"):
            steps = np.abs(np.diff(np.log([getattr(answer, name) for answer in answers]), axis=0))
            assert (steps - more).max() < np.log(1.12), (collective, name)


def _bus_gb_per_s(setting):
    """Bus bandwidth of 16 GiB."""
    ranks = setting.domain_gpus * setting.domains
    factor = float(busbw_factor(setting.collective, ranks))
    return factor * 16 * GIB / float(predict(setting, 16 * GIB).time_s) / GB
