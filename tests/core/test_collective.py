"""The one door that prices communication: choices, overrides, fallbacks, crossovers and warnings."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog import SYSTEMS, system
from core.collectives.cost_model import Point
from core.collectives.formulas import ALGORITHMS, COLLECTIVES, busbw_factor
from core.collectives.pricing import (
    ALGORITHM_WORDS,
    Answer,
    Scenario,
    answer,
    applicable,
    compare,
    setting_of,
    sweep,
)
from core.collectives.pricing.choices import LIBRARY_ONE_LEVEL, LIBRARY_TWO_LEVEL
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import configure
from core.units import GB, GIB, MIB, US
from tests.each import table

SPEC = Rates(Origin.SPEC)
H100 = system("dgx-h100")
H100_X4 = configure(H100, domains=4)
PARTS = ("launch_s", "latency_s", "transfer_s", "reduction_s")

CONTRACT_KEYS = [
    "system", "collective", "ranks", "domains", "size_bytes", "rates", "implementation", "launch",
    "algorithm", "protocol", "time_s", "low_s", "high_s", "launch_s", "latency_s", "transfer_s",
    "reduction_s", "wire_bytes", "algbw_bytes_per_s", "busbw_bytes_per_s", "binding", "runner_up",
    "flips", "basis", "warnings", "sources", "model_version",
]  # fmt: skip


def machine_of(system_id):
    """A machine of the catalog, three of it where it has a network."""
    system = SYSTEMS[system_id]
    return system if system.scale_out is None else configure(system, domains=3)


questions = st.builds(
    Scenario,
    system=st.sampled_from(sorted(SYSTEMS)).map(machine_of),
    collective=st.sampled_from(COLLECTIVES),
    ranks=st.integers(1, 64),
    size_bytes=st.one_of(st.just(0), st.floats(1, 1e12)),
    rates=st.sampled_from(
        (SPEC, Rates(), Rates(Origin.PUBLISHED), Rates(latency_s=1e-6), Rates(Origin.FITTED))
    ),
)


@given(question=questions, share=st.floats(0, 1))
def test_every_answer_adds_up(question, share):
    """On any machine, with any rates: parts make the time, the band holds it, JSON has no NaN."""
    ranks = 1 + round(share * (question.system.gpus - 1))
    result = answer(replace(question, ranks=ranks), with_crossovers=False)
    assert sum(getattr(result, part) for part in PARTS) == pytest.approx(result.time_s, rel=1e-6, abs=1e-15)
    assert result.low_s <= result.time_s <= result.high_s
    free = ranks == 1 or question.size_bytes == 0
    assert (result.time_s == 0) == free
    assert (result.algorithm is None) == (result.binding is None) == free
    assert (result.busbw_bytes_per_s is None) == free
    if result.runner_up is not None:
        assert result.runner_up.time_s >= result.time_s * (1 - 1e-9)
    json.dumps(result.json(), allow_nan=False)


def test_the_answer_has_the_keys_of_the_contract():
    """The contract's keys, in that order, and no other."""
    result = answer(Scenario(H100, "all_reduce", 8, 16 * MIB, rates=SPEC)).json()
    assert list(result) == CONTRACT_KEYS
    assert result["runner_up"].keys() == {"algorithm", "protocol", "time_s"}
    assert all(crossover.keys() == {"input", "value", "to"} for crossover in result["flips"])


