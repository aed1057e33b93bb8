"""What a faster fabric is worth: nothing where it changes nothing, and never more than the whole bill."""

from dataclasses import replace
from itertools import pairwise

import pytest

from core import catalog
from core.calculators.cost.exposed import loss
from core.calculators.layouts import Terms, by_network, by_rate, rank_training
from core.calculators.training import Scenario
from core.checks import InputError

H100 = catalog.system("dgx-h100")


@pytest.fixture(scope="module")
def job():
    """The best layout of a 405B model on 2,048 H100."""
    scenario = Scenario(H100, catalog.model("llama-3.1-405b"), global_batch=512, seq=8192)
    return rank_training(scenario, 2048).ranked[0].scenario


def test_its_own_network_is_worth_nothing(job):
    """The fabric that is there saves nothing and never pays back."""
    (same,) = by_network(job, ["ib-ndr"], Terms(3.0, 1e6))

    assert same.saved_share == pytest.approx(0)
    assert same.payback_months is None
    assert same.worth_usd_per_gpu_hour == pytest.approx(0)


def test_faster_saves_and_slower_costs(job):
    """XDR saves money each month, HDR costs it, and capital over savings is the payback."""
    slow, fast = by_network(job, ["ib-hdr", "ib-xdr"], Terms(3.0, 1e6))

    assert slow.saved_usd_per_month < 0 < fast.saved_usd_per_month
    assert slow.payback_months is None
    assert fast.payback_months == pytest.approx(1e6 / fast.saved_usd_per_month)
    assert fast.saved_usd_per_month < loss(1.0, 2048, 3.0).usd_per_month
    assert fast.worth_usd_per_gpu == pytest.approx(36 * fast.saved_usd_per_month / 2048)


def test_each_doubling_is_worth_less_than_the_one_before(job):
    """The marginal value of a network falls as it grows."""
    values = by_rate(job, [1, 2, 4, 8], Terms(3.0))
    gains = [after.saved_usd_per_month - before.saved_usd_per_month for before, after in pairwise(values)]

    assert gains == sorted(gains, reverse=True)
    assert all(gain >= 0 for gain in gains)


def test_a_layout_chosen_anew_is_never_slower(job):
    """Whoever buys another fabric may lay the job out again."""
    (kept,) = by_network(job, ["ib-hdr"], Terms(3.0))
    (anew,) = by_network(job, ["ib-hdr"], Terms(3.0), rerank=True)

    assert anew.step_s <= kept.step_s


def test_impossible_terms_are_refused(job):
    """Negative capital, no horizon, a network nobody knows."""
    with pytest.raises(InputError, match="capital_usd"):
        by_rate(job, [1], Terms(3.0, -1.0))
    with pytest.raises(InputError, match="horizon_months"):
        by_rate(job, [1], replace(Terms(3.0), horizon_months=0))
    with pytest.raises(InputError):
        by_network(job, ["token-ring"], Terms(3.0))
