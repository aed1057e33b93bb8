"""Gradient volumes and times, scaling and money, from those calculators; SI and dollars."""

from core.calculators.cost.exposed import loss, payback_months
from core.calculators.gradient_sync import Scenario, Volume, answer, efficiencies, phases, wire_bytes
from core.calculators.gradient_sync.compare import payload_s
from core.calculators.training import bubble
from core.catalog import link, system
from core.collectives.rates import Rates
from core.provenance import Origin

PARAMS = 70e9
GPUS, USD = 16384, 3.0
DAYS = 30
SHARED = {"pcie5-x16": "rtx-pro-6000-x8", "nvlink4": "dgx-h100", "nvlink5": "dgx-b200"}
"""Machines whose GPUs talk over the link."""


def sent(grad_bytes: float, ranks: int = 8, params: float = PARAMS) -> float:
    """Bytes that each GPU of a DDP ring sends in a step."""
    size = params * grad_bytes
    return wire_bytes(phases("ddp", Volume(size, size), ranks))


def gradient_bytes(grad_bytes: float, params: float = PARAMS) -> float:
    """Bytes of all gradients (or weights)."""
    return Volume(params * grad_bytes, params * grad_bytes).gradient_bytes


def sync_s(link_id: str, grad_bytes: float = 2.0, params: float = PARAMS) -> float:
    """Seconds of a ring all-reduce of the gradients over eight GPUs, unidirectional, latency left out."""
    quoted = link(link_id).rate
    rate = 0.0 if quoted is None else quoted.bytes_per_s
    rates = Rates(Origin.SPEC, latency_s=0.0, bytes_per_s=rate)
    scenario = Scenario(system("dgx-h100"), params, 8, grad_bytes=grad_bytes, rates=rates, algorithm="ring")
    return answer(scenario).time_s


def once_s(link_id: str, size_bytes: float) -> float:
    """Seconds of bytes sent once over both directions: the documents' shortest reckoning."""
    return payload_s(system(SHARED[link_id]), size_bytes)


def over(size_bytes: float, bytes_per_s: float) -> float:
    """Seconds of bytes at a printed rate, whatever that rate belongs to."""
    return size_bytes / bytes_per_s


def efficiency(name: str, compute: float, comm: float, other: float = 0.0) -> float:
    """Scaling efficiency by one of its definitions."""
    return (efficiencies(compute, comm, other) or {})[name]


def speedup(gpus: int, compute: float, comm: float) -> float:
    """GPUs times the share of their time that is compute."""
    return gpus * efficiency("compute_over_compute_and_comm", compute, comm)


def worth(gpus: int, efficiency_of_each: float) -> float:
    """How many perfect GPUs so many at an efficiency are worth."""
    return gpus * efficiency_of_each


def slower_network(before: float, after: float) -> float:
    """How many times slower communication must get for its share of a step to grow so."""
    return after / (1 - after) / (before / (1 - before))


def idle_gpus(share: float) -> float:
    """GPUs of 16,384 that a lost share of the time idles."""
    return loss(share, GPUS, USD).idle_gpus


def usd_per_day(share: float) -> float:
    """Dollars a day of that share at three dollars a GPU-hour."""
    return loss(share, GPUS, USD).usd_per_day


def usd_per_month(share: float) -> float:
    """Dollars in 30 days."""
    return loss(share, GPUS, USD).usd_per_month


def usd_by_print(usd_per_day_and_percent: float, percent: float) -> float:
    """Dollars in 30 days that a printed cost of one percent and day leads to."""
    return usd_per_day_and_percent * percent * DAYS


def payback(capital_usd: float, share: float) -> float:
    """Months until saving a share of that cluster has earned the capital."""
    return payback_months(capital_usd, loss(share, GPUS, USD)) or 0.0


def part(some: float, whole: float) -> float:
    """A count over its total."""
    return some / whole


def pipeline_bubble(stages: int, micro_batches: int) -> float:
    """Share of a step in which a pipeline stage idles."""
    return bubble(stages, micro_batches)
