"""Laws and answers of the tensor-parallel calculator."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calculators.serving import Engine, engine_service, offline
from core.calculators.tensor_parallel import Scenario, answer, answer_json, compare, sweep
from core.calculators.tensor_parallel.compare import llama_405b
from core.calculators.tensor_parallel.degrees import crossovers
from core.calculators.tensor_parallel.terms import step, terms
from core.catalog import MODELS, model, precision, system
from core.checks import InputError
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import configure

SHAPED = [result.id for result in MODELS.values() if result.hidden is not None]
SYSTEMS = ("dgx-a100", "dgx-h100", "dgx-b200", "gb200-nvl72", "l40s-x8")

scenarios = st.builds(
    Scenario,
    model=st.sampled_from(SHAPED).map(model),
    system=st.sampled_from(SYSTEMS).map(system),
    phase=st.sampled_from(("decode", "prefill")),
    tokens=st.integers(1, 8192),
    context=st.integers(1, 32768),
    tp=st.sampled_from((1, 2, 4, 8)),
    weights=st.sampled_from(("bf16", "fp8", "nvfp4")).map(precision),
    overlap=st.floats(0, 1),
    mfu=st.none() | st.floats(0.1, 1.0),
    sequence_parallel=st.booleans(),
    rates=st.sampled_from((Rates(), Rates(Origin.SPEC))),
)


def test_an_answer_without_crossovers_is_the_same_otherwise():
    """Pages ask for the crossovers after the headline and get those of the whole answer."""
    scenario = Scenario(model=model("llama-3.1-70b"), system=system("dgx-h100"), tokens=64, tp=4)
    whole, quick = answer(scenario), answer(scenario, with_crossovers=False)
    assert not quick.crossovers
    assert whole.crossovers
    assert replace(quick, crossovers=crossovers(scenario, scenario.cached)) == whole


@pytest.mark.parametrize("phase", ["decode", "prefill"])
def test_crossovers_do_not_depend_on_the_batched_tokens_asked(phase):
    """Crossovers are numbers of batched tokens: whoever asks at one number gets those of another."""
    scenario = Scenario(model=model("llama-3.1-8b"), system=system("dgx-h100"), tokens=9, tp=2, phase=phase)
    other = replace(scenario, tokens=3000)
    assert crossovers(scenario, 2048) == crossovers(other, 2048)
    context = None if phase == "prefill" else 2048
    assert answer(replace(other, context=context)).crossovers == crossovers(other, 2048)


def test_a_step_is_priced_once_for_all_that_is_read_off_it():
    """An answer and its serving figures price each degree once, and the prompt of TTFT."""
    scenario = Scenario(model=model("llama-3.1-8b"), system=system("dgx-h100"), tokens=4321, tp=4)
    before = step.cache_info().misses
    degrees = answer(scenario, with_crossovers=False).degrees
    engine_service(scenario, Engine(host_step_s=1e-3))
    assert step.cache_info().misses - before == len(degrees) + 1


def cell(scenario):
    """The terms of a scenario's own tokens and context."""
    grid = np.array([float(scenario.tokens)]), np.array([float(scenario.cached)])
    return terms(scenario, *grid, scenario.tp)


@given(scenarios)
def test_shares_and_bands_hold_in_every_scenario(scenario):
    """A share is in [0, 1), the band holds the step, a finer part never exceeds the whole."""
    at = cell(scenario)
    share, step = float(at.share[0]), float(at.step_s[0])
    assert 0 <= share < 1
    assert step > 0
    assert float(at.low_s[0]) <= step * (1 + 1e-9)
    assert step <= float(at.high_s[0]) * (1 + 1e-9)
    assert float(at.compute.total_s[0]) <= step * (1 + 1e-9)
    calibrated = at.exchange
    parts = calibrated.launch_s + calibrated.latency_s + calibrated.transfer_s + calibrated.reduction_s
    assert float(parts[0]) == pytest.approx(float(calibrated.time_s[0]), rel=1e-6, abs=1e-15)


@given(scenarios)
def test_speed_up_never_exceeds_the_gpus(scenario):
    """A group of n is at most n times as fast as one GPU, which communicates nothing."""
    at, alone = cell(scenario), cell(replace(scenario, tp=1))
    assert float(alone.exchange.time_s[0]) == 0
    assert float(alone.compute.total_s[0]) <= scenario.tp * float(at.step_s[0]) * (1 + 1e-9)


