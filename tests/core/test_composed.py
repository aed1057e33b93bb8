"""Algorithms that nobody measured: composed on calibrated rates, with the wire as their limit."""

import io
from dataclasses import replace

import numpy as np
import pytest

from core.catalog import system
from core.checks import InputError
from core.collectives.cost_model import Point, Setting, predict
from core.collectives.cost_model.table import answer_table
from core.collectives.pricing import Scenario, answer, sweep
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import configure
from core.units import GIB, KIB, MIB

SPEC = Rates(Origin.SPEC)
H100 = system("dgx-h100")
H100_X4 = configure(H100, domains=4)
TWO_LEVELS = ("two-level", "two-level-tree", "two-level-pipelined")
TWO_LEVEL_X4 = Setting("h100-sxm", "nvlink4", 8, 4, "ib-ndr", 50e9, algorithm="two-level")
TABLE = (
    "gpu,scale_up_link,domain_gpus,domains,scale_out_link,scale_out_GBps_per_gpu,collective,size_bytes,{column}\n"
    "h100-sxm,nvlink4,8,4,ib-ndr,50,all_reduce,1048576,{name}\n"
)


def test_what_the_model_cannot_answer_is_composed_or_falls_back_to_the_datasheet():
    """An algorithm nobody measured is its formula, short of itself as others are; on no constants, its formula alone."""
    result = answer(Scenario(H100_X4, "all_reduce", 32, MIB, algorithm="two-level"))
    assert (result.rates, result.basis, result.algorithm) == ("calibrated", "parts:two-level", "two-level")
    floor = answer(Scenario(H100_X4, "all_reduce", 32, MIB, algorithm="two-level", rates=SPEC))
    assert floor.time_s < result.low_s < result.time_s
    assert any("no measurement of it here" in text for text in result.warnings)


@pytest.mark.parametrize("algorithm", TWO_LEVELS)
def test_composed_answers_respect_the_wire(algorithm):
    """From 8 B to 8 GiB an algorithm nobody measured outruns no wire, never falls, and its parts are its time."""
    amounts = np.exp2(np.arange(3.0, 34.0))
    composed, ideal = (
        sweep(Scenario(H100_X4, "all_reduce", 32, algorithm=algorithm, rates=rates), amounts)
        for rates in (Rates(), SPEC)
    )
    parts = composed.launch_s + composed.latency_s + composed.transfer_s + composed.reduction_s
    assert parts == pytest.approx(composed.time_s)
    assert np.all(ideal.transfer_s <= composed.low_s * (1 + 1e-9))
    assert np.all(np.diff(composed.time_s) >= 0)
    assert np.all(composed.low_s <= composed.time_s)
    assert np.all(composed.time_s <= composed.high_s)


def test_a_tree_across_spares_the_steps_of_a_ring():
    """Over 64 nodes a small message takes 12 hops of a tree in place of 126 of a ring; large ones gain nothing."""
    cluster = configure(H100, domains=64)
    small, large = (
        [answer(Scenario(cluster, "all_reduce", 512, size, algorithm=name)).time_s for name in TWO_LEVELS]
        for size in (1024, 8 * 1024 * MIB)
    )
    ring, tree, pipelined = small
    assert ring == pytest.approx(pipelined, rel=1e-3)
    assert tree < ring / 8
    assert large[2] < large[0] < 1.1 * large[1]


@pytest.mark.parametrize("column", ["algorithm", "asked_algorithm"])
@pytest.mark.parametrize("name", TWO_LEVELS)
def test_a_table_asks_for_two_levels_as_the_shell_does(column, name):
    """The row of a table that names the algorithm gets the answer of the same question to ``collective``."""
    table = answer_table(io.StringIO(TABLE.format(column=column, name=name)))
    time_us, low_us, high_us, algorithm, basis = table.answers[0]
    result = answer(Scenario(H100_X4, "all_reduce", 32, MIB, algorithm=name))
    assert [float(text) for text in (time_us, low_us, high_us)] == pytest.approx(
        [1e6 * value for value in (result.time_s, result.low_s, result.high_s)], rel=1e-5
    )
    assert (algorithm.partition("/")[0], basis) == (name, f"parts:{name}")


def test_points_of_the_cluster_move_two_levels_as_they_move_the_rest():
    """Where the cluster's own all-reduce took twice as long, two levels are expected longer, too."""
    usual = predict(TWO_LEVEL_X4, MIB)
    plain = replace(TWO_LEVEL_X4, algorithm="auto")
    points = [Point(plain, size, 2 * float(predict(plain, size).time_s)) for size in (KIB, MIB, GIB)]
    adapted = predict(TWO_LEVEL_X4, MIB, points)
    assert adapted.basis == "adapted:3 points"
    assert adapted.time_s > 1.5 * usual.time_s


def test_a_library_left_alone_runs_no_two_levels():
    """Auto answers with what libraries run; two levels inside one domain are refused with what runs there."""
    sizes = np.exp2(np.arange(3.0, 34.0))
    labels = predict(replace(TWO_LEVEL_X4, algorithm="auto"), sizes).labels().tolist()
    assert not any(label.startswith("two-level") for label in labels)
    with pytest.raises(InputError, match="two-level-tree cannot run this; one of auto, nvls, ring"):
        predict(Setting("h100-sxm", "nvlink4", 8, algorithm="two-level-tree"), MIB)


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
