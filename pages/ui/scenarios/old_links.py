"""Addresses of the former page of two serving setups: their sides as questions of the page Tensor parallelism."""

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from pages.ui.shared import address
from pages.ui.shared.question_link import QuestionLink

PREFIXES = ("a_", "b_")
_BOTH = {
    "model": "llama-3.1-405b",
    "phase": "decode",
    "tokens": "32",
    "context": "4096",
    "weights": "fp8",
    "kv": "fp8",
    "activations": "bf16",
    "software": "auto",
    "implementation": "nccl",
    "launch": "stream",
}
DEFAULTS = {
    "a_": {**_BOTH, "system": "dgx-h100", "tp": "8"},
    "b_": {**_BOTH, "system": "dgx-b200", "tp": "4"},
}
"""What an input that such an address leaves out stood for."""
RENAMED = {"model_config": "config", "model_config_name": "config_name"}
SHARED = (
    *("rates", "fit", "fit_file", "latency_us", "latency_per", "measured_8k_us", "measured_1g_ms"),
    *("rate_gbps", "unverified"),
)
"""Inputs that both sides had in common."""


def translate() -> None:
    """Let the address of a former link hold its two sides as questions."""
    parameters = {name: st.query_params[name] for name in st.query_params}
    former = [name for name in parameters if name.startswith(PREFIXES)]
    if not former:
        return
    for name in former:
        address.rewrite(name, None)
    for prefix in PREFIXES:
        address.rewrite(prefix[0], str(side(parameters, prefix)))


def side(parameters: Mapping[str, str], prefix: str) -> QuestionLink:
    """One side of a former address."""
    shared = {name: parameters[name] for name in SHARED if name in parameters}
    own = {name.removeprefix(prefix): value for name, value in parameters.items() if name.startswith(prefix)}
    stated = {RENAMED.get(name, name): value for name, value in own.items()}
    inputs = DEFAULTS[prefix] | shared | stated
    return QuestionLink("tensor_parallel", urlencode([pair for pair in inputs.items() if pair[1]]))
