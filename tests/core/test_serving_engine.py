"""A serving engine on top of a step: chunked prefill, prefix cache, throughput."""

from dataclasses import replace

import numpy as np
import pytest

from core.calculators.serving import (
    Engine,
    EngineQuestion,
    Lengths,
    Load,
    chunked,
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
from core.calculators.serving.cycle import cycle
from core.calculators.tensor_parallel import Scenario, answer, service
from core.catalog import model, precision, system
from core.catalog.software import PRESETS
from core.checks import InputError
from core.systems import configure
from tests.core.serving_scenarios import HYBRID, MIXED, NODE, RACK


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
    mean = alone.decode_step_s + alone.prefill_s / 1000
    assert alone.output_tokens_per_s == pytest.approx(alone.sequences / mean)
    others = (alone.sequences - 1) / alone.sequences
    assert alone.tpot_s == pytest.approx(alone.decode_step_s + others * alone.prefill_s / 1000)


def test_a_request_alone_does_not_wait_for_its_own_prompt():
    """With one request at a time TPOT is its decode step; its prompt is in TTFT alone."""
    one = offline(NODE, 2048, 256, engine=Engine(max_sequences=1))

    assert one.tpot_s == pytest.approx(one.decode_step_s)
    assert one.output_tokens_per_s == pytest.approx(1 / (one.decode_step_s + one.prefill_s / 256))


@pytest.mark.parametrize("name", ["vllm", "sglang", "trtllm"])
def test_every_engine_balances_prompts_and_answers(name):
    """As many prompt tokens are computed as requests end: the mean step follows from its two kinds."""
    load = offline(NODE, 2048, 256, engine=engine_of(PRESETS[name]))

    assert load.requests_per_s * 256 == pytest.approx(load.output_tokens_per_s)
    assert load.running <= load.sequences
    assert load.output_tokens_per_s_low < load.output_tokens_per_s < load.output_tokens_per_s_high
    if load.mixed_step_s is not None:
        mean = load.mixed_share * load.mixed_step_s + (1 - load.mixed_share) * load.decode_step_s
        assert load.tpot_s == pytest.approx(mean, rel=0.02)
        assert load.tpot_s < mean


def test_a_latency_target_takes_as_many_requests_as_keep_it():
    """One more concurrent request exceeds the target; a target that nothing keeps has no answer."""
    kept = offline(NODE, 2048, 256, engine=MIXED, tpot_s=0.050)
    more = offline(NODE, 2048, 256, engine=replace(MIXED, max_sequences=kept.sequences + 1))

    assert kept.limit == "latency target"
    assert kept.tpot_s <= 0.050 < more.tpot_s
    assert offline(NODE, 2048, 256, engine=MIXED, tpot_s=0.001) is None


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
    assert held.tpot_s - free.tpot_s == pytest.approx(0.02 + 63 * 4 * 0.02 / 256)


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
        15 / 128 * max(sglang.prompt_layer_s * NODE.model.layers, prompt_s(NODE, sglang, 512)), rel=0.02
    )
    assert loaded.tpot_s > whole.tpot_s


def test_a_layer_takes_its_launches_at_least():
    """At least 30 us a layer: 23 more than Ampere's own in each of 80, whatever the batch; on Hopper none."""
    apart = Engine(layer_s=30e-6)
    ampere = replace(NODE, system=system("dgx-a100"))

    for requests in (1.0, 64.0):
        assert apart.host_s(np.array([requests]), ampere)[0] == pytest.approx(80 * 23e-6)
        assert apart.host_s(np.array([requests]), NODE)[0] == 0


def test_nodes_wait_for_one_another():
    """An all-reduce between nodes takes 80 us more in a step, two of them a layer; inside a node none."""
    apart = Engine(crossing_s=80e-6)
    two = replace(NODE, system=configure(system("dgx-h100"), domains=2), tp=16)

    assert apart.layers_s(two) == pytest.approx(160 * 80e-6)
    assert apart.layers_s(NODE) == 0


def test_layers_that_keep_a_state_take_longer_to_launch():
    """Qwen3-Next: 36 of 48 layers are launched in 3 ms each at least, the others in 1.2."""
    sglang = engine_of(PRESETS["sglang"])

    assert sglang.prompt_s(np.zeros(1), model("qwen3-next-80b-a3b"))[0] == pytest.approx(
        36 * 3e-3 + 12 * 1.2e-3
    )


def test_layers_with_experts_take_longer_in_versions_of_pytorch():
    """TensorRT-LLM 1.x: 0.1 ms for each of 58 layers with experts, in decode steps and prefills; 0.x none."""
    newer, older = (engine_of(PRESETS[name]) for name in ("trtllm", "trtllm-0"))

    assert newer.layers_s(RACK) == pytest.approx(58 * 100e-6)
    assert newer.layers_s(NODE) == older.layers_s(RACK) == 0
    steps = [prompt_s(RACK, engine, 2048) for engine in (newer, older)]
    assert steps[0] - steps[1] - newer.server_s == pytest.approx(58 * 100e-6)
    assert older.server_s == 0


def test_ranks_wait_for_those_that_prefill():
    """Thirty-two groups share the experts: a prefill of any holds up all, unless equal requests keep step."""
    apart, equal = (
        Engine(prefill_chunk=2048, chunk_steps="separate"),
        Lengths(input_tokens=64, output_tokens=4096),
    )
    mixed, together = (
        cycle(RACK, apart, lengths, np.array([1.0])).fill.time_s[0]
        for lengths in (replace(equal, equal=False), equal)
    )

    assert mixed == pytest.approx(32 / 4096 * prompt_s(RACK, apart, 64), rel=0.05)
    assert together == pytest.approx(mixed / 32, rel=0.05)


def test_the_interval_of_dp_attention_reaches_down_to_ranks_that_wait_for_each_other():
    """Eight requests in each of 32 groups: the low end is what mixed lengths make, under half of equal ones."""
    apart = Engine(prefill_chunk=2048, chunk_steps="separate", max_sequences=8)
    answer = offline(RACK, 8192, 1024, engine=apart)
    lengths = Lengths(input_tokens=8192, output_tokens=1024, equal=False)
    waiting = cycle(RACK, apart, lengths, np.array([8.0]))

    assert answer.output_tokens_per_s_low == pytest.approx(32 * 8 / waiting.step_s[0])
    assert answer.output_tokens_per_s_low < 0.5 * answer.output_tokens_per_s


def test_narrow_experts_take_longer_in_vllm_before_asynchronous_scheduling():
    """0.8 to 0.13: 0.14 ms for each of 58 layers of FP8 experts over GPUs, none in BF16, in 0.14 or without."""
    older, newer = (engine_of(PRESETS[name]) for name in ("vllm-0.8", "vllm"))
    wide = replace(RACK, weights=precision("bf16"))

    assert older.layers_s(RACK) - newer.layers_s(RACK) == pytest.approx(58 * 140e-6)
    assert older.layers_s(wide) == newer.layers_s(wide)
    within = replace(RACK, tp=8, ep=1)
    assert older.layers_s(within) == newer.layers_s(within)
    assert older.layers_s(replace(within, weights=precision("w4a16"))) > newer.layers_s(within)
    assert older.layers_s(NODE) == newer.layers_s(NODE)
