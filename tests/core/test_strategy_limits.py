"""What cannot be ranked says what comes closest; sharded parameters are ranked; serving has crossovers."""

from dataclasses import replace

import pytest

from core import catalog
from core.calculators.layouts import (
    break_even_questions,
    rank_serving,
    rank_training,
    serving_crossovers,
    serving_tornado,
    training_break_even,
)
from core.calculators.layouts.inputs import SCALE_UP_RATE
from core.calculators.layouts.scaled_system import with_scale_up_rate
from core.calculators.layouts.serving_crossovers import CLEAR, SERVING_INPUTS, grown_load, served
from core.calculators.layouts.serving_layout import cost_s
from core.calculators.layouts.serving_step import serving_step
from core.calculators.layouts.solve import last_crossing
from core.calculators.tensor_parallel import Scenario as Serve
from core.calculators.training import Layout, memory, step
from core.calculators.training import Scenario as Train
from core.checks import InputError
from core.collectives.rates import Rates
from core.provenance import Origin

H100 = catalog.system("dgx-h100")
SPEC = Rates(Origin.SPEC)
SMALL = Train(H100, catalog.model("llama-3.1-8b"), global_batch=512, seq=8192, rates=SPEC)
SERVE = Serve(H100, catalog.model("llama-3.1-8b"), tp=1, weights=catalog.precision("fp8"), rates=SPEC)


def test_a_batch_that_nothing_divides_is_no_question_of_memory():
    """Three GPUs cannot share 512 sequences, 32 heads or 32 layers, and the line says so."""
    with pytest.raises(InputError, match="no layout divides 3 GPUs: DP must divide the global batch of 512"):
        rank_training(SMALL, 3)


def test_the_leanest_layout_is_named_with_what_it_lacks():
    """One GPU holds 16 bytes of states for each of 8 billion parameters, and more."""
    with pytest.raises(
        InputError, match=r"leanest, .* takes 15\d\.\d of 86 GB per GPU, mostly optimizer state"
    ):
        rank_training(SMALL, 1)


def test_too_many_sequences_are_told_from_a_model_that_is_too_large():
    """How many fit is said, and it is the largest number that does."""
    with pytest.raises(InputError, match=r"at most \d+ do") as refused:
        rank_serving(SERVE, 1, 1000)
    most = int(str(refused.value).split("at most ")[1].split()[0])

    assert rank_serving(SERVE, 1, most).tried == 1
    with pytest.raises(InputError, match="do not fit"):
        rank_serving(SERVE, 1, most + 1)
    with pytest.raises(InputError, match="not even with one sequence"):
        rank_serving(replace(SERVE, model=catalog.model("llama-3.1-405b")), 2, 1)


def test_small_clusters_shard_their_parameters():
    """8B on eight cards of 48 GB: copies do not fit, sharded parameters do, and they are named."""
    job = replace(SMALL, system=catalog.system("l40s-x8"))
    names = [item.name() for item in rank_training(job, 8).layouts]

    assert any(name.startswith("DP8, FSDP") for name in names)
    assert not any(name.startswith("DP8, micro-batch") for name in names)


def test_gathered_layers_take_memory():
    """Sharded: an eighth of the states, and whole two layers of parameters, one of gradients, and the vocabulary's."""
    layout = Layout(dp=8)
    whole, sharded = (memory(replace(SMALL, layout=layout, strategy=name)) for name in ("ddp", "fsdp"))
    vocabulary = 2 * 128256 * 4096
    layer = (8.03e9 - vocabulary) / 32

    assert whole.gathered_bytes == 0
    assert sharded.parameter_bytes == pytest.approx(whole.parameter_bytes / 8)
    assert sharded.gathered_bytes == pytest.approx(layer * (2 * 2 + 4) + vocabulary * (2 + 2), rel=1e-3)
    assert memory(replace(SMALL, strategy="fsdp")).gathered_bytes == sharded.gathered_bytes


@pytest.mark.parametrize("goal", ["latency", "throughput"])
def test_a_serving_crossover_holds_when_it_is_typed(goal):
    """At the value the announced layout is ranked first, by over a hundredth; just before it is not."""
    job, gpus, sequences = replace(SERVE, model=catalog.model("llama-3.1-70b")), 16, 512
    ranking = rank_serving(job, gpus, sequences, goal)
    points = serving_crossovers(job, gpus, sequences, ranking)
    inputs = {changed.name: changed for changed in SERVING_INPUTS}
    load = grown_load(job, gpus, sequences)

    def gain(point, value):
        scaled = inputs[point.input].scaled(load, value / point.now)
        best = rank_serving(scaled.scenario, scaled.gpus, scaled.sequences, goal).best
        current = served(scaled, ranking.best)
        return best.name(), float("inf") if current is None else cost_s(current, goal) / cost_s(
            best, goal
        ) - 1

    assert points
    for point in points:
        name, lead = gain(point, point.value)
        assert name == point.to
        assert lead > CLEAR
        assert gain(point, point.previous)[1] < CLEAR * 1.02
        assert point.before == ranking.best.name()
        assert not point.condition.endswith(" requests requests")


