"""The difference of two steps: reasons that fit their sign, and unlike questions named."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calculators.tensor_parallel import Scenario, compare
from core.calculators.tensor_parallel.compare import _causes
from core.calculators.tensor_parallel.reasons import Side, reason
from core.calculators.tensor_parallel.terms import step
from core.catalog import model, precision, system
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import configure

H100 = Scenario(system("dgx-h100"), model("llama-3.1-70b"))
B200 = replace(H100, system=system("dgx-b200"))

sides = st.builds(
    Scenario,
    model=st.sampled_from(("llama-3.1-8b", "llama-3.1-70b", "qwen3-235b-a22b", "gpt-oss-120b")).map(model),
    system=st.sampled_from(("dgx-a100", "dgx-h100", "dgx-b200", "l40s-x8")).map(system),
    phase=st.sampled_from(("decode", "prefill")),
    tokens=st.integers(1, 4096),
    context=st.integers(1, 16384),
    tp=st.sampled_from((1, 2, 4, 8)),
    weights=st.sampled_from(("bf16", "fp8")).map(precision),
    mfu=st.none() | st.just(0.4),
    rates=st.sampled_from((Rates(), Rates(Origin.SPEC))),
)


def term(comparison, name):
    """The term of that name."""
    return next(item for item in comparison.terms if item.name == name)


@given(sides, sides)
def test_a_reason_never_contradicts_its_sign(a, b):
    """Every term of weight has a factor that moved in its direction, and the reason begins with it."""
    pair = Side(a, step(a, a.tp)), Side(b, step(b, b.tp))
    of_a, of_b = (_causes(side) for side in pair)
    for name in of_a.keys() & of_b.keys():
        difference_s = of_b[name] - of_a[name]
        largest_s = max(of_a[name], of_b[name])
        if largest_s == 0 or abs(difference_s) < 0.05 * largest_s or name == "output head and step":
            continue
        because = reason(name, pair, difference_s)
        assert because.driving, (name, because)
        assert all(factor.effect * difference_s > 0 for factor in because.driving)
        assert because.text.startswith(because.driving[0].text)


def test_b200_takes_longer_on_a_faster_link_because_less_of_it_is_reached():
    """From H100 to B200 the link doubles and the term grows: what small messages reach fell, by calibration."""
    wire = term(compare(H100, B200), "wire")
    assert wire.difference_s > 0
    assert wire.reason.startswith("352 -> 277 GB/s reached on links of 450 -> 900 GB/s")
    assert "calibration nvlink-hopper -> nvlink-blackwell" in wire.reason


@pytest.mark.parametrize(("name", "figures"), [("launch", "5.34 -> 8.22 µs"), ("latency", "13 -> 18.4 µs")])
def test_launch_and_latency_of_b200_name_their_calibration(name, figures):
    """Longer launch and latency come from the measurements of the generation, and the reason says so."""
    because = term(compare(H100, B200), name).reason
    assert because.startswith(figures)
    assert "calibration nvlink-hopper -> nvlink-blackwell" in because


def test_another_model_is_explained_by_parameters_layers_hidden_size_and_cache():
    """70B against 8B: each term says which dimension of the model moved it."""
    comparison = compare(H100, replace(H100, model=model("llama-3.1-8b")))
    memory = term(comparison, "HBM").reason
    assert "weights 17.6 -> 2.01 GB" in memory
    assert "KV cache 5.37 -> 2.15 GB" in memory
    assert "parameters 70.6 -> 8.03 B" in memory
    assert "80 -> 32 layers" in term(comparison, "kernel launch overhead").reason
    assert "hidden size 8,192 -> 4,096" in term(comparison, "wire").reason


def test_what_works_against_a_term_stands_behind_although():
    """405B on B200 has more layers and a shorter launch of each: the shorter launch wins."""
    other = replace(H100, model=model("llama-3.1-405b"), system=system("dgx-b200"))
    because = term(compare(H100, other), "kernel launch overhead").reason
    assert because.startswith("37 -> 20 µs")
    assert "although 80 -> 126 layers" in because


def test_messages_that_leave_the_domain_say_so():
    """TP16 over two nodes sends over NICs what TP8 sends inside one."""
    two = replace(H100, system=configure(system("dgx-h100"), domains=2), tp=16)
    assert (
        term(compare(H100, two), "NIC").reason == "messages go inside one domain -> across domains, over NICs"
    )


def test_unlike_questions_are_named():
    """Another model, phase, context or batch is another question; another system is not."""
    other = replace(H100, model=model("llama-3.1-8b"), phase="prefill", tokens=512)
    lines = compare(H100, other).unlike
    assert [line.split()[2] for line in lines] == ["model", "phase", "context", "batched"]
    assert compare(H100, B200).unlike == ()


def test_equal_steps_are_never_one_times_faster():
    """A against itself takes the same time, in words."""
    assert compare(H100, H100).headline.startswith("A and B take the same time")