def test_golden_cases_can_be_asked_with_overrides():
    """B13, C01 and C08 come out of the door with a latency, a rate and an algorithm of one's own."""
    step = Rates(Origin.SPEC, latency_s=1 * US, bytes_per_s=450 * GB)
    decode = Scenario(H100, "all_reduce", 8, 16384, rates=step)
    expected_us = {"ring": 14.063715555555556, "tree": 6.072817777777778}
    for algorithm, time_us in expected_us.items():
        assert answer(replace(decode, algorithm=algorithm)).time_s == pytest.approx(time_us * US, rel=1e-9)
    switch = replace(decode, algorithm="nvls", rates=replace(step, latency_s=3 * US))
    assert answer(switch).time_s == pytest.approx(3.04096 * US, rel=1e-9)
    gradient = replace(decode, size_bytes=140 * GB, rates=replace(step, latency_s=0.0), algorithm="ring")
    assert answer(gradient).time_s == pytest.approx(0.5444444444444444, rel=1e-9)
    assert answer(gradient).wire_bytes == pytest.approx(245 * GB, rel=1e-9)
    rail = Rates(latency_s=5 * US, bytes_per_s=50 * GB)
    flat = Scenario(
        configure(H100, domains=2048), "all_reduce", 16384, 810 * GB, rates=rail, algorithm="ring"
    )
    assert answer(flat).time_s == pytest.approx(32.561852460937494, rel=1e-9)


def test_latency_may_count_once_for_the_operation():
    """B06: two ring all-reduces with 1 us each, whatever the steps; on PCIe 3 us each."""
    amount = 32 * 8192 * 2
    for rate, latency_us, twice_us in ((450, 1, 6.077795555555555), (64, 3, 34.672)):
        once = Rates(Origin.SPEC, latency_s=latency_us * US, latency_per="operation", bytes_per_s=rate * GB)
        result = answer(Scenario(H100, "all_reduce", 8, amount, rates=once, algorithm="ring"))
        assert 2 * result.time_s == pytest.approx(twice_us * US, rel=1e-9)
    still = Rates(Origin.SPEC, latency_per="operation")
    across = answer(Scenario(H100_X4, "all_reduce", 32, 8, rates=still, algorithm="ring"))
    assert across.latency_s == H100_X4.fabrics[1].latency_s


def test_an_override_is_priced_by_formulas_and_says_so():
    """A latency or rate of one's own makes the calibration mute, not wrong."""
    result = answer(Scenario(H100, "all_reduce", 8, MIB, rates=Rates(latency_s=1 * US)))
    assert (result.rates, result.basis) == ("spec", "spec")
    assert any("override" in text or "was given" in text for text in result.warnings)


def test_published_rates_are_twice_too_fast():
    """Both directions, no latency, ring bytes: half the time of the wire, and one line says why."""
    for machine, ranks in ((H100, 8), (H100_X4, 32)):
        ring = Scenario(machine, "all_reduce", ranks, GIB, rates=SPEC, algorithm="ring")
        result = answer(replace(ring, rates=Rates(Origin.PUBLISHED), algorithm="auto"))
        assert result.algorithm == "ring"
        assert result.time_s == pytest.approx(answer(ring).transfer_s / 2, rel=1e-9)
        assert result.latency_s == 0
        assert any("2x" in text for text in result.warnings)
    assert result.runner_up is None


def test_the_library_chooses_among_what_it_has():
    """NCCL has no one-shot; an engine has; a forced algorithm is taken even if slower."""
    small = Scenario(system("dgx-a100"), "all_reduce", 8, 8192, rates=SPEC)
    assert answer(small).algorithm == "tree"
    assert answer(replace(small, implementation="vllm-custom")).algorithm == "one-shot"
    assert answer(replace(small, size_bytes=4 * MIB, implementation="vllm-custom")).algorithm == "two-shot"
    assert answer(replace(small, algorithm="one-shot")).algorithm == "one-shot"
    assert answer(replace(small, algorithm="ring")).time_s > answer(small).time_s


def test_engines_hand_over_what_they_cannot_do():
    """An engine's kernel is an all-reduce inside a domain: everything else is the library's, and is said."""
    for question in (
        Scenario(H100, "all_gather", 8, MIB, rates=SPEC, implementation="vllm-custom"),
        Scenario(H100_X4, "all_reduce", 32, MIB, rates=SPEC, implementation="sglang-custom"),
    ):
        result = answer(question)
        assert result.implementation == "nccl"
        assert any(question.implementation in text for text in result.warnings)
    assert answer(Scenario(system("mi300x-x8"), "all_reduce", 8, MIB, rates=SPEC)).implementation == "rccl"


