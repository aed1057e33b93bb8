"""NCCL's own cost model with its published constants.

time = latency + bytes / bandwidth for every algorithm and protocol, the smallest wins. Twelve channels
inside a domain at the search speeds 20 / 30 / 60 GB/s of A100 / H100 / B200.
"""

import math

import numpy as np

from core.catalog.calibrations.shapes import DomainKind
from core.catalog.nccl_tuning import (
    BASE_US,
    LL128_SHARE,
    LL_SHARE,
    NVLS_EFFICIENCY,
    NVLS_LATENCY_S,
    PROTOCOLS,
    STEP_US,
    ll_most_bytes_per_s,
)
from core.checks import Floats
from core.collectives.cost_model.communicator import Communicator
from core.units import US

SEARCH_SHARE = 0.8
CHANNELS = 12


def nccl_constants(comm: Communicator, sizes: Floats) -> Floats:
    """The time NCCL's tuner would expect: min over ring, tree and NVLS, with each protocol."""
    times = [_ring(comm, sizes, protocol) for protocol in PROTOCOLS]
    if comm.setting.collective == "all_reduce":
        if comm.domains > 1:
            times += [_tree(comm, sizes, protocol) for protocol in PROTOCOLS]
        if comm.domains == 1 and comm.ranks >= 8 and comm.architecture in NVLS_EFFICIENCY:
            times.append(_nvls(comm, sizes))
    best: Floats = np.min(times, axis=0)
    return best


def _bus_rate(comm: Communicator) -> float:
    inside = comm.link_bytes_per_s * SEARCH_SHARE
    return inside if comm.domains == 1 else min(inside, comm.domain_nic_bytes_per_s)


def _capped(comm: Communicator, protocol: str) -> float:
    rate = _bus_rate(comm)
    if protocol == "LL":
        return min(ll_most_bytes_per_s(comm.architecture, comm.domains), LL_SHARE * rate)
    return LL128_SHARE * rate if protocol == "LL128" else rate


def _step_us(comm: Communicator, algorithm: str, protocol: str) -> float:
    path = "pcie" if comm.kind is DomainKind.PCIE else "nvlink"
    return STEP_US[path][algorithm][protocol]


def _ring(comm: Communicator, sizes: Floats, protocol: str) -> Floats:
    n, domains = comm.ranks, comm.domains
    reduce_all = comm.setting.collective == "all_reduce"
    steps = {"all_reduce": 2 * (n - 1), "all_gather": n - 1, "reduce_scatter": n - 1}
    count = steps.get(comm.setting.collective, n)
    crossing = 0 if domains == 1 else (2 * (domains - 1) if reduce_all else domains - 1)
    latency = BASE_US["ring"][protocol] + (count - crossing) * _step_us(comm, "ring", protocol)
    latency += crossing * STEP_US["network"]["ring"][protocol]
    return latency * US + sizes * count / n / _capped(comm, protocol)


def _tree(comm: Communicator, sizes: Floats, protocol: str) -> Floats:
    depth = math.log2(comm.domains)
    latency = BASE_US["tree"][protocol] + 2 * (
        (comm.gpus - 1) * _step_us(comm, "tree", protocol) + depth * STEP_US["network"]["tree"][protocol]
    )
    return latency * US + sizes / (0.5 * _capped(comm, protocol))


def _nvls(comm: Communicator, sizes: Floats) -> Floats:
    efficiency = NVLS_EFFICIENCY[comm.architecture]
    rate = _bus_rate(comm) * efficiency * (CHANNELS - 1) / CHANNELS * 2
    n = comm.ranks
    return NVLS_LATENCY_S + sizes * 2 * (n - 1) / n / rate
