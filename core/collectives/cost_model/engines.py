"""The serving engines' own all-reduce: one-shot, two-shot and NVLS multimem kernels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.collectives.cost_model.line import Line, make_line
from core.collectives.cost_model.one_domain import factor, mesh_share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.catalog.calibrations.shapes import EngineSet, InSwitchSet, ShotSet
    from core.collectives.cost_model.line import Floats
    from core.collectives.cost_model.setting import Resolved

TOO_SLOW = 1e3
SHARPNESS = 6.0
HANDOVER_OCTAVES = 0.5


def engine_for(
    asked: Resolved, domain_name: str, sets: Mapping[str, EngineSet]
) -> tuple[EngineSet | None, str]:
    """The engine's constants for this kind of domain; none where it only calls NCCL."""
    wanted = f"{asked.setting.implementation}/{domain_name}"
    if asked.family == "pcie" and asked.ranks > 2:
        return None, f"extrapolated:{domain_name}"
    if wanted in sets:
        return sets[wanted], f"calibrated:{wanted}"
    if asked.family == "nvlink":
        nearest = f"{asked.setting.implementation}/nvlink-hopper"
        return sets.get(nearest), f"extrapolated:{nearest}"
    return None, f"extrapolated:{domain_name}"


def multimem_line(asked: Resolved, sizes: Floats, sets: Mapping[str, InSwitchSet], name: str) -> Line:
    """NVLS multimem: the kernel reduces in the switch without NCCL (TokenWeave, PyTorch symm-mem).

    Measured on eight GPUs; with fewer the switch still moves (n + 1) / n of the bytes over a link.
    """
    kernel = sets.get(name) or sets["nvlink-hopper"]
    n = asked.ranks
    reference = {"nvlink-hopper": 450e9, "nvlink-blackwell": 900e9}.get(name, 450e9)
    scale = asked.link_bytes_per_s / reference
    moved = max(2 * (n - 1) / n, 2 * 7 / 8 * ((n + 1) / n) / (9 / 8))
    return make_line(
        sizes,
        "nvls",
        "",
        launch_s=kernel.launch_s,
        transfer_s=moved * sizes / (kernel.bytes_per_s * scale),
        wire_factor=(n + 1) / n,
        least_s=(n + 1) / n * sizes / asked.link_bytes_per_s,
    )


def lines(asked: Resolved, sizes: Floats, engine: EngineSet, fallback: list[Line]) -> list[Line]:
    """The engine's kernels up to its limit, NCCL's lines above; a stream adds its floor and copy."""
    scale = asked.link_bytes_per_s * mesh_share(asked) / engine.link_bytes_per_s
    bend = factor(engine.correction, sizes, scale)
    n = asked.ranks
    closed = handover(sizes, engine.limit_bytes)
    found = [
        _shot(asked, sizes, name, shot, moved, bend, scale, closed)
        for name, shot, moved in (
            ("one-shot", engine.one_shot, float(n - 1)),
            ("two-shot", engine.two_shot, 2.0 * (n - 1) / n),
        )
    ]
    found += fallback
    if asked.setting.launch == "stream":
        found = [_in_stream(line, sizes, engine) for line in found]
    return found


def handover(sizes: Floats, limit_bytes: float) -> Floats:
    """A factor that closes a kernel smoothly above its limit: 1 below, doubling every half octave."""
    above = np.maximum(np.log2(np.maximum(sizes, 1.0) / limit_bytes), 0.0)
    factors: Floats = np.minimum(np.exp2(above / HANDOVER_OCTAVES), TOO_SLOW)
    return factors


def _shot(
    asked: Resolved,
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
        latency_s=(asked.ranks - 1) * shot.peer_s * bend * closed,
        transfer_s=moved * sizes / (shot.bytes_per_s * scale) * bend * closed,
        wire_factor=moved,
        least_s=moved * sizes / asked.link_bytes_per_s,
    )


def _in_stream(line: Line, sizes: Floats, engine: EngineSet) -> Line:
    """Eager launch: the host's floor where the kernel is shorter, and a copy of the result."""
    total = line.time_s
    floor = (total**SHARPNESS + engine.host_floor_s**SHARPNESS) ** (1 / SHARPNESS) - total
    copy_s = sizes / engine.copy_bytes_per_s
    return replace(line, launch_s=line.launch_s + floor, reduction_s=line.reduction_s + copy_s)
