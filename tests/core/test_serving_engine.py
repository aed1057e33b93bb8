"""A serving engine on top of a step: chunked prefill, KV cache, speculative decoding, prefix cache, disaggregation."""

from dataclasses import replace

import numpy as np
import pytest

from core.calculators.serving import (
    Engine,
    EngineQuestion,
    Lengths,
    Load,
    cache,
    chunked,
    disaggregated,
    engine_answer,
    engine_of,
    layer_parts,
    mixed_step,
    offline,
    prefix,
    prompt_s,
    speculative,
    tokens_per_step,
)
from core.calculators.tensor_parallel import Scenario, answer, largest_batch, service
from core.catalog import model, precision, system
from core.catalog.software import PRESETS
from core.checks import InputError

FP8 = precision("fp8")
NODE = Scenario(
    system("dgx-h100"),
    model("llama-3.1-70b"),
    tokens=64,
    context=2300,
    tp=4,
    weights=FP8,
    kv=FP8,
    implementation="vllm-custom",
    launch="graph",
)
RACK = Scenario(
    system("gb200-nvl72"),
    model("deepseek-v3-r1"),
    tokens=128,
    tp=1,
    ep=32,
    weights=FP8,
    kv=FP8,
    launch="graph",
)
HYBRID = Scenario(
    system("dgx-h100"), model("qwen3-next-80b-a3b"), tokens=64, context=2300, tp=2, launch="graph"
)
MIXED = Engine(prefill_chunk=2048)
LENGTHS = Lengths(input_tokens=2048, output_tokens=256)


def seconds(scenario, decodes, chunk, **load):
    """Seconds of one mixed step."""
    sizes = np.array([float(decodes)]), np.array([float(scenario.cached)]), np.array([float(chunk)])
    return float(mixed_step(scenario, Load(*sizes, **load)).time_s[0])


@pytest.mark.parametrize(
    "scenario",
    [NODE, RACK, HYBRID, replace(NODE, compute="roofline")],
    ids=["node", "rack", "hybrid", "roof"],
)
def test_a_step_without_a_chunk_is_the_decode_step(scenario):
    """A mixed step with no prompt tokens takes what the tensor-parallel calculator says."""
    assert seconds(scenario, scenario.tokens, 0) == pytest.approx(answer(scenario).per_step.time_s, rel=1e-6)


@pytest.mark.parametrize(
    "scenario",
    [NODE, RACK, HYBRID, replace(NODE, compute="roofline")],
    ids=["node", "rack", "hybrid", "roof"],
)
def test_weights_are_read_once_in_a_mixed_step(scenario):
    """A step with both is longer than either, and shorter than one after the other."""
    decode, fill = seconds(scenario, 64, 0), seconds(scenario, 0, 1024, prompt=1024.0)
    both = seconds(scenario, 64, 1024, prompt=1024.0)

    assert max(decode, fill) < both < decode + fill


def test_a_prompt_in_one_chunk_is_a_prefill():
    """Nothing beside it and no chunk: TTFT is that of the step calculator, but for bookkeeping of the sequence."""
    assert prompt_s(NODE, Engine(), 2048) == pytest.approx(service(NODE).ttft_s * 2048 / 2300, rel=0.03)


def test_chunks_take_the_same_attention_as_the_prompt():
    """A prompt in four chunks costs more than at once, by less than three more steps' weights and launches."""
    whole, parts = prompt_s(NODE, Engine(), 8192), prompt_s(NODE, Engine(prefill_chunk=2048), 8192)

    assert whole < parts < whole * 1.1


def test_the_largest_chunk_keeps_the_target():
    """With the advised chunk a step keeps the TPOT target; 64 tokens more exceed it."""
    advised = chunked(NODE, MIXED, 8192, 0.040).largest_chunk

    assert seconds(NODE, 64, advised - 64, prompt=8192.0) <= 0.040
    assert seconds(NODE, 64, advised, prompt=8192.0) > 0.040
    assert chunked(NODE, MIXED, 8192, 0.001).largest_chunk == 0


