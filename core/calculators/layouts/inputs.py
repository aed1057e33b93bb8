"""Inputs that crossovers, maps and sensitivity change: rates, latencies, global batch size."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from core.calculators.layouts.scaled_system import with_network_rate, with_scale_up_rate
from core.calculators.training import Scenario
from core.parallel.prices import Latency


@dataclass(frozen=True, slots=True)
class Input:
    """
    An input of a training scenario.

    Attributes:
        value: Its current value; zero where the system has no such input.
        scaled: The scenario with it multiplied by a factor.
        speeds_up: Whether more of it makes a step shorter, or a step longer; None where layouts that fit
            now may no longer divide.
    """

    name: str
    unit: str
    value: Callable[[Scenario], float]
    scaled: Callable[[Scenario, float], Scenario]
    speeds_up: bool | None


def _network_rate(scenario: Scenario) -> float:
    leaf = scenario.system.scale_out
    return 0.0 if leaf is None else leaf.bytes_per_s


def _scale_network(scenario: Scenario, factor: float) -> Scenario:
    return replace(scenario, system=with_network_rate(scenario.system, factor))


def _scale_scale_up(scenario: Scenario, factor: float) -> Scenario:
    return replace(scenario, system=with_scale_up_rate(scenario.system, factor))


def _scale_batch(scenario: Scenario, factor: float) -> Scenario:
    """The nearest batch that the layout can run."""
    divisor = scenario.micro_batch * scenario.layout.dp
    micro_batches = np.maximum(1, np.round(scenario.global_batch * factor / divisor))
    return replace(scenario, global_batch=cast("int", micro_batches * divisor))


def _network_latency(scenario: Scenario) -> float:
    return scenario.latency.across if _network_rate(scenario) else 0.0


def _scale_network_latency(scenario: Scenario, factor: float) -> Scenario:
    latency = scenario.latency
    return replace(scenario, latency=Latency(latency.inside, latency.across * factor))


def _scale_scale_up_latency(scenario: Scenario, factor: float) -> Scenario:
    latency = scenario.latency
    return replace(scenario, latency=Latency(latency.inside * factor, latency.across))


NETWORK_RATE = Input("network rate per GPU", "B/s", _network_rate, _scale_network, speeds_up=True)
SCALE_UP_RATE = Input(
    "scale-up rate per GPU",
    "B/s",
    lambda job: job.system.scale_up.bytes_per_s,
    _scale_scale_up,
    speeds_up=True,
)
GLOBAL_BATCH = Input(
    "global batch size", "sequences", lambda job: float(job.global_batch), _scale_batch, speeds_up=None
)
NETWORK_LATENCY = Input("network latency", "times", _network_latency, _scale_network_latency, speeds_up=False)
SCALE_UP_LATENCY = Input(
    "scale-up latency", "times", lambda job: job.latency.inside, _scale_scale_up_latency, speeds_up=False
)
INPUTS = (NETWORK_RATE, SCALE_UP_RATE, GLOBAL_BATCH, NETWORK_LATENCY, SCALE_UP_LATENCY)
"""A latency is a factor on the part of each collective before its bytes flow."""
