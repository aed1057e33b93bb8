"""Which parallelism on which interconnect: computed, and refused where one cannot join so many GPUs."""

from dataclasses import replace

import pytest

from core import catalog
from core.calculators.layouts import place_serving, place_training, rank_serving, rank_training
from core.calculators.layouts.interconnects import interconnects
from core.calculators.layouts.placement import AS_PLACED, KINDS, verdict
from core.calculators.tensor_parallel import Scenario as Serve
from core.calculators.training import Scenario as Train
from core.collectives.rates import Rates
from core.provenance import Origin

H100 = catalog.system("dgx-h100")
SPEC = Rates(Origin.SPEC)
JOB = Train(H100, catalog.model("llama-3.1-70b"), global_batch=128, seq=8192, framework="megatron")
SERVE = Serve(H100, catalog.model("llama-3.1-70b"), tp=1, weights=catalog.precision("fp8"), rates=SPEC)


@pytest.fixture(scope="module")
def ranking():
    """A 70B model on 64 H100."""
    return rank_training(JOB, 64)


@pytest.fixture(scope="module")
def placed(ranking):
    """Each kind on each interconnect."""
    return place_training(ranking.layouts, interconnects(H100, 64))


def of(placed, kind, name):
    """One cell."""
    return next(item for item in placed if item.kind == kind and item.interconnect == name)


def test_every_kind_that_some_layout_uses_is_placed_on_every_interconnect(placed):
    """A dense model has TP, CP, PP, DP and sharded parameters, and no experts."""
    names = {interconnect.name for interconnect in interconnects(H100, 64)}

    assert {item.kind for item in placed} == {"tp", "cp", "pp", "dp", "fsdp"} < set(KINDS)
    assert len(placed) == 5 * (len(names) + 1)
    assert {"nvlink4", "PCIe 5 x16", "ib-ndr"} <= names


def test_tensor_parallelism_wants_the_scale_up_link_and_pipelines_do_not_care(placed):
    """TP over InfiniBand is to be avoided; stages send so little that any interconnect will do."""
    assert of(placed, "tp", "nvlink4").slowdown < 0.01
    assert of(placed, "tp", "ib-ndr").verdict == "avoid"
    assert of(placed, "pp", "ib-ndr").slowdown < 0.01
    assert of(placed, "tp", "ib-ndr").share > of(placed, "dp", "ib-ndr").share
    assert of(placed, "fsdp", "ib-ndr").share > of(placed, "dp", "ib-ndr").share


def test_as_placed_is_the_layout_itself(placed, ranking):
    """The first column is the ranked step; sharding over two interconnects is cheaper than over the network alone."""
    own = [item for item in placed if item.interconnect == AS_PLACED]
    steps = {item.name(): item.step_s for item in ranking.layouts}

    assert all(item.step_s == steps[item.layout] for item in own)
    assert of(placed, "fsdp", AS_PLACED).share < of(placed, "fsdp", "ib-ndr").share / 2
    assert of(placed, "tp", AS_PLACED).share == pytest.approx(of(placed, "tp", "nvlink4").share, rel=0.05)


@pytest.mark.parametrize(("model", "pp"), [("llama-3.1-8b", 1), ("llama-3.1-70b", 4)])
def test_the_rows_of_the_best_layout_come_first_and_add_up_to_what_it_exposes(model, pp):
    """Whoever reads that a fifth of the best step is exposed finds that fifth in the table, with a pipeline too."""
    ranking = rank_training(replace(JOB, model=catalog.model(model)), 64)
    placed = place_training(ranking.layouts, interconnects(H100, 64))
    best = ranking.layouts[0]
    own = [item for item in placed if item.interconnect == AS_PLACED and item.layout == best.name()]

    assert [item.kind for item in placed if item.interconnect == AS_PLACED][: len(own)] == [
        item.kind for item in own
    ]
    assert best.scenario.layout.pp == pp
    assert sum(item.share for item in own) == pytest.approx(best.parts.exposed.total_s / best.step_s)


def test_an_interconnect_that_joins_too_few_gpus_is_refused(placed):
    """Eight cards on PCIe are not a group of more, and the note says so."""
    wide = [
        item for item in placed if item.interconnect == "PCIe 5 x16" and item.degree > 8 and item.kind != "pp"
    ]

    assert all(item.share is None and "joins 8 GPUs" in item.note for item in wide)
    assert all(0 <= item.share < 1 for item in placed if item.share is not None)


def test_a_full_mesh_is_placed_too():
    """Direct links join eight MI300X and not more; TP belongs on them rather than on the network."""
    system = catalog.system("mi300x-x8")
    ranking = rank_training(replace(JOB, system=system), 64)
    placements = place_training(ranking.layouts, interconnects(ranking.layouts[0].scenario.system, 64))

    assert of(placements, "tp", system.scale_up.link).slowdown == 0
    assert of(placements, "tp", "ib-ndr").slowdown > 0.1


def test_serving_is_placed_by_kinds_that_stand_alone():
    """Decode with TP8 loses most of its speed across InfiniBand."""
    ranking = rank_serving(SERVE, 16, 256)
    placements = place_serving(SERVE, ranking.layouts, interconnects(H100, 16))

    assert of(placements, "tp", "nvlink4").step_s < of(placements, "tp", "ib-ndr").step_s
    assert {item.kind for item in placements} == {"tp", "pp"}


@pytest.mark.parametrize("goal", ["latency", "throughput"])
def test_the_best_serving_layout_is_placed_first_whatever_it_uses(goal):
    """Experts over EP beside TP make one row, whose share as placed is the layout's own."""
    load = Serve(H100, catalog.model("deepseek-v3-r1"), tp=1, weights=catalog.precision("fp8"))
    ranking = rank_serving(load, 16, 64, goal)
    first = place_serving(load, ranking.layouts, interconnects(H100, 16))[0]

    assert first.layout == ranking.best.name()
    assert first.interconnect == AS_PLACED
    assert first.kind in {"tp", "ep", "tp+ep"}
    assert first.share == pytest.approx(ranking.best.share)


@pytest.mark.parametrize(
    ("slowdown", "word"), [(0.0, "as good"), (0.02, "good enough"), (0.1, "costly"), (0.2, "avoid")]
)
def test_verdicts(slowdown, word):
    """Words for slowdowns."""
    assert verdict(slowdown) == word
