"""What cannot be ranked says what comes closest, sharded parameters stand for election, serving flips too."""

from dataclasses import replace

import pytest

from core import catalog
from core.calculators.layouts import (
    rank_serving,
    rank_training,
    serving_flips,
    serving_tornado,
    solved_backwards,
)
from core.calculators.layouts.questions import last_crossing
from core.calculators.layouts.serve import served
from core.calculators.layouts.serve_flips import CLEAR, SERVING_KNOBS, Load
from core.calculators.tensor_parallel import Scenario as Serve
from core.calculators.training import Layout
from core.calculators.training import Scenario as Train
from core.calculators.training.memory import memory
from core.checks import InputError
from core.collectives.rates import Rates
from core.provenance import Origin

H100 = catalog.system("dgx-h100")
SPEC = Rates(Origin.SPEC)
SMALL = Train(H100, catalog.model("llama-3.1-8b"), global_batch=512, seq=8192, rates=SPEC)
SERVE = Serve(H100, catalog.model("llama-3.1-8b"), tp=1, weights=catalog.precision("fp8"), rates=SPEC)


def test_a_batch_that_nothing_divides_is_no_question_of_memory():
    """Three GPUs cannot share 512 sequences, 32 heads or 32 layers, and the line says so."""
    with pytest.raises(InputError, match="no layout divides 3 GPUs: DP must divide the batch of 512"):
        rank_training(SMALL, 3)


def test_the_leanest_layout_is_named_with_what_it_lacks():
    """One GPU holds 16 bytes of states for each of 8 billion parameters, and more."""
    with pytest.raises(
        InputError, match=r"leanest, .* takes 15\d\.\d of 80 GB a GPU, mostly optimizer state"
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
    names = [item.name() for item in rank_training(job, 8).found]

    assert any(name.startswith("DP8, FSDP") for name in names)
    assert not any(name.startswith("DP8, micro-batch") for name in names)


def test_gathered_layers_take_memory():
    """Sharded: a sixteenth of the states, and two layers of parameters and one of gradients in whole."""
    layout = Layout(dp=8)
    whole, shared = (memory(replace(SMALL, layout=layout, strategy=name)) for name in ("ddp", "fsdp"))
    layer = (8.03e9 - 2 * 128256 * 4096) / 32

    assert whole.gathered_bytes == 0
    assert shared.parameter_bytes == pytest.approx(whole.parameter_bytes / 8)
    assert shared.gathered_bytes == pytest.approx(layer * (2 * 2 + 4), rel=1e-3)


@pytest.mark.parametrize("goal", ["latency", "throughput"])
def test_a_serving_flip_is_where_another_layout_is_clearly_better(goal):
    """At the value another of the best layouts wins by more than a hundredth; just before it does not."""
    job, gpus, sequences = replace(SERVE, model=catalog.model("llama-3.1-70b")), 16, 512
    found = rank_serving(job, gpus, sequences, goal)
    changes = serving_flips(job, gpus, sequences, found)
    knobs = {knob.name: knob for knob in SERVING_KNOBS}
    rivals = {one.name(): one for one in found.layouts}

    def gain(flip, factor):
        at = knobs[flip.input].turned(Load(replace(job, system=two), sequences), factor)
        costs = []
        for name in (flip.before, flip.to):
            one = rivals[name]
            again = served(at.scenario, gpus, at.sequences, one.tp, one.ep, one.pp)
            costs.append(again.token_s if goal == "latency" else 1 / again.tokens_per_s_per_gpu)
        return costs[0] / costs[1] - 1

    two = replace(H100, domains=2)
    smooth = [flip for flip in changes if flip.unit == "B/s"]

    assert changes
    for flip in smooth:
        assert gain(flip, flip.factor) > CLEAR * 0.99
        assert gain(flip, flip.factor**0.98) < CLEAR * 1.02


def test_the_last_change_counts_where_there_are_several():
    """A difference that is positive, negative and positive again settles at its last root."""

    def three(value):
        return (value - 2) * (value - 50)

    assert last_crossing(three, 1, 1e4) == pytest.approx(50, rel=1e-4)
    assert last_crossing(lambda _: 1.0, 1, 1e4) is None


def test_a_link_is_not_weighed_against_itself():
    """Cards that have PCIe only are not asked what their links are worth; A100 against its own slot is."""
    model = catalog.model("llama-3.1-70b")
    cards = solved_backwards(Serve(catalog.system("rtx-4090-x8"), model, tp=1))
    linked = solved_backwards(Serve(catalog.system("dgx-a100"), model, tp=1))

    assert not any("PCIe alone" in one.text for one in cards)
    assert "more than 5 %" in linked[0].text
    assert len(linked) == 3


def test_what_moves_a_token_and_what_does_not():
    """Decoding in one domain waits for memory; the network and the peaks are dead, faster memory is shorter."""
    job = replace(SERVE, model=catalog.model("llama-3.1-70b"))
    found = serving_tornado(job, 8, 16, rank_serving(job, 8, 16, "latency"))
    bars = {bar.input: bar for bar in found.bars}

    assert found.bars[0].input == "memory rate"
    assert {"network rate", "peak FLOP/s"} <= set(found.dead)
    assert bars["memory rate"].multiplied_s < bars["memory rate"].base_s < bars["memory rate"].divided_s
    assert bars["scale-up rate"].multiplied_s <= bars["scale-up rate"].divided_s


def test_what_no_longer_fits_is_no_flat_bar():
    """Twice the sequences of a full machine fit nowhere: no time is told, and the input is not dead."""
    with pytest.raises(InputError, match="at most") as refused:
        rank_serving(SERVE, 1, 100_000)
    most = int(str(refused.value).split("at most ")[1].split()[0].replace(",", ""))
    found = serving_tornado(SERVE, 1, most, rank_serving(SERVE, 1, most))
    bars = {bar.input: bar for bar in found.bars}

    assert bars["sequences at once"].multiplied_s is None
    assert bars["context"].multiplied_s is None
    assert bars["context"].divided_s < bars["context"].base_s


@pytest.mark.parametrize("sequences", [1, 3, 8, 64])
def test_no_token_is_counted_that_nobody_asked_for(sequences):
    """Each sequence gets one token a step, also where stages or copies outnumber the sequences."""
    found = rank_serving(SERVE, 8, sequences)

    assert any(one.pp > 1 for one in found.layouts)
    assert any(one.replicas > sequences for one in found.layouts) == (sequences < 8)
    for one in found.layouts:
        assert one.tokens_per_s == pytest.approx(sequences / one.token_s)


def test_one_kind_of_layout_is_not_called_the_only_layout():
    """Nine GPUs allow no TP, PP or EP of an 8B model, and what fits is DP alone."""
    found = rank_training(replace(SMALL, global_batch=9), 9)

    assert len(found.ranked) == 1 <= found.tried
    assert "no other degrees" in found.why
