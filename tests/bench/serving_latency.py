"""Latencies of serving engines that nothing here was fitted on: level of steps, prompts and whole answers."""

from dataclasses import replace

import numpy as np

from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.terms import terms
from core.catalog import model, precision, system

VLLM = {"llama3-70b": "llama-3.1-70b", "llama3-8b": "llama-3.1-8b", "mixtral-8x7b": "mixtral-8x7b"}
NIM_MOST = 50
"""Requests at once up to which they all run: beyond, the two GPUs' memory makes some wait."""


def step_s(scenario):
    """Seconds of a scenario's own step."""
    at = terms(scenario, np.array([float(scenario.tokens)]), np.array([float(scenario.cached)]), scenario.tp)
    return float(at.step_s[0])


def between_tokens(running, input_len, output_len):
    """
    (seconds to the first token, seconds between tokens) of Llama 70B in FP8 on two H100.

    Every sequence ends after ``output_len`` steps and the prompt of the next one is filled between steps.
    """
    fp8 = precision("fp8")
    asked = Scenario(
        system("dgx-h100"), model("llama-3.1-70b"), tp=2, weights=fp8, kv=fp8, tokens=running, launch="graph"
    )
    first = step_s(replace(asked, phase="prefill", tokens=input_len, context=None))
    each = step_s(replace(asked, context=input_len + output_len // 2))
    others = (running - 1) / output_len
    return first, each + others * first


def whole_answer_s(name, tp, batch, input_len, output_len):
    """Seconds of ``output_len`` tokens for a batch on H200 in BF16, the prompt with the first of them."""
    asked = Scenario(
        system("dgx-h200"),
        model(VLLM[name]),
        tp=tp,
        tokens=batch,
        context=input_len + output_len // 2,
        launch="graph",
    )
    return output_len * step_s(asked)


def nim(rows):
    """(first token, between tokens): relative errors over the rows where all requests run at once."""
    first, between = [], []
    for row in rows:
        running = int(row["batch"])
        if running > NIM_MOST:
            continue
        told = between_tokens(running, int(row["input_len"]), int(row["output_len"]))
        between.append(told[1] * 1e3 / float(row["value"]) - 1)
        if running == 1:
            first.append(told[0] * 1e3 / float(row["value2"]) - 1)
    return first, between


def vllm(rows):
    """Relative errors of whole answers."""
    return [
        whole_answer_s(
            row["model"], int(row["TP"]), int(row["batch"]), int(row["input_len"]), int(row["output_len"])
        )
        * 1e3
        / float(row["value"])
        - 1
        for row in rows
    ]
