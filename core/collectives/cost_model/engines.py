"""The serving engines' own all-reduce: one-shot, two-shot and NVLS multimem kernels."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.catalog.calibrations.estimates import MSCCLPP_FLOOR
from core.catalog.calibrations.shapes import DomainKind, DomainSet, EngineSet, MultimemSet, ShotSet
from core.checks import Floats
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.line import Line, make_line
from core.collectives.cost_model.one_domain import factor, mesh_share
from core.collectives.cost_model.soft_maximum import ENGINE_HOST_SHARPNESS, soft_maximum

TOO_SLOW = 1e3
HANDOVER_OCTAVES = 0.5
KIN = {"mscclpp": "sglang-custom"}
"""Engines of which few times are published, and whose constants answer: kernels of the same design."""
FLOORS = {"mscclpp": MSCCLPP_FLOOR}
"""What such an engine takes at least from a stream, where that was measured."""
PCIE_RANKS = 2
"""On PCIe the engines' own kernels serve a pair."""


def engine_for(
    comm: Communicator, domain: DomainSet, sets: Mapping[str, EngineSet]
) -> tuple[str, EngineSet | None]:
    """
    The name an engine's constants have for this kind of domain, and those that answer.

    None where the engine has no kernel and calls NCCL.
    """
    engine = comm.setting.implementation
    name = f"{engine}/{domain.name}"
    if engine in KIN:
        kin = replace(comm, setting=replace(comm.setting, implementation=KIN[engine]))
        other = engine_for(kin, domain, sets)[1]
        return name, other and replace(other, host_floor_s=FLOORS[engine].value)
    if comm.kind is DomainKind.PCIE and comm.ranks > PCIE_RANKS:
        return name, None
    if name in sets or comm.kind is not DomainKind.NVLINK:
        return name, sets.get(name)
    return name, next((item for key, item in sets.items() if key.startswith(f"{engine}/nvlink")), None)


def multimem_line(comm: Communicator, sizes: Floats, kernel: MultimemSet) -> Line:
    """
    An engine's NVLS multimem kernel: the switch adds or multiplies without NCCL.

    Half of an all-reduce moves the message once over a link: a reduce-scatter pulls it from every GPU
    into the switch, an all-gather pushes it to every GPU. Nobody published times of these: they have the
    all-reduce's start, its rate on the wire and its share of that inside a step.
    """
    if comm.setting.collective == "all_reduce":
        return _multimem_all_reduce(comm, sizes, kernel)
    n = kernel.ranks
    wire_bytes_per_s = kernel.bytes_per_s * ((n + 1) / n) / (2 * (n - 1) / n)
    transfer_s = sizes / (wire_bytes_per_s * comm.link_bytes_per_s / kernel.link_bytes_per_s)
    least_s = sizes / comm.link_bytes_per_s
    return make_line(
        sizes,
        "nvls",
        "",
        launch_s=kernel.launch_s * kernel.in_step,
        transfer_s=np.maximum(transfer_s * kernel.in_step, least_s),
        wire_factor=1.0,
        least_s=least_s,
    )


def _multimem_all_reduce(comm: Communicator, sizes: Floats, kernel: MultimemSet) -> Line:
    """
    The all-reduce inside a step: the kernel adds in the switch without NCCL (TokenWeave, PyTorch symm-mem).

    On fewer GPUs than it was measured on the switch still moves (n + 1) / n of the bytes over a link.
    """
    n, measured = comm.ranks, kernel.ranks
    scale = comm.link_bytes_per_s / kernel.link_bytes_per_s
    ring = 2 * (n - 1) / n
    switched = 2 * (measured - 1) / measured * ((n + 1) / n) / ((measured + 1) / measured)
    transfer_s = max(ring, switched) * sizes / (kernel.bytes_per_s * scale)
    return make_line(
        sizes,
        "nvls",
        "",
        launch_s=kernel.launch_s * kernel.in_step,
        transfer_s=transfer_s * kernel.in_step,
        wire_factor=(n + 1) / n,
        least_s=(n + 1) / n * sizes / comm.link_bytes_per_s * kernel.in_step,
    )


def lines(comm: Communicator, sizes: Floats, engine: EngineSet, fallback: list[Line]) -> list[Line]:
    """The engine's kernels up to its limit, NCCL's lines above; a stream adds its floor and copy."""
    scale = comm.link_bytes_per_s * mesh_share(comm) / engine.link_bytes_per_s
    bend = factor(engine.correction, sizes, scale)
    n = comm.ranks
    closed = handover(sizes, engine.limit_bytes)
    kernels = [
        _shot(comm, sizes, name, shot, moved, bend, scale, closed)
        for name, shot, moved in (
            ("one-shot", engine.one_shot, float(n - 1)),
            ("two-shot", engine.two_shot, 2.0 * (n - 1) / n),
        )
    ]
    options = kernels + fallback
    if comm.setting.launch != "graph":
        return [_in_stream(line, sizes, engine) for line in options]
    return options


def handover(sizes: Floats, limit_bytes: float) -> Floats:
    """A factor that closes a kernel smoothly above its limit: 1 below, doubling every half octave."""
    above = np.maximum(np.log2(np.maximum(sizes, 1.0) / limit_bytes), 0.0)
    factors: Floats = np.minimum(np.exp2(above / HANDOVER_OCTAVES), TOO_SLOW)
    return factors


def _shot(
    comm: Communicator,
    sizes: Floats,
    name: str,
    shot: ShotSet,
    moved: float,
    bend: Floats,
    scale: float,
    closed: Floats,
) -> Line:
    return make_line(
        sizes,
        name,
        "",
        launch_s=shot.start_s * closed,
        latency_s=(comm.ranks - 1) * shot.peer_s * bend * closed,
        transfer_s=moved * sizes / (shot.bytes_per_s * scale) * bend * closed,
        wire_factor=moved,
        least_s=moved * sizes / comm.link_bytes_per_s,
    )


def _in_stream(line: Line, sizes: Floats, engine: EngineSet) -> Line:
    """Eager launch: the host's floor where the kernel is shorter, and a copy of the result."""
    total = line.time_s
    floor = soft_maximum(total, engine.host_floor_s, ENGINE_HOST_SHARPNESS) - total
    copy_s = sizes / engine.copy_bytes_per_s
    return replace(line, launch_s=line.launch_s + floor, reduction_s=line.reduction_s + copy_s)
