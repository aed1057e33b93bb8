"""Seconds of libraries that exchange tokens: throughput kernels and the kernels of decode."""

from dataclasses import dataclass, replace

import numpy as np

from core.catalog.calibrations.moe_kernels import (
    BLACKWELL,
    BULK,
    CHANGED,
    HANDOVER,
    HOPPER,
    LOW_LATENCY_KERNELS,
    MOST_SMS_OF_A_CALL,
    STAGED_SHARE,
    Bulk,
    LowLatency,
)
from core.catalog.gpus import GPUS
from core.checks import Floats
from core.collectives.cost_model.communicator import Communicator
from core.collectives.moe.question import MoeExchange
from core.collectives.moe.routing import reached
from core.collectives.moe.versions import changed
from core.hardware import Architecture, Family
from core.hardware.link import NODE_GPUS

LEAST_MEMORY_SHARE = 4.0
"""Times the scale-up rate: memory of a GPU that the catalog lacks."""


@dataclass(frozen=True, slots=True)
class Parts:
    """
    Seconds of a call and its bytes a GPU, arrays like its tokens.

    Attributes:
        sent_bytes: That leave a GPU.
        received_bytes: By a GPU, with those of its own tokens that never left, as libraries count.
        scale_out_bytes: That leave a GPU over the NICs.
        low, high: Ends of the interval, times the answer.
    """

    start_s: Floats
    work_s: Floats
    staging_s: Floats
    sent_bytes: Floats
    received_bytes: Floats
    scale_out_bytes: Floats
    low: Floats | float
    high: float

    @property
    def time_s(self) -> Floats:
        """All of it; nothing where nothing is sent."""
        total: Floats = np.where(self.sent_bytes > 0, self.start_s + self.work_s + self.staging_s, 0.0)
        return total


@dataclass(frozen=True, slots=True)
class Copies:
    """Of one token: GPUs and domains it reaches, its own among them."""

    gpus: float
    domains: float


def generation(comm: Communicator) -> str:
    """Whose constants answer: Blackwell's from Blackwell on, else Hopper's."""
    newer = comm.vendor == "NVIDIA" and comm.architecture.year >= Architecture.BLACKWELL.year
    return BLACKWELL if newer else HOPPER


def copies_of(comm: Communicator, exchange: MoeExchange) -> Copies:
    """Where a token of this layer goes."""
    layer = (exchange.experts, exchange.topk, exchange.routing)
    return Copies(reached(comm.ranks, *layer), reached(comm.domains, *layer))


def parts(comm: Communicator, exchange: MoeExchange, tokens: Floats, library: str) -> Parts:
    """One call of a library's kernel; where it changed and no version is told, with an interval over both."""
    key = exchange.operation, generation(comm)
    first = BULK[library][key] if library in BULK else LOW_LATENCY_KERNELS[library][key]
    if library not in CHANGED or comm.domains == 1:
        return _parts(comm, exchange, tokens, first)
    if exchange.library_version is not None:
        newer = changed(exchange.library_version)
        return _parts(comm, exchange, tokens, CHANGED[library][key] if newer else first)
    call, since = (_parts(comm, exchange, tokens, kernel) for kernel in (first, CHANGED[library][key]))
    quicker = np.divide(since.time_s, call.time_s, out=np.ones_like(tokens), where=call.time_s > 0)
    return replace(call, low=call.low * np.minimum(quicker, 1.0))


def _parts(comm: Communicator, exchange: MoeExchange, tokens: Floats, kernel: Bulk | LowLatency) -> Parts:
    priced = bulk_parts if isinstance(kernel, Bulk) else low_latency_parts
    return priced(comm, exchange, tokens, kernel)  # type: ignore[arg-type]