def test_the_largest_chunk_counts_drafting():
    """With drafts the advised chunk keeps the target, drafting included, and 64 tokens more exceed it."""
    drafts = replace(MIXED, draft_tokens=8, draft_cost=0.3)
    advised = chunked(NODE, drafts, 8192, 0.040).largest_chunk

    def tpot(tokens):
        """With chunks of so many batched tokens."""
        step = chunked(NODE, replace(drafts, prefill_chunk=tokens), 8192).mixed_step_s
        return step / tokens_per_step(8, drafts.acceptance)

    alone = speculative(NODE, drafts)
    without = chunked(NODE, replace(drafts, draft_cost=0.0), 8192)
    assert tpot(advised) <= 0.040 < tpot(advised + 64)
    assert chunked(NODE, drafts, 8192).ttft_s == pytest.approx(without.ttft_s + 6 * alone.draft_s)


def test_a_chunk_needs_room_beside_the_decode_batch():
    """Where decode tokens fill the step, or a prefill step is asked, there is no mixed step to tell."""
    assert chunked(NODE, Engine(prefill_chunk=64), 2048) is None
    assert chunked(replace(NODE, phase="prefill", context=None), MIXED, 2048) is None
    assert chunked(NODE, Engine(prefill_chunk=2048, chunk_steps="separate"), 2048) is None


def test_no_engine_is_prompts_by_themselves():
    """Without a chunk the figures are those of decode steps and prefills one after the other."""
    alone = offline(NODE, 1000, 1000)

    assert alone.mixed_step_s is None
    assert alone.tpot_s == pytest.approx(alone.decode_step_s + alone.prefill_s / 1000)
    assert alone.output_tokens_per_s == pytest.approx(alone.sequences / alone.tpot_s)


@pytest.mark.parametrize("name", ["vllm", "sglang", "trtllm"])
def test_every_engine_balances_prompts_and_answers(name):
    """As many prompt tokens are computed as requests end: the mean step follows from its two kinds."""
    load = offline(NODE, 2048, 256, engine=engine_of(PRESETS[name]))

    assert load.requests_per_s * 256 == pytest.approx(load.output_tokens_per_s)
    assert load.running <= load.sequences
    assert load.output_tokens_per_s_low < load.output_tokens_per_s < load.output_tokens_per_s_high
    if load.mixed_step_s is not None:
        mean = load.mixed_share * load.mixed_step_s + (1 - load.mixed_share) * load.decode_step_s
        assert load.tpot_s == pytest.approx(mean)


def test_a_latency_target_takes_as_many_requests_as_keep_it():
    """One more concurrent request exceeds the target; a target that nothing keeps has no answer."""
    kept = offline(NODE, 2048, 256, engine=MIXED, tpot_s=0.050)
    more = offline(NODE, 2048, 256, engine=replace(MIXED, max_sequences=kept.sequences + 1))

    assert kept.limit == "latency target"
    assert kept.tpot_s <= 0.050 < more.tpot_s
    assert offline(NODE, 2048, 256, engine=MIXED, tpot_s=0.001) is None


def test_room_for_the_whole_answer_runs_fewer_requests():
    """Reserved at their longest, requests of 100 in and 3,900 out take 4,000 tokens and not 2,050; blocks round up."""
    mean, longest = (
        cache(NODE, Engine(kv_reserve=kind, max_sequences=10**6), 100, 3900) for kind in ("mean", "longest")
    )
    blocks = cache(NODE, Engine(kv_reserve="longest", kv_block=64), 100, 3900)

    assert (mean.request_tokens, longest.request_tokens, blocks.request_tokens) == (2050, 4000, 4032)
    assert longest.requests == pytest.approx(mean.requests * 2050 / 4000, abs=1)


def test_what_the_usable_share_is_a_share_of():
    """Llama 70B in FP8 on one H100: 80 GB leave next to nothing, the driver's 80 GiB a few GB, as engines find."""
    one = replace(NODE, tp=1)
    left = {
        kind: cache(one, Engine(memory_of=kind), 128, 128).bytes for kind in ("datasheet", "driver", "free")
    }

    assert left["datasheet"] < left["driver"] < left["free"]
    assert left["free"] == pytest.approx(0.9 * (one.system.gpu.visible_memory_bytes - 70.55e9), rel=0.02)


@pytest.mark.parametrize("kind", ["datasheet", "driver", "free"])
def test_step_and_engine_have_one_usable_memory(kind):
    """What the step says weights and cache may take is what the engine's weights and KV blocks take."""
    step = replace(NODE, memory_of=kind, reserve_bytes=4e9)
    held = cache(NODE, Engine(memory_of=kind, reserve_bytes=4e9), 128, 128)

    assert answer(step).memory_limit_bytes == pytest.approx(held.bytes + held.weight_bytes)


