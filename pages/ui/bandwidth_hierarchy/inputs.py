"""Inputs of the page Bandwidth hierarchy, and the scenario made of them."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.calculators.bandwidth_hierarchy import DIRECTIONS, TIERS, Scenario
from core.calculators.question import Question
from core.units import GB, US, converted, counted, format_memory
from core.workload.transformer import cache_bytes_per_gpu
from pages.ui.shared import bound, folded
from pages.ui.shared.layers import with_layers
from pages.ui.shared.messages import plain
from pages.ui.shared.question.record import SharedInputs
from pages.ui.shared.sizes import size_of

PAYLOADS = ("size", "KV cache")
LEVELS = ("memory", "scale-up", "host", "network")
TIER_HELP = (
    "**raw**: signalling rate with line code. **nominal**: the datasheet's. **effective**: after encoding and headers. "
    "**measured**: the best figure that somebody published."
)


@dataclass(frozen=True, slots=True)
class Transfer:
    """What is moved, as text with its unit or a function of the model, and which bandwidth of a link is shown."""

    size: str | Callable[[], str]
    direction: str
    tier: str


@dataclass(frozen=True, slots=True)
class Overrides:
    """Latencies in seconds by level and the host's memory bandwidth, where the reader states them."""

    latencies: tuple[tuple[str, float], ...]
    host_memory_bytes_per_s: float | None


def transfer(shared: SharedInputs) -> Transfer:
    """The widgets of what is moved and how bandwidth is shown."""
    payload = bound.switch("Payload", "payload", PAYLOADS)
    size = (
        _kv_cache_size(shared)
        if payload == "KV cache"
        else bound.text("Transfer size", "copy_size", "1 GB", help="64 KiB, 1.5 GB, 4096")
    )
    direction = bound.choice(
        "Bandwidth shown",
        "direction",
        DIRECTIONS,
        names=dict(zip(DIRECTIONS, ("unidirectional", "bidirectional"), strict=True)),
        help="Unidirectional: per direction. Bidirectional: the sum of both, as GPU datasheets print it.",
    )
    tier = bound.switch("Bandwidth tier", "tier", TIERS, "nominal", help=TIER_HELP)
    return Transfer(size, direction, tier)


def _kv_cache_size(shared: SharedInputs) -> Callable[[], str]:
    """Bytes of the KV cache of the question's requests."""
    place = st.container()

    def size() -> str:
        load, model = shared.load, with_layers(shared.model.model)
        cache_bytes = load.requests * float(
            cache_bytes_per_gpu(model, load.tokens, load.kv.bytes_per_value, 1)
        )
        place.caption(
            plain(
                f"{load.requests:,} × {counted(load.tokens, 'token')} of {model.name}: "
                f"{format_memory(cache_bytes)} of KV cache{' and state' if model.state else ''}."
            )
        )
        return f"{cache_bytes:.0f}"

    return size


def overrides() -> Overrides:
    """The widgets of latency by level and host memory bandwidth; empty fields keep the catalog's."""
    with folded.panel("Latency by level", "level_latencies", ":material/timer:"):
        latencies_us = {
            level: bound.number(f"{level} (µs)", f"{level.replace('-', '_')}_us", None, low=0.0)
            for level in LEVELS
        }
        memory = bound.number(
            "Host memory bandwidth (GB/s)",
            "host_memory_gbps",
            None,
            low=0.001,
            help="Of the CPU; it limits the path through a host bounce buffer. Empty: no limit.",
        )
    latencies = tuple((level, value * US) for level, value in latencies_us.items() if value is not None)
    return Overrides(latencies, converted(memory, GB))


def scenario(shared: SharedInputs, transfer: Transfer, overrides: Overrides) -> Scenario:
    """The question put to core; InputError where the size cannot be read."""
    size = transfer.size() if callable(transfer.size) else transfer.size
    return Scenario.of(
        Question(system=shared.system.system(), rates=shared.rates.rates),
        size_bytes=size_of(size),
        direction=transfer.direction,
        tier=transfer.tier,
        latencies=overrides.latencies,
        host_memory_bytes_per_s=overrides.host_memory_bytes_per_s,
        unverified=bool(st.session_state.get("unverified")),
    )
