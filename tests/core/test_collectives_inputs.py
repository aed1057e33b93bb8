"""What collective functions refuse: one error that names the argument, never a wrong number."""

import math

import numpy as np
import pytest

from core.collectives.formulas import (
    ALGORITHMS,
    MEASURED_COLLECTIVES,
    algbw_bytes_per_s,
    busbw_bytes_per_s,
    busbw_factor,
)
from core.collectives.formulas.nccl_protocols import ring_envelope
from core.hardware import Architecture, Hop
from core.units import GB, US
from tests.each import table

GOOD = Hop(1 * US, 450 * GB)
BAD_SIZES = (-1, math.nan, math.inf, -math.inf, "8", None, True, [1, math.nan], [0, -1])
BAD_RANKS = (0, -1, 1.5, math.nan, math.inf, True, "8", None)
BAD_HOPS = {
    "latency_s": (Hop(-1e-6, 1e9), Hop(math.nan, 1e9), Hop(math.inf, 1e9), Hop(True, 1e9)),
    "bytes_per_s": (Hop(1e-6, 0), Hop(1e-6, -1), Hop(1e-6, math.nan), Hop(1e-6, math.inf)),
}


def call(item, size_bytes=1024, ranks=8, domains=2, inner=GOOD, outer=GOOD):
    """Any algorithm with one argument replaced."""
    if item.levels == 1:
        return item.function(size_bytes, ranks, inner)
    return item.function(size_bytes, ranks, domains, inner, outer)


@table("bad", BAD_SIZES, ids=repr)
def test_a_size_is_a_finite_number_of_bytes(bad):
    """Negative, NaN, infinite, text and truth values are no sizes, alone or in an array."""
    for item in ALGORITHMS.values():
        with pytest.raises(ValueError, match=r"^size_bytes: "):
            call(item, size_bytes=bad)


@table("bad", BAD_RANKS, ids=repr)
def test_ranks_are_counted(bad):
    """A fraction of a rank, or none, is refused on either level."""
    for item in ALGORITHMS.values():
        with pytest.raises(ValueError, match=r"^(local_)?ranks: "):
            call(item, ranks=bad)
        if item.levels == 2:
            with pytest.raises(ValueError, match=r"^domains: "):
                call(item, domains=bad)


@pytest.mark.parametrize("name", BAD_HOPS)
def test_a_hop_is_finite_and_moves_something(name):
    """A wire needs a latency of at least zero and a rate above it; the message says which wire."""
    for item in ALGORITHMS.values():
        for bad in BAD_HOPS[name]:
            where = "" if item.levels == 1 else "inner "
            with pytest.raises(ValueError, match=rf"^{where}{name}: "):
                call(item, inner=bad)
            if item.levels == 2:
                with pytest.raises(ValueError, match=rf"^outer {name}: "):
                    call(item, outer=bad)


def test_options_are_checked_too():
    """Efficiency, rails and what runs across are named when they are wrong."""
    nvls = ALGORITHMS["all_reduce", "nvls"].function
    for bad in (0, -1, 1.2, math.nan):
        with pytest.raises(ValueError, match=r"^efficiency: "):
            nvls(1024, 8, GOOD, efficiency=bad)
    railed = ALGORITHMS["all_reduce", "railed-ring"].function
    for bad in (0, 9, 1.5):
        with pytest.raises(ValueError, match=r"^rails: "):
            railed(1024, 8, 2, GOOD, GOOD, rails=bad)
    with pytest.raises(ValueError, match=r"^across: 'star' is unknown; one of ring, tree"):
        ALGORITHMS["all_reduce", "two-level"].function(1024, 8, 2, GOOD, GOOD, across="star")


def test_views_are_checked_and_never_lie():
    """Unknown collectives are listed; no time or one rank gives NaN, not infinity or zero."""
    with pytest.raises(ValueError, match=r"^collective: 'gossip' is unknown; one of all_reduce"):
        busbw_factor("gossip", 8)
    with pytest.raises(ValueError, match=r"^time_s: seconds"):
        algbw_bytes_per_s(8, -1.0)
    with pytest.raises(ValueError, match=r"^ranks: "):
        busbw_factor("all_reduce", 0)
    assert math.isnan(float(algbw_bytes_per_s(0, 0.0)))
    assert np.isnan(busbw_bytes_per_s("broadcast", [1, 2], 8, [1.0, 0.0])).all()
    assert [float(busbw_factor(name, 4)) for name in MEASURED_COLLECTIVES[-2:]] == [0.75, 0.75]


def test_nccls_envelope_is_checked_and_free_where_nothing_moves():
    """Only rings have one; a single rank or no bytes cost nothing; each generation has its LL ceiling."""
    with pytest.raises(ValueError, match=r"^collective: 'all_to_all' is unknown; one of all_reduce"):
        ring_envelope("all_to_all", 8, 8, 1e9)
    with pytest.raises(ValueError, match=r"^path: 'air' is unknown; one of nvlink, pcie, network"):
        ring_envelope("all_reduce", 8, 8, 1e9, path="air")
    assert float(ring_envelope("all_reduce", 0, 8, 1e9).cost.total_s) == 0
    assert float(ring_envelope("all_gather", 1024, 1, 1e9).cost.total_s) == 0
    slow, fast = (
        ring_envelope("all_reduce", 1 << 20, 8, 721.8 * GB, architecture=architecture).cost.total_s
        for architecture in (Architecture.AMPERE, Architecture.BLACKWELL)
    )
    assert fast < slow
    pcie = ring_envelope("all_reduce", 1024, 8, 12 * GB, path="pcie").cost.latency_s
    assert float(pcie) == pytest.approx(14 * 1.0 * US)