@pytest.mark.parametrize(("kind", "most"), [("datasheet", 72.0), ("driver", 77.0), ("free", 85.5)])
def test_a_reserve_larger_than_what_may_be_used_is_refused(kind, most):
    """No GPU has room below zero: the line names the most that an H100 can set aside."""
    with pytest.raises(InputError, match=rf"^reserve_bytes: at most the {most:g} GB .* not 500 GB$"):
        replace(NODE, memory_of=kind, reserve_bytes=500e9)

    assert answer(replace(NODE, memory_of=kind, reserve_bytes=most * 0.99e9)).memory_limit_bytes > 0


def test_the_largest_batch_keeps_to_the_memory_limit():
    """The batch that a step finds fits by its own `fits`, and one more does not, reserve included."""
    step = replace(NODE, memory_of="free", reserve_bytes=8e9)
    largest = largest_batch(step).batch
    fits = [answer(replace(step, tokens=batch)).fits for batch in (largest, largest + 1)]

    assert fits == [True, False]


def test_tokens_of_a_verification():
    """Three drafted at 0.5: 1 + 1/2 + 1/4 + 1/8; certain acceptance yields all and one more."""
    assert tokens_per_step(3, 0.5) == 1.875
    assert tokens_per_step(3, 1.0) == 4
    assert tokens_per_step(3, 0.0) == 1


def test_the_break_even_acceptance_is_even():
    """At it, speculative decoding is as fast as without; above it faster."""
    drafting = Engine(draft_tokens=4)
    pays = speculative(NODE, drafting).break_even_acceptance

    assert speculative(NODE, replace(drafting, acceptance=pays)).speedup == pytest.approx(1, rel=1e-6)
    assert speculative(NODE, replace(drafting, acceptance=pays + 0.1)).speedup > 1
    assert speculative(NODE, replace(drafting, draft_cost=1.0)).break_even_acceptance is None


def test_drafting_pays_less_in_a_large_batch():
    """Verification is free while weights bound the step, and costs compute once tokens do."""
    gains = [speculative(replace(NODE, tokens=n), Engine(draft_tokens=3)).speedup for n in (1, 64, 1024)]

    assert gains[0] > gains[1] > gains[2]


def test_drafts_are_verified_in_the_latent_space():
    """DeepSeek's two queries a sequence cost MLA twice the FLOPs of one: the step grows where attention binds."""
    wide = replace(RACK, tokens=512, context=16384)
    drafted = speculative(wide, Engine(draft_tokens=1, acceptance=0.85, draft_cost=0.0))

    assert drafted.tokens_per_step == pytest.approx(1.85)
    assert 1.3 < drafted.verify_step_s / drafted.decode_step_s < 2


def test_prefix_hits_shorten_prefill_and_not_decoding():
    """Half of the prompt cached: TTFT and prefill near half, the decode step as before."""
    half = prefix(NODE, Engine(prefix_hit=0.5), 8192)

    assert 0.45 < half.ttft_s / half.without_ttft_s < 0.6
    assert 1.7 < half.tokens_per_s_per_gpu / half.without_tokens_per_s_per_gpu < 2.1
    hit, miss = (offline(NODE, 2048, 256, engine=replace(MIXED, prefix_hit=share)) for share in (0.5, 0.0))
    assert hit.output_tokens_per_s > miss.output_tokens_per_s


def test_parts_sum_to_the_step():
    """Attention, GEMM, experts, elementwise, launch and communication are the whole step."""
    for scenario in (NODE, RACK, replace(NODE, compute="roofline"), replace(NODE, compute_s=1e-4)):
        split = layer_parts(scenario)
        assert sum(part.step_s for part in split) == pytest.approx(answer(scenario).per_step.time_s)
        assert sum(part.share for part in split) == pytest.approx(1)
    assert {"GEMM", "attention", "experts", "exposed communication"} <= {
        part.part for part in layer_parts(RACK)
    }


def test_balanced_routing_hits_more_experts_and_sends_more():
    """In turn, few tokens hit eight experts each and none twice: more weights read, more copies sent."""
    few = replace(RACK, tokens=1)
    balanced = replace(few, routing="balanced")

    assert answer(balanced).per_step.hbm_s > answer(few).per_step.hbm_s
    assert answer(balanced).per_step.message_bytes > answer(few).per_step.message_bytes
    alike = (replace(RACK, tokens=4096, routing=routing) for routing in ("random", "balanced"))
    assert len({round(answer(scenario).per_step.hbm_s, 9) for scenario in alike}) == 1


