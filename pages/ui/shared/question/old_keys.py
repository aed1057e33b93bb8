"""Addresses of former versions: what an input was called on each page, and what it meant where it was left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from pages.ui.shared import address
from pages.ui.shared.question.defaults import DEFAULTS, typed


@dataclass(frozen=True, slots=True)
class Former:
    """
    The names of a page's inputs in former addresses.

    Attributes:
        names: Former name to present name.
        defaults: What an input that such an address leaves out stood for, by present name.
    """

    names: Mapping[str, str]
    defaults: Mapping[str, str] = field(default_factory=dict)


def _job(prefix: str, **defaults: str) -> Former:
    """A page with a training job under a prefix."""
    parts = ("model", "gpus", "batch", "seq", "precision", "efficiency")
    return Former({f"{prefix}_{part}": part for part in parts}, defaults)


FORMER = {
    "bandwidth_hierarchy": Former(
        {"kv_model": "model", "kv_context": "context", "kv_sequences": "requests", "kv_format": "kv"},
        {"context": "32768", "requests": "1"},
    ),
    "gradient_sync": Former(
        {
            "sync_model": "model",
            "train_mfu": "efficiency",
            "dp_ranks": "gpus",
            "sync_implementation": "implementation",
            "sync_launch": "launch",
        },
        {"model": "llama-3.1-8b", "gpus": "8"},
    ),
    "training": Former({**_job("train").names, "train_implementation": "implementation"}, {"batch": "128"}),
    "nvl72": Former(
        {
            "rack": "system",
            "rack_model": "model",
            "rack_params_b": "params_b",
            "rack_active_b": "active_b",
            "format": "weights",
            "rack_kv": "kv",
            "rack_context": "context",
            "sequences": "requests",
        },
        {
            "system": "gb200-nvl72",
            "model": "deepseek-v3-r1",
            "weights": "fp8",
            "context": "8192",
            "requests": "1024",
        },
    ),
    "kv_transfer": Former(
        {"kv_model": "model", "kv_tokens": "context", "kv_format": "kv", "kv_weights": "weights"},
        {"context": "32768"},
    ),
    "layouts": Former(
        {
            **_job("strategy").names,
            "strategy_sequences": "requests",
            "strategy_context": "context",
            "strategy_weights": "weights",
            "strategy_kv": "kv",
        },
        {"requests": "512", "weights": "fp8"},
    ),
    "cost": _job("money", model="llama-3.1-405b", gpus="1024", batch="256"),
    "measurements": Former({"overlay_system": "system"}, {"system_from": "of the question"}),
    "check": Former({"check_system": "system"}, {"system_from": "of the question"}),
    "my_cluster": Former({"cluster_system": "system"}, {"system_from": "of the question"}),
}
"""Former names by page."""


def rename(page: str) -> None:
    """Give what a former address says to the inputs of today, before their widgets stand."""
    former = FORMER.get(page)
    if former is None:
        return
    query = st.query_params
    present = [old for old in former.names if old in query]
    if not present:
        return
    values = {name: value for name, value in former.defaults.items() if name not in query}
    values |= {former.names[old]: query[old] for old in present}
    for old in present:
        del query[old]
    for name, value in values.items():
        assign(name, value)


def assign(name: str, text: str) -> None:
    """Give an input of the question a value before its widget stands, in the address too."""
    if name in st.session_state:
        value = typed(name, text)
        if value is not None or name not in DEFAULTS:
            st.session_state[name] = value
        return
    if text != DEFAULTS.get(name):
        address.rewrite(name, text)
