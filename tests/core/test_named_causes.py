"""What a paste says itself goes before what follows from it: a setting, links that are down."""

from dataclasses import replace

import numpy as np
import pytest

from core.catalog import SYSTEMS
from core.measurement import Matrix, Run
from core.systems import configure
from core.verdict import Status, judge_runs
from tests.core.defects import A100, TWO_H100, Defect, between, scaled

EFA = configure(SYSTEMS["dgx-h100"], domains=2, network="efa-3200", nics_per_domain=32)
GPUS = tuple(f"GPU {index}" for index in range(8))
NAMES = tuple(f"GPU{index}" for index in range(8))


def a_states_run(up):
    """``nvlink -s`` of eight A100 of which the fourth has so many links up."""
    rows = tuple(
        (25e9,) * (up if gpu == "GPU 3" else 12) + (None,) * (12 - up) * (gpu == "GPU 3") for gpu in GPUS
    )
    matrix = Matrix("nvlink -s", "links", "one_way", None, GPUS, tuple(map(str, range(12))), rows)
    return Run("log", "nvlink-s", None, None, matrices=(matrix,))


def a_topology(path):
    """``topo -m`` with one kind of path."""
    cells = tuple(tuple("X" if a == b else path for b in NAMES) for a in NAMES)
    matrix = Matrix("topo -m", "topology", None, None, NAMES, NAMES, cells)
    return Run("log", "topo-m", None, None, matrices=(matrix,))


def a_collective(factor):
    """An all-reduce of eight A100, so many times as long as expected."""
    return Defect("any", A100, None, times=scaled(factor)).run(np.random.default_rng(4))


@pytest.mark.parametrize("setting", [("NCCL_IB_DISABLE", "1"), ("NCCL_NET", "Socket")])
def test_a_setting_that_asks_for_sockets_is_the_cause(setting):
    """`Using network Socket` only repeats what the variable asked for: unset it."""
    lines = (("network", "Socket"), ("sockets", "eno1"))
    causes = (
        Defect("any", TWO_H100, between(1, 4), lines, dict([setting]))
        .verdict(np.random.default_rng(2))
        .causes
    )

    assert [cause.reason.code for cause in causes] == ["network_off"]
    assert causes[0].test.command.startswith(f"unset {setting[0]}")


def test_a_setting_of_infiniband_is_no_reason_for_sockets_on_efa():
    """EFA does not heed NCCL_IB_DISABLE: what a missing plugin leaves is the likelier cause."""
    defect = Defect("any", EFA, between(1, 4), (("network", "Socket"),), {"NCCL_IB_DISABLE": "1"})

    assert defect.verdict(np.random.default_rng(2)).reason.code == "tcp_sockets"


@pytest.mark.parametrize(("beside", "factor"), [(a_states_run(6), 2.0), (a_topology("NV8"), 1.5)])
def test_links_that_are_down_explain_the_slow_collective_beside(beside, factor):
    """A GPU with fewer links sets the pace: the run names it, with its count."""
    _, verdict = judge_runs([beside, a_collective(factor)], A100)

    assert (verdict.status, verdict.reason.code) == (Status.LOW, "links_inactive")
    assert " links" in verdict.causes[0].lines[0]


@pytest.mark.parametrize(("up", "factor"), [(12, 2.0), (6, 1.0)])
def test_links_explain_only_what_is_slow_where_some_are_down(up, factor):
    """Nothing of links in a slow run whose links are up, nor in one at its rate."""
    _, verdict = judge_runs([a_states_run(up), a_collective(factor)], A100)

    assert verdict.status is (Status.FINE if factor == 1.0 else Status.LOW)
    assert "links_inactive" not in {cause.reason.code for cause in verdict.causes}


def test_a_host_among_several_keeps_its_causes():
    """Links of one node say nothing certain of a run over the network."""
    slow = Defect("any", TWO_H100, between(40, 50)).run(np.random.default_rng(5))
    links = replace(a_states_run(6), file=slow.file)

    assert "links_inactive" not in {c.reason.code for c in judge_runs([links, slow], TWO_H100)[1].causes}
