"""Capacity of a scale-up domain: the worked cases, and laws of any layout."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.calculators.bandwidth_hierarchy.gpudirect import bounce
from core.calculators.capacity import (
    Scenario,
    boundary,
    capacity,
    capacity_json,
    domain_rows,
    edge_steps,
    exchange_answer,
    fabric_figures,
    minimum_gpus,
    ports,
    transfer,
    weight_bytes,
)
from core.calculators.capacity.exchange import leaving_share
from core.catalog import MODELS, gpu, model, precision, system
from core.checks import InputError
from core.systems import configure
from core.units import GB
from tests.core.golden import CASES

GOLDEN = {case.id: case for case in CASES}
RACK = "gb200-nvl72"
SHAPED = [result.id for result in MODELS.values() if result.hidden is not None]


def test_memory_of_a_rack_by_gpu():
    """72 GPUs of 192, 186, 180 and 288 GB."""
    case = GOLDEN["D01"]
    for each, total in zip(case.inputs["hbm_GB"], case.expected["total_GB"], strict=True):
        result = capacity(Scenario(system=system(RACK), params=1e9, hbm_bytes=each * GB))
        assert result.total_bytes / GB == pytest.approx(total, rel=case.rel_tol)


def test_fabric_of_a_rack_in_both_conventions():
    """Aggregate 129.6, bisection 64.8 bidirectional and 32.4 unidirectional; 1296 ports on 18 chips."""
    case = GOLDEN["D02"]
    result = fabric_figures(72, 900 * GB, 8e12)
    expected = case.expected
    assert result.aggregate_both_ways_bytes_per_s / 1e12 == pytest.approx(expected["aggregate_TBps"])
    assert result.bisection_both_ways_bytes_per_s / 1e12 == pytest.approx(expected["bisection_bidir_TBps"])
    assert result.bisection_one_way_bytes_per_s / 1e12 == pytest.approx(expected["bisection_per_dir_TBps"])
    switch = ports(72, 18, 18)
    assert (switch.total, switch.per_chip) == (expected["ports"], expected["ports_per_chip"])
    assert fabric_figures(8, 450 * GB, 1e12).bisection_both_ways_bytes_per_s == 3.6e12


def test_weights_by_format_and_the_fewest_gpus():
    """1.8T parameters in five formats, with their block scales."""
    case = GOLDEN["D04"]
    names = {"fp4_raw": "fp4", "mxfp4": "mxfp4", "nvfp4": "nvfp4", "fp8": "fp8", "bf16": "bf16"}
    for key, expected in case.expected.items():
        whole = weight_bytes(case.inputs["params"], precision(names[key]))
        assert whole / GB == pytest.approx(expected["GB"], rel=case.rel_tol)
        assert [minimum_gpus(whole, each * GB) for each in (192, 186, 180, 80)] == expected["min_gpus"]
        scenario = Scenario(
            system=system(RACK), params=case.inputs["params"], weights=precision(names[key]), usable=1.0
        )
        result = capacity(scenario)
        assert result.weights_bytes_per_gpu / GB == pytest.approx(expected["per_gpu_72"], rel=case.rel_tol)
        assert result.minimum_gpus == expected["min_gpus"][1]


def test_an_exact_fit_has_no_headroom():
    """900 GB on five GPUs of 180 GB fit exactly: zero free bytes, and said so."""
    five = Scenario(
        system=system("dgx-b200"),
        params=1.8e12,
        weights=precision("fp4"),
        gpus=5,
        hbm_bytes=180 * GB,
        usable=1.0,
    )
    result = capacity(five)
    assert result.fits
    assert result.exact_fit
    assert result.minimum_gpus == 5
    assert result.free_bytes_per_gpu == pytest.approx(0, abs=1)


def test_decode_floor_of_a_rack():
    """900 GB over 576 TB/s, and 280 B active parameters in FP4."""
    case = GOLDEN["D12"]
    scenario = Scenario(system=system(RACK), params=1.8e12, active_params=280e9, weights=precision("fp4"))
    result = capacity(scenario)
    assert result.fabric.hbm_bytes_per_s / 1e12 == case.inputs["hbm_TBps"]
    assert result.dense_floor_s * 1e3 == pytest.approx(case.expected["dense_900GB_ms"], rel=case.rel_tol)
    assert result.decode_floor_s * 1e3 == pytest.approx(case.expected["moe_280B_fp4_ms"], rel=case.rel_tol)
    assert result.decode_floor_tokens_per_s == pytest.approx(
        case.expected["ideal_tok_s_moe"], rel=case.rel_tol
    )


@pytest.mark.parametrize(("machine", "tp", "prefix"), [("dgx-h100", 8, "h100"), ("dgx-b200", 4, "b200")])
def test_405b_in_fp8_and_the_cache_it_leaves(machine, tp, prefix):
    """8x H100 against 4x B200: weights a GPU, memory left for the cache, tokens in it."""
    case = GOLDEN["D13"]
    scenario = Scenario(
        system=system(machine),
        model=model("llama-3.1-405b"),
        params=case.inputs["params"],
        weights=precision("fp8"),
        kv=precision("bf16"),
        gpus=tp,
        tp=tp,
    )
    result = capacity(scenario)
    assert result.weights_bytes_per_gpu / GB == pytest.approx(
        case.expected[f"{prefix}_weight_GB"], rel=case.rel_tol
    )
    assert result.free_bytes / GB == pytest.approx(case.expected[f"{prefix}_kv_GB_total"], rel=case.rel_tol)
    assert result.kv_bytes_per_token == case.inputs["kv_B"]
    assert result.kv_tokens == case.expected[f"{prefix}_kv_tokens"]


def test_a_pipeline_boundary_is_small_beside_an_exchange():
    """One boundary against one MoE layer's exchange, bytes of a token."""
    case = GOLDEN["D15"]
    result = boundary(case.inputs["hidden"], case.inputs["topk"])
    assert (result.boundary_bytes, result.exchange_bytes, result.ratio) == (14336, 172032, 12.0)