@given(scenarios)
def test_more_tokens_never_make_a_step_shorter(scenario):
    """A step's time grows with its tokens, and a decode step's with its context."""
    question = replace(scenario, phase="decode")
    grid = np.array([1.0, 2, 8, 64, 512, 4096])
    steps = terms(question, grid, np.full(6, 1024.0), question.tp).step_s
    assert np.all(np.diff(steps) >= -1e-12)
    longer = terms(question, np.full(6, 16.0), grid, question.tp).step_s
    assert np.all(np.diff(longer) >= -1e-12)


def test_a_degree_that_does_not_divide_the_heads_is_explained():
    """TP6 of 64 heads is refused with the degrees that fit."""
    with pytest.raises(InputError, match="does not divide the 64 heads"):
        Scenario(model=model("llama-3.1-70b"), system=system("dgx-h100"), tp=6)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"tokens": 0}, "tokens"),
        ({"tp": 16}, "at most the 8 GPUs"),
        ({"overlap": 1.5}, "overlap"),
        ({"mfu": 0.0}, "mfu"),
        ({"phase": "training"}, "phase"),
        ({"ep": 8}, "has no experts"),
        ({"hbm_efficiency": float("nan")}, "hbm_efficiency"),
    ],
)
def test_what_cannot_be_built_is_named(change, told):
    """Every refusal names the argument."""
    with pytest.raises(InputError, match=told):
        replace(Scenario(model=model("llama-3.1-70b"), system=system("dgx-h100")), **change)


def test_beyond_the_domain_the_nic_carries():
    """TP16 over two nodes says NIC where TP8 said HBM, and no longer calls the network dead."""
    two = configure(system("dgx-h100"), domains=2)
    scenario = Scenario(model=model("llama-3.1-70b"), system=two, phase="prefill", tokens=8192, tp=16)
    inside, across = answer(replace(scenario, tp=8)), answer(scenario)
    assert any(dead.input == "network and NICs" for dead in inside.dead_inputs)
    assert not any(dead.input == "network and NICs" for dead in across.dead_inputs)
    assert across.per_step.share > inside.per_step.share
    assert "NIC" in across.parts_s


def test_dead_inputs_come_with_reasons():
    """A decode step inside one node: network and peak change nothing, and the answer says why."""
    result = answer(Scenario(model=model("llama-3.1-70b"), system=system("dgx-h100"), tokens=1, context=512))
    dead = {item.input: item.reason for item in result.dead_inputs}
    assert "no message leaves it" in dead["network and NICs"]
    assert "peak FLOP/s" in dead
    assert result.binding in ("HBM", "latency", "launch", "kernel launch overhead")


def test_crossovers_name_the_batch():
    """Growing the batch of a decode step ends its memory bound somewhere, and the crossover says where."""
    result = answer(Scenario(model=model("llama-3.1-8b"), system=system("dgx-h100"), tp=1, context=128))
    crossovers = [crossover for crossover in result.crossovers if crossover.what == "binding term"]
    assert crossovers
    assert all(crossover.before != crossover.to for crossover in crossovers)
    assert crossovers[-1].to == "FLOPs"


def test_launch_and_implementation_are_inputs():
    """A custom all-reduce in a CUDA graph costs a fraction of NCCL in a stream for a small message."""
    slow = Scenario(model=model("llama-3.1-70b"), system=system("dgx-h100"), tokens=1, context=512)
    fast = replace(slow, implementation="vllm-custom", launch="graph")
    pair = [answer(item).per_step.message_s for item in (slow, fast)]
    assert pair[1] < 0.6 * pair[0]


def test_experts_exchange_instead_of_reducing():
    """With EP above 1, MoE layers send tokens: one all-reduce a layer, a dispatch and a combine."""
    shaped = model("deepseek-v3-r1")
    scenario = Scenario(model=shaped, system=system("gb200-nvl72"), tokens=128, tp=8, ep=64)
    result = answer(scenario)
    routed = shaped.layers - shaped.dense_layers
    assert result.per_step.messages == 2 * shaped.layers - routed + 2 * routed
    assert "moe-alltoall" in result.basis
    assert any("latent" in line for line in result.warnings)