@pytest.mark.parametrize("compute", ["kernels", "roofline"])
def test_all_wait_for_the_busiest_expert(compute):
    """Twice the mean tokens on one GPU: dispatch carries twice the bytes, and a prefill step is longer."""
    fill = replace(RACK, phase="prefill", tokens=4096, context=None, compute=compute)
    even, busy = (answer(replace(fill, imbalance=share)).per_step for share in (1.0, 2.0))

    assert busy.message_bytes == pytest.approx(2 * even.message_bytes)
    assert busy.compute_s > even.compute_s
    with pytest.raises(InputError, match=r"^imbalance: "):
        replace(fill, imbalance=0.5)
    with pytest.raises(InputError, match=r"^imbalance: at most EP = 1, not 2$"):
        replace(fill, ep=1, imbalance=2.0)


def test_prefill_and_decode_gpus_balance():
    """Prefill groups for each decode group end as many prompts as decode groups end answers."""
    apart = disaggregated(NODE, MIXED, LENGTHS, tpot_s=0.03)
    ratio = apart.prefill_groups_per_decode_group

    assert apart.prefill_share == pytest.approx(ratio / (1 + ratio))
    answers = apart.requests / apart.tpot_s / 256
    assert apart.tokens_per_s_per_gpu == pytest.approx(answers * 256 / (4 * (1 + ratio)))
    assert apart.gain == pytest.approx(apart.tokens_per_s_per_gpu / apart.aggregated.tokens_per_s_per_gpu)
    assert apart.verdict.startswith("Disaggregated" if apart.gain > 1.02 else "Aggregated")
    assert apart.groups == (1, 1)
    assert apart.groups_tokens_per_s_per_gpu <= apart.tokens_per_s_per_gpu


def test_prompts_on_prefill_gpus_run_whole():
    """Nothing decodes beside them, so the chunk changes neither TTFT nor how many prefill GPUs it takes."""
    short, long = (disaggregated(NODE, Engine(prefill_chunk=chunk), LENGTHS) for chunk in (256, 8192))

    assert short.ttft_s == long.ttft_s
    assert short.prefill_groups_per_decode_group == pytest.approx(long.prefill_groups_per_decode_group)


def test_long_prompts_look_back_in_every_step():
    """Prefill of a prompt of 131,072 tokens in throughput takes as long as in TTFT, within 5 %."""
    load = offline(NODE, 131_072, 256, engine=Engine(max_sequences=1))

    assert load.prefill_s == pytest.approx(load.ttft_s, rel=0.05)


def test_steps_of_prompts_alone_wait_for_the_host():
    """In steps of their own 2,048 tokens of a prompt wait four times for the host, as TTFT does."""
    apart = Engine(prefill_chunk=512, chunk_steps="separate", max_sequences=64)
    free, held = (offline(NODE, 2048, 256, engine=replace(apart, host_step_s=host)) for host in (0.0, 0.02))

    assert held.ttft_s - free.ttft_s == pytest.approx(4 * 0.02)
    assert held.prefill_s - free.prefill_s == pytest.approx(64 * 4 * 0.02)
    assert held.tpot_s - free.tpot_s == pytest.approx(0.02 + 64 * 4 * 0.02 / 256)


def test_longer_prompts_need_more_prefill_gpus():
    """At the same TPOT target twice the prompt needs about twice the prefill GPUs, twice the output half."""
    ratio, prompt, output = (
        disaggregated(NODE, MIXED, Lengths(input_tokens=isl, output_tokens=osl), tpot_s=0.02)
        for isl, osl in ((1024, 256), (2048, 256), (1024, 512))
    )

    alone = prompt.prefill_groups_per_decode_group / ratio.prefill_groups_per_decode_group
    assert 1.4 < alone < 2.2
    assert output.prefill_groups_per_decode_group < 0.6 * ratio.prefill_groups_per_decode_group


def test_the_transfer_breaks_even():
    """At the break-even rate TTFT with the transfer is that of the same GPUs serving both."""
    apart = disaggregated(NODE, MIXED, LENGTHS, tpot_s=0.03)
    prefill_s = apart.ttft_s - apart.transfer_s
    moved_s = apart.transfer_bytes_per_gpu / apart.break_even_bytes_per_s

    assert prefill_s + moved_s == pytest.approx(apart.aggregated.ttft_s, rel=1e-3)


