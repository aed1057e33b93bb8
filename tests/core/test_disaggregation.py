"""Disaggregated prefill: how many GPUs each side takes, and the transfer of the KV cache between them."""

import pytest

from core.calculators.serving import (
    Engine,
    Lengths,
    disaggregated,
)
from tests.core.serving_scenarios import LENGTHS, MIXED, NODE


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
