"""Offload to host memory: seconds of a step that the host link and the host's own update add."""

from dataclasses import dataclass

from core.calculators.bandwidth_hierarchy.levels import one_way
from core.calculators.bandwidth_hierarchy.links import level_links
from core.calculators.training.memory import HostBytes, host_bytes
from core.calculators.training.scenario import Scenario
from core.catalog.calibrations import training as constants
from core.checks import InputError
from core.hardware import System
from core.parallel.columns import larger, smaller

MEASURED, NOMINAL = "measured", "nominal"


@dataclass(frozen=True, slots=True)
class Offload:
    """
    Seconds that offload adds to a step.

    Attributes:
        activations_s: Copies that forward and backward do not cover, and what covering the rest costs.
        optimizer_s: Gradients to the host, its update, parameters back: the longest of the three, for
            they run chunk after chunk side by side.
    """

    activations_s: float
    optimizer_s: float

    @property
    def total_s(self) -> float:
        """Both."""
        return self.activations_s + self.optimizer_s


NONE = Offload(0.0, 0.0)


def offload(scenario: Scenario, forward_s: float, backward_s: float) -> Offload:
    """
    Seconds of a step spent on offload; ``forward_s`` and ``backward_s`` are a stage's for one micro-batch.

    Raises:
        InputError: A system without a known host link.
    """
    if not scenario.offloads:
        return NONE
    rate = host_rate(scenario.system)
    stored = host_bytes(scenario)
    copies_s = _copies_s(stored.activation_bytes_per_micro_batch / rate, forward_s, backward_s)
    return Offload(
        activations_s=scenario.micro_batches * copies_s,
        optimizer_s=_update_s(scenario, stored, rate),
    )


def _copies_s(copy_s: float, forward_s: float, backward_s: float) -> float:
    """What a copy in forward and another in backward add to one micro-batch."""
    exposed_s = larger(0.0, copy_s - forward_s) + larger(0.0, copy_s - backward_s)
    return exposed_s + constants.COPY_COST * larger(0.0, 2 * copy_s - exposed_s)


def slow_copies_s(scenario: Scenario, forward_s: float, backward_s: float) -> float:
    """Seconds of a step that copies of activations take longer on a host whose memory all its GPUs share."""
    if not scenario.offload_activations:
        return 0.0
    rate, copied = host_rate(scenario.system), host_bytes(scenario).activation_bytes_per_micro_batch
    slowest, usual = (
        _copies_s(copied / each, forward_s, backward_s)
        for each in (smaller(rate, constants.HOST_COPY_BYTES_PER_S), rate)
    )
    return scenario.micro_batches * (slowest - usual)


def host_rate(system: System) -> float:
    """
    Bytes/s one way between a GPU and its host: measured where it was, else the datasheet's.

    Raises:
        InputError: No host link is known.
    """
    for link in level_links(system):
        if link.level == "host":
            return one_way(link, MEASURED)[0]
    message = f"offload: the link between GPU and host of {system.name} is not known"
    raise InputError(message)


def slow_host_s(scenario: Scenario) -> float:
    """Seconds that an update on the host takes longer with a thread a GPU, as torchrun starts a process."""
    if not scenario.offload_optimizer:
        return 0.0
    stored, rate = host_bytes(scenario), host_rate(scenario.system)
    alone_s = _moved_bytes(scenario, stored) / constants.HOST_THREAD_BYTES_PER_S
    return larger(0.0, alone_s - _update_s(scenario, stored, rate))


def _update_s(scenario: Scenario, stored: HostBytes, rate: float) -> float:
    params = stored.optimizer_bytes / scenario.optimizer_bytes
    copied = params * max(scenario.grad_bytes, scenario.param_bytes)
    return larger(copied / rate, _moved_bytes(scenario, stored) / _host_memory_rate(scenario.system))


def _moved_bytes(scenario: Scenario, stored: HostBytes) -> float:
    """Bytes of host memory that an update reads and writes."""
    params = stored.optimizer_bytes / scenario.optimizer_bytes
    return params * (constants.UPDATE_BYTES + 2 * scenario.optimizer_bytes)


def _host_memory_rate(system: System) -> float:
    """Bytes/s of host memory that an update on the host reaches, per GPU."""
    joined = (system.host_link or "").startswith("c2c")
    return constants.JOINED_HOST_BYTES_PER_S if joined else constants.HOST_BYTES_PER_S
