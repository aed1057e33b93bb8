"""Whoever asks the whole question at a crossover gets the layout that was announced."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import catalog
from core.calculators.layouts import INPUTS, crossovers, rank_training
from core.calculators.layouts.crossovers import Crossover
from core.calculators.layouts.digits import place_of, value_at
from core.calculators.layouts.training_ranking import fastest
from core.calculators.training import Scenario
from core.collectives.rates import Rates
from core.provenance import Origin

INPUT = {changed.name: changed for changed in INPUTS}


def job(model, system, batch, seq=8192, **more):
    """A training job of a model of the catalog."""
    return Scenario(catalog.system(system), catalog.model(model), global_batch=batch, seq=seq, **more)


QUESTIONS = {
    "405B on 4,096 H100": (job("llama-3.1-405b", "dgx-h100", 2048), 4096),
    "70B on 64 H100": (job("llama-3.1-70b", "dgx-h100", 512), 64),
    "70B on 128 H100": (job("llama-3.1-70b", "dgx-h100", 512), 128),
    "a sparse model on two racks": (job("deepseek-v3-r1", "gb200-nvl72", 2304, 4096, precision="fp8"), 144),
    "datasheet rates": (job("llama-3.1-8b", "dgx-b200", 96, rates=Rates(Origin.SPEC)), 32),
    "cards on PCIe": (job("llama-3.1-8b", "l40s-x8", 64, 4096), 8),
}


def at(ranking, point: Crossover, value: float) -> Scenario:
    """The job with the crossover's input at a value."""
    if point.input == "global batch size":
        assert value == int(value)
        return ranking.at_batch(int(value))
    return INPUT[point.input].scaled(ranking.scenario, value / point.now)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_crossover_holds_when_it_is_typed(name):
    """At the value, to the digits shown, the announced layout wins; just before it today's degrees do."""
    question, gpus = QUESTIONS[name]
    ranking = rank_training(question, gpus)
    points = crossovers(ranking)

    assert points
    for point in points:
        beyond = fastest(at(ranking, point, point.value), gpus)
        before = fastest(at(ranking, point, point.previous), gpus)
        assert beyond.name() == point.to, point.condition
        assert before.kind == ranking.ranked[0].kind, point.condition
        assert point.before == ranking.ranked[0].name()
        if point.unit != "sequences":
            assert f"{point.value:.3g}" == f"{point.value:g}"


def test_typing_twice_the_batch_changes_nothing_where_no_crossover_is_announced():
    """405B, 4,096 H100, 2,048 sequences: nothing is said of 4,096 sequences, and typing them agrees."""
    question, gpus = QUESTIONS["405B on 4,096 H100"]
    ranking = rank_training(question, gpus)
    batches = [point.value for point in crossovers(ranking) if point.input == "global batch size"]
    above = min((batch for batch in batches if batch > 2048), default=math.inf)

    for batch in (4096, 8192):
        assert batch < above
        assert (
            rank_training(replace(question, global_batch=batch), gpus).ranked[0].kind
            == ranking.ranked[0].kind
        )


@given(st.floats(1e-6, 1e15))
def test_places_count_values_of_three_digits(value):
    """A value is within half a digit of the one at its place, and the next place is one digit on."""
    place = place_of(value)

    assert value_at(place) == pytest.approx(value, rel=0.0051)
    assert value_at(place - 1) < value_at(place) < value_at(place + 1)
    assert place_of(value_at(place)) == place


def test_the_search_for_crossovers_tells_how_far_it_is_and_stops():
    """It is told before each input and direction; what it raises there ends the search."""
    ranking = rank_training(*QUESTIONS["cards on PCIe"])
    told = []

    def stop_at_the_third(done, total):
        told.append((done, total))
        if done == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        crossovers(ranking, progress=stop_at_the_third)
    assert [done for done, _ in told] == [0, 1, 2]
    assert len({total for _, total in told}) == 1
