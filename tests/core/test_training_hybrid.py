"""Training of models whose layers keep a state: Mamba-2, gated delta net, lightning attention."""

import json
from dataclasses import replace

import pytest

from core import catalog
from core.calculators.training import Layout, Scenario, answer
from core.calculators.training.activations import whole_layer
from core.calculators.training.calls import step_calls
from core.calculators.training.comm import LayerCalls, LayerComm
from core.calculators.training.price import price_s
from core.calculators.training.work import layer_work, model_flop
from core.catalog.calibrations.training import UNMEASURED_BAND
from core.systems import configure
from core.workload.config import read_config
from core.workload.transformer import parameters
from tests.core.hybrid_shapes import PUBLISHED

NODE = catalog.system("dgx-h100")
EIGHT_NODES = configure(NODE, domains=8)
NANO = Scenario(
    NODE,
    catalog.model("nemotron-3-nano-30b-a3b"),
    Layout(dp=8, ep=8),
    micro_batch=4,
    global_batch=512,
    seq=4096,
    strategy="fsdp",
)


def communication(job: Scenario) -> LayerComm:
    """Of one layer and one micro-batch, priced."""
    calls = LayerCalls.of(job)
    return calls.comm([price_s(job, call) for call in calls.calls])


def test_a_published_run_lies_in_the_wide_interval():
    """Nemotron 3 Nano on eight H100 in BF16, 16,789 tokens/s per GPU (NeMo AutoModel 26.02): nothing was fitted."""
    result = answer(NANO)

    assert result.low_s <= NANO.tokens / NANO.layout.gpus / 16789 <= result.high_s


def test_experts_behind_a_narrower_width_come_out_within_two_fifths():
    """Nemotron 3 Super on 64 H100, 4,497 tokens/s per GPU (the same table): 22 narrow experts a token."""
    job = replace(
        NANO,
        model=read_config(json.dumps(PUBLISHED["Nemotron 3 Super 120B"][1])).model,
        system=EIGHT_NODES,
        layout=Layout(dp=64, ep=64),
        micro_batch=2,
    )

    assert answer(job).tokens_per_s_per_gpu == pytest.approx(4497, rel=0.4)


def test_an_answer_about_a_state_says_that_nothing_measured_it():
    """The interval is that of a guess, and a line says why."""
    result = answer(NANO)

    assert result.high_s >= result.step_s * (1 + UNMEASURED_BAND)
    assert any("Mamba-2 layers is not measured" in line for line in result.warnings)


def test_layers_without_attention_have_no_attention_flops():
    """Of Qwen3-Next's 48 layers 12 attend: a quarter of the scores, and a scan that attention has not."""
    hybrid = catalog.model("qwen3-next-80b-a3b")
    attending = replace(hybrid, state=None, layers_without_attention=0)
    job = replace(NANO, model=hybrid)
    work, full = layer_work(job), layer_work(replace(job, model=attending))

    assert work.attention_flop == pytest.approx(full.attention_flop / 4)
    assert work.scan_flop > 0 == full.scan_flop
    assert work.dense_flop * 48 == pytest.approx(
        2 * 4 * 4096 * (parameters(hybrid).active_in_layers - parameters(hybrid).active_experts)
    )


def test_model_flops_of_a_hybrid_are_six_a_parameter_and_the_scan():
    """Nano at 4,096 tokens: 3.2 billion parameters outside the embedding, 6 of 52 layers attend."""
    per_token = model_flop(NANO) / NANO.tokens
    counted = parameters(NANO.model)

    assert per_token == pytest.approx(6 * (counted.active_in_layers + counted.embedding), rel=0.12)
    assert per_token > 6 * (counted.active_in_layers + counted.embedding)


def test_a_block_of_one_kind_keeps_half_of_a_layer():
    """Nemotron-H has one norm and one block a layer: half of the stream that a transformer's layer keeps."""
    hybrid = replace(NANO, model=catalog.model("nemotron-h-47b"), layout=Layout(tp=8))
    dense = replace(hybrid, model=replace(catalog.model("llama-3.1-70b"), hidden=8192))

    assert whole_layer(hybrid).stream == pytest.approx(whole_layer(dense).stream / 2)


def test_a_state_passes_from_chunk_to_chunk():
    """Alone nothing is sent; the more ranks share a sequence, the more often state, keys and values pass on."""
    model = catalog.model("nemotron-h-47b")
    jobs = [
        replace(NANO, model=model, layout=Layout(cp=cp), strategy="zero1", recompute="full", seq=65536)
        for cp in (1, 2, 8)
    ]
    alone, two, eight = (communication(job).context_forward_s for job in jobs)

    assert alone == 0 < two < eight


def test_backward_passes_of_a_state_its_gradient_alone():
    """Twice the keys and values go back round the ring, a state once; the calls of a step say so too."""
    model = catalog.model("nemotron-h-47b")
    job = replace(NANO, model=model, layout=Layout(cp=8), strategy="zero1", seq=65536)
    comm = communication(job)
    keys, states = LayerCalls.of(job).context
    ring = next(item for item in step_calls(job) if item.parallelism == "CP")
    attention, state = model.attention_layers, model.state.layers

    assert comm.context_forward_s < comm.context_backward_s < 2 * comm.context_forward_s
    assert ring.calls == pytest.approx(job.micro_batches * 7 * (3 * attention + 2 * state))
    assert ring.bytes == pytest.approx(
        job.micro_batches * 7 * (3 * attention * keys.size_bytes + 2 * state * states.size_bytes)
    )