def test_zero_and_impossible_values():
    """No parameters weigh nothing; zero GPUs, negative memory and a 73rd GPU are refused."""
    rack = system(RACK)
    assert capacity(Scenario(system=rack, params=0)).weights_bytes == 0
    for change, row in (({"gpus": 0}, "gpus"), ({"hbm_bytes": -1}, "hbm_bytes"), ({"gpus": 73}, "72 GPUs")):
        with pytest.raises(InputError, match=row):
            Scenario(system=rack, params=1e9, **change)
    assert capacity(Scenario(system=configure(rack, domains=2), params=1e9, gpus=73)).warnings


@given(
    st.sampled_from(SHAPED),
    st.sampled_from(("dgx-h100", RACK)),
    st.sampled_from(("bf16", "fp8", "nvfp4")),
    st.integers(1, 72),
    st.integers(1, 131072),
)
def test_what_is_said_to_fit_does_fit(name, machine, fmt, gpus, context):
    """Parts add up to what is used; with the promised sequences it fits, with one more a replica it does not."""
    host = system(machine)
    assume(gpus <= host.gpus)
    scenario = Scenario(
        system=host,
        model=model(name),
        weights=precision(fmt),
        kv=precision("fp8"),
        gpus=gpus,
        context=context,
    )
    result = capacity(scenario)
    assert sum(part.bytes for part in result.parts) == pytest.approx(result.used_bytes_per_gpu)
    assert result.used_bytes_per_gpu + result.free_bytes_per_gpu == pytest.approx(scenario.limit_bytes)
    assert result.weights_bytes_per_gpu * gpus >= result.weights_bytes * (1 - 1e-9)
    if result.max_sequences:
        full = capacity(replace(scenario, sequences=result.max_sequences))
        assert full.fits
        assert not capacity(replace(scenario, sequences=result.max_sequences + scenario.replicas)).fits
        assert full.used_bytes_per_gpu <= scenario.limit_bytes * (1 + 1e-9)
    else:
        assert not capacity(replace(scenario, sequences=1)).fits or result.max_sequences == 0


@given(st.integers(0, 10**14), st.floats(1e9, 1e12), st.floats(0.1, 1.0))
def test_the_fewest_gpus_hold_and_one_fewer_do_not(needed, each, usable):
    """The minimum is a minimum, to rounding."""
    least = minimum_gpus(needed, each, usable)
    assert least * each * usable >= needed * (1 - 1e-11)
    assert (least - 1) * each * usable < needed or least == 0


