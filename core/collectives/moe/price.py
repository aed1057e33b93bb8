"""The price of one dispatch or combine: the library that sends it, its seconds and what they rest on."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

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
STYLES_BYTES = {"fp8": 1.0}
"""Bytes of a value where a library of that format sends no scales beside it."""


@dataclass(frozen=True, slots=True)
class PricedExchange:
    """
    The prices of an exchange, one a count of tokens; their algorithm is the library.

    Attributes:
        copies: Of one token.
    """

    prices: PricedSizes
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
        InputError: A library that does not run there, or fewer experts than GPUs.
    """
    comm = resolve(replace(setting, collective="all_to_all"))
    check_experts(exchange, comm.ranks)
    names = candidates(comm) if exchange.library == AUTO else (exchange.library,)
    if exchange.library != AUTO:
        _check_runs(comm, exchange.library)
    options = [_priced(comm, exchange, tokens, name, all_to_all) for name in names]
    return PricedExchange(_fastest(options), copies_of(comm, exchange))


def copies_on(setting: Setting, exchange: MoeExchange) -> Copies:
    """
    GPUs and domains that a token reaches there.

    Raises:
        InputError: Fewer experts than GPUs.
    """
    comm = resolve(replace(setting, collective="all_to_all"))
    check_experts(exchange, comm.ranks)
    return copies_of(comm, exchange)


def _fastest(options: list[PricedSizes]) -> PricedSizes:
    """The faster library at each count of tokens."""
    first, *others = options
    if not others:
        return first
    second = _fastest(others)
    quick = first.time_s <= second.time_s
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
) -> PricedSizes:
    if library == ALL_TO_ALL or comm.ranks == 1:
        prices = all_to_all(tokens * exchange.topk * exchange.token_bytes)
        return replace(prices, algorithms=np.where(prices.time_s > 0, ALL_TO_ALL, ""))
    if library in TENSORRT_LLM:
        return _one_domain(comm, exchange, tokens, library)
    return _columns(parts(comm, exchange, tokens, library), library, basis_of(comm, library))


def _one_domain(comm: Communicator, exchange: MoeExchange, tokens: Floats, library: str) -> PricedSizes:
    """TensorRT-LLM's kernels, whose FP8 carries one scale a tensor."""
    value = STYLES_BYTES.get(exchange.travels_as, exchange.token_bytes / exchange.hidden)
    copies = copies_of(comm, exchange).gpus * (comm.ranks - 1) / comm.ranks
    prices = measured_time(
        exchange.operation,
        comm.ranks,
        tokens * exchange.hidden * value * copies,
        tokens,
        TENSORRT_LLM[library],
        faster=comm.link_bytes_per_s / MEASURED_BYTES_PER_S,
    )
    return replace(prices, algorithms=np.full(tokens.shape, library))


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
