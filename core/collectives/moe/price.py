"""The price of one dispatch or combine: the library that sends it, its seconds and what they rest on."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.catalog.calibrations.moe_alltoall import MEASURED_BYTES_PER_S
from core.catalog.calibrations.moe_kernels import MEASURED, SOURCES_OF
from core.catalog.calibrations.shapes import DomainKind
from core.checks import Floats, InputError
from core.collectives.cost_model import Setting
from core.collectives.cost_model.basis import Basis, calibrated, extrapolated
from core.collectives.cost_model.communicator import Communicator, resolve
from core.collectives.formulas.columns import FIGURES
from core.collectives.moe.exchange import measured_time, widened
from core.collectives.moe.libraries import Copies, Parts, copies_of, generation, parts
from core.collectives.moe.question import ALL_TO_ALL, AUTO, TENSORRT_LLM, MoeExchange, check_experts
from core.collectives.pricing import PricedSizes
from core.hardware import Architecture

AllToAll = Callable[[Floats], PricedSizes]
"""An all-to-all over the same GPUs by what each of them sends, in bytes."""
FP8, BF16 = "fp8", "bf16"
STYLES_BYTES = {FP8: 1.0}
"""Bytes of a value where a library of that format sends no scales beside it."""


@dataclass(frozen=True, slots=True)
class SentExchange:
    """
    An exchange by one library, or by the faster of several, arrays like its tokens.

    Attributes:
        received_bytes: By a GPU, with those of its own tokens that never left, as libraries count.
        scale_out_bytes: That leave a GPU over the NICs.
    """

    prices: PricedSizes
    received_bytes: Floats
    scale_out_bytes: Floats


@dataclass(frozen=True, slots=True)
class PricedExchange(SentExchange):
    """
    The prices of an exchange, one a count of tokens; their algorithm is the library.

    Attributes:
        copies: Of one token.
    """

    copies: Copies


def priced_exchange(
    setting: Setting, exchange: MoeExchange, tokens: Floats, all_to_all: AllToAll
) -> PricedExchange:
    """
    What an exchange costs on these GPUs.

    Args:
        setting: The GPUs and links; its collective is not looked at.
        exchange: The layer, the library and the routing.
        tokens: Of one GPU, an array.
        all_to_all: Prices the plain collective, for libraries that have nothing better.

    Raises:
        InputError: A library or a format that does not run there, or fewer experts than GPUs.
    """
    comm, exchange = _resolved(setting, exchange)
    names = candidates(comm) if exchange.library == AUTO else (exchange.library,)
    options = [_priced(comm, exchange, tokens, name, all_to_all) for name in names]
    fastest = _fastest(options)
    copies = copies_of(comm, exchange)
    return PricedExchange(fastest.prices, fastest.received_bytes, fastest.scale_out_bytes, copies)


def copies_on(setting: Setting, exchange: MoeExchange) -> Copies:
    """
    GPUs and domains that a token reaches there.

    Raises:
        InputError: As ``priced_exchange``.
    """
    return copies_of(*_resolved(setting, exchange))


def formatted(setting: Setting, exchange: MoeExchange) -> MoeExchange:
    """The exchange in a format that its GPUs have: where nobody stated one, BF16 on those without FP8."""
    return _resolved(setting, exchange)[1]


def _resolved(setting: Setting, exchange: MoeExchange) -> tuple[Communicator, MoeExchange]:
    """The GPUs and the exchange in a format that they have, checked."""
    comm = resolve(replace(setting, collective="all_to_all"))
    check_experts(exchange, comm.ranks)
    if exchange.library != AUTO:
        _check_runs(comm, exchange.library)
    if exchange.travels_as != FP8 or comm.architecture.computes_fp8:
        return comm, exchange
    if exchange.token_format is not None:
        message = f"token_format: {BF16} on {comm.architecture.label}, which has no FP8"
        raise InputError(message)
    return comm, replace(exchange, token_format=BF16)


def _fastest(options: list[SentExchange]) -> SentExchange:
    """The faster library at each count of tokens."""
    first, *others = options
    if not others:
        return first
    second = _fastest(others)
    quick = first.prices.time_s <= second.prices.time_s
    return SentExchange(
        _merged(first.prices, second.prices, quick),
        np.where(quick, first.received_bytes, second.received_bytes),
        np.where(quick, first.scale_out_bytes, second.scale_out_bytes),
    )


def _merged(first: PricedSizes, second: PricedSizes, quick: NDArray[np.bool_]) -> PricedSizes:
    """The first where it is quick, else the second."""
    columns = {
        name: np.where(quick, getattr(first, name), getattr(second, name))
        for name in ("size_bytes", "algorithms", *FIGURES)
    }
    taken = [prices for prices, any_of in ((first, quick.any()), (second, not quick.all())) if any_of]
    return replace(
        first,
        **columns,
        basis=", ".join(dict.fromkeys(prices.basis for prices in taken)),
        sources=tuple(dict.fromkeys(source for prices in taken for source in prices.sources)),
    )


def candidates(comm: Communicator) -> tuple[str, ...]:
    """What engines use on such GPUs."""
    modern = comm.vendor == "NVIDIA" and comm.architecture.year >= Architecture.HOPPER.year
    if comm.ranks == 1 or comm.kind is DomainKind.PCIE or not (modern or comm.domains > 1):
        return (ALL_TO_ALL,)
    if not modern:
        return ("uccl-ep", "uccl-ep-low-latency") if comm.vendor == "AMD" else (ALL_TO_ALL,)
    if comm.domains == 1 and comm.architecture is Architecture.BLACKWELL:
        return ("trtllm-one-sided",)
    return ("deepep", "deepep-low-latency")


def _check_runs(comm: Communicator, library: str) -> None:
    if library == ALL_TO_ALL:
        return
    if comm.vendor == "NVIDIA" and comm.architecture.year < Architecture.AMPERE.year:
        message = f"library: {ALL_TO_ALL} (or auto) on {comm.architecture.label}, not {library}"
        raise InputError(message)
    if comm.kind is DomainKind.PCIE and comm.gpus > 1:
        message = f"library: {ALL_TO_ALL} (or auto) where GPUs have PCIe alone, not {library}"
        raise InputError(message)
    if library in TENSORRT_LLM and comm.domains > 1:
        message = f"library: {library} runs inside one NVLink domain, not in {comm.domains}"
        raise InputError(message)
    if comm.vendor == "AMD" and not library.startswith("uccl"):
        message = f"library: uccl-ep, uccl-ep-low-latency or {ALL_TO_ALL} on AMD, not {library}"
        raise InputError(message)


def _priced(
    comm: Communicator, exchange: MoeExchange, tokens: Floats, library: str, all_to_all: AllToAll
) -> SentExchange:
    if library == ALL_TO_ALL or comm.ranks == 1:
        copies = exchange.topk if comm.ranks > 1 else 1
        return _all_to_all(comm, tokens * copies * exchange.token_bytes, all_to_all)
    if library in TENSORRT_LLM:
        return _one_domain(comm, exchange, tokens, library)
    call = parts(comm, exchange, tokens, library)
    prices = _columns(call, library, basis_of(comm, library))
    return SentExchange(prices, call.received_bytes, call.scale_out_bytes)


def _all_to_all(comm: Communicator, size_bytes: Floats, all_to_all: AllToAll) -> SentExchange:
    """The plain collective, of which each domain gets its equal share."""
    prices = all_to_all(size_bytes)
    named = replace(prices, algorithms=np.where(prices.time_s > 0, ALL_TO_ALL, ""))
    return SentExchange(named, size_bytes, size_bytes * (comm.domains - 1) / comm.domains)


def _one_domain(comm: Communicator, exchange: MoeExchange, tokens: Floats, library: str) -> SentExchange:
    """TensorRT-LLM's kernels, whose FP8 carries one scale a tensor."""
    value = STYLES_BYTES.get(exchange.travels_as, exchange.token_bytes / exchange.hidden)
    received = tokens * exchange.hidden * value * copies_of(comm, exchange).gpus
    prices = measured_time(
        exchange.operation,
        comm.ranks,
        received * (comm.ranks - 1) / comm.ranks,
        tokens,
        TENSORRT_LLM[library],
        faster=comm.link_bytes_per_s / MEASURED_BYTES_PER_S,
    )
    named = replace(prices, algorithms=np.full(tokens.shape, library))
    return SentExchange(named, received, np.zeros_like(received))


def basis_of(comm: Communicator, library: str) -> Basis:
    """Calibrated where the library was timed on such GPUs, network and group; else extrapolated."""
    network = comm.network_family if comm.domains > 1 else None
    known = comm.architecture in (Architecture.HOPPER, Architecture.BLACKWELL)
    timed = known and any(
        place.generation == generation(comm) and place.network is network and comm.ranks <= place.most_ranks
        for place in MEASURED[library]
    )
    return (calibrated if timed else extrapolated)(f"moe-{library}")


def _columns(call: Parts, library: str, basis: Basis) -> PricedSizes:
    time = call.time_s
    moving = time > 0
    zero = np.zeros_like(time)
    return PricedSizes(
        size_bytes=call.sent_bytes,
        time_s=time,
        low_s=time * widened(call.low, basis),
        high_s=time * widened(call.high, basis),
        launch_s=zero,
        latency_s=np.where(moving, call.start_s, 0.0),
        transfer_s=np.where(moving, call.work_s, 0.0),
        reduction_s=np.where(moving, call.staging_s, 0.0),
        wire_bytes=call.sent_bytes,
        algorithms=np.where(moving, library, ""),
        basis=str(basis),
        warnings=(),
        sources=SOURCES_OF[library],
    )