def test_experts_beyond_their_number_are_copied():
    """Mixtral's 8 experts on 72 GPUs: a slot each, nine copies, and a warning."""
    scenario = Scenario(system=system(RACK), model=model("mixtral-8x7b"), ep=72)
    result = capacity(scenario)
    assert result.expert_slots.copies == 9
    assert any("9 times" in line for line in result.warnings)


def test_a_rumour_is_labelled():
    """The 1.8T model has a size, no shape, and the word rumour in its warnings."""
    result = capacity(
        Scenario(system=system(RACK), model=model("gpt-4-class-1.8t-moe"), weights=precision("nvfp4"))
    )
    assert result.weights_bytes / GB == pytest.approx(1012.5)
    assert any("rumour" in line for line in result.warnings)
    assert result.max_sequences is None


def test_attention_copies_divide_a_latent_cache():
    """DeepSeek-V3 on a rack: DP attention keeps each sequence once a group, TP keeps it on every GPU."""
    scenario = Scenario(
        system=system(RACK), model=model("deepseek-v3-r1"), weights=precision("fp8"), context=32768
    )
    wide, narrow = capacity(replace(scenario, tp=8)), capacity(replace(scenario, tp=1, dp=72))
    assert wide.kv_copies == 8
    assert narrow.kv_copies == 1
    assert narrow.max_sequences > wide.max_sequences


def test_the_fullest_stage_decides():
    """Five stages of 32 layers: seven layers on the fullest, one end of the model; 33 stages are refused."""
    whole = Scenario(system=system(RACK), model=model("llama-3.1-8b"), tp=1, dp=1, sequences=1)
    item, five = capacity(whole), capacity(replace(whole, pp=5))
    layers, ends, cache = (part.bytes for part in item.parts)
    assert [part.bytes for part in five.parts] == pytest.approx([layers * 7 / 32, ends / 2, cache * 7 / 32])
    with pytest.raises(InputError, match="pp: at most the 32 layers"):
        replace(whole, pp=33)


def test_degrees_are_listed_up_to_the_machine():
    """A degree that no head count allows names all that do, not only the smaller ones."""
    with pytest.raises(InputError, match=r"one of 1, 2, 4, 8, 16, 32, 64$"):
        Scenario(system=system(RACK), model=model("deepseek-v3-r1"), tp=3)


def test_domains_of_every_size_grow_together():
    """Memory, aggregate and the largest model grow with the domain; formats order the models."""
    rows = domain_rows(gpu("gb200"), [precision(name) for name in ("bf16", "fp8", "nvfp4")])
    assert [row.gpus for row in rows] == [8, 36, 72, 144, 256, 576]
    assert rows[2].fabric.aggregate_both_ways_bytes_per_s == pytest.approx(129.6e12)
    for row in rows:
        assert row.largest_params["bf16"] < row.largest_params["fp8"] < row.largest_params["nvfp4"]
    assert np.all(np.diff([row.hbm_bytes for row in rows]) > 0)


def test_a_group_across_an_edge_pays_for_it():
    """From 8 to 16 GPUs: all-to-all leaves a Hopper node and not a rack, and takes longer."""
    result = edge_steps([system("dgx-h100"), system(RACK)], (8, 16, 72, 144), 64e6)
    cell = {(row.system, row.group): row for row in result}
    assert cell["dgx-h100", 8].leaving_share == 0
    assert cell["dgx-h100", 16].leaving_share == pytest.approx(8 / 15)
    assert cell[RACK, 72].leaving_share == 0
    assert cell[RACK, 144].leaving_share == pytest.approx(72 / 143)
    assert cell["dgx-h100", 16].all_to_all_s > 2 * cell["dgx-h100", 8].all_to_all_s
    assert cell[RACK, 16].all_to_all_s < cell["dgx-h100", 16].all_to_all_s


@given(st.integers(1, 600), st.integers(1, 600))
def test_leaving_share_is_a_share(group, domain):
    """Nothing leaves while the group fits; then a share, all of it from domains of one GPU."""
    share = leaving_share(group, domain)
    assert 0 <= share <= 1
    assert (share == 0) == (group <= domain)


