"""Latencies of serving engines that nothing here was fitted on: TTFT, TPOT and whole answers."""

from dataclasses import dataclass, replace

import numpy as np

from core.calculators.serving import Lengths, Queue, engine_of, queue
from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.terms import terms
from core.catalog import model, precision, system
from core.catalog.software import PRESETS
from core.units import MS

VLLM = {"llama3-70b": "llama-3.1-70b", "llama3-8b": "llama-3.1-8b", "mixtral-8x7b": "mixtral-8x7b"}
NIM_MOST = 50
"""Concurrent requests up to which they all run: beyond, the two GPUs' memory makes some wait."""


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds (or relative errors) of the first token and between tokens."""

    ttft: float
    tpot: float


def step_s(scenario):
    """Seconds of a scenario's own step."""
    parts = terms(
        scenario, np.array([float(scenario.tokens)]), np.array([float(scenario.cached)]), scenario.tp
    )
    return float(parts.step_s[0])


def host_s(software, requests, scenario):
    """Host time of a step of an engine with so many requests."""
    return engine_of(PRESETS[software]).host_s(requests, scenario)


def latency_s(requests, input_len, output_len):
    """
    TTFT and TPOT of Llama 70B in FP8 on two H100 with so many concurrent requests.

    Every request ends after ``output_len`` steps and the prompt of the next one is filled between steps.
    """
    fp8 = precision("fp8")
    job = Scenario(
        system("dgx-h100"), model("llama-3.1-70b"), tp=2, weights=fp8, kv=fp8, tokens=requests, launch="graph"
    )
    prefill_s = step_s(replace(job, phase="prefill", tokens=input_len, context=None)) + host_s(
        "trtllm-0", 1, job
    )
    decode_s = step_s(replace(job, context=input_len + output_len // 2)) + host_s("trtllm-0", requests, job)
    prefills_per_step = (requests - 1) / output_len
    return Latency(ttft=prefill_s, tpot=decode_s + prefills_per_step * prefill_s)


def first_tokens(requests) -> Queue:
    """TTFT of Llama 70B in FP8 on two H100 with so many clients of 5,000 and 500 tokens, waiting included."""
    preset, fp8 = PRESETS["trtllm-0"], precision("fp8")
    job = Scenario(
        system("dgx-h100"), model("llama-3.1-70b"), tp=2, weights=fp8, kv=fp8, tokens=requests, launch="graph",
        implementation=preset.implementation, engine=preset.engine,
    )  # fmt: skip
    return queue(job, engine_of(preset), Lengths(input_tokens=5000, output_tokens=500))


def whole_answer_s(name, tp, batch, input_len, output_len):
    """Seconds of ``output_len`` tokens for a batch on H200 in BF16, the prompt with the first of them."""
    job = Scenario(
        system("dgx-h200"),
        model(VLLM[name]),
        tp=tp,
        tokens=batch,
        context=input_len + output_len // 2,
        launch="graph",
    )
    return output_len * (step_s(job) + host_s("vllm-0.8", batch, job))


def nim(rows):
    """Relative errors of TTFT and of TPOT over the rows where all requests run at once."""
    ttft, tpot = [], []
    for row in rows:
        requests = int(row["batch"])
        if requests > NIM_MOST:
            continue
        ours = latency_s(requests, int(row["input_len"]), int(row["output_len"]))
        tpot.append(ours.tpot / MS / float(row["value"]) - 1)
        if requests == 1:
            ttft.append(ours.ttft / MS / float(row["value2"]) - 1)
    return ttft, tpot


def nim_under_load(rows):
    """Relative errors of the mean TTFT of all rows, requests of equal lengths."""
    return [first_tokens(int(row["batch"])).equal_ttft_s / MS / float(row["value2"]) - 1 for row in rows]


def vllm(rows):
    """Relative errors of whole answers."""
    return [_whole_answer_s(row) / MS / float(row["value"]) - 1 for row in rows]


def _whole_answer_s(row):
    lengths = int(row["input_len"]), int(row["output_len"])
    return whole_answer_s(row["model"], int(row["TP"]), int(row["batch"]), *lengths)