def test_an_algorithm_that_does_not_apply_is_refused_with_those_that_do():
    """No switch that adds, no in-switch algorithm; the list is what this machine can do."""
    with pytest.raises(
        ValueError, match=r"^algorithm: nvls does not apply .* one of auto, ring, tree, one-shot"
    ):
        answer(Scenario(system("dgx-a100"), "all_reduce", 8, MIB, rates=SPEC, algorithm="nvls"))
    with pytest.raises(ValueError, match=r"^algorithm: nvls does not apply .* nvlstree"):
        answer(Scenario(H100_X4, "all_reduce", 32, MIB, rates=SPEC, algorithm="nvls"))
    with pytest.raises(ValueError, match=r"^algorithm: 'star' is unknown; closest of 14: sharp"):
        answer(Scenario(H100, "all_reduce", 8, MIB, rates=SPEC, algorithm="star"))
    inside = answer(Scenario(H100, "all_reduce", 8, MIB, rates=SPEC, algorithm="two-level"))
    assert inside.algorithm == "ring"


@table(
    ("change", "name"),
    [
        ({"collective": "gossip"}, "collective"),
        ({"implementation": "mpi"}, "implementation"),
        ({"launch": "cron"}, "launch"),
        ({"dtype": "fp3"}, "dtype"),
        ({"ranks": 0}, "ranks"),
        ({"ranks": 2.5}, "ranks"),
        ({"ranks": 9}, "ranks"),
        ({"size_bytes": -1}, "size_bytes"),
        ({"size_bytes": math.nan}, "size_bytes"),
        ({"size_bytes": math.inf}, "size_bytes"),
        ({"per_domain": 9}, "per_domain"),
        ({"per_domain": 1}, "ranks"),
    ],
)
def test_a_bad_question_names_the_argument(change, name):
    """One line, starting with the argument, on every kind of rates."""
    for rates in (SPEC, Rates(), Rates(Origin.PUBLISHED)):
        with pytest.raises(ValueError, match=rf"^{name}: "):
            answer(replace(Scenario(H100, "all_reduce", 8, MIB, rates=rates), **change))


def test_more_ranks_than_a_domain_need_a_network():
    """Beyond the domain the network carries, and without one there is no answer."""
    cards = system("l40s-x8")
    with pytest.raises(ValueError, match=r"^ranks: at most 8"):
        answer(Scenario(cards, "all_reduce", 16, MIB, rates=SPEC))
    result = answer(Scenario(H100_X4, "all_to_all", 32, GIB, rates=SPEC))
    assert (result.domains, result.binding) == (4, "nic")
    assert answer(Scenario(H100_X4, "all_reduce", 8, GIB, rates=SPEC)).domains == 1


def test_ranks_may_be_spread_thinly():
    """One GPU of each domain: only the NICs count, and half a NIC is half as fast."""
    thin = Scenario(H100_X4, "all_reduce", 4, GIB, rates=SPEC, algorithm="ring", per_domain=1)
    result = answer(thin)
    assert (result.domains, result.binding) == (4, "nic")
    assert result.busbw_bytes_per_s == pytest.approx(50 * GB, rel=1e-3)
    few_nics = configure(H100, domains=4, nics_per_domain=4)
    full = answer(Scenario(few_nics, "all_to_all", 32, GIB, rates=SPEC))
    assert full.time_s > 1.9 * answer(Scenario(H100_X4, "all_to_all", 32, GIB, rates=SPEC)).time_s


