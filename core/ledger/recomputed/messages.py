"""All-reduces of activations: sizes, times and bus bandwidths, from the collective calculators; SI."""

from dataclasses import dataclass

import numpy as np

from core.calculators.tensor_parallel import required_bytes_per_s
from core.catalog import CURVES, system
from core.catalog.nccl_tuning import LINK_BYTES_PER_S
from core.collectives.formulas import ALGORITHMS, busbw_factor
from core.collectives.formulas.in_switch import in_switch_factor
from core.collectives.formulas.nccl_protocols import ring_envelope
from core.collectives.pricing import Answer
from core.collectives.pricing import Scenario as Collective
from core.collectives.pricing import answer as price
from core.collectives.rates import Rates
from core.hardware import Architecture, Hop
from core.provenance import Origin
from core.units import GB, US

EIGHT = 8
RING_BUSBW = {"nvlink3": 234.9 * GB, "nvlink4": 367.61 * GB, "nvlink5": 682.2 * GB}
"""Measured plateaus of rings of eight GPUs (ml-engineering, network/README.md at 744d01e)."""
MEASURED_NVLS = {"nvlink4": "dgx-h200", "nvlink5": "dgx-b200"}
WAYS = {
    "published": Rates(Origin.PUBLISHED),
    "unidirectional": Rates(Origin.SPEC, latency_s=0.0),
    "spec": Rates(Origin.SPEC),
}
"""Both directions without latency; one direction without latency; one direction with 14 steps of it."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """Messages of a size in every layer and step."""

    message_bytes: float
    layers: int = 80
    steps_per_s: float = 48


OPENING = Traffic(17e6)
"""What the first lines of document 000 reckon with."""


def payload_rate(traffic: Traffic) -> float:
    """Bytes/s of payload, one message a layer."""
    required = required_bytes_per_s(traffic.message_bytes, traffic.layers, traffic.steps_per_s, ranks=EIGHT)
    return required.payload_bytes_per_s


def wire_rate(traffic: Traffic) -> float:
    """Bytes/s that each GPU sends, two all-reduces a layer by a ring of eight."""
    required = required_bytes_per_s(traffic.message_bytes, traffic.layers, traffic.steps_per_s, ranks=EIGHT)
    return required.wire_bytes_per_s


def share(traffic: Traffic, bytes_per_s: float) -> float:
    """Payload as a share of a rate."""
    return payload_rate(traffic) / bytes_per_s


def wire_share(traffic: Traffic, bytes_per_s: float) -> float:
    """What a ring sends as a share of a rate."""
    return wire_rate(traffic) / bytes_per_s


def times_more(traffic: Traffic, real: Traffic) -> float:
    """Payload of one over what a ring really sends for the other."""
    return payload_rate(traffic) / wire_rate(real)


def factor(collective: str, ranks: int = EIGHT) -> float:
    """What turns size over time into bus bandwidth."""
    return float(busbw_factor(collective, ranks))


def rounds(ranks: int = EIGHT) -> float:
    """How many reduce-scatters or all-gathers an all-reduce is worth."""
    return factor("all_reduce", ranks) / factor("all_gather", ranks)


def fewer_ranks(fewer: int, more: int, who: str = "each") -> float:
    """What each GPU, or all of them, send on a smaller ring, as a share of a larger one."""
    ratio = factor("all_reduce", fewer) / factor("all_reduce", more)
    return ratio if who == "each" else ratio * fewer / more


def in_switch(ranks: int = EIGHT) -> float:
    """Messages that each GPU sends when the switch adds."""
    return float(in_switch_factor(ranks))


def in_switch_gain(ranks: int = EIGHT) -> float:
    """How many times fewer bytes that is than a ring's."""
    return factor("all_reduce", ranks) / in_switch(ranks)


def measured_gain() -> float:
    """Bus bandwidth with reduction in the switch over a ring's, measured on eight H200."""
    return measured_in_switch("nvlink4") / RING_BUSBW["nvlink4"]


def measured_in_switch(link_id: str) -> float:
    """The highest measured bus bandwidth of eight GPUs whose switch adds."""
    curves = [curve.points for curve in CURVES if curve.system == MEASURED_NVLS[link_id]]
    return max(rate for points in curves for _, rate in points)


def measured_share(link_id: str, one_way: float) -> float:
    """Measured bus bandwidth of a ring over the link's unidirectional rate."""
    return RING_BUSBW[link_id] / one_way


def measured_share_in_switch(link_id: str, one_way: float) -> float:
    """The same with reduction in the switch, where it may pass one."""
    return measured_in_switch(link_id) / one_way


def measured_busbw(system_id: str, size_bytes: float) -> float:
    """Bus bandwidth that somebody measured at a size."""
    points = [dict(curve.points) for curve in CURVES if curve.system == system_id]
    return next(times[size_bytes] for times in points if size_bytes in times)


def all_reduce_s(system_id: str, size_bytes: float, way: str, messages: int = 1) -> float:
    """Seconds of ring all-reduces over eight GPUs of a machine, one after the other."""
    scenario = Collective(
        system(system_id), "all_reduce", EIGHT, size_bytes, rates=WAYS[way], algorithm="ring"
    )
    return messages * price(scenario, with_crossovers=False).time_s


def calibrated_s(system_id: str, size_bytes: float, implementation: str = "nccl") -> float:
    """Seconds of an all-reduce over eight GPUs as fitted to measurements."""
    return _calibrated(system_id, size_bytes, implementation).time_s


def calibrated_busbw(system_id: str, size_bytes: float, implementation: str = "nccl") -> float:
    """Its bus bandwidth."""
    return _calibrated(system_id, size_bytes, implementation).busbw_bytes_per_s or 0.0


def calibrated_pair_rate(system_id: str, size_bytes: float) -> float:
    """Unidirectional bytes/s between two GPUs of a machine by NCCL, as fitted."""
    scenario = Collective(system(system_id), "send_recv", 2, size_bytes)
    return price(scenario, with_crossovers=False).busbw_bytes_per_s or 0.0


def one_shot_s(size_bytes: float, one_way: float, latency_s: float = US) -> float:
    """Seconds when every GPU reads all of its seven peers in one step."""
    cost = ALGORITHMS["all_reduce", "one-shot"].function(size_bytes, EIGHT, Hop(latency_s, one_way))
    return float(cost.total_s)


def ring_latency_s(latency_s: float = US) -> float:
    """Latency of a ring of eight: 14 steps."""
    cost = ALGORITHMS["all_reduce", "ring"].function(1.0, EIGHT, Hop(latency_s, 1e18))
    return float(cost.latency_s)


def ring_half_size(one_way: float, latency_s: float = US) -> float:
    """Bytes at which half of a ring's time is latency."""
    return ring_latency_s(latency_s) * one_way / factor("all_reduce")


def nccl_table_s(size_bytes: float) -> float:
    """Seconds of a ring of eight H100 by the constants of NCCL's own tuning table."""
    envelope = ring_envelope("all_reduce", size_bytes, EIGHT, 18 * LINK_BYTES_PER_S[Architecture.HOPPER])
    return float(np.ravel(envelope.cost.total_s)[0])


def implied_s(size_bytes: float, busbw: float) -> float:
    """Seconds that a printed bus bandwidth of eight GPUs means."""
    return factor("all_reduce") * size_bytes / busbw


def _calibrated(system_id: str, size_bytes: float, implementation: str) -> Answer:
    scenario = Collective(system(system_id), "all_reduce", EIGHT, size_bytes, implementation=implementation)
    return price(scenario, with_crossovers=False)
