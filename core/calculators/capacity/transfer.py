"""KV cache transfer between prefill and decode, or to host memory, against recomputation."""

from dataclasses import dataclass

import numpy as np

from core import checks
from core.calculators.bandwidth_hierarchy.gpudirect import bounce
from core.calculators.question import BF16
from core.calculators.tensor_parallel import Scenario as TensorParallel
from core.calculators.tensor_parallel.terms import terms
from core.catalog import LINKS
from core.checks import Floats, InputError
from core.collectives.rates import Rates
from core.hardware import System
from core.units import GB, MS, counted
from core.workload import Model, Precision
from core.workload.transformer import cache_bytes_per_gpu, state_bytes

CONTEXTS = tuple(float(round(2 ** (step / 2))) for step in range(8, 41))
"""16 to a million tokens."""

HOST_MEMORY_BYTES_PER_S = 200e9
"""DRAM of a host, per direction, for a bounce buffer in it (eight DDR5 channels, two GPUs at a time)."""


@dataclass(frozen=True, slots=True)
class Path:
    """A path out of a GPU: bytes/s per direction, and its latency."""

    name: str
    bytes_per_s: float
    latency_s: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Carried:
    """
    One path's time for the cache, and whether it beats computing the cache again.

    ``wins_from_tokens``: the shortest context (to a power of the square root of 2) from which it
    does; None where it never does up to a million tokens.
    """

    path: Path
    time_s: float
    beats_recompute: bool
    wins_from_tokens: int | None


@dataclass(frozen=True, slots=True)
class Transfer:
    """
    The cache of one sequence on its way.

    Attributes:
        bytes: Whole cache, state included; ``bytes_per_gpu`` what each of ``gpus`` sends at the same time.
        state_bytes: The part that no context grows; 0 where every layer keeps keys and values.
        recompute_s: Prefill of the same context on the same GPUs.
        basis: What the messages of that prefill rest on.
        break_even_bytes_per_s: Rate of each GPU above which moving is faster than computing.
    """

    model: str
    context: int
    gpus: int
    bytes: float
    bytes_per_gpu: float
    state_bytes: float
    recompute_s: float
    break_even_bytes_per_s: float
    carried: tuple[Carried, ...]
    basis: str
    headline: str

    @property
    def what(self) -> str:
        """What is moved, in words: some models keep a state beside keys and values."""
        return _what(self.state_bytes)


def _what(state: float) -> str:
    return "KV cache and state" if state else "KV cache"


def paths(system: System) -> tuple[Path, ...]:
    """The ways out of one GPU of a system: NVLink or its like, host link, NIC directly or by bounce."""
    rows = [
        Path(system.scale_up.link, system.scale_up.bytes_per_s, system.scale_up.latency_s, "in the domain")
    ]
    host = LINKS.get(system.host_link or "")
    slot = LINKS.get(system.gpu.pcie_link or "")
    if host is not None and host.id != system.scale_up.link:
        rows.append(Path(host.id, _rate(host.id), host.latency_s or 0.0, "to host memory"))
    if slot is not None and slot is not host and slot.id != system.scale_up.link:
        rows.append(Path(slot.id, _rate(slot.id), slot.latency_s or 0.0, "to host memory"))
    out = system.scale_out
    if out is not None and slot is not None:
        pcie = _rate(slot.id)
        rows.append(Path(f"{out.link} direct", min(pcie, out.bytes_per_s), out.latency_s, "GPUDirect RDMA"))
        through_host = bounce(pcie, out.bytes_per_s, HOST_MEMORY_BYTES_PER_S)
        rows.append(
            Path(
                f"{out.link} bounce",
                through_host.serial_bytes_per_s,
                3 * out.latency_s,
                "three copies, one after the other",
            )
        )
        rows.append(
            Path(
                f"{out.link} bounce, pipelined",
                through_host.pipelined_bytes_per_s,
                3 * out.latency_s,
                "copies overlap",
            )
        )
    return tuple(rows)


def _rate(link_id: str) -> float:
    link = LINKS[link_id]
    if link.effective_bytes_per_s is not None:
        return link.effective_bytes_per_s
    if link.rate is None:
        message = f"link {link_id}: no rate is printed; give one"
        raise InputError(message)
    return link.rate.bytes_per_s


def _carry(path: Path, shares: Floats, again: Floats) -> Carried:
    """Price one path at the context of the question (first) and over all contexts (the rest)."""
    times = shares / path.bytes_per_s + path.latency_s
    wins = times < again
    lost = np.flatnonzero(~wins[1:])
    start = int(lost[-1]) + 1 if lost.size else 0
    first_win = int(CONTEXTS[start]) if start < len(CONTEXTS) else None
    return Carried(path, float(times[0]), bool(wins[0]), first_win)


def transfer(
    model: Model,
    system: System,
    context: int,
    kv: Precision,
    *,
    gpus: int = 8,
    weights: Precision | None = None,
    rates: Rates | None = None,
) -> Transfer:
    """
    Move the cache of ``context`` tokens from ``gpus`` GPUs, each its own share, or compute it again.

    An MLA cache is whole on every GPU: one GPU's share is then 1/``gpus`` of one copy.
    ``rates`` price the collectives of the prefill; a path keeps its own rate.
    """
    length, group = checks.count("context", context), checks.count("gpus", gpus)
    whole = float(cache_bytes_per_gpu(model, length, kv.bytes_per_value, 1))
    each = whole / group
    scenario = TensorParallel(
        model=model,
        system=system,
        phase="prefill",
        tokens=length,
        tp=group,
        weights=weights or BF16,
        kv=kv,
        rates=rates or Rates(),
    )
    lengths = np.array([float(length), *CONTEXTS])
    prefill = terms(scenario, lengths, lengths, group)
    again = prefill.step_s
    shares = cache_bytes_per_gpu(model, lengths, kv.bytes_per_value, 1) / group
    seconds = float(again[0])
    carried = tuple(_carry(path, shares, again) for path in paths(system))
    need = each / seconds if seconds > 0 else 0.0
    return Transfer(
        model=model.id,
        context=length,
        gpus=group,
        bytes=whole,
        bytes_per_gpu=each,
        state_bytes=state_bytes(model),
        recompute_s=seconds,
        break_even_bytes_per_s=need,
        carried=carried,
        basis=prefill.exchange.basis,
        headline=(
            f"The {_what(state_bytes(model))} of {counted(length, 'token')} of {model.name} is "
            f"{whole / GB:,.2f} GB; recomputing takes {seconds / MS:,.0f} ms, so a transfer wins on any "
            f"path above {need / GB:,.2f} GB/s per GPU."
        ),
    )