def test_an_uneven_spread_is_priced_and_said():
    """Nine ranks on two nodes are priced as ten, never as eight."""
    uneven = answer(Scenario(H100_X4, "all_reduce", 9, GIB, rates=SPEC, algorithm="ring"))
    even = answer(Scenario(H100_X4, "all_reduce", 10, GIB, rates=SPEC, algorithm="ring"))
    assert uneven.time_s == even.time_s
    assert any("9 ranks do not fill 2 domains evenly" in text for text in uneven.warnings)


def test_a_mesh_gives_a_pair_its_own_link_only():
    """On a full mesh two GPUs see a seventh of what eight see."""
    mesh = Scenario(system("mi300x-x8"), "all_reduce", 2, GIB, rates=SPEC, algorithm="ring")
    assert answer(mesh).busbw_bytes_per_s == pytest.approx(64 * GB, rel=1e-2)
    assert answer(replace(mesh, ranks=8)).busbw_bytes_per_s == pytest.approx(448 * GB, rel=1e-2)


@given(
    collective=st.sampled_from(COLLECTIVES),
    several=st.booleans(),
    sizes=st.lists(st.floats(1, 1e12), min_size=1, max_size=6),
    calibrated=st.booleans(),
)
def test_auto_is_the_cheapest_of_what_the_library_has(collective, several, sizes, calibrated):
    """A sweep with auto is never slower than any library algorithm that it could have taken, and is one of them.

    Where one takes over from another between two knots of the table it is a little faster than either.
    """
    machine, ranks = (H100_X4, 32) if several else (H100, 8)
    question = Scenario(machine, collective, ranks, 0, rates=Rates() if calibrated else SPEC)
    best = sweep(question, sizes)
    each = compare(question, sizes)
    for index in range(len(sizes)):
        word = str(best.algorithms[index]).partition("/")[0]
        assert word in each
        assert best.time_s[index] == pytest.approx(each[word].time_s[index], rel=4e-2)
    table = LIBRARY_TWO_LEVEL if several else LIBRARY_ONE_LEVEL
    library = {ALGORITHMS[collective, name].word for name in table[collective]} & each.keys()
    assert library
    for word in library:
        assert np.all(best.time_s <= each[word].time_s * (1 + 1e-2)), word


def test_a_sweep_is_each_answer():
    """The arrays and the single answer are the same numbers, for formulas and for the model."""
    sizes = np.array([0, 1, 4096, MIB, GIB])
    for rates in (SPEC, Rates()):
        for question in (
            Scenario(H100, "all_reduce", 8, 0, rates=rates),
            Scenario(H100_X4, "all_gather", 32, 0, rates=rates),
        ):
            columns = sweep(question, sizes)
            for index, size in enumerate(sizes):
                one = answer(replace(question, size_bytes=float(size)), with_crossovers=False)
                assert one.time_s == columns.time_s[index]
                assert one.wire_bytes == columns.wire_bytes[index]
                label = "/".join(text for text in (one.algorithm, one.protocol) if text)
                assert label == columns.algorithms[index]
            assert np.isnan(columns.busbw_bytes_per_s[0])
            busbw = sizes[1:] / columns.time_s[1:] * busbw_factor(question.collective, question.ranks)
            assert columns.busbw_bytes_per_s[1:] == pytest.approx(busbw)


def test_every_algorithm_of_the_registry_can_be_asked():
    """What applies to a machine is compared under its own word, and all words are known."""
    everything = set()
    for machine in (H100, H100_X4):
        for collective in COLLECTIVES:
            ranks = machine.gpus
            result = compare(Scenario(machine, collective, ranks, 0, rates=SPEC), [MIB])
            assert tuple(result) == applicable(Scenario(machine, collective, ranks))
            everything |= result.keys()
    assert everything == set(ALGORITHM_WORDS) - {"auto", "sharp", "sharp-pipelined", "nvls-sharp"}