def bulk_parts(comm: Communicator, exchange: MoeExchange, tokens: Floats, kernel: Bulk) -> Parts:
    """One call of a throughput kernel: a copy for every domain over the NICs, then for every GPU inside."""
    copies = copies_of(comm, exchange)
    received = tokens * copies.gpus * exchange.token_bytes
    handling = _handling(kernel, comm, exchange, tokens, copies, received)
    inside = received * (comm.gpus - 1) / comm.gpus / (kernel.scale_up_share * comm.link_bytes_per_s)
    work = (
        handling**HANDOVER + inside**HANDOVER + _across(kernel, comm, exchange, tokens, copies) ** HANDOVER
    ) ** (1 / HANDOVER)
    return Parts(
        start_s=np.full_like(tokens, kernel.start_s + exchange.hidden * kernel.value_s),
        work_s=np.maximum(work, kernel.wait_s) if comm.domains > 1 else work,
        staging_s=staging_s(comm, exchange, received),
        sent_bytes=received * (comm.ranks - 1) / comm.ranks,
        received_bytes=received,
        scale_out_bytes=tokens * copies.domains * exchange.token_bytes * _elsewhere(comm.domains),
        low=kernel.low,
        high=kernel.high,
    )


def _handling(
    kernel: Bulk, comm: Communicator, exchange: MoeExchange, tokens: Floats, copies: Copies, received: Floats
) -> Floats:
    """What the SMs spend on tokens, copies and bytes."""
    scanned = kernel.scan_s * comm.ranks if exchange.travels_as != "bf16" else 0.0
    each = tokens * (kernel.token_s + copies.gpus * kernel.copy_s + scanned)
    handling: Floats = (each + received / kernel.sm_bytes_per_s) / (exchange.sms or kernel.sms)
    return handling


def _across(
    kernel: Bulk, comm: Communicator, exchange: MoeExchange, tokens: Floats, copies: Copies
) -> Floats:
    """Copies that leave the domain over the NICs, or all that pass through the same channels."""
    if comm.domains == 1:
        return np.zeros_like(tokens)
    every = tokens * copies.domains * exchange.token_bytes
    leaving = every * _elsewhere(comm.domains)
    slower: Floats = np.maximum(leaving / kernel.nic_share, every / kernel.pass_share) / comm.nic_bytes_per_s
    return slower


def _elsewhere(domains: int) -> float:
    """Share of copies for other domains than the token's own."""
    return (domains - 1) / domains


def staging_s(comm: Communicator, exchange: MoeExchange, received: Floats) -> Floats:
    """Reading what arrived and writing it where the caller wants it."""
    if not exchange.staged:
        return np.zeros_like(received)
    gpu = GPUS.get(comm.setting.gpu)
    memory = gpu.memory_rate.bytes_per_s if gpu else LEAST_MEMORY_SHARE * comm.link_bytes_per_s
    return 2 * received / (STAGED_SHARE * memory)


def low_latency_parts(comm: Communicator, exchange: MoeExchange, tokens: Floats, kernel: LowLatency) -> Parts:
    """One call of a decode kernel: a copy for every expert, over NVLink alone or over the NICs."""
    copied = tokens * exchange.topk * exchange.token_bytes
    over_nics = comm.domains > 1 and comm.gpus <= NODE_GPUS and not kernel.nvlink_inside
    inside = 1 if over_nics else comm.gpus
    leaving = copied * ((comm.ranks - inside) / comm.ranks)
    sent = copied * (comm.ranks - 1) / comm.ranks
    if comm.domains == 1:
        work = _walked(kernel, exchange, tokens, sent / (kernel.scale_up_share * comm.link_bytes_per_s))
        start = kernel.start_s + kernel.doubling_s * np.log2(comm.gpus) + kernel.expert_s * exchange.experts
    else:
        start = kernel.across_start_s
        work = leaving / (kernel.nic_share * comm.nic_bytes_per_s)
        if comm.network_family is Family.EFA:
            remote = tokens * exchange.topk * (1 - 1 / comm.domains)
            work = np.maximum(work, remote * kernel.message_s)
    return Parts(
        start_s=np.full_like(tokens, start),
        work_s=work,
        staging_s=np.zeros_like(tokens),
        sent_bytes=sent,
        received_bytes=copied,
        scale_out_bytes=leaving,
        low=kernel.low,
        high=kernel.high,
    )


def _walked(kernel: LowLatency, exchange: MoeExchange, tokens: Floats, wire_s: Floats) -> Floats:
    """The longer of the wire and the SMs, which walk the tokens one after the other."""
    sms = min(exchange.experts, MOST_SMS_OF_A_CALL)
    walked = tokens / sms * (kernel.token_s + exchange.hidden * kernel.value_s)
    both: Floats = np.cbrt(wire_s**3 + walked**3)
    return both
