"""How many ranks a run has and where they sit, for its verdict."""

import numpy as np

from core.catalog import SYSTEMS
from core.measurement import Run, Sample
from core.systems import configure
from core.units import MIB
from core.verdict import judge_run
from core.verdict.ranks import map_ranks
from tests.core.test_verdict import SIZES, a_run


def without_ranks(ratio):
    """A log of 256 MiB at 6.3 GB/s without a list of devices, its busbw so many times algbw."""
    rate = 6.3e9
    sample = Sample(
        "all_reduce",
        256 * MIB,
        256 * MIB / rate,
        reported_algbw_bytes_per_s=rate,
        reported_busbw_bytes_per_s=rate * ratio,
    )
    return Run("log", "nccl-tests-text", "all_reduce", None, samples=(sample,))


def test_ranks_of_the_system_named():
    """Where printed rates leave several numbers of ranks, that of the system counts if it is one of them."""
    four = configure(SYSTEMS["dgx-1-v100"], domains=4, network="ib-edr", nics_per_domain=1)

    assert judge_run(without_ranks(1.9365), four).ranks == 32
    assert judge_run(without_ranks(1.75), four).reason.code == "ranks_unknown"


def test_hosts_of_the_racks_asked_about_are_in_as_many():
    """Two hosts with four GPUs each are one rack's, unless two racks were asked about."""
    rack = SYSTEMS["gb300-nvl72"]
    run = a_run(np.ones(len(SIZES)), hosts=2, gpu=rack.gpu.name)

    one = map_ranks(run, rack, 8)
    two = map_ranks(run, configure(rack, domains=2), 8)

    assert (one.domains, one.local_ranks) == (1, 8)
    assert (two.domains, two.local_ranks) == (2, 4)