def test_what_is_not_asked_has_no_answer():
    """A step alone has its parts, and neither throughput nor cache nor drafts."""
    plain = engine_answer(NODE, Engine(), EngineQuestion())

    assert plain.parts
    asked = (plain.chunked, plain.speculative, plain.prefix, plain.cache, plain.saturated, plain.at_target)
    assert asked == (None,) * 6


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"acceptance": 1.5}, "acceptance"),
        ({"draft_tokens": 65}, "draft_tokens"),
        ({"prefill_chunk": 0}, "prefill_chunk"),
        ({"memory_of": "swap"}, "memory_of"),
        ({"prefix_hit": -0.1}, "prefix_hit"),
    ],
)
def test_an_engine_that_cannot_be_is_refused(values, name):
    """One line that names the argument."""
    with pytest.raises(InputError, match=f"^{name}: "):
        Engine(**values)


def test_an_overridden_step_is_refused_by_name():
    """Compute of one's own knows no drafted tokens and no cached prefix."""
    own = replace(NODE, compute_s=1e-4)

    with pytest.raises(InputError, match=r"^draft_tokens: "):
        speculative(own, Engine(draft_tokens=2))
    with pytest.raises(InputError, match=r"^prefix_hit: "):
        prefix(own, Engine(prefix_hit=0.5), 100)
    assert offline(own, 1000, 1000, engine=engine_of(PRESETS["trtllm"])).mixed_step_s is None


def test_drafts_are_what_an_overridden_step_cannot_have():
    """Where the question states the seconds of compute, the refusal names the drafts and not a chunk."""
    own = replace(NODE, compute_s=1e-4)

    with pytest.raises(InputError, match=r"^draft_tokens: "):
        offline(own, 2048, 256, engine=Engine(draft_tokens=3))


def test_weight_only_formats_read_fewer_bytes_and_compute_in_bf16():
    """INT4 with scale and zero is 4.16 bits; a decode step is shorter, a prefill as long as in BF16."""
    bf16 = Scenario(system("dgx-h100"), model("llama-3.1-70b"), tokens=8)
    awq = replace(bf16, weights=precision("w4a16"))

    assert awq.weights.bytes_per_value * 8 == pytest.approx(4.156, abs=0.001)
    assert answer(awq).per_step.time_s < 0.75 * answer(bf16).per_step.time_s
    fill = {"phase": "prefill", "tokens": 8192, "context": None}
    assert answer(replace(awq, **fill)).per_step.time_s == pytest.approx(
        answer(replace(bf16, **fill)).per_step.time_s, rel=0.02
    )
    with pytest.raises(InputError, match=r"^kv: "):
        replace(bf16, kv=precision("w8a16"))


def test_prompts_that_are_launched_kernel_by_kernel_wait_for_the_host():
    """SGLang's short prompts take 1.2 ms a layer however few tokens they have; long ones their arithmetic."""
    sglang = engine_of(PRESETS["sglang"])
    short, longer, long = (prompt_s(NODE, sglang, tokens) for tokens in (64, 512, 8192))

    assert short == longer == pytest.approx(sglang.prompt_layer_s * NODE.model.layers)
    assert long > longer
    assert prompt_s(NODE, replace(sglang, prompt_layer_s=0.0), 64) < short


def test_prefill_steps_hold_the_prompts_that_arrived():
    """At a few requests a separate prefill step has one prompt: its TPOT is above that of whole chunks."""
    sglang = replace(engine_of(PRESETS["sglang"]), max_sequences=16)
    loaded = offline(NODE, 512, 128, engine=sglang)
    whole = offline(NODE, 512, 128, engine=replace(sglang, prompt_layer_s=0.0))

    assert loaded.tpot_s - loaded.decode_step_s == pytest.approx(
        16 / 128 * max(sglang.prompt_layer_s * NODE.model.layers, prompt_s(NODE, sglang, 512)), rel=0.02
    )
    assert loaded.tpot_s > whole.tpot_s


def test_small_kernels_of_a_layer_are_in_every_step():
    """40 us more a layer make 80 layers 3.2 ms slower, whatever the batch."""
    apart = Engine(layer_s=40e-6)

    for requests in (1.0, 64.0):
        assert apart.host_s(np.array([requests]), NODE.model)[0] == pytest.approx(80 * 40e-6)
