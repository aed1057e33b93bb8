"""What no fabric does: more nodes, slower NICs or a split of a node never make a collective faster."""

from itertools import pairwise

import numpy as np
import pytest

from core.collectives.cost_model import Setting, predict
from core.units import GB, GIB, KIB

KINDS = (
    ("a100-sxm-80gb", "nvlink3", "ib-hdr", 25 * GB),
    ("h100-sxm", "nvlink4", "ib-ndr", 50 * GB),
    ("b300-sxm", "nvlink5", "efa-v4-b300", 100 * GB),
    ("mi300x", "if-mi300x", "roce-400", 50 * GB),
    ("l40s", "pcie4-x16", "roce-100", 12.5 * GB),
    ("v100-sxm", "nvlink2", "ib-edr", 12.5 * GB),
)
COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce")
SIZES = np.geomspace(KIB, 8 * GIB, 24)
EACH_KIND = pytest.mark.parametrize("kind", KINDS, ids=[kind[0] for kind in KINDS])
EACH_COLLECTIVE = pytest.mark.parametrize("collective", COLLECTIVES)


def times(kind, gpus, domains, collective, share=1.0):
    """Seconds on so many nodes, whose NICs have a share of their rate."""
    gpu, link, network, rate = kind
    across = (
        {} if domains == 1 else {"scale_out_link": network, "scale_out_bytes_per_s_per_gpu": rate * share}
    )
    return predict(Setting(gpu, link, gpus, domains, collective=collective, **across), SIZES).time_s


@EACH_COLLECTIVE
@EACH_KIND
def test_more_nodes_are_no_faster(kind, collective):
    """From two nodes to a thousand, with one GPU each and with eight; never by more than their number."""
    counts = (2, 3, 4, 8, 16, 31, 64, 256, 1024)
    for gpus in (1, 8):
        series = [times(kind, gpus, count, collective) for count in counts]
        for (fewer, more), (before, after) in zip(pairwise(counts), pairwise(series), strict=True):
            assert (after >= 0.998 * before).all()
            assert (after <= 1.4 * before * more / fewer).all()


@EACH_COLLECTIVE
@EACH_KIND
def test_slower_nics_are_no_faster(kind, collective):
    """Four nodes whose ports lose up to nine tenths of their rate."""
    series = [times(kind, 8, 4, collective, share) for share in (1.0, 0.9, 0.5, 0.25, 0.1)]

    assert all((slower >= 0.9995 * faster).all() for faster, slower in pairwise(series))


@EACH_COLLECTIVE
@pytest.mark.parametrize("kind", KINDS[:2], ids=["a100", "h100"])
def test_a_node_is_no_slower_than_its_gpus_split_over_two(kind, collective):
    """NVLink against InfiniBand, at every size from 1 KiB to 8 GiB: at most by what two hosts differ."""
    for gpus in (4, 8):
        assert (times(kind, gpus, 1, collective) <= 1.1 * times(kind, gpus // 2, 2, collective)).all()


@pytest.mark.parametrize("algorithm", ["auto", "ring", "tree"])
@pytest.mark.parametrize("collective", ["broadcast", "reduce"])
@pytest.mark.parametrize("gpus", [1, 2, 8])
def test_a_broadcast_passes_its_nics_once(gpus, collective, algorithm):
    """Between two nodes, too: the root's message leaves over the NICs of one domain, the band included."""
    setting = Setting("h100-sxm", "nvlink4", gpus, 2, "ib-ndr", 50 * GB, collective, algorithm=algorithm)

    assert (predict(setting, SIZES).low_s >= SIZES / (gpus * 50 * GB) * (1 - 1e-9)).all()


@pytest.mark.parametrize("collective", ["all_gather", "reduce_scatter"])
def test_gathers_on_few_v100_keep_the_rate_of_twelve(collective):
    """Only twelve were measured (72 and 64 GB/s): what slows them there does not make two a fifth as fast."""
    rates = [
        (gpus - 1) / gpus * 8 * GIB / float(answer.time_s[0])
        for gpus in (2, 4, 8, 12, 16)
        for answer in [predict(Setting("v100-sxm", "nvlink2", gpus, collective=collective), [8 * GIB])]
    ]

    assert min(rates) > 0.95 * max(rates)


@pytest.mark.parametrize("collective", ["all_gather", "reduce_scatter"])
@pytest.mark.parametrize("gpus", [16, 32, 64])
def test_a_rack_gathers_no_slower_than_two_halves_over_their_network(gpus, collective):
    """Between 16 MiB and 256 MiB, where protocols of a node switch late, too."""
    rack = ("gb200", "nvlink5", "ib-ndr", 50 * GB)

    assert (times(rack, gpus, 1, collective) <= 1.1 * times(rack, gpus // 2, 2, collective)).all()


@pytest.mark.parametrize("gpu", ["gb200", "gb300"])
def test_an_exchange_between_racks_has_no_step_at_nine_gpus(gpu):
    """Two racks of 8 to 16: trays are the same, and so are their ports; each GPU more adds a few percent."""
    rack = (gpu, "nvlink5", "roce-800", 100 * GB)
    series = [times(rack, gpus, 2, "all_to_all")[-1] for gpus in (8, 9, 10, 12, 16)]

    assert all(before <= after <= 1.1 * before for before, after in pairwise(series))