def test_crossovers_are_true():
    """At a crossover the named algorithm wins, and just before it does not."""
    for rates in (SPEC, Rates()):
        for question in (
            Scenario(system("dgx-a100"), "all_reduce", 8, MIB, rates=rates),
            Scenario(H100_X4, "all_reduce", 32, 16 * MIB, rates=rates),
            Scenario(H100, "all_reduce", 8, 16 * MIB, rates=rates, implementation="vllm-custom"),
        ):
            result = answer(question)
            now = label(result)
            by_input = {crossover.input for crossover in result.crossovers}
            assert by_input, question
            for crossover in result.crossovers:
                if crossover.input == "size_bytes":
                    assert (
                        label(answer(replace(question, size_bytes=crossover.value), with_crossovers=False))
                        == crossover.to
                    )
                    before = crossover.value * (0.98 if crossover.value > question.size_bytes else 1.02)
                    assert label(answer(replace(question, size_bytes=before), with_crossovers=False)) == now
                if crossover.input == "ranks":
                    assert (
                        label(answer(replace(question, ranks=int(crossover.value)), with_crossovers=False))
                        == crossover.to
                    )
                assert crossover.to != now


def label(result: Answer) -> str:
    """Algorithm and protocol as one word."""
    return "/".join(text for text in (result.algorithm, result.protocol) if text)


def test_crossovers_of_rate_and_latency_can_be_checked_by_asking_again():
    """On one level the rate or latency at which another algorithm wins is confirmed by an override of it."""
    question = Scenario(system("dgx-a100"), "all_reduce", 8, MIB, rates=SPEC)
    crossovers = [
        crossover
        for crossover in answer(question).crossovers
        if crossover.input in ("bytes_per_s", "latency_s")
    ]
    assert {crossover.input for crossover in crossovers} == {"bytes_per_s", "latency_s"}
    for crossover in crossovers:
        again = replace(question, rates=replace(SPEC, **{crossover.input: crossover.value}))
        assert answer(again, with_crossovers=False).algorithm == crossover.to


def test_calibrated_rates_name_their_basis_and_band():
    """The cost model answers where it can: launch apart, a band around it, and a basis."""
    result = answer(Scenario(H100, "all_reduce", 8, 16 * MIB))
    assert result.rates == "calibrated"
    assert result.basis.startswith("calibrated:")
    assert result.low_s < result.time_s < result.high_s
    assert result.launch_s > 0
    slower = answer(Scenario(H100, "all_reduce", 8, 16 * MIB, rates=SPEC))
    assert result.time_s > slower.time_s


def test_measured_points_move_the_answer():
    """Twice the time measured on one's own machine moves the answer towards it, under the fit's name."""
    question = Scenario(H100, "all_reduce", 8, 16 * MIB)
    plain = answer(question)
    slow = Point(setting_of(question), 16 * MIB, 2 * plain.time_s)
    mine = answer(replace(question, rates=Rates(Origin.FITTED, name="mine", points=(slow,))))
    assert mine.rates == "fitted:mine"
    assert mine.basis == "adapted:1 points"
    assert mine.time_s > 1.5 * plain.time_s
    empty = answer(replace(question, rates=Rates(Origin.FITTED, name="mine")))
    assert empty.time_s == plain.time_s
    assert any("no measured points" in text for text in empty.warnings)


def test_the_limiting_wire_is_the_one_worth_replacing():
    """Large messages bind on the NIC where a domain's NICs are slower, on the link where they are not."""
    assert answer(Scenario(H100_X4, "all_gather", 32, GIB, rates=SPEC)).binding == "nic"
    fast = configure(H100, domains=4, network="ib-xdr")
    assert answer(Scenario(fast, "all_gather", 32, GIB, rates=SPEC)).binding == "wire"
    assert answer(Scenario(H100, "all_reduce", 8, GIB, rates=SPEC)).binding == "wire"
    assert answer(Scenario(H100, "all_reduce", 8, 8, rates=SPEC)).binding == "latency"
