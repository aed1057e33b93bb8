"""Rates: one list, four origins, and overrides that name what is wrong."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.catalog import SYSTEMS, system
from core.collectives.cost_model import Point
from core.collectives.pricing import Scenario, answer, setting_of
from core.collectives.pricing.crossovers import nearest_changes
from core.collectives.rates import Rates, parse_rates
from core.provenance import Origin
from core.systems import configure


def test_the_four_words_of_the_list():
    """Each word is an origin, and says itself again."""
    for word in ("published", "spec", "calibrated"):
        assert parse_rates(word) == Rates(Origin(word))
        assert parse_rates(word).label == word
    fitted = parse_rates("fitted:rack 7")
    assert (fitted.origin, fitted.name, fitted.label) == (Origin.FITTED, "rack 7", "fitted:rack 7")


@pytest.mark.parametrize("text", ["", "fitted", "fitted:", "measured", "spec:x", "SPEC", "published:"])
def test_any_other_word_is_refused_with_the_list(text):
    """What is no choice is answered with the choices."""
    with pytest.raises(ValueError, match="one of published, spec, calibrated, fitted:NAME"):
        parse_rates(text)


def test_overrides_are_checked():
    """A replaced latency or rate must be possible, and what it counts for must be known."""
    for bad in (-1e-6, math.nan, math.inf):
        with pytest.raises(ValueError, match=r"^latency_s: "):
            Rates(latency_s=bad)
    for bad in (0, -1, math.nan, math.inf):
        with pytest.raises(ValueError, match=r"^bytes_per_s: "):
            Rates(bytes_per_s=bad)
    with pytest.raises(ValueError, match=r"^latency_per: 'hop' is unknown; one of step, operation"):
        Rates(latency_per="hop")
    with pytest.raises(ValueError, match=r"^rates: 'measured' is unknown"):
        Rates(Origin.MEASURED)


def test_published_rates_say_that_they_are_optimistic():
    """The remark on the sources' convention names the factor."""
    assert "2x" in Rates(Origin.PUBLISHED).remark
    assert len({Rates(origin).remark for origin in (Origin.SPEC, Origin.CALIBRATED, Origin.FITTED)}) == 3
    assert not Rates().overridden
    assert Rates(latency_s=0.0).overridden


def test_points_of_another_machine_are_not_used_in_silence():
    """A point of an H100 says nothing of an A100: calibrated rates answer, and a warning says so."""
    own = Scenario(system("dgx-h100"), "all_reduce", 8, 2**20)
    rates = Rates(Origin.FITTED, name="mine", points=(Point(setting_of(own), 2.0**20, 60e-6),))
    mine = answer(replace(own, rates=rates), with_crossovers=False)
    other = answer(replace(own, system=system("dgx-a100"), rates=rates), with_crossovers=False)

    assert (mine.rates, mine.warnings) == ("fitted:mine", ())
    assert other.rates == "calibrated"
    assert any("No measured point could be used for this machine" in line for line in other.warnings)


def test_the_nearest_change_is_found_without_pricing_a_value_twice():
    """The label changes at 10 and at 100: both are met from outside within the last step, each value priced once."""
    priced = []

    def labels(values):
        priced.extend(values)
        return np.array(["tree" if 10 < value < 100 else "ring" for value in values])

    below, above = nearest_changes(30.0, np.exp2(np.arange(0.0, 12.0)), labels, points=5, rounds=4)

    assert below == (pytest.approx(10, rel=0.01), "ring")
    assert above == (pytest.approx(100, rel=0.01), "ring")
    assert below[0] <= 10
    assert above[0] >= 100
    assert len(priced) == len(set(priced))


def test_an_oversubscribed_leaf_slows_racks_that_drive_some_of_their_nics():
    """One collective drives a node's worth of a rack's NICs: fewer NICs cost nothing, slower ports do."""
    rack = SYSTEMS["gb200-nvl72"]

    def seconds(**network):
        scenario = Scenario(configure(rack, domains=4, **network), "all_reduce", 288, 8 * 2**30)
        return answer(scenario, with_crossovers=False).time_s

    usual = seconds()
    assert seconds(nics_per_domain=18) == pytest.approx(usual)
    assert seconds(oversubscription=4.0) > 3 * usual
