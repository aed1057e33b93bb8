"""Small cases worked by hand: where a changed operator went unseen, a number now stands."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from core import catalog
from core.calculators.tensor_parallel import Scenario, answer
from core.collectives.cost_model import Setting, several_domains
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.domains import domain_for
from core.collectives.cost_model.one_domain import mesh_share
from core.collectives.cost_model.peers import peer_answers
from core.collectives.fitted import fit_json, fit_of
from tests.core.test_my_cluster_file import MADE
from tests.each import table

GIB = 2**30
EIGHT = Setting("h100-sxm", "nvlink4", 8)
SIXTEEN = replace(EIGHT, domains=2, scale_out_link="ib-ndr")


@table(
    ("setting", "peer", "time_s"),
    [
        (EIGHT, "naive", GIB / 900e9),
        (EIGHT, "ring-alpha-beta", 14e-6 + 1.75 * GIB / 450e9),
        (EIGHT, "genz", 5e-6 + 14e-6 + 1.75 * GIB / (450e9 * 2**30 / 1e9)),
        (EIGHT, "llm-analysis", 1.75 * GIB / 450e9),
        (EIGHT, "calculon", 10e-6 + GIB * (1 + 1 / 8) / (0.65 * 450e9)),
        (SIXTEEN, "naive", GIB / 100e9),
        (SIXTEEN, "llm-analysis", 1.875 * GIB / 400e9),
        (SIXTEEN, "calculon", 20e-6 + 1.875 * GIB / (0.9 * 50e9)),
        (
            SIXTEEN,
            "ring-alpha-beta",
            2 * 7 * (1e-6 + GIB / 8 / 450e9) + 2 * 1 * (5e-6 + GIB / 16 / 50e9),
        ),
    ],
)
def test_other_formulas_as_published(setting, peer, time_s):
    """An all-reduce of 1 GiB by each published formula, constants and defects included."""
    assert float(peer_answers(setting, [GIB])[peer][0]) == pytest.approx(time_s, rel=1e-12)


def test_the_date_of_a_fit_goes_into_its_file_and_comes_back():
    """A fit made at a known time says so after it was read back; one without a date has no such key."""
    made = replace(MADE, created_at=datetime(2026, 11, 22, 12, tzinfo=UTC))

    assert fit_of(fit_json(made)).created_at == made.created_at
    assert "created_at" not in fit_json(replace(MADE, created_at=None))


@pytest.mark.parametrize(
    ("collective", "gpus", "share"),
    [("all_gather", 8, 1.0), ("all_gather", 4, 3 / 7), ("send_recv", 8, 1 / 7)],
)
def test_part_of_a_mesh_uses_the_links_towards_its_peers(collective, gpus, share):
    """Seven links leave each MI300X: four GPUs use three of them, a pair one."""
    comm = resolve(Setting("mi300x", "if-mi300x", gpus, collective=collective, implementation="rccl"))

    assert mesh_share(comm) == pytest.approx(share)


def test_efficiency_is_the_speedup_for_each_gpu():
    """Eight GPUs that are 4.8 times as fast as one are 60 % efficient."""
    result = answer(Scenario(catalog.system("dgx-h100"), catalog.model("llama-3.1-70b"), tp=8))

    assert result.efficiency == pytest.approx(result.per_step.speedup / 8)


def test_the_crossings_of_a_long_ring_overlap_as_its_growth_says():
    """All-gather over 32 domains: of what a block adds to each of 32 hops, (32 / 2) ** (1/2 - 1) = 1/4 is left."""
    comm = resolve(replace(EIGHT, collective="all_gather", domains=32, scale_out_link="ib-ndr"))
    sizes, constants = np.array([float(GIB)]), domain_for(comm, shipped().domains).constants
    waits = []
    for growth in (1.0, 0.5):
        network = replace(shipped().network, ring_growth=growth)
        rings = several_domains.lines(comm, sizes, constants, network)
        waits.append(next(line.latency_s[0] for line in rings if line.protocol == "Simple"))
    extra_s = several_domains.extra_s(shipped().network.ring, sizes / (8 * 32))[0]

    assert extra_s > 0
    assert waits[0] - waits[1] == pytest.approx(32 * extra_s * 3 / 4, rel=1e-9)