def test_engines_share_experts_within_a_group_without_an_exchange():
    """EP8 within TP8: every GPU of an engine has all tokens, two all-reduces a layer; without one tokens are exchanged."""
    qwen = Scenario(
        system("dgx-h100"), model("qwen3-235b-a22b"), tokens=128, tp=8, ep=8, weights=precision("fp8")
    )
    engine, plain = (answer(replace(qwen, engine=name)).per_step for name in ("vllm", None))

    assert engine.messages == 2 * qwen.model.layers
    assert plain.messages == 3 * qwen.model.layers


def test_the_405b_example_is_explained_term_by_term():
    """8x H100 against 4x B200: the terms' differences add up to the steps' difference; 126 layers."""
    result = compare(*llama_405b())
    assert result.a.scenario.layer_count == 126
    steps = result.b.per_step.time_s - result.a.per_step.time_s
    assert sum(term.difference_s for term in result.terms) == pytest.approx(steps, rel=1e-9)
    assert result.terms[0].name in result.headline


def test_a_sweep_answers_like_single_questions():
    """TP x batch x context x system: 4,000 cells; each is the answer to its own question."""
    scenario = Scenario(model=model("llama-3.1-70b"), system=system("dgx-h100"))
    systems = [system(name) for name in ("dgx-a100", "dgx-h100", "dgx-b200", "gb200-nvl72")]
    result = sweep(
        scenario, systems, (1, 2, 4, 8, 16), tuple(range(1, 41, 2)), tuple(range(1024, 11264, 1024))
    )
    assert result.cells == 4000
    assert result.reasons["dgx-h100", 16]
    assert np.isnan(result.step_s[1, 4]).all()
    alone = answer(replace(scenario, tp=4, tokens=5, context=2048))
    assert result.step_s[1, 2, 2, 1] == pytest.approx(alone.per_step.time_s, rel=1e-9)
    assert result.binding[1, 2, 2, 1] == alone.binding


def test_offline_throughput_fills_the_memory():
    """More memory runs more sequences; where the weights do not fit there is no answer."""
    scenario = Scenario(
        model=model("llama-3.1-70b"), system=system("dgx-h100"), tp=8, weights=precision("fp8")
    )
    eight, four = offline(scenario, 1000, 1000), offline(replace(scenario, tp=4), 1000, 1000)
    assert eight.sequences >= four.sequences
    assert 1 < eight.output_tokens_per_s / four.output_tokens_per_s < 2
    assert offline(replace(scenario, tp=1, weights=precision("bf16")), 1000, 1000) is None


def test_json_has_plain_values_only():
    """The shell's JSON: no NaN, no infinity, no objects."""
    result = answer_json(answer(Scenario(model=model("llama-3.1-70b"), system=system("dgx-h100"))))

    def plain(value):
        if isinstance(value, dict):
            return all(isinstance(key, str) and plain(item) for key, item in value.items())
        if isinstance(value, list | tuple):
            return all(plain(item) for item in value)
        return (
            value is None
            or isinstance(value, str | bool | int)
            or (type(value) is float and np.isfinite(value))
        )

    assert plain(result)
    for name in ("message_bytes", "comm_s", "compute_s", "bound", "share", "speedup"):
        assert name in result["per_layer"]
        assert name in result["per_step"]
    assert result["tokens_per_s_per_gpu"] * 8 == pytest.approx(result["tokens_per_s"])


def test_a_latent_cache_is_kept_on_every_gpu():
    """MLA shares one latent: eight copies at TP8; 8 KV heads on 16 GPUs are kept twice, on 4 once."""
    rack = system("gb200-nvl72")

    def copies(name, tp):
        return answer(Scenario(rack, model(name), tp=tp, rates=Rates(Origin.SPEC))).kv_copies

    assert copies("deepseek-v3-r1", 8) == 8
    assert copies("llama-3.1-70b", 16) == 2
    assert copies("llama-3.1-70b", 4) == 1


def test_a_latency_of_ones_own_says_what_the_calibrated_model_says():
    """Typing a latency switches to formulas and may look faster: the warning gives both times."""
    scenario = Scenario(model=model("llama-3.1-70b"), system=system("dgx-h100"))
    own = answer(replace(scenario, rates=Rates(latency_s=1e-6)))
    assert own.per_step.comm_s < answer(scenario).per_step.comm_s
    calibrated = f"{answer(scenario).per_step.comm_s * 1e3:.3g} ms"
    assert any(line.startswith("a latency") and line.endswith(calibrated) for line in own.warnings)