def test_exchange_of_a_layout():
    """DeepSeek-V3 at EP72: FP8 out, BF16 back, deduplicated below the upper bound, 58 layers."""
    scenario = Scenario(system=system(RACK), model=model("deepseek-v3-r1"), weights=precision("fp8"))
    result = exchange_answer(scenario, 128)
    assert result.ep == 72
    assert result.dispatch_bytes < result.dispatch_upper_bytes
    assert result.combine_bytes == pytest.approx(2 * result.dispatch_bytes)
    assert result.step_s == pytest.approx(58 * result.layer_s)
    assert result.low_s < result.layer_s < result.high_s
    assert exchange_answer(scenario, 128, routing="balanced").dispatch_bytes > result.dispatch_bytes
    assert capacity_json(capacity(scenario))["exchange"]["ep"] == 72
    with pytest.raises(InputError, match="experts"):
        exchange_answer(Scenario(system=system(RACK), model=model("llama-3.1-70b")), 128)


def test_moving_a_cache_against_computing_it_again():
    """Bytes are those of the KV cache, and a path wins exactly when it is faster than the break-even rate."""
    result = transfer(model("llama-3.1-70b"), system("dgx-h100"), 32768, precision("bf16"))
    assert result.bytes == 32768 * 327680
    assert result.bytes_per_gpu == result.bytes / 8
    for item in result.carried:
        assert item.beats_recompute == (item.time_s < result.recompute_s)
        if item.wins_from_tokens is not None and item.wins_from_tokens <= 32768:
            assert item.beats_recompute
    names = [item.path.name for item in result.carried]
    assert "nvlink4" in names
    assert any("bounce" in name for name in names)


def test_a_bounce_through_host_memory():
    """Three copies at 64, 50 and 64 GB/s one after the other leave 19.5 GB/s; host memory may be slower still."""
    rates = bounce(64 * GB, 50 * GB)
    assert rates.serial_bytes_per_s / GB == pytest.approx(19.512195, rel=1e-6)
    assert rates.pipelined_bytes_per_s == 50 * GB
    assert bounce(64 * GB, 50 * GB, 60 * GB).pipelined_bytes_per_s == 30 * GB


def test_json_is_plain():
    """The shell's JSON of a layout without a shape: null where nothing is known."""
    result = capacity_json(capacity(Scenario(system=system(RACK), params=0)))
    assert result["kv_bytes_per_token"] is None
    assert result["decode_floor_tokens_per_s"] is None
    assert result["weights_bytes"] == 0


def test_open_degree_is_the_one_with_the_most_sequences():
    """Qwen3-235B has 4 KV heads: wider attention copies its cache, so TP is not as wide as it could be."""
    scenario = Scenario(
        system=system(RACK), model=model("qwen3-235b-a22b"), weights=precision("fp8"), context=32768
    )
    result = capacity(scenario)
    by_degree = {tp: capacity(replace(scenario, gpus=72, tp=tp)).max_sequences for tp in (1, 2, 4, 8)}
    assert result.max_sequences == max(by_degree.values())
    assert result.max_sequences > 1.5 * by_degree[8]
    assert result.scenario.replicas * result.scenario.attention_tp == 72


def test_copies_of_attention_alone_keep_the_whole_domain():
    """Without tp the copies share the domain between them; copies that cannot are refused, listing those that can."""
    result = capacity(Scenario(system=system(RACK), model=model("llama-3.1-405b"), dp=9))
    assert (result.scenario.used_gpus, result.scenario.attention_tp, result.scenario.replicas) == (72, 8, 9)
    with pytest.raises(
        InputError, match=r"dp: 3 copies of 24 GPUs do not divide the 128 heads; one of 9, 18"
    ):
        Scenario(system=system(RACK), model=model("llama-3.1-405b"), dp=3)


def test_an_expert_group_divides_the_gpus_or_is_refused():
    """EP64 alone takes 64 GPUs of a rack; asked of all 72 it leaves 8 with no expert."""
    assert Scenario(system=system(RACK), model=model("deepseek-v3-r1"), ep=64).used_gpus == 64
    with pytest.raises(InputError, match="ep: 64 does not divide the 72 GPUs"):
        Scenario(system=system(RACK), model=model("deepseek-v3-r1"), ep=64, gpus=72)


def test_a_token_meets_no_more_values_than_there_are():
    """Active parameters above the total are refused."""
    with pytest.raises(InputError, match="active_params: at most the 1e\\+12"):
        Scenario(system=system(RACK), params=1e12, active_params=2e12)