def test_the_last_change_counts_where_there_are_several():
    """A difference that is positive, negative and positive again settles at its last root."""

    def three(value):
        return (value - 2) * (value - 50)

    assert last_crossing(three, 1, 1e4) == pytest.approx(50, rel=1e-4)
    assert last_crossing(lambda _: 1.0, 1, 1e4) is None


def test_a_link_is_not_weighed_against_itself():
    """Cards that have PCIe only are not asked what their links are worth; A100 against its own slot is."""
    model = catalog.model("llama-3.1-70b")
    cards = break_even_questions(Serve(catalog.system("rtx-4090-x8"), model, tp=1))
    linked = break_even_questions(Serve(catalog.system("dgx-a100"), model, tp=1))

    assert not any("PCIe alone" in answer.text for answer in cards)
    assert len(cards) == 1
    assert "more than 5 %" in linked[0].text
    assert len(linked) == 3


def test_cards_on_pcie_are_asked_what_a_faster_slot_brings():
    """At the rate named a tenth of the step is exposed; where latency alone takes more, no rate is named."""
    model = catalog.model("llama-3.1-8b")
    pair = Serve(catalog.system("rtx-4090-x2"), model, tp=1)
    (answer,) = break_even_questions(pair)
    (four,) = break_even_questions(replace(pair, system=catalog.system("rtx-4090-x4")))

    factor = answer.value / pair.system.scale_up.bytes_per_s
    there = serving_step(replace(pair, tp=2, system=with_scale_up_rate(pair.system, factor)))
    assert there.share == pytest.approx(0.1, rel=0.01)
    assert four.value is None
    assert "at no rate up to 512 GB/s" in four.text
    assert "TP4 (32 batched tokens) over PCIe at 32 GB/s" in four.text


@pytest.mark.parametrize(("gpus", "points"), [(64, 4), (8, 2)])
def test_a_training_step_is_asked_about_its_own_communication(gpus, points):
    """At the rate named a tenth of the step is exposed, and no line speaks of decoding."""
    job = Train(catalog.system("dgx-h100"), catalog.model("llama-3.1-8b"), global_batch=128, seq=4096)
    best = rank_training(job, gpus).ranked[0].scenario
    answers = training_break_even(best)

    assert len(answers) == points
    assert not any("decod" in answer.text or "batched tokens" in answer.text for answer in answers)
    rate = next(answer for answer in answers if "scale-up rate" in answer.text)
    there = step(SCALE_UP_RATE.scaled(best, rate.value / SCALE_UP_RATE.value(best)))
    assert there.exposed.total_s / there.total_s == pytest.approx(0.1, rel=0.01)


def test_which_inputs_change_a_token_and_which_have_no_effect():
    """Decoding in one domain is bound by memory bandwidth; the network has no effect, the peaks little."""
    job = replace(SERVE, model=catalog.model("llama-3.1-70b"))
    tornado = serving_tornado(job, 8, 16, rank_serving(job, 8, 16, "latency"))
    bars = {bar.input: bar for bar in tornado.bars}

    assert tornado.bars[0].input == "memory bandwidth"
    assert "network rate" in tornado.dead
    assert bars["peak FLOP/s"].divided_s < 1.1 * bars["peak FLOP/s"].base_s
    assert bars["memory bandwidth"].multiplied_s < bars["memory bandwidth"].base_s
    assert bars["memory bandwidth"].base_s < bars["memory bandwidth"].divided_s
    assert bars["scale-up rate"].multiplied_s <= bars["scale-up rate"].divided_s


def test_what_no_longer_fits_is_no_flat_bar():
    """Twice the sequences of a full machine fit nowhere: no time is given, and the input has an effect."""
    with pytest.raises(InputError, match="at most") as refused:
        rank_serving(SERVE, 1, 100_000)
    most = int(str(refused.value).split("at most ")[1].split()[0].replace(",", ""))
    tornado = serving_tornado(SERVE, 1, most, rank_serving(SERVE, 1, most))
    bars = {bar.input: bar for bar in tornado.bars}

    assert bars["concurrent requests"].multiplied_s is None
    assert bars["context length"].multiplied_s is None
    assert bars["context length"].divided_s < bars["context length"].base_s


@pytest.mark.parametrize("sequences", [1, 3, 8, 64])
def test_no_token_is_counted_beyond_one_per_request(sequences):
    """Each request gets one token per step, also where stages or replicas outnumber the requests."""
    ranking = rank_serving(SERVE, 8, sequences)

    assert any(layout.pp > 1 for layout in ranking.layouts)
    assert any(layout.replicas > sequences for layout in ranking.layouts) == (sequences < 8)
    for layout in ranking.layouts:
        assert layout.tokens_per_s == pytest.approx(sequences / layout.token_s)


def test_one_kind_of_layout_is_not_called_the_only_layout():
    """Nine GPUs allow no TP, PP or EP of an 8B model, and what fits is DP alone."""
    ranking = rank_training(replace(SMALL, global_batch=9), 9)

    assert len(ranking.ranked) == 1 <= ranking.tried
    assert "no other degrees" in ranking.why
