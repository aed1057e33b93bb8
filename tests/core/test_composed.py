"""Algorithms that nobody measured: composed on calibrated rates, with the wire as their limit."""

import numpy as np
import pytest

from core.catalog import system
from core.checks import InputError
from core.collectives.pricing import Scenario, answer, sweep
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import configure
from core.units import MIB

SPEC = Rates(Origin.SPEC)
H100 = system("dgx-h100")
H100_X4 = configure(H100, domains=4)


def test_what_the_model_cannot_answer_is_composed_or_falls_back_to_the_datasheet():
    """An algorithm nobody measured is its formula, short of itself as others are; on no constants, its formula alone."""
    result = answer(Scenario(H100_X4, "all_reduce", 32, MIB, algorithm="two-level"))
    assert (result.rates, result.basis, result.algorithm) == ("calibrated", "parts:two-level", "two-level")
    floor = answer(Scenario(H100_X4, "all_reduce", 32, MIB, algorithm="two-level", rates=SPEC))
    assert floor.time_s < result.low_s < result.time_s
    assert any("no measurement of it here" in text for text in result.warnings)


@pytest.mark.parametrize("algorithm", ["two-level", "two-level-tree", "two-level-pipelined"])
def test_composed_answers_respect_the_wire(algorithm):
    """From 8 B to 8 GiB an algorithm nobody measured is no faster than its datasheet, and its parts are its time."""
    amounts = np.exp2(np.arange(3.0, 34.0))
    composed, ideal = (
        sweep(Scenario(H100_X4, "all_reduce", 32, algorithm=algorithm, rates=rates), amounts)
        for rates in (Rates(), SPEC)
    )
    parts = composed.launch_s + composed.latency_s + composed.transfer_s + composed.reduction_s
    assert parts == pytest.approx(composed.time_s)
    assert np.all(ideal.time_s <= composed.low_s * (1 + 1e-9))
    assert np.all(composed.low_s <= composed.time_s)
    assert np.all(composed.time_s <= composed.high_s)


def test_switches_add_only_where_they_may():
    """Without NVLS eight H100 reduce in a ring, slower; A100 switches cannot add whatever is asked."""
    usual, off, on = (
        answer(Scenario(H100, "all_reduce", 8, 256 * MIB, nvls=word)) for word in ("auto", "off", "on")
    )
    assert (usual.algorithm, off.algorithm) == ("nvls", "ring")
    assert off.time_s > 1.1 * usual.time_s
    assert on.time_s == usual.time_s
    assert off.basis.startswith("extrapolated:")
    with pytest.raises(InputError, match="nvls: off or auto"):
        answer(Scenario(system("dgx-a100"), "all_reduce", 8, MIB, nvls="on"))
