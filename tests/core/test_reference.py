"""Reference figures by generation: they stay within physics and name their sources."""

import pytest

from core.catalog import GPUS, SOURCES
from core.catalog.reference import ALL_REDUCE, PAIR_COPY, REFERENCES
from core.collectives.pricing import Scenario, sweep
from core.systems import CustomSystem, configure, custom_system
from tests.each import table

BY_NAME = {curve.name: curve for curve in REFERENCES}


@table("one", REFERENCES, ids=lambda one: one.name)
def test_a_reference_is_possible_and_cited(one):
    """Sizes and rates rise, the GPU is of the catalog, and no link is outrun but with in-network reduction or shared trees."""
    sizes, rates = zip(*one.points, strict=True)

    assert list(sizes) == sorted(sizes)
    assert list(rates) == sorted(rates)
    assert one.gpu in GPUS
    assert one.source in SOURCES.values()
    most = 1.25 if one.domains == 2 else 1.1 if "in-network" in one.note else 1.0
    assert one.share_of_link < most


def test_every_generation_has_a_figure():
    """From Pascal to Blackwell each generation is there, with a copy or an all-reduce."""
    generations = {GPUS[curve.gpu].architecture for curve in REFERENCES}

    assert {"pascal", "volta", "ampere", "hopper", "blackwell"} <= generations
    assert {curve.what for curve in REFERENCES} == {PAIR_COPY, ALL_REDUCE}


@pytest.mark.parametrize(
    "name", ["8 x A100", "8 x H100", "8 x H200", "8 x B200", "4 x GB200 (a tray)", "4 x GH200"]
)
def test_the_model_meets_the_references(name):
    """The calibrated model is within a quarter of each published point from 1 MiB on."""
    curve = BY_NAME[name]
    machine = configure(custom_system(CustomSystem(curve.gpu, curve.ranks)))
    points = [(size, rate) for size, rate in curve.points if size >= 2**20]
    sweep_ = sweep(Scenario(machine, "all_reduce", curve.ranks), [size for size, _ in points])

    for modelled, (_, rate) in zip(sweep_.busbw_bytes_per_s, points, strict=True):
        assert modelled == pytest.approx(rate, rel=0.25)
