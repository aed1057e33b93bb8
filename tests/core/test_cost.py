"""Cost of exposed communication."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calculators.cost.exposed import loss, payback_months, worth_usd_per_gpu_hour
from core.checks import InputError


def test_one_percent_of_a_large_cluster():
    """1 % of 16,384 GPUs at 3 dollars is 163.84 GPUs and 11,796 dollars a day, not the 47,000 that a source prints."""
    lost = loss(0.01, 16384, 3)

    assert lost.idle_gpus == pytest.approx(163.84)
    assert lost.gpu_hours_per_day == pytest.approx(163.84 * 24)
    assert lost.usd_per_day == pytest.approx(11796.48)


def test_a_faster_fabric_pays_back_in_months():
    """Ten million dollars for 5 % of 16,384 GPUs come back in 5.65 months, not many times over."""
    saved = loss(0.05, 16384, 3)

    assert saved.usd_per_month == pytest.approx(1769472)
    assert payback_months(10e6, saved) == pytest.approx(5.651403356481482)


def test_what_saves_nothing_never_pays_back():
    """No saving, no payback: the answer is absent, not infinite; a free upgrade pays at once."""
    assert payback_months(1e6, loss(0, 1000, 3)) is None
    assert payback_months(0, loss(0, 1000, 3)) == 0


@given(st.floats(0.01, 1e3), st.floats(1e-3, 1e3), st.floats(0.1, 10))
def test_a_faster_step_is_worth_its_ratio(price, step_s, factor):
    """At the worth computed, a step costs the same on both fabrics."""
    faster = step_s / factor

    worth = worth_usd_per_gpu_hour(price, step_s, faster)

    assert (price + worth) * faster == pytest.approx(price * step_s)


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), True, "1"])
def test_a_share_is_between_zero_and_one(share):
    """Anything else is refused by name."""
    with pytest.raises(InputError, match="share"):
        loss(share, 8, 3)
